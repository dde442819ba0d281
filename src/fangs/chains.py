"""compare_chains(): whether Markov chains tell the same story, by any names of their features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.diagnostics import bulk_ess, chance_rhat, rhat
from fangs.engine import Engine
from fangs.loss import faro_loss
from fangs.result import Estimate
from fangs.samples import IntArray, Samples
from fangs.search import estimate
from fangs.validate import as_max_rhat, as_penalty, as_samples, as_seed

Floats = npt.NDArray[np.float64]

# A held-out draw is nearer to its own chain's estimate in half of the cases where chains agree, and
# in all cases where they are apart: beyond halfway between the two, they count as apart (in short
# chains beyond what chance can do).
_APART = 0.75
# Draws per chain below which R-hat and half-chain estimates mean nothing.
_FEWEST = 8


def compare_chains(
    samples: Any,
    *,
    a: float = 1.0,
    max_rhat: float | None = None,
    seed: int | None = None,
    n_threads: int | None = None,
) -> ChainComparison:
    """Compare Markov chains by their estimates, and say in words whether they agree.

    R-hat of the number of features can look fine while every chain sits in a mode of its own.
    Therefore the chains are also compared as allocations. An estimate is made from the first half
    of each chain, and each draw of the second halves is asked whose estimate is nearer. Where two
    chains sample the same posterior, a draw is as often nearer to one estimate as to the other, so
    that about half of the draws of two chains are nearer to their own: a `separation` of 0.5. This
    holds however short the search for the estimates was, because they are judged by draws that
    they were not made from. Chains that are stuck in different modes have a separation near 1.

    Costs an estimate for all draws, one per chain, and about ten alignments of the draws.

    Parameters
    ----------
    samples
        `Samples` with ``chains``; at least two chains, of at least 8 draws each.
    a
        Price of a one that an estimate has and a draw lacks, between 0 and 2.
    max_rhat
        Chains agree only if no R-hat is above this. By default 1.05 or, for chains so short that
        it is more, what independent draws exceed once in a thousand times by chance. Vehtari et al.
        (2021) advise 1.01 where chains are long.
    seed
        Makes the estimates repeatable.
    n_threads
        Threads to use; None means all cores.

    Returns
    -------
    ChainComparison

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> found = compare_chains(draws, seed=1)
    >>> found.agree, found.apart
    (False, ((0, 3), (1, 3), (2, 3)))
    >>> found.distances[0]
    array([ 0.,  0.,  0., 78.])
    >>> compare_chains(draws.select(np.flatnonzero(draws.chains < 3)), seed=1).verdict
    'The chains agree: nothing here speaks against pooling them.'
    """
    samples = as_samples(samples)
    a, seed = as_penalty(a), as_seed(seed)
    members = _members(samples)
    if max_rhat is None:
        max_rhat = max(1.05, chance_rhat(len(members), min(len(draws) for draws in members)))
    options: dict[str, Any] = {"a": a, "seed": seed, "n_threads": n_threads}
    pooled = estimate(samples, **options)
    estimates = tuple(estimate(samples.select(draws), **options) for draws in members)
    numbers = {"features": samples.n_features, "ones": samples.n_ones, "loss": pooled.losses}
    tables = {name: _table(values, members) for name, values in numbers.items()}
    return ChainComparison(
        a=a,
        max_rhat=as_max_rhat(max_rhat),
        n_draws=tuple(len(draws) for draws in members),
        pooled=pooled,
        estimates=estimates,
        distances=_frozen([[faro_loss(x, y) for y in estimates] for x in estimates]),
        to_pooled=_frozen([faro_loss(x, pooled) for x in estimates]),
        separation=_frozen(_separation(samples, members, options)),
        rhat={name: rhat(table) for name, table in tables.items()},
        ess={name: bulk_ess(table) for name, table in tables.items()},
    )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ChainComparison:
    """What several chains say, side by side; made by `fangs.compare_chains`.

    Chains are in the order of their labels and, in print, counted from 1.
    """

    a: float
    max_rhat: float
    n_draws: tuple[int, ...]
    """Draws in each chain."""
    pooled: Estimate
    """The estimate from all draws."""
    estimates: tuple[Estimate, ...]
    """The estimate from each chain."""
    distances: Floats
    """(chains, chains): FARO loss between the chains' estimates, at a = 1, where it is a metric."""
    to_pooled: Floats
    """(chains,): FARO loss between each chain's estimate and the pooled one, at a = 1."""
    separation: Floats
    """(chains, chains): share of held-out draws of two chains that are nearer to the estimate of
    their own: about 0.5 where chains agree, 1 where they are apart."""
    rhat: dict[str, float]
    """R-hat of the numbers of features and ones, and of the loss to the pooled estimate."""
    ess: dict[str, float]
    """Bulk effective sample size of the same."""

    @property
    def apart(self) -> tuple[tuple[int, int], ...]:
        """Pairs of chains, counted from 0, that are in different modes."""
        held_out = np.array(self.n_draws) - np.array(self.n_draws) // 2
        limits = np.maximum(_APART, _chance_separation(held_out[:, None], held_out))
        first, second = np.nonzero(np.triu(self.separation, 1) > limits)
        return tuple(zip(first.tolist(), second.tolist(), strict=True))

    @property
    def agree(self) -> bool:
        """Whether no two chains are apart and no R-hat is above `max_rhat`."""
        return not self.apart and max(self.rhat.values()) <= self.max_rhat

    @property
    def verdict(self) -> str:
        """One plain sentence."""
        if self.apart:
            i, j = max(self.apart, key=lambda pair: self.separation[pair])
            return (
                f"The chains are in different modes: chains {i + 1} and {j + 1}, for one, have "
                f"estimates {self.distances[i, j]:g} apart, and {100 * self.separation[i, j]:.0f} "
                "% of their draws are nearer to the estimate of their own chain (50 % if they "
                "agreed); do not pool them."
            )
        worst = max(self.rhat, key=lambda name: self.rhat[name])
        if self.rhat[worst] > self.max_rhat:
            return (
                f"The chains have not converged: R-hat of {_NAMES[worst]} is "
                f"{self.rhat[worst]:.3g}, above {self.max_rhat:.3g}; run them longer."
            )
        least = min(self.ess, key=lambda name: self.ess[name])
        few = (
            f", but {_NAMES[least]} has an effective sample size of {self.ess[least]:.0f} only"
            if self.ess[least] < 50 * len(self.n_draws)
            else ""
        )
        return f"The chains agree{few}: nothing here speaks against pooling them."

    def __repr__(self) -> str:
        return f"<fangs.ChainComparison: {len(self.n_draws)} chains; {self.verdict}>"

    def __str__(self) -> str:
        lines = [self.verdict, "", "                            R-hat  effective draws"]
        lines += [
            f"  {_NAMES[name]:<24}  {self.rhat[name]:>5.3f}  {self.ess[name]:>15.0f}"
            for name in self.rhat
        ]
        lines += ["", "  chain  draws  features  expected loss  to pooled  to the other chains"]
        for c, (n_draws, found) in enumerate(zip(self.n_draws, self.estimates, strict=True)):
            others = np.delete(self.distances[c], c)
            lines.append(
                f"  {c + 1:>5}  {n_draws:>5}  {found.n_features:>8}  {found.expected_loss:>13.6g}"
                f"  {self.to_pooled[c]:>9g}  {others.min():g} to {others.max():g}"
            )
        return "\n".join(lines)


