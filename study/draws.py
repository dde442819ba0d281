"""The draws of the study: five sets of the paper's sizes, and one whose K varies more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

import fangs
from fangs import simulate
from fangs._typing import BinaryMatrix
from study import published


@dataclass(frozen=True, eq=False)
class DrawSet:
    """Draws with the truth behind them."""

    name: str
    title: str
    samples: fangs.Samples
    truth: BinaryMatrix
    kind: str
    """"posterior", "tempered" or "simulated"."""
    origin: str
    """How they were made."""
    seconds: float

    @property
    def case(self) -> published.Case:
        """The case study of the paper that has this size."""
        return published.CASES[self.name.split("_", maxsplit=1)[0]]


def make(name: str) -> DrawSet:
    """Make one of the sets; the same draws every time."""
    began = perf_counter()
    title = published.CASES[name].title if name in published.CASES else _FURTHER[name]
    if name in _POSTERIORS:
        samples, truth, origin = _POSTERIORS[name]()
        kind = "posterior" if name in published.CASES else "tempered"
    else:
        made = simulate.case_study(name)
        samples, truth, kind = fangs.Samples(made.draws), made.truth, "simulated"
        origin = (
            f"`fangs.simulate.case_study({name!r})`: {len(samples):,} independent draws scattered "
            f"around a truth of {truth.shape[0]} items and {truth.shape[1]} features."
        )
    return DrawSet(name, title, samples, truth, kind, origin, perf_counter() - began)


def make_all() -> dict[str, DrawSet]:
    """Make the five sets in the order of the paper's tables, then the further one."""
    return {name: make(name) for name in (*published.CASES, *_FURTHER)}


def small_posterior(
    *, n_draws: int = 250, burn_in: int = 1000, n_chains: int = 4
) -> tuple[fangs.Samples, BinaryMatrix, str]:
    """20 items under the AIBD prior, noisy enough that the draws disagree."""
    rng = np.random.default_rng(20)
    points = rng.uniform(size=(20, 2))
    distances = np.linalg.norm(points[:, None] - points, axis=2)
    prior = simulate.AIBD.from_distances(distances, temperature=3.0)
    truth = _draw_with(prior, n_features=3, rng=rng)
    data = simulate.linear_gaussian(truth, n_dims=4, sigma_x=0.7, sigma_a=1.0, seed=rng).data
    posterior = simulate.sample_posterior(
        data,
        prior=prior,
        alpha=1.5,
        sigma_x=0.7,
        sigma_a=1.0,
        n_draws=n_draws,
        burn_in=burn_in,
        thin=10,
        n_chains=n_chains,
        seed=20,
    )
    origin = (
        "Posterior of the linear-Gaussian model under the AIBD prior: 20 items at random points "
        "of the unit square, attraction exp(-3 × distance), a truth of 3 features drawn from the "
        f"prior, 4 dimensions, noise 0.7; {n_chains} chains, {burn_in:,} sweeps discarded, every "
        "tenth kept."
    )
    return posterior.samples(), truth, origin


def wide_posterior(
    *, n_draws: int = 750, burn_in: int = 500, n_chains: int = 4
) -> tuple[fangs.Samples, BinaryMatrix, str]:
    """62 items and more features than items: sparse features, a large mass."""
    data, truth = _wide_data()
    posterior = _wide_chains(
        data, truth, sigma_x=0.5, n_draws=n_draws, burn_in=burn_in, n_chains=n_chains, seed=62
    )
    origin = (
        "Posterior of the linear-Gaussian model under the IBP with mass 12: 62 items, a random "
        f"truth of 77 features and {int(truth.sum())} ones, 90 dimensions, noise 0.5; {n_chains} "
        f"chains, {burn_in:,} sweeps discarded, every second kept. The chains start at the truth, "
        "because chains of this size do not find it."
    )
    return posterior.samples(), truth, origin


LEVELS: Mapping[float, int] = {
    **{0.4: 300, 0.5: 1000, 0.6: 500, 0.8: 300, 1.0: 250},
    **{1.2: 200, 1.4: 150, 1.7: 120, 2.0: 100, 2.5: 60, 2.8: 20},
}
"""Draws that the tempered set takes at each noise that a chain assumes."""


def tempered_posterior(
    *, levels: Mapping[float, int] = LEVELS, burn_in: int = 200
) -> tuple[fangs.Samples, BinaryMatrix, str]:
    """The data of `wide_posterior` seen by chains that assume more and more noise.

    A chain that assumes more noise keeps fewer features, so K varies as widely as in the paper's
    Alzheimer's draws.
    """
    data, truth = _wide_data()
    draws: list[BinaryMatrix] = []
    for number, (sigma_x, n_draws) in enumerate(levels.items()):
        chain = _wide_chains(
            data, truth, sigma_x=sigma_x, n_draws=n_draws, burn_in=burn_in, seed=100 + number
        )
        draws += chain.samples()
    said = ", ".join(f"{count:,} at {sigma_x:g}" for sigma_x, count in levels.items())
    origin = (
        "The data of the previous set, seen by chains that assume different noise (tempered "
        "posteriors): a chain that assumes more noise keeps fewer features. Number of draws by "
        f"assumed noise: {said}. Each chain starts at the truth, discards {burn_in:,} sweeps and "
        "keeps every second."
    )
    return fangs.Samples(draws), truth, origin


def _wide_data() -> tuple[np.ndarray[Any, np.dtype[np.float64]], BinaryMatrix]:
    rng = np.random.default_rng(62)
    truth = simulate.posterior_like(62, 77, 1, density=0.06, seed=rng).truth
    made = simulate.linear_gaussian(truth, n_dims=90, sigma_x=0.5, sigma_a=1.0, seed=rng)
    return made.data, truth


def _wide_chains(
    data: np.ndarray[Any, np.dtype[np.float64]],
    truth: BinaryMatrix,
    *,
    sigma_x: float,
    n_draws: int,
    burn_in: int,
    seed: int,
    n_chains: int = 1,
) -> simulate.Posterior:
    return simulate.sample_posterior(
        data,
        alpha=12.0,
        sigma_x=sigma_x,
        sigma_a=1.0,
        n_draws=n_draws,
        burn_in=burn_in,
        thin=2,
        n_chains=n_chains,
        initial=truth,
        seed=seed,
    )


def _draw_with(
    prior: simulate.AIBD | simulate.IBP, *, n_features: int, rng: np.random.Generator
) -> BinaryMatrix:
    """Draw from the prior given the number of features, by trial; the mass then plays no part."""
    while True:
        z = prior.draw(alpha=1.0, seed=rng)
        if z.shape[1] == n_features:
            return z


_POSTERIORS: Mapping[str, Callable[[], tuple[fangs.Samples, BinaryMatrix, str]]] = {
    "aibd": small_posterior,
    "alzheimers": wide_posterior,
    "alzheimers_tempered": tempered_posterior,
}
_FURTHER = {"alzheimers_tempered": "Alzheimer's, tempered"}
