"""The credible ball: the draws nearest to an estimate. Typicality: how far out a matrix lies."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from fangs._extras import frame
from fangs._frozen import Frozen, read_only
from fangs._typing import BinaryMatrix, IntArray
from fangs.check.arguments import as_level, as_penalty_for
from fangs.check.text import rounded
from fangs.draws.matrices import matched_allocation
from fangs.engine import match
from fangs.loss import whole_losses
from fangs.posterior.alignment import Alignment, as_alignment
from fangs.posterior.assess import note_on_draws
from fangs.posterior.diagnostics import mean_error
from fangs.posterior.intervals import exact_share, quantile

if TYPE_CHECKING:
    import pandas as pd

# Bars of a histogram, also of very many draws.
_MOST_BARS = 100


def credible_ball(
    estimate: Any,
    samples: Any,
    *,
    level: float = 0.95,
    a: float | None = None,
    vertical: Literal["features", "ones"] = "features",
    n_threads: int | None = None,
) -> CredibleBall:
    """Find the smallest ball around an estimate that holds a given share of the draws.

    This is the ball of Wade and Ghahramani (2018) for feature allocations instead of partitions.
    Its members are all draws at most `radius` away. The radius is the smallest for which the
    members are a share `level` of the draws or more, by weight. Ties are common, and all draws of
    a tie are members, so `coverage` may exceed `level`.

    Costs one alignment of the draws, or none where the alignment is given.

    Parameters
    ----------
    estimate
        An `Estimate`, or any 0/1 matrix: the centre.
    samples
        The posterior draws: `Samples`, or anything it accepts; or their `Alignment` to the
        estimate, if it has been made already.
    level
        Share of the draws to hold, more than 0 and at most 1.
    a
        Price of a one that the centre has and a draw lacks; by default the estimate's own, or 1 for
        a plain matrix. The ball at ``2 - a`` measures the loss from the draw to the centre.
    vertical
        Whether `lower` and `upper` are the members with the fewest and most features, or ones.
    n_threads
        Threads to use for the alignment; None means all cores.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> ball = credible_ball(fangs.estimate(draws, seed=1), draws)
    >>> print(ball)
    95 % credible ball at a = 1: radius 88 ± 1.5, 385 of 400 draws (96.2 %)
      farthest: 6 draws at loss 88, such as draw 332
      fewest features: 179 draws with 4, such as draw 1
      most features: 2 draws with 10, such as draw 343
      draws are counted from 0
      note: the chains are in different modes: ...
    >>> draws[ball.upper[0]].shape
    (100, 10)
    """
    if vertical not in ("features", "ones"):
        raise ValueError(f'vertical = {vertical!r} is not known; choose "features" or "ones"')
    level, a = as_level(level), as_penalty_for(estimate, a)
    alignment = as_alignment(estimate, samples, n_threads)
    info, distances = alignment.engine.samples_info, _Distances.of(alignment, a)
    whole = distances.whole
    radius = quantile(whole, info.weights, exact_share(level))
    chains = None if info.chains is None else info.chain_codes
    members = info.counted[whole[info.counted] <= radius]
    sizes = (info.n_features if vertical == "features" else info.n_ones)[members]
    return CredibleBall(
        level=level,
        a=a,
        radius=float(radius / distances.denominator),
        radius_error=distances.quantile_error(level, radius, chains),
        members=members,
        coverage=distances.share(members),
        horizontal=members[whole[members] == radius],
        lower=members[sizes == sizes.min()],
        upper=members[sizes == sizes.max()],
        vertical=vertical,
        sizes=(int(sizes.min()), int(sizes.max())),
        distances=distances,
        note=note_on_draws(estimate, info),
    )


def typicality(
    matrix: Any,
    samples: Any,
    *,
    estimate: Any,
    a: float | None = None,
    n_threads: int | None = None,
) -> float:
    """Share of draws, by weight, that are at least as far from an estimate as a matrix is.

    It is 1 for the estimate itself and 0 for a matrix farther away than every draw. A matrix lies
    in the credible ball of level ``p`` exactly if its typicality is more than ``1 - p``. Use it to
    ask whether the posterior would produce an allocation of your own, such as a theory or a
    simulated truth.

    All distances are to the draws given here, even if the estimate was made from others.

    Costs one alignment of the draws, or none where the alignment is given.

    Parameters
    ----------
    matrix
        The 0/1 matrix in question. It takes the place of a draw.
    samples
        The posterior draws: `Samples`, or anything it accepts; or their `Alignment` to the
        estimate, if it has been made already.
    estimate
        An `Estimate`, or any 0/1 matrix: distances are measured from it.
    a
        Price of a one that the estimate has and the matrix or a draw lacks; by default the
        estimate's own, or 1 for a plain matrix.
    n_threads
        Threads to use for the alignment; None means all cores.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> estimate = fangs.estimate(draws, seed=1)
    >>> typicality(estimate, draws, estimate=estimate)
    1.0
    >>> typicality(draws[0], draws, estimate=estimate)
    0.6825
    """
    a = as_penalty_for(estimate, a)
    return _Distances.of(as_alignment(estimate, samples, n_threads), a).typicality(matrix)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CredibleBall(Frozen):
    """The draws nearest to an estimate; made by `fangs.credible_ball`.

    Draws are given by their numbers, so ``samples[ball.lower[0]]`` is a matrix. The arrays are
    read-only.

    Attributes
    ----------
    level
        Share of the draws that the ball was to hold.
    a
        The penalty of the losses.
    radius
        Largest FARO loss from the estimate to a member.
    radius_error
        Monte Carlo standard error of the radius; None where it cannot be told: if too few draws
        count, or if all of them are members.
    members
        All draws at most `radius` away, in increasing order; none of weight 0.
    coverage
        Share of the draws, by weight, that are members: `level` or more.
    horizontal
        The members farthest from the estimate, all of them.
    lower
        The members with the fewest features (or ones), all of them.
    upper
        The members with the most features (or ones), all of them.
    vertical
        What `lower` and `upper` count.
    sizes
        Number of features (or ones) that `lower` and `upper` have.
    distances
        The same losses as whole numbers, for exact comparisons.
    note
        Says so if the estimate was made from other draws; else empty.
    """

    level: float
    a: float
    radius: float
    radius_error: float | None
    members: IntArray
    coverage: float
    horizontal: IntArray
    lower: IntArray
    upper: IntArray
    vertical: Literal["features", "ones"]
    sizes: tuple[int, int]
    distances: _Distances
    note: str = ""

    def typicality(self, matrix: Any) -> float:
        """Share of draws at least as far from the estimate as a matrix; see `fangs.typicality`."""
        return self.distances.typicality(matrix)

    @property
    def radius_words(self) -> str:
        """The radius with its error, as people read it."""
        # The loss of a member, so its digits are shown whatever the error.
        error = "" if self.radius_error is None else f" ± {rounded(self.radius_error, 2)}"
        return f"{rounded(self.radius, 6)}{error}"

    @property
    def losses(self) -> npt.NDArray[np.float64]:
        """(B,): FARO loss of the estimate to each draw."""
        whole = np.asarray(self.distances.whole / self.distances.denominator, dtype=np.float64)
        return read_only(whole)

    @property
    def weights(self) -> IntArray | None:
        """(B,): how much each draw counts, or None if each counts once."""
        return self.distances.weights

    @property
    def expected_loss(self) -> float:
        """Mean FARO loss of the estimate to the draws, by weight."""
        return float(np.average(self.losses, weights=self.weights))

    def histogram(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Heights and edges of the bars of a histogram of the losses.

        Heights are numbers of draws, or shares of the weight where draws have weights. Where losses
        are whole numbers, each bar covers equally many of them.

        Examples
        --------
        >>> heights, edges = credible_ball([[1], [0]], [[[1], [0]]] * 3 + [[[1], [1]]]).histogram()
        >>> heights.tolist(), edges.tolist()
        ([3.0, 1.0], [-0.5, 0.5, 1.5])
        """
        losses, weights = self.losses, self.weights
        edges = _edges(losses if weights is None else losses[weights > 0])
        shares = None if weights is None else weights / weights.sum()
        return np.histogram(losses, bins=edges, weights=shares)[0].astype(np.float64), edges

    def to_frame(self) -> pd.DataFrame:
        """Return the members as a pandas DataFrame: their losses, and which bounds they are.

        Draws are numbered from 0. Needs pandas.

        Examples
        --------
        >>> import fangs
        >>> draws = fangs.datasets.example()
        >>> ball = credible_ball(fangs.estimate(draws, seed=1), draws)
        >>> int(ball.to_frame()["horizontal"].sum())
        6
        """
        bounds = {name: getattr(self, name) for name in ("horizontal", "lower", "upper")}
        columns = {
            "loss": self.losses[self.members],
            **{name: np.isin(self.members, draws) for name, draws in bounds.items()},
        }
        return frame(columns, index=self.members.tolist(), name="draw")

    def _repr_html_(self) -> str:
        from fangs.report.views import ball_html

        return ball_html(self)

    def __repr__(self) -> str:
        return (
            f"<CredibleBall: radius {rounded(self.radius, 6)}, {len(self.members)} draws, "
            f"coverage {self.coverage:.4g} for level {self.level:g}>"
        )

    def __str__(self) -> str:
        n_draws = len(self.distances.whole)
        of_weight = "" if self.distances.weights is None else " of the weight"
        fewest, most = self.sizes
        return "\n".join(
            [
                f"{100 * self.level:.4g} % credible ball at a = {self.a:g}: radius "
                f"{self.radius_words}, "
                f"{len(self.members):,} of {n_draws:,} draws "
                f"({100 * self.coverage:.1f} %{of_weight})",
                f"  farthest: {_draws(self.horizontal, f'at loss {rounded(self.radius, 6)}')}",
                f"  fewest {self.vertical}: {_draws(self.lower, f'with {fewest}')}",
                f"  most {self.vertical}: {_draws(self.upper, f'with {most}')}",
                "  draws are counted from 0",
                *([f"  note: {self.note}"] if self.note else []),
            ]
        )


