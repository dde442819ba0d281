"""The Indian buffet process and the attraction Indian buffet distribution: draws and log pmf."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fangs.check.arguments import as_count
from fangs.simulate.validate import as_features, as_positive

Seed = int | np.random.SeedSequence | np.random.Generator | None


@dataclass(frozen=True)
class IBP:
    """The Indian buffet process over a fixed number of items.

    The i-th item takes each earlier feature with probability (number of earlier items that have
    it) / i, and Poisson(alpha / i) new ones. Items are exchangeable; the number of features is
    Poisson(alpha * H_n), where H_n = 1 + 1/2 + ... + 1/n.

    Parameters
    ----------
    n_items : int
        Number of items.

    References
    ----------
    Griffiths and Ghahramani (2011), The Indian buffet process: an introduction and review, JMLR 12.

    Examples
    --------
    >>> prior = IBP(3)
    >>> prior.draw(alpha=2.0, seed=1).shape[0]
    3
    >>> round(prior.log_pmf([[1], [1], [0]], alpha=1.0), 4)  # log(1/6) - H_3
    -3.6251
    """

    n_items: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_items", as_count(self.n_items, name="n_items"))

    def draw(self, *, alpha: float, seed: Seed = None) -> NDArray[np.uint8]:
        """Draw one allocation: an (n_items, K) array, features in their order of arrival."""
        n = self.n_items
        equal_shares = np.tril(np.ones((n, n)), -1) / np.arange(1, n + 1)[:, None]
        return _arrive(equal_shares, as_positive(alpha, "alpha"), seed)

    def log_pmf(self, matrix: ArrayLike, *, alpha: float) -> float:
        """Log probability of an allocation, whatever the order of its columns."""
        z = as_features(matrix, n_items=self.n_items)
        sizes = z.sum(axis=0, dtype=np.int64)
        n = self.n_items
        columns = sum(
            math.lgamma(m) + math.lgamma(n - m + 1) - math.lgamma(n + 1) for m in sizes.tolist()
        )
        return columns + _log_pmf_of_count(z, as_positive(alpha, "alpha"))


@dataclass(frozen=True, eq=False)
class AIBD:
    """The attraction Indian buffet distribution: an IBP in which similar items share features.

    Items arrive in an order. The i-th to arrive takes a feature of earlier items with probability
    (i-1)/i times the share of its similarity to all earlier items that belongs to those that have
    the feature, and Poisson(alpha / i) new ones. Equal similarities give the IBP; the number of
    features has the same distribution as there.

    Parameters
    ----------
    similarity : (n_items, n_items) array_like
        Symmetric, positive off the diagonal; only ratios within a row matter.
    order : sequence of int, optional
        Item numbers in their order of arrival; by default 0, 1, 2, ...

    References
    ----------
    Warr, Dahl, Meyer and Lui (2022), The attraction Indian buffet distribution, Bayesian Analysis.

    Examples
    --------
    >>> prior = AIBD([[1, 1, 3], [1, 1, 1], [3, 1, 1]])
    >>> prior.draw(alpha=1.0, seed=1).shape[0]
    3
    >>> round(prior.log_pmf([[1], [0], [1]], alpha=1.0), 4)  # 1 * (1 - 1/2) * 2/3 * 3/4, e^(-H_3)
    -3.2196
    """

    similarity: NDArray[np.float64]
    order: NDArray[np.intp]

    def __init__(self, similarity: ArrayLike, *, order: Sequence[int] | None = None) -> None:
        s = np.array(similarity, dtype=np.float64)
        if s.ndim != 2 or s.shape[0] != s.shape[1] or s.shape[0] == 0:
            raise ValueError(f"similarity must be a square matrix; got shape {s.shape}")
        np.fill_diagonal(s, 1.0)  # an item's similarity to itself plays no part
        if not bool((np.isfinite(s) & (s > 0)).all()):
            raise ValueError(
                "similarity must be finite and above 0 off the diagonal; scale the distances down "
                "or lower the temperature"
            )
        if not np.allclose(s, s.T, rtol=1e-10, atol=0.0):
            raise ValueError("similarity must be symmetric; use (s + s.T) / 2 if that is meant")
        if float(s.max() / s.min()) > 1e90:
            raise ValueError(
                "similarity spans more than 90 orders of magnitude; lower the temperature"
            )
        arrival = np.arange(len(s)) if order is None else np.array(order)
        if arrival.dtype.kind not in "iu" or sorted(arrival.tolist()) != list(range(len(s))):
            raise ValueError(f"order must name every item 0..{len(s) - 1} once; got {order!r}")
        s.flags.writeable = False
        arrival = arrival.astype(np.intp)
        arrival.flags.writeable = False
        object.__setattr__(self, "similarity", s)
        object.__setattr__(self, "order", arrival)

    @classmethod
    def from_distances(
        cls,
        distances: ArrayLike,
        *,
        temperature: float,
        decay: Literal["exponential", "reciprocal"] = "exponential",
        order: Sequence[int] | None = None,
    ) -> AIBD:
        """Build the prior from distances between items.

        Parameters
        ----------
        distances : (n_items, n_items) array_like
            Symmetric and not negative.
        temperature : float
            How fast attraction falls with distance; 0 gives the IBP.
        decay : {"exponential", "reciprocal"}
            Similarity exp(-temperature * distance), or distance ** -temperature.
        order : sequence of int, optional
            Item numbers in their order of arrival.

        Examples
        --------
        >>> prior = AIBD.from_distances([[0, 2], [2, 0]], temperature=1, decay="reciprocal")
        >>> float(prior.similarity[0, 1])
        0.5
        """
        d = np.array(distances, dtype=np.float64)
        if d.ndim != 2 or d.shape[0] != d.shape[1]:
            raise ValueError(f"distances must be a square matrix; got shape {d.shape}")
        if not bool((d >= 0).all()):
            raise ValueError("distances must not be negative or NaN")
        if not (math.isfinite(temperature) and temperature >= 0):
            raise ValueError(f"temperature must be finite and not negative; got {temperature!r}")
        np.fill_diagonal(d, 1.0)
        if decay == "exponential":
            return cls(np.exp(-temperature * d), order=order)
        if decay != "reciprocal":
            raise ValueError(f"decay must be 'exponential' or 'reciprocal'; got {decay!r}")
        if not bool((d > 0).all()):
            raise ValueError(
                "distances must be above 0 between items for decay='reciprocal'; "
                "use decay='exponential' or merge identical items"
            )
        return cls(d**-temperature, order=order)

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.order)

    def shares(self) -> NDArray[np.float64]:
        """Attraction of each earlier item, in order of arrival: (n_items, n_items), lower triangle.

        Entry (j, l) is what item l's having a feature adds to the probability that item j takes it;
        row j (counted from 0) sums to j / (j + 1).
        """
        s = np.tril(self.similarity[np.ix_(self.order, self.order)], -1)
        position = np.arange(self.n_items)
        totals = np.array([math.fsum(row) for row in s])  # rounded alike on every platform
        totals[0] = 1.0
        shares: NDArray[np.float64] = s * (position / (position + 1) / totals)[:, None]
        return shares

    def draw(self, *, alpha: float, seed: Seed = None) -> NDArray[np.uint8]:
        """Draw one allocation: an (n_items, K) array, features in their order of arrival."""
        arrived = _arrive(self.shares(), as_positive(alpha, "alpha"), seed)
        z = np.empty_like(arrived)
        z[self.order] = arrived
        return z

    def log_pmf(self, matrix: ArrayLike, *, alpha: float) -> float:
        """Log probability of an allocation, whatever the order of its columns.

        Each feature contributes 1/(position of its first item) and one Bernoulli factor for every
        later item. The factors of different features are independent given K, which is what makes
        the pmf a product over columns.
        """
        z = as_features(matrix, n_items=self.n_items)
        arrived = z[self.order]
        taken = self.shares() @ arrived
        position = np.arange(self.n_items)[:, None]
        first = arrived.argmax(axis=0) if arrived.shape[1] else np.empty(0, dtype=np.intp)
        later = position > first
        probability = np.where(later, np.where(arrived == 1, taken, 1.0 - taken), 1.0)
        columns = float(np.log(probability).sum() - np.log(first + 1.0).sum())
        return columns + _log_pmf_of_count(z, as_positive(alpha, "alpha"))


def harmonic(n: int) -> float:
    """Return H_n = 1 + 1/2 + ... + 1/n.

    Examples
    --------
    >>> harmonic(2)
    1.5
    """
    return math.fsum(1.0 / i for i in range(1, n + 1))


def _log_pmf_of_count(z: NDArray[np.uint8], alpha: float) -> float:
    """alpha^K e^(-alpha H_n) over the factorials of how often each column occurs, as a log."""
    n, k = z.shape
    repeats = np.unique(z, axis=1, return_counts=True)[1] if k else np.empty(0, dtype=np.int64)
    repeated = math.fsum(math.lgamma(r + 1) for r in repeats.tolist())
    return float(k * math.log(alpha) - alpha * harmonic(n) - repeated)


def _arrive(shares: NDArray[np.float64], alpha: float, seed: Seed) -> NDArray[np.uint8]:
    """Let the items arrive one by one, as both priors are defined."""
    rng = np.random.default_rng(seed)
    n = len(shares)
    fresh = rng.poisson(alpha / np.arange(1, n + 1))
    z = np.zeros((n, int(fresh.sum())), dtype=np.uint8)
    k = 0
    for i in range(n):
        z[i, :k] = rng.random(k) < shares[i, :i] @ z[:i, :k]
        z[i, k : k + fresh[i]] = 1
        k += int(fresh[i])
    return z
