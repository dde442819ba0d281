"""The linear programme of estimation over given columns, by an interior point method.

Columns S with multiplicities x_S are packed with the features of the draws; its dual puts a price
on every feature. docs/certificates.md has both. The method stops inside the set of good prices, not
at a vertex of it: such prices leave slack for most columns, which keeps the proof short.
Floating point is enough here, because prices are rounded up and checked in whole numbers later.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix, FloatArray, IntArray

MAX_ITERATIONS = 100
"""Newton steps; around 30 are usual."""
PATIENCE = 5
"""Steps without a smaller gap after which it stops."""
STEP = 0.99
"""Share of the way to the boundary that a step may go."""


@dataclass(frozen=True, eq=False)
class Solved:
    """Multiplicities and prices, both feasible for the columns given."""

    multiplicities: FloatArray
    """(C,)"""
    prices: list[FloatArray]
    """(K_b,) per draw."""
    value: float
    """The total of the prices less what fixed columns cost: above the programme's optimum."""
    gap: float
    """By how much at most."""


class Programme:
    """Maximise sum_b w_b M_b(x) - t sum_S |S| x_S over real x; M_b is the best fractional matching.

    Parameters
    ----------
    draws
        (n, K_b) matrices.
    weights
        (B,): how often each counts.
    threshold
        t, half of a times the total weight.
    """

    def __init__(self, draws: list[BinaryMatrix], weights: IntArray, threshold: float) -> None:
        # Inside, weights are 1 on average: steps are poor where variables differ much in size.
        self._unit = float(weights.mean())
        self.weights = weights / self._unit
        self.threshold = threshold / self._unit
        self.n_features = np.array([draw.shape[1] for draw in draws])
        width = max(1, int(self.n_features.max(initial=0)))
        self._is_feature = np.arange(width) < self.n_features[:, None]
        self._sets = np.zeros((len(draws), width, len(draws[0])), dtype=np.float32)
        for row, draw in zip(self._sets, draws, strict=True):
            row[: draw.shape[1]] = draw.T

    def size(self, n_columns: int) -> int:
        """Number of variables with this many columns."""
        return self._is_feature.size * n_columns

    def overlaps(self, columns: BinaryMatrix) -> FloatArray:
        """(B, K, C): items that feature k of draw b shares with each column."""
        flat = self._sets.reshape(-1, self._sets.shape[2]) @ columns.astype(np.float32)
        return flat.reshape(*self._is_feature.shape, -1).astype(np.float64)

    def solve(
        self,
        columns: BinaryMatrix,
        tolerance: float,
        *,
        least: FloatArray | None = None,
        is_fixed: npt.NDArray[np.bool_] | None = None,
    ) -> Solved:
        """Solve over these columns until the gap is at most `tolerance`.

        Column S is used at least `least[S]` times, and exactly that often where `is_fixed`.
        """
        n_columns = columns.shape[1]
        least = np.zeros(n_columns) if least is None else least
        is_fixed = np.zeros(n_columns, dtype=np.bool_) if is_fixed is None else is_fixed
        point = best = _Point(self, columns, least, ~is_fixed)
        without_gain = 0
        with np.errstate(all="ignore"):
            for _ in range(MAX_ITERATIONS):
                following = point.step()
                if following is None:  # rounding errors allow no more
                    break
                point = following
                without_gain = 0 if point.gap < best.gap else without_gain + 1
                best = point if point.gap < best.gap else best
                if best.gap * self._unit <= tolerance or without_gain == PATIENCE:
                    break
        point = best
        prices = [row[:k] for row, k in zip(point.y, self.n_features, strict=True)]
        value, gap = self._unit * point.value, self._unit * point.gap
        return Solved(least + point.x, prices, value, gap)