@dataclass(frozen=True, eq=False)
class _Distances(Frozen):
    """Losses of a centre to all draws, as whole numbers over a denominator."""

    centre: BinaryMatrix
    a: float
    whole: npt.NDArray[Any]
    denominator: int
    weights: IntArray | None

    @classmethod
    def of(cls, alignment: Alignment, a: float) -> _Distances:
        centre, info = alignment.reference, alignment.engine.samples_info
        losses = whole_losses(a, int(centre.sum()), info.n_ones, alignment.overlaps)
        return cls(centre, a, *losses, info.weights)

    def quantile_error(self, level: float, radius: Any, chains: IntArray | None) -> float | None:
        """Half the distance between the losses at both ends of an interval around a level.

        The interval is one standard error wide on both sides: Wilson's for a share of as many draws
        as the number of members is worth (Vehtari et al. 2021, section 4, with Wilson's interval in
        the place of quantiles of a beta distribution).
        """
        share_error = mean_error(self.whole <= radius, self.weights, chains)
        if not share_error or not share_error.error:
            return None
        n_draws = share_error.effective_draws
        middle = (level + 0.5 / n_draws) / (1 + 1 / n_draws)
        reach = (level * (1 - level) / n_draws + 0.25 / n_draws**2) ** 0.5 / (1 + 1 / n_draws)
        low = quantile(self.whole, self.weights, Fraction(max(middle - reach, 0.0)))
        high = quantile(self.whole, self.weights, Fraction(min(middle + reach, 1.0)))
        return float((high - low) / self.denominator / 2)

    def typicality(self, matrix: Any) -> float:
        other = matched_allocation(matrix, name="matrix", n_items=len(self.centre))
        overlap, _ = match(self.centre, other)
        ones, overlaps = np.array([other.sum(dtype=np.int64)]), np.array([overlap])
        distance = whole_losses(self.a, int(self.centre.sum()), ones, overlaps)[0][0]
        return self.share(np.flatnonzero(self.whole >= distance))

    def share(self, draws: IntArray) -> float:
        """Share of all draws that these are, by weight."""
        if self.weights is None:
            return len(draws) / len(self.whole)
        return int(self.weights[draws].sum()) / int(self.weights.sum())


def _edges(losses: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    edges = np.histogram_bin_edges(losses, bins="auto")
    if len(edges) > _MOST_BARS:
        edges = np.linspace(edges[0], edges[-1], _MOST_BARS + 1)
    if (losses != np.round(losses)).any():
        return edges
    width = max(1.0, np.round(edges[1] - edges[0]))
    return np.arange(losses.min() - 0.5, losses.max() + width, width)


def _draws(draws: IntArray, which: str) -> str:
    count = "1 draw" if len(draws) == 1 else f"{len(draws)} draws"
    return f"{count} {which}, such as draw {draws[0]}"
