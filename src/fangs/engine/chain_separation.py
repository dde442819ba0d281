"""Whether chains are in different modes: how well their draws can be told apart.

From the first half of each chain comes an allocation that is typical of it. The draws of the second
halves then show whether they are nearer to that of their own chain. Some draws of each chain are
enough, so that every estimate can say it; `fangs.compare_chains` reads the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from fangs._frozen import Frozen
from fangs._typing import BinaryMatrix, FloatArray, IntArray
from fangs.allocation import without_empty
from fangs.draws.info import SamplesInfo
from fangs.draws.weights import evenly_spaced_copies
from fangs.engine.cost import pass_seconds
from fangs.engine.protocol import LocalEngine

__all__ = ["ChainSeparation", "SeparationParams", "pairs_apart", "separate_chains"]


@dataclass(frozen=True, kw_only=True)
class SeparationParams:
    """What the comparison of chains trades."""

    apart: float = 0.75
    """Separation above which two chains are in different modes: halfway between 0.5, where they
    agree, and 1, where they share nothing."""
    false_alarm: float = 1 / 128
    """Chance that any two of several chains of independent draws are called apart. It matters for
    short chains only; smaller needs longer chains."""
    fewest_draws: int = 8
    """Chains with fewer draws are not compared: their halves say too little."""
    half: int = 64
    """Draws of each half of a chain that are looked at, spread evenly. More tell apart a little
    more surely, and cost time in every estimate."""
    fewest_half: int = 4
    """The same where draws are so large, or chains so many, that 64 would take too long."""
    seconds: float = 0.25
    """Time on one core that the passes may take, unless that leaves fewer than the fewest draws."""
    n_bytes: int = 2**26
    """Packed size of all draws that are looked at, likewise."""


@dataclass(frozen=True, eq=False)
class ChainSeparation(Frozen):
    """How well the draws of each two chains can be told apart.

    Attributes
    ----------
    chains
        The labels of the chains that were compared.
    held_out
        (chains,): number of draws by which each was judged.
    shares
        (chains, chains): share of these draws of two chains that are nearer to the allocation from
        the first half of their own chain; 0.5 if the chains agree, 1 if they are apart.
    """

    chains: tuple[str | int, ...]
    held_out: IntArray
    shares: FloatArray

    @property
    def apart(self) -> tuple[tuple[str | int, str | int], ...]:
        """Pairs of chains in different modes, those that differ most first."""
        pairs = sorted(pairs_apart(self.shares, self.held_out), key=lambda pair: -self.shares[pair])
        return tuple((self.chains[i], self.chains[j]) for i, j in pairs)

    @property
    def between(self) -> float:
        """The largest share, of chains that are apart if any are, as a number from 0 to 1."""
        pairs = pairs_apart(self.shares, self.held_out)
        largest = max((float(self.shares[pair]) for pair in pairs), default=self.shares.max())
        return max(0.0, 2.0 * float(largest) - 1.0)


def separate_chains(
    info: SamplesInfo,
    bring: Callable[[IntArray], LocalEngine],
    params: SeparationParams | None = None,
) -> ChainSeparation | None:
    """Compare the chains; None if fewer than two have enough draws.

    `bring` gives an engine over some of the draws, by their numbers in increasing order.
    """
    params = params or SeparationParams()
    members = [draws for draws in draws_of_chains(info) if len(draws) >= params.fewest_draws]
    if len(members) < 2:
        return None
    half = _draws_of_a_half(info, len(members), params)
    chosen = [_some_of_halves(info, draws, half) for draws in members]
    brought = np.unique(np.concatenate([draws for halves in chosen for draws in halves]))
    engine = bring(brought)
    firsts = [np.searchsorted(brought, first) for first, _ in chosen]
    seconds = [np.searchsorted(brought, second) for _, second in chosen]
    return ChainSeparation(
        chains=tuple(info.chain_names[info.chain_codes[draws[0]]] for draws in members),
        held_out=np.array([len(np.unique(second)) for second in seconds]),
        shares=_shares(_scores(engine, _typical(engine, firsts)), seconds),
    )


def draws_of_chains(info: SamplesInfo) -> list[IntArray]:
    """The draws of each chain that count, in order; chains without any are left out."""
    if len(info.chain_names) == 0:
        return []
    codes = info.chain_codes[info.counted]
    members = (info.counted[codes == c] for c in range(len(info.chain_names)))
    return [draws for draws in members if len(draws)]


def pairs_apart(
    shares: FloatArray, held_out: IntArray, params: SeparationParams | None = None
) -> tuple[tuple[int, int], ...]:
    """Pairs of chains, by their positions, that are in different modes.

    Their separation is above 3/4, and above what chance reaches. For draws of one distribution it
    is the mean of two independent shares around a half. All draws may be on the right side by
    chance, so very short chains are never apart where there are many pairs of them.
    """
    params = params or SeparationParams()
    n_pairs = len(held_out) * (len(held_out) - 1) / 2
    many = held_out[:, None] + held_out
    deviation = np.sqrt((1.0 / held_out[:, None] + 1.0 / held_out) / 16.0)
    quantile = NormalDist().inv_cdf(1.0 - params.false_alarm / n_pairs)
    chance = np.minimum(0.5 + quantile * deviation, 0.99)
    chance[n_pairs * 0.5**many > params.false_alarm] = 1.0
    first, second = np.nonzero(np.triu(shares, 1) > np.maximum(params.apart, chance))
    return tuple(zip(first.tolist(), second.tolist(), strict=True))


def _draws_of_a_half(info: SamplesInfo, n_chains: int, params: SeparationParams) -> int:
    """How many draws of each half are looked at."""
    mean_features = float(info.n_features.mean())
    a_pass = pass_seconds(info, round(mean_features)) / info.n_draws
    n_bytes = info.n_items * max(mean_features, 1.0) / 8
    # A template is grown in two rounds; then all draws meet the template of each chain.
    for_time = params.seconds / (2 * n_chains * (1 + n_chains) * a_pass)
    for_memory = params.n_bytes / (2 * n_chains * n_bytes)
    return int(np.clip(min(for_time, for_memory), params.fewest_half, params.half))


def _some_of_halves(info: SamplesInfo, draws: IntArray, half: int) -> tuple[IntArray, IntArray]:
    """Draws of the first and the second half of a chain's weight, spread evenly by weight.

    The draw in the middle may be in both. A draw comes as often as it has copies among them.
    """
    weights = np.ones(len(draws), np.int64) if info.weights is None else info.weights[draws]
    before = np.cumsum(weights) - weights
    first = np.clip(int(weights.sum()) // 2 - before, 0, weights)
    return (
        draws[evenly_spaced_copies(first, half)],
        draws[evenly_spaced_copies(weights - first, half)],
    )


def _typical(engine: LocalEngine, draws: Sequence[IntArray]) -> list[BinaryMatrix]:
    """For each chain, the entries that most of these draws have, aligned to each other."""
    rng = np.random.default_rng(0)
    walks = [rng.permutation(some) for some in draws]
    templates = zip(engine.grow_templates(walks), walks, strict=True)
    return [without_empty((2 * counts > len(walk)).astype(np.uint8)) for counts, walk in templates]


def _scores(engine: LocalEngine, matrices: list[BinaryMatrix]) -> IntArray:
    """(chains, B): FARO loss of each matrix to each draw, but for a part that all have."""
    return np.stack([int(matrix.sum()) - 2 * engine.overlaps(matrix) for matrix in matrices])


def _shares(scores: IntArray, held_out: Sequence[IntArray]) -> FloatArray:
    """(chains, chains): share of the held-out draws of two chains that are nearer to their own."""
    own = np.zeros((len(scores), len(scores)))
    for chain, draws in enumerate(held_out):
        further = np.sign(scores[:, draws] - scores[chain, draws])  # a tie counts half
        own[chain] = (1.0 + further.sum(axis=1) / len(draws)) / 2.0
    shares: FloatArray = (own + own.T) / 2.0
    return shares