class _Point:
    """Strictly feasible multiplicities x, matches z, column duals u and prices y.

    Slacks: d of u + y >= overlap, s of "a feature is matched once", v of "a column is matched as
    often as it is used", r of "a column earns no more than it costs". Each belongs to one of the
    others, and their products all go to zero together (Mehrotra 1992).
    """

    def __init__(
        self,
        programme: Programme,
        columns: BinaryMatrix,
        least: FloatArray,
        is_free: npt.NDArray[np.bool_],
        start: tuple[FloatArray, ...] | None = None,
        overlaps: FloatArray | None = None,
    ) -> None:
        self.programme, self.columns = programme, columns
        self.least, self.is_free = least, is_free
        self.real = programme._is_feature
        self.o = programme.overlaps(columns) if overlaps is None else overlaps
        w = programme.weights
        self.cost = programme.threshold * columns.sum(axis=0).astype(np.float64)
        if start is None:
            u = np.broadcast_to(self.cost / (2 * w.sum()), (len(w), len(least))).copy()
            y = np.where(self.real, np.maximum((self.o - u[:, None]).max(axis=2), 0) + 1, 1.0)
            x = np.where(is_free, 1.0, 0.0)
            shares = np.minimum(least + x, 1.0) / (2 * max(self.o.shape[1:]))
            start = x, np.where(self.real[:, :, None], shares, 0.0), u, y
        self.x, self.z, self.u, self.y = start
        real = self.real[:, :, None]
        self.d = np.where(real, self.u[:, None] + self.y[:, :, None] - self.o, 1.0)
        self.s = np.where(self.real, 1 - self.z.sum(axis=2), 1.0)
        self.v = least + self.x - self.z.sum(axis=1)
        self.earned = w @ self.u
        self.r = np.where(is_free, self.cost - self.earned, 1.0)
        self.value = float(
            w @ np.where(self.real, self.y, 0.0).sum(axis=1) + least @ (self.earned - self.cost)
        )
        self.gap = self.value - float(
            w @ (self.o * self.z).sum(axis=(1, 2)) - self.cost @ (least + self.x)
        )

    def step(self) -> _Point | None:
        """A predictor and a corrector step; None where no progress is possible."""
        products = self._products()
        count = sum(int(np.count_nonzero(product)) for product in products)
        mean = sum(float(product.sum()) for product in products) / count
        try:
            solver = _Newton(self)
        except np.linalg.LinAlgError:
            return None
        predictor = solver.direction(*(-product for product in products))
        primal, dual = self._lengths(predictor)
        ahead = self._products_at(predictor, primal, dual)
        share = max((sum(float(p.sum()) for p in ahead) / count / mean) ** 3, 1e-4)
        second = predictor.products()
        goals = (share * mean - p - q for p, q in zip(products, second, strict=True))
        direction = solver.direction(*goals)
        primal, dual = (min(1.0, STEP * length) for length in self._lengths(direction))
        start = (
            self.x + primal * direction.x,
            self.z + primal * direction.z,
            self.u + dual * direction.u,
            self.y + dual * direction.y,
        )
        following = _Point(self.programme, self.columns, self.least, self.is_free, start, self.o)
        return following if following._is_inside() else None

    def _is_inside(self) -> bool:
        free, real = self.is_free, self.real
        slacks = (self.d, self.s, self.v, self.r, self.u, self.y[real], self.z[real], self.x[free])
        return all(bool((slack > 0).all()) for slack in slacks) and bool(np.isfinite(self.gap))

    def _products(self) -> tuple[FloatArray, ...]:
        free, real = self.is_free, self.real
        return (
            self.z * self.d,
            np.where(real, self.s * self.y, 0.0),
            self.v * self.u,
            np.where(free, self.x * self.r, 0.0),
        )

    def _products_at(self, by: _Direction, primal: float, dual: float) -> tuple[FloatArray, ...]:
        free, real = self.is_free, self.real
        return (
            (self.z + primal * by.z) * (self.d + dual * by.d),
            np.where(real, (self.s + primal * by.s) * (self.y + dual * by.y), 0.0),
            (self.v + primal * by.v) * (self.u + dual * by.u),
            np.where(free, (self.x + primal * by.x) * (self.r + dual * by.r), 0.0),
        )

    def _lengths(self, by: _Direction) -> tuple[float, float]:
        """How far the primal and the dual variables can go; above 1 if nothing is in the way."""
        primal = [(self.x, by.x), (self.z, by.z), (self.s, by.s), (self.v, by.v)]
        dual = [(self.y, by.y), (self.u, by.u), (self.d, by.d), (self.r, by.r)]
        lengths = []
        for pairs in (primal, dual):
            # Places without a feature are 0 / 0 and do not count.
            rates = (np.fmax.reduce(-change / value, axis=None) for value, change in pairs)
            fastest = max(float(rate) for rate in rates)
            lengths.append(1.0 / max(fastest, STEP))
        return lengths[0], lengths[1]


