"""The passes over draws that lie in shards: on disk, or in the memory of a cluster.

The search runs on it unchanged. Starts are made on a subsample, which is brought here; every pass
over all draws is one round: a step on each shard, and the sum of what they return.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import cached_property
from math import inf
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix, IntArray
from fangs.bounds.columns.protocol import Pricing
from fangs.distributed import steps
from fangs.distributed.executor import ShardExecutor
from fangs.distributed.sharded_neighbourhood import ShardedNeighbourhood
from fangs.distributed.steps import PackedMatrix
from fangs.draws.info import SamplesInfo
from fangs.draws.samples import Samples
from fangs.draws.weights import are_equal, choose_copies
from fangs.engine import Engine
from fangs.engine.chain_separation import ChainSeparation, separate_chains
from fangs.engine.protocol import Aligned, Evaluation
from fangs.engine.threaded import ThreadedEngine

__all__ = ["ShardedEngine"]

BROUGHT_BYTES = 16 << 20
"""Packed size up to which a selection of draws is brought here."""
FETCHED = 4096
"""Draws that are brought here at once when one of them is asked for."""


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
        self._until = inf

    @property
    def n_shards(self) -> int:
        """Number of shards."""
        return len(self._first) - 1

    @cached_property
    def chain_separation(self) -> ChainSeparation | None:
        """Whether chains are in different modes, looked at once; None without chains."""
        return separate_chains(self.samples_info, self._bring)

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
        return Evaluation(matrix, aligned, _whole(support), _whole(births))

    def neighbourhood(self, matrix: BinaryMatrix) -> ShardedNeighbourhood:
        """Match every draw to the matrix, ready for flips."""
        return ShardedNeighbourhood(self._executor, matrix)

    def select(self, draws: IntArray, weights: IntArray | None = None) -> Engine:
        """An engine over these draws, given by their numbers; with these weights or their own.

        A few are brought here: hundreds of short rounds take far longer than their passes.
        """
        draws = np.asarray(draws, dtype=np.int64)
        if (np.diff(draws) < 0).any():
            raise ValueError("draws in shards can be chosen in increasing order only")
        chosen = self._by_shard(draws)
        sizes = [len(numbers) for numbers in chosen if len(numbers)]
        info = self.samples_info.select(draws, weights)
        if info.total_weight == 0:
            raise ValueError("draws of weight 0 only were selected; select others")
        if _packed_bytes(self.samples_info) <= BROUGHT_BYTES:
            return self._in_time(self._here).select(draws, weights)
        if _packed_bytes(info) <= BROUGHT_BYTES:
            here = self._bring(draws, weights)
            here.samples_info = info
            return here
        parts = None if weights is None else np.split(weights, np.cumsum([len(c) for c in chosen]))
        executor = self._executor.select(chosen, None if parts is None else parts[:-1])
        some = ShardedEngine(executor, sizes, info, self.n_threads)
        some._until = self._until
        return some

    @cached_property
    def _here(self) -> ThreadedEngine:
        """All draws, brought here."""
        here = ThreadedEngine(self.fetch(np.arange(self.samples_info.n_draws)), self.n_threads)
        here.samples_info = self.samples_info
        return here

    def _in_time(self, here: ThreadedEngine) -> ThreadedEngine:
        """An engine here, with the time that this one has left."""
        return here if self._until == inf else here.limited(max(0.0, self._until - perf_counter()))

    def limited(self, seconds: float) -> ShardedEngine:
        """The same engine, whose rounds raise `OutOfTimeError` once these seconds are over."""
        limited = copy.copy(self)
        limited._executor = self._executor.limited(seconds)
        limited._until = perf_counter() + seconds
        return limited

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
        return self._bring(numbers, copies)

    def _bring(self, numbers: IntArray, weights: IntArray | None = None) -> ThreadedEngine:
        """An engine here over some draws, with the time that this one has left."""
        samples = self.fetch(numbers)
        if weights is not None:
            samples = Samples(samples, weights=weights)
        return self._in_time(ThreadedEngine(samples, self.n_threads, draw_numbers=numbers))

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
            found[some] = self._bring(wanted).pair_overlaps(*np.split(places, 2))
        return found

    def pricing(
        self, members: IntArray, weights: IntArray, *, scale: int, item_cost: int
    ) -> Pricing:
        """Price columns over these draws, which are brought here: proofs are for few draws."""
        everyone = np.arange(len(members))
        return self._bring(members).pricing(everyone, weights, scale=scale, item_cost=item_cost)

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


def _whole(array: npt.NDArray[Any]) -> IntArray:
    return array.astype(np.int64)


def _packed_bytes(info: SamplesInfo) -> int:
    """Size of the draws in memory."""
    return info.n_items * int(info.n_features.sum()) // 8
