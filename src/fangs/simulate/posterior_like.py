"""Draws scattered around a known truth as a posterior would, for benchmarks of any size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fangs.check.arguments import as_count
from fangs.simulate.priors import Seed
from fangs.simulate.validate import as_features, as_probability


@dataclass(frozen=True, eq=False, repr=False)
class PosteriorLike:
    """Draws around a truth.

    Attributes
    ----------
    draws
        One (n_items, K_b) allocation per draw, columns in random order.
    truth
        (n_items, K): the allocation they scatter around.
    """

    draws: list[NDArray[np.uint8]]
    truth: NDArray[np.uint8]

    def __repr__(self) -> str:
        n_items, n_features = self.truth.shape
        return (
            f"<PosteriorLike: {len(self.draws)} draws of {n_items} items, around "
            f"{n_features} features>"
        )


def posterior_like(
    n_items: int,
    n_features: int,
    n_draws: int,
    *,
    density: float = 0.3,
    noise: float = 0.05,
    births: float = 0.0,
    deaths: float = 0.0,
    splits: float = 0.0,
    spread: float = 0.0,
    truth: ArrayLike | None = None,
    seed: Seed = None,
) -> PosteriorLike:
    """Scatter draws around a truth: uncertain entries, features that come, go and split.

    Fast and of any size, but no model's posterior: draws are independent of one another. For real
    posterior draws see `sample_posterior`.

    Parameters
    ----------
    n_items, n_features, n_draws : int
        Rows and columns of the truth, and the number of draws.
    density : float
        Share of ones in the truth; every feature has at least one item.
    noise : float
        Mean probability that a one of the truth is missing from a draw. On average as many ones
        appear elsewhere. Some entries are far less certain than others, in all draws alike.
    births : float
        Mean number of features per draw that the truth lacks, each with one or a few items.
    deaths : float
        Mean probability that a feature of the truth is missing from a draw. It differs between
        features.
    splits : float
        Probability that a feature splits into two; each item goes to one of them at random.
    spread : float
        How unequal the draws are: the standard deviation of a factor of mean one by which each draw
        multiplies its noise. At 0 all draws are equally noisy; near 1 a few are almost the truth.
    truth : (n_items, n_features) array_like, optional
        Scatter around this allocation instead of a random one.
    seed : int, SeedSequence, Generator or None
        Source of randomness.

    Examples
    --------
    >>> made = posterior_like(20, 3, 100, noise=0.1, births=0.5, seed=1)
    >>> made.truth.shape, len(made.draws)
    ((20, 3), 100)
    """
    n = as_count(n_items, name="n_items")
    k = as_count(n_features, name="n_features", minimum=0)
    count = as_count(n_draws, name="n_draws")
    share, lost = as_probability(density, "density"), as_probability(noise, "noise")
    gone, split = as_probability(deaths, "deaths"), as_probability(splits, "splits")
    for name, value in (("births", births), ("spread", spread)):
        if not value >= 0:
            raise ValueError(f"{name} must not be negative; got {value!r}")
    rng = np.random.default_rng(seed)
    if truth is None:
        z = _random_truth(n, k, share, rng)
    else:
        z = as_features(truth, name="truth", n_items=n)
        if z.shape[1] != k:
            raise ValueError(f"truth has {z.shape[1]} non-empty columns but n_features is {k}")
    flips = _flip_probabilities(z, lost, rng)
    absent = np.minimum(gone * _uneven((k,), rng), 1.0)
    # The noise of each draw as a multiple of the mean.
    variance = spread * spread
    factors = rng.gamma(1 / variance, variance, size=count) if variance else np.ones(count)
    draws = []
    for factor in factors:
        draw = z ^ (rng.random((n, k)) < np.minimum(factor * flips, 0.5))
        draw = draw[:, rng.random(k) >= absent]
        draw = _split_features(draw, split, rng)
        draw = np.hstack([draw, _born(n, rng.poisson(births), rng)])
        draw = draw[:, draw.any(axis=0)]
        draws.append(np.ascontiguousarray(rng.permutation(draw, axis=1), dtype=np.uint8))
    return PosteriorLike(draws=draws, truth=z)


def _study(n: int, k: int, b: int, **settings: float) -> Mapping[str, Any]:
    return MappingProxyType({"n_items": n, "n_features": k, "n_draws": b, **settings})


CASE_STUDIES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "dfa": _study(300, 4, 500, density=0.25, noise=0.031),
        "cmc": _study(800, 5, 500, density=0.36, noise=0.0336, spread=0.7),
        "sifa": _study(80, 6, 4000, density=0.4, noise=0.16),
        "aibd": _study(20, 3, 1000, density=0.4, noise=0.3, births=1.8, deaths=0.05),
        "alzheimers": _study(
            62, 77, 3000, density=0.065, noise=0.16, births=6.0, deaths=0.08, splits=0.03
        ),
    }
)
"""Settings of `posterior_like` in the sizes of the paper's five case studies (its Table 2).

The truth's expected loss is near that of the paper's estimates. The draws of "cmc" are unequal in
noise, because in the paper the best of them is only 1 % above the estimate. The settings imitate
sizes and difficulty, not the data.
"""


def case_study(name: str, *, seed: Seed = 0) -> PosteriorLike:
    """Draws of the size of one of the paper's case studies (Dahl et al. 2023, Table 2).

    Parameters
    ----------
    name : {"dfa", "cmc", "sifa", "aibd", "alzheimers"}
        The case study.
    seed : int, SeedSequence, Generator or None
        Source of randomness.

    Examples
    --------
    >>> case_study("aibd").truth.shape
    (20, 3)
    """
    if name not in CASE_STUDIES:
        raise ValueError(f"name must be one of {', '.join(CASE_STUDIES)}; got {name!r}")
    return posterior_like(**CASE_STUDIES[name], seed=seed)


def _random_truth(n: int, k: int, share: float, rng: np.random.Generator) -> NDArray[np.uint8]:
    z = (rng.random((n, k)) < share).astype(np.uint8)
    z[rng.integers(n, size=k), np.arange(k)] = 1
    return z


def _uneven(shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float64]:
    """Positive numbers of mean one, most of them small and a few large."""
    return rng.gamma(0.3, 1 / 0.3, size=shape)


def _flip_probabilities(
    z: NDArray[np.uint8], noise: float, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Probability that each entry differs from the truth; at most one half."""
    density = float(z.mean()) if z.size else 0.0
    balance = density / (1 - density) if density < 1 else 0.0  # so that sizes keep their mean
    mean = np.where(z == 1, noise, noise * min(balance, 1.0))
    return np.minimum(mean * _uneven(z.shape, rng), 0.5)


def _split_features(
    draw: NDArray[np.uint8], split: float, rng: np.random.Generator
) -> NDArray[np.uint8]:
    chosen = np.flatnonzero(rng.random(draw.shape[1]) < split)
    moved = draw[:, chosen] & (rng.random((len(draw), len(chosen))) < 0.5)
    kept = draw.copy()
    kept[:, chosen] ^= moved
    return np.hstack([kept, moved])


def _born(n: int, count: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    born = np.zeros((n, count), dtype=np.uint8)
    for column in range(count):
        size = min(n, int(rng.geometric(0.5)))
        born[rng.choice(n, size=size, replace=False), column] = 1
    return born