@dataclass(frozen=True, eq=False)
class _Direction:
    x: FloatArray
    z: FloatArray
    u: FloatArray
    y: FloatArray
    d: FloatArray
    s: FloatArray
    v: FloatArray
    r: FloatArray

    def products(self) -> tuple[FloatArray, ...]:
        return self.z * self.d, self.s * self.y, self.v * self.u, self.x * self.r


class _Newton:
    """The Newton system of a point: all but the x are eliminated draw by draw."""

    def __init__(self, at: _Point) -> None:
        self.at, w = at, at.programme.weights
        real = at.real[:, :, None]
        self.ratio = np.where(real, at.z / at.d, 0.0)
        self.u_weight = self.ratio.sum(axis=1) + at.v / at.u
        y_weight = np.where(at.real, self.ratio.sum(axis=2) + at.s / at.y, 1.0)
        self.scaled = self.ratio / self.u_weight[:, None]
        inner = -(self.scaled @ self.ratio.transpose(0, 2, 1))
        diagonal = np.arange(inner.shape[1])
        inner[:, diagonal, diagonal] += y_weight
        self.inverse = np.linalg.inv(inner)
        root = np.linalg.cholesky((self.inverse + self.inverse.transpose(0, 2, 1)) / 2)
        rows = (root.transpose(0, 2, 1) @ self.scaled) * np.sqrt(w)[:, None, None]
        rows = rows.reshape(-1, rows.shape[2])[:, at.is_free]
        outer = rows.T @ rows
        own = (w[:, None] / self.u_weight).sum(axis=0)[at.is_free]
        diagonal = np.arange(len(outer))
        outer[diagonal, diagonal] += own + (at.r / np.where(at.is_free, at.x, 1.0))[at.is_free]
        self.outer = np.linalg.inv(outer)
        if not np.isfinite(self.outer).all():
            raise np.linalg.LinAlgError("the system is singular")

    def direction(self, z: Any, s: Any, v: Any, x: Any) -> _Direction:
        """The step that changes the products of the pairs by these amounts, to first order."""
        at, w = self.at, self.at.programme.weights
        of_z = np.where(at.real[:, :, None], z / at.d, 0.0)
        of_y = np.where(at.real, s / at.y + of_z.sum(axis=2), 0.0)
        of_u = v / at.u + of_z.sum(axis=1)
        _, u = self._inner(of_y, of_u)
        dx = np.zeros(len(at.x))
        goal = (x / np.where(at.is_free, at.x, 1.0) + w @ u)[at.is_free]
        dx[at.is_free] = self.outer @ goal
        y, u = self._inner(of_y, of_u - dx)
        d = np.where(at.real[:, :, None], u[:, None] + y[:, :, None], 0.0)
        dz = np.where(at.real[:, :, None], of_z - self.ratio * d, 0.0)
        r = np.where(at.is_free, -(w @ u), 0.0)
        return _Direction(dx, dz, u, y, d, -dz.sum(axis=2), dx - dz.sum(axis=1), r)

    def _inner(self, of_y: FloatArray, of_u: FloatArray) -> tuple[FloatArray, FloatArray]:
        right = of_y - (self.scaled @ of_u[:, :, None])[:, :, 0]
        y = (self.inverse @ right[:, :, None])[:, :, 0]
        u = (of_u - (self.ratio.transpose(0, 2, 1) @ y[:, :, None])[:, :, 0]) / self.u_weight
        return y, u
