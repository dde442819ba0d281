"""The passes over draws that lie in shards: on disk, or in the memory of a cluster.

The search runs on it unchanged. Starts are made on a subsample, which is brought here; every pass
over all draws is one round: a step on each shard, and the sum of what they return.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix, IntArray
from fangs.engine import steps
from fangs.engine.chain_share import ChainShare, blocks_of_chains
from fangs.engine.protocol import Aligned, Evaluation, Pricing
from fangs.engine.steps import PackedMatrix, Part
from fangs.engine.threaded import ThreadedEngine
from fangs.samples import Samples
from fangs.samples_info import SamplesInfo
from fangs.weights import are_equal, choose_copies

__all__ = ["ShardExecutor", "ShardedEngine"]

FETCHED = 4096
"""Draws that are brought here at once when one of them is asked for."""


class ShardExecutor(Protocol):
    """Runs steps on shards, wherever they are."""

    def run(
        self, step: Callable[..., Part], *shared: Any, own: Sequence[Any] | None = None
    ) -> Part:
        """Run ``step(engine, [own[s],] *shared)`` on every shard s; combine what they return."""

    def run_each(self, step: Callable[..., Any], own: Sequence[Any]) -> list[Any]:
        """Run ``step(engine, own[s])`` on every shard s; return the results in order."""

    def select(
        self, chosen: Sequence[IntArray], weights: Sequence[IntArray] | None = None
    ) -> ShardExecutor:
        """Shards with these of their draws; those without any are left out.

        `weights` take the place of the draws' own.
        """

    def close(self) -> None:
        """Let go of the draws."""

    @property
    def n_shards(self) -> int:
        """Number of shards."""

    @property
    def state_bytes(self) -> int:
        """Memory that matchings may take with each shard from one round to the next; 0: none."""


class ShardedEngine:
    """An `Engine` over shards; gives the same bits as `ThreadedEngine` over all draws at once."""

    def __init__(
        self,
        executor: ShardExecutor,
        sizes: Sequence[int],
        info: SamplesInfo,
        n_threads: int | None = None,
    ) -> None:
        self.n_threads = n_threads
        self._executor = executor
        self._first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.samples_info = info
        self._block: tuple[int, Samples] | None = None

    @property
    def n_shards(self) -> int:
        """Number of shards."""
        return len(self._first) - 1

    def overlaps(self, matrix: BinaryMatrix) -> IntArray:
        """(B,): total overlap of the matrix with each draw."""
        return _whole(self._executor.run(steps.overlaps, PackedMatrix.of(matrix)).rows[0])

    def align(self, matrix: BinaryMatrix) -> Aligned:
        """Align every draw to the matrix."""
        part = self._executor.run(steps.align, PackedMatrix.of(matrix))
        return self._aligned(part.sums[0], part.rows[0])

    def place(self, matrix: BinaryMatrix, n_columns: int) -> IntArray:
        """Align every draw and give each of its features a column: counts (n, n_columns)."""
        part = self._executor.run(steps.place, PackedMatrix.of(matrix), n_columns)
        return _whole(part.sums[0])

    def evaluate(self, matrix: BinaryMatrix) -> Evaluation:
        """Align every draw and find the support of all flips, in one round."""
        part = self._executor.run(steps.evaluate, PackedMatrix.of(matrix))
        counts, support, births = part.sums
        aligned = self._aligned(counts, part.rows[0])
        share = self._chain_share(matrix)
        return Evaluation(matrix, aligned, _whole(support), _whole(births), share)

    def _chain_share(self, matrix: BinaryMatrix) -> float | None:
        """How far the chains disagree, from counts by chain; None without chains."""
        info = self.samples_info
        if len(info.chain_names) < 2:
            return None
        wider = np.pad(matrix, ((0, 0), (0, 1)))  # as in ThreadedEngine, for the same rounding
        found, first = ChainShare(wider.shape), 0
        own = self._split(info.chain_codes)
        for _, sizes, weights in blocks_of_chains(info, wider.size):
            codes = self._counted_chains[first : first + len(sizes)]
            # Codes of chains that count are in increasing order, but may have gaps.
            span = int(codes[-1]) - int(codes[0]) + 1
            packed = PackedMatrix.of(wider)
            part = self._executor.run(steps.count_chains, packed, int(codes[0]), span, own=own)
            found.add(_whole(part.sums[0])[codes - codes[0]], weights)
            first += len(sizes)
        return found.share

    @cached_property
    def _counted_chains(self) -> IntArray:
        """Codes of the chains with draws that count."""
        return np.unique(self.samples_info.chain_codes[self.samples_info.counted])

    def neighbourhood(self, matrix: BinaryMatrix) -> ShardedNeighbourhood:
        """Match every draw to the matrix, ready for flips."""
        return ShardedNeighbourhood(self._executor, matrix)

    def select(self, draws: IntArray, weights: IntArray | None = None) -> ShardedEngine:
        """An engine over these draws, given by their numbers; with these weights or their own."""
        draws = np.asarray(draws, dtype=np.int64)
        if (np.diff(draws) < 0).any():
            raise ValueError("draws in shards can be chosen in increasing order only")
        chosen = self._by_shard(draws)
        sizes = [len(numbers) for numbers in chosen if len(numbers)]
        info = self.samples_info.select(draws, weights)
        parts = None if weights is None else np.split(weights, np.cumsum([len(c) for c in chosen]))
        executor = self._executor.select(chosen, None if parts is None else parts[:-1])
        return ShardedEngine(executor, sizes, info, self.n_threads)

    def limited(self, seconds: float) -> ShardedEngine:
        """Itself: a round over the shards is not ended early."""
        return self

    def subsample(self, n_draws: int, rng: np.random.Generator) -> ThreadedEngine:
        """An engine over some draws, picked at random and brought here; over all if few."""
        info = self.samples_info
        copies: IntArray | None = None
        if n_draws >= min(info.n_draws, info.total_weight):
            numbers = np.arange(info.n_draws)
        elif info.weights is None or are_equal(info.weights):
            numbers = np.sort(rng.choice(info.n_draws, size=n_draws, replace=False))
        else:
            chosen = choose_copies(info.weights, n_draws, rng)
            numbers, copies = np.unique(chosen, return_counts=True)
        samples = self.fetch(numbers)
        if copies is not None:
            samples = Samples(samples, weights=copies)
        return ThreadedEngine(samples, self.n_threads, draw_numbers=numbers)

    def fetch(self, draws: IntArray) -> Samples:
        """Some draws, given by their numbers in increasing order, brought here."""
        own = self._by_shard(np.asarray(draws, dtype=np.int64))
        parts = [part for part in self._executor.run_each(steps.fetch, own) if part is not None]
        return Samples.concatenate(parts)

    def draw(self, b: int) -> BinaryMatrix:
        """One draw (n, K_b); its neighbours are brought here too."""
        first = b // FETCHED * FETCHED
        if self._block is None or self._block[0] != first:
            numbers = np.arange(first, min(first + FETCHED, self.samples_info.n_draws))
            self._block = first, self.fetch(numbers)
        return self._block[1][b - first]

    def permutations(self, matrix: BinaryMatrix) -> tuple[npt.NDArray[np.int32], Aligned]:
        """Align every draw; also (B, K): the draw's feature aligned to each column, or -1."""
        part = self._executor.run(steps.permutations, PackedMatrix.of(matrix))
        return part.rows[0].astype(np.int32), self._aligned(part.sums[0], part.rows[1])

    def relabel(self, permutations: npt.NDArray[np.int32], first: int = 0) -> BinaryMatrix:
        """(b, n, K): draws from `first` on, their features in the order of the permutations."""
        stop = first + len(permutations)
        own: list[tuple[int, npt.NDArray[np.int32]]] = []
        for begin, end in zip(self._first[:-1].tolist(), self._first[1:].tolist(), strict=True):
            low, high = max(begin, first), max(begin, first, min(end, stop))
            own.append((low - begin if low < end else 0, permutations[low - first : high - first]))
        part = self._executor.run(steps.relabel, own=own)
        return part.rows[0].astype(np.uint8, copy=False)

    def measure(
        self, matrix: BinaryMatrix, permutations: npt.NDArray[np.int32]
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """(B, K) each: items shared with, and items of, the feature aligned to each column."""
        own = self._split(permutations)
        shared, sizes = self._executor.run(steps.measure, PackedMatrix.of(matrix), own=own).rows
        return shared.astype(np.int32), sizes.astype(np.int32)

    def item_counts(self) -> IntArray:
        """(n,): number of features with each item, over all draws."""
        return _whole(self._executor.run(steps.item_counts).sums[0])

    def first_equal(self) -> IntArray:
        """(B,): for each draw the first draw that is the same allocation, by their hashes."""
        hashes = self.samples_info.hashes
        assert hashes is not None
        _, first, places = np.unique(hashes, return_index=True, return_inverse=True)
        return first[places]

    def pair_overlaps(self, first: IntArray, second: IntArray) -> IntArray:
        """Total overlap between the draws `first[p]` and `second[p]`, which are brought here."""
        found = np.zeros(len(first), dtype=np.int64)
        for begin in range(0, len(first), FETCHED):
            some = slice(begin, begin + FETCHED)
            wanted, places = np.unique(
                np.concatenate([first[some], second[some]]), return_inverse=True
            )
            here = ThreadedEngine(self.fetch(wanted), self.n_threads)
            one, two = np.split(places, 2)
            found[some] = here.pair_overlaps(one, two)
        return found

    def pricing(
        self, members: IntArray, weights: IntArray, *, scale: int, item_cost: int
    ) -> Pricing:
        """Price columns over these draws, which are brought here: proofs are for few draws."""
        here = ThreadedEngine(self.fetch(members), self.n_threads)
        everyone = np.arange(len(members))
        return here.pricing(everyone, weights, scale=scale, item_cost=item_cost)

    def gains_near(
        self,
        columns: BinaryMatrix,
        labels: npt.NDArray[np.int32],
        prices: IntArray,
        scale: int,
    ) -> IntArray:
        """(K, n + 1): most that a set near each labelled column can exceed the prices by."""
        own = self._labels_and_prices(labels, prices)
        part = self._executor.run(steps.gains_near, PackedMatrix.of(columns), scale, own=own)
        return _whole(part.sums[0])

    def gains_far(
        self,
        columns: BinaryMatrix,
        labels: npt.NDArray[np.int32],
        prices: IntArray,
        scale: int,
        *,
        half_penalty: int,
        apart: int,
    ) -> IntArray:
        """(n + 1,): most that a set far from all labelled columns can exceed the prices by."""
        own = self._labels_and_prices(labels, prices)
        shared = (PackedMatrix.of(columns), scale, half_penalty, apart)
        return _whole(self._executor.run(steps.gains_far, *shared, own=own).sums[0])

    def _aligned(self, counts: npt.NDArray[Any], overlaps: npt.NDArray[Any]) -> Aligned:
        return Aligned(_whole(counts), _whole(overlaps), self.samples_info.weights)

    def _by_shard(self, draws: IntArray) -> list[IntArray]:
        """These draws by shard, counted from the first of each shard."""
        ends = np.searchsorted(draws, self._first)
        return [
            draws[begin:end] - first
            for begin, end, first in zip(ends[:-1], ends[1:], self._first[:-1], strict=True)
        ]

    def _split(self, rows: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
        return np.split(rows, self._first[1:-1])

    def _labels_and_prices(
        self, labels: npt.NDArray[np.int32], prices: IntArray
    ) -> list[tuple[npt.NDArray[Any], IntArray]]:
        parts = np.split(prices, self._first_feature[1:-1])
        return list(zip(self._split(labels), parts, strict=True))

    @cached_property
    def _first_feature(self) -> IntArray:
        """(shards + 1,): where the features of each shard begin among all features."""
        before = np.concatenate([[0], np.cumsum(self.samples_info.n_features)])
        return before[self._first]


class ShardedNeighbourhood:
    """A `Neighbourhood` over shards: every round carries the whole allocation."""

    def __init__(self, executor: ShardExecutor, matrix: BinaryMatrix) -> None:
        self._executor = executor
        self._key = uuid.uuid4().hex
        self._matrix = np.array(matrix, dtype=np.uint8, order="C")
        self._sizes: IntArray = self._matrix.sum(axis=0, dtype=np.int64)
        self._total: int | None = None
        self._support: IntArray | None = None
        self._ask(with_support=True)

    @property
    def matrix(self) -> BinaryMatrix:
        """The current allocation (n, K), empty columns included."""
        return self._matrix.copy()

    @property
    def sizes(self) -> IntArray:
        """(K,): number of items of each column."""
        return self._sizes

    @property
    def total_overlap(self) -> int:
        """The total overlap with all draws."""
        if self._total is None:
            self._ask(with_support=False)
        assert self._total is not None
        return self._total

    def flip_support(self) -> IntArray:
        """(n, K): draws whose overlap a flip would raise (entry 0) or lower (entry 1)."""
        if self._support is None:
            self._ask(with_support=True)
        assert self._support is not None
        return self._support

    def flip(
        self, items: npt.ArrayLike, features: npt.ArrayLike, *, with_support: bool = False
    ) -> None:
        """Flip these entries, each named once. The round is made when its result is asked for.

        `with_support` announces that the flip support will be asked for next.
        """
        self._matrix[np.asarray(items), np.asarray(features)] ^= 1
        self._sizes = self._matrix.sum(axis=0, dtype=np.int64)
        self._total = self._support = None
        if with_support:
            self._ask(with_support=True)

    def _ask(self, *, with_support: bool) -> None:
        packed, most = PackedMatrix.of(self._matrix), self._executor.state_bytes
        part = self._executor.run(steps.visit, self._key, packed, with_support, most)
        self._total = int(part.sums[0][0])
        if with_support:
            self._support = _whole(part.sums[1])
            self._support.setflags(write=False)


def _whole(array: npt.NDArray[Any]) -> IntArray:
    return array.astype(np.int64)