_NAMES = {
    "features": "the number of features",
    "ones": "the number of ones",
    "loss": "the loss",
}


def _members(samples: Samples) -> list[IntArray]:
    """The draws of each chain, in order."""
    if samples.chains is None:
        raise ValueError(
            "samples has no chains to compare; say which chain each draw is from: "
            "Samples(draws, chains=labels)"
        )
    members = [np.flatnonzero(samples.chains == c) for c in np.unique(samples.chains)]
    if len(members) < 2:
        raise ValueError("samples has one chain only; at least two are needed to compare")
    shortest = min(len(draws) for draws in members)
    if shortest < _FEWEST:
        raise ValueError(
            f"samples has a chain of {shortest} draws; give chains of at least {_FEWEST}"
        )
    return members


def _table(values: npt.NDArray[Any], members: list[IntArray]) -> npt.NDArray[Any]:
    """(chains, draws): a number per draw; longer chains are cut at their beginning."""
    shortest = min(len(draws) for draws in members)
    return np.stack([values[draws[-shortest:]] for draws in members])


def _separation(samples: Samples, members: list[IntArray], options: dict[str, Any]) -> Floats:
    """How often draws of the second halves are nearer to the estimate of their own first half."""
    engine = Engine(samples, options["n_threads"])
    # Losses differ between estimates by a * ones - 2 * overlap, the rest being the draw's own.
    losses = []
    for draws in members:
        first_half = samples.select(draws[: len(draws) // 2])
        # A start without flips will do: what is compared need not be the best.
        found = estimate(first_half, n_init=8, n_sweet=1, n_iter=0, **options)
        losses.append(found.a * found.n_ones - 2.0 * engine.overlaps(found.matrix))
    shares = np.full((len(members), len(members)), 0.5)
    for i, j in zip(*np.triu_indices(len(members), 1), strict=True):
        nearer_to_j = losses[i] - losses[j]
        own = [_share_positive(-nearer_to_j, members[i]), _share_positive(nearer_to_j, members[j])]
        shares[i, j] = shares[j, i] = np.mean(own)
    return shares


def _chance_separation(held_out: IntArray, others: IntArray) -> Floats:
    """What independent draws of one posterior exceed once in a thousand times, but less than 1."""
    deviation = np.sqrt((1.0 / held_out + 1.0 / others) / 16.0)
    return np.minimum(0.5 + 3.09 * deviation, 0.99)


def _share_positive(values: Floats, draws: IntArray) -> float:
    """Among the second half of these draws; a tie counts half."""
    signs = np.sign(np.round(values[draws[len(draws) // 2 :]], 9))
    return float((1.0 + signs.mean()) / 2.0)


def _frozen(values: npt.ArrayLike) -> Floats:
    array = np.array(values, dtype=np.float64)
    array.setflags(write=False)
    return array
