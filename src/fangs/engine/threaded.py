"""The passes over draws held in this process, shared out over threads."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs import _core
from fangs._frozen import read_only
from fangs._typing import BinaryMatrix, IntArray
from fangs.check.arguments import as_threads
from fangs.draws.info import SamplesInfo
from fangs.draws.samples import Labels, Samples, as_samples
from fangs.draws.weights import are_equal, choose_copies
from fangs.engine.chain_separation import ChainSeparation, separate_chains
from fangs.engine.distinct_draws import DistinctDraws
from fangs.engine.protocol import Aligned, Evaluation
from fangs.engine.threaded_neighbourhood import ThreadedNeighbourhood

WORD = 64
"""Items that are packed together."""
FOREVER = 1e9
"""Seconds; clocks cannot hold infinitely many."""
TEMPLATE_ROUNDS = 2
"""Times that a template is grown through its walk; the second time its columns are known."""


class ThreadedEngine:
    """An `Engine` over `Samples`; the result never depends on the number of threads.

    Equal draws are matched once where many are equal (`DistinctDraws`); that changes no result.
    `merges=False` matches every draw.
    """

    def __init__(
        self,
        samples: Any,
        n_threads: int | None = None,
        draw_numbers: IntArray | None = None,
        *,
        merges: bool = True,
    ) -> None:
        self.samples: Samples = as_samples(samples)
        self.n_threads = as_threads(n_threads)
        self._threads = _core.Threads(self.n_threads)
        self.samples_info: SamplesInfo = self.samples.info
        self._draw_numbers = None if draw_numbers is None else read_only(draw_numbers)
        self._merges = merges
        self._merging: list[DistinctDraws] = []  # empty until a pass needs it; shared by `limited`

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.samples, self.n_threads, self._draw_numbers, self._merges)

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.samples.n_bytes  # Dask moves small things freely

    def limited(self, seconds: float) -> ThreadedEngine:
        """The same engine, whose passes raise `OutOfTimeError` once these seconds are over."""
        limited: ThreadedEngine = object.__new__(type(self))
        limited.__dict__.update(self.__dict__)
        limited._threads = _core.Threads(self.n_threads, min(seconds, FOREVER))
        return limited

    def _over(self, samples: Samples, draw_numbers: IntArray | None = None) -> ThreadedEngine:
        """An engine over other draws, with the same threads and the same time."""
        engine = ThreadedEngine(samples, self.n_threads, draw_numbers, merges=self._merges)
        engine._threads = self._threads
        return engine

    @property
    def draw_numbers(self) -> IntArray:
        """(B,): number of each draw among the draws that this is a subsample of."""
        if self._draw_numbers is None:
            self._draw_numbers = read_only(np.arange(self.samples_info.n_draws))
        return self._draw_numbers

    @cached_property
    def chain_separation(self) -> ChainSeparation | None:
        """Whether chains are in different modes, looked at once; None without chains."""
        return separate_chains(self.samples_info, self.select)

    @property
    def _draws(self) -> _core.Draws:
        return self.samples._draws

    @property
    def _weights(self) -> IntArray | None:
        return self.samples.weights

    @property
    def _distinct(self) -> DistinctDraws:
        if not self._merging:
            self._merging.append(
                DistinctDraws.of(self._draws, self._weights, self._threads, merges=self._merges)
            )
        return self._merging[0]

    def overlaps(self, matrix: BinaryMatrix) -> IntArray:
        """(B,): total overlap of the matrix with each draw."""
        some = self._distinct
        return some.expand(
            _core.align(some.draws, some.weights, matrix, False, False, self._threads)[0]
        )

    def align(self, matrix: BinaryMatrix) -> Aligned:
        """Align every draw to the matrix."""
        some = self._distinct
        overlaps, _, counts = _core.align(
            some.draws, some.weights, matrix, False, True, self._threads
        )
        return Aligned(counts, some.expand(overlaps), self._weights)

    def place(self, matrix: BinaryMatrix, n_columns: int) -> IntArray:
        """Align every draw and give each of its features a column: counts (n, n_columns)."""
        some = self._distinct
        return _core.place(some.draws, some.weights, matrix, n_columns, self._threads)

    def evaluate(self, matrix: BinaryMatrix) -> Evaluation:
        """Align every draw and find the support of all flips, in one pass."""
        wider = np.pad(matrix, ((0, 0), (0, 1)))
        some = self._distinct
        overlaps, counts, support, _ = _core.evaluate(
            some.draws, some.weights, wider, True, self._threads
        )
        aligned = Aligned(counts[:, :-1], some.expand(overlaps), self._weights)
        return Evaluation(matrix, aligned, support[:, :-1], support[:, -1])

    def neighbourhood(self, matrix: BinaryMatrix) -> ThreadedNeighbourhood:
        """Match every draw to the matrix, ready for flips."""
        return ThreadedNeighbourhood(self._distinct, matrix, self._threads)

    def select(self, draws: IntArray, weights: IntArray | None = None) -> ThreadedEngine:
        """An engine over these draws, given by their numbers; with these weights or their own."""
        return self._over(self.samples._part(draws, weights, self._threads))

    def subsample(self, n_draws: int, rng: np.random.Generator) -> ThreadedEngine:
        """An engine over some draws, picked at random; over all if there are no more.

        Where weights differ, copies of draws are picked: a draw then has as many copies in the
        subsample as were picked.
        """
        total = self.samples_info.n_draws
        if n_draws >= min(total, self.samples_info.total_weight):
            return self
        copies = None
        if self._weights is None or are_equal(self._weights):
            draws = np.sort(rng.choice(total, size=n_draws, replace=False))
        else:
            chosen = choose_copies(self._weights, n_draws, rng)
            draws, copies = np.unique(chosen, return_counts=True)
        return Subsample(self, draws, copies)

    def subsample_items(self, n_items: int, rng: np.random.Generator) -> ThreadedEngine:
        """An engine over some items, picked at random; over all if there are few.

        Features keep their numbers, even those that have none of these items.
        """
        total, wanted = self.samples_info.n_items // WORD, n_items // WORD
        if wanted >= total:
            return self
        words = np.sort(rng.choice(total, size=wanted, replace=False))
        labels = Labels(weights=self.samples_info.weights)
        return self._over(Samples._of(self._on_words(words), labels), self._draw_numbers)

    def _on_words(self, words: IntArray) -> _core.Draws:
        everything = np.arange(self.samples_info.n_draws)
        return self._draws.on_words(everything, words, self._threads)

    def draw(self, b: int) -> BinaryMatrix:
        """One draw (n, K_b)."""
        return self.samples[b]

    def grow_templates(self, walks: list[IntArray]) -> list[IntArray]:
        """Grow one template per walk through the draws; (n, K) counts each."""
        return _core.grow_templates(self._draws, walks, TEMPLATE_ROUNDS, self._threads)

    def permutations(self, matrix: BinaryMatrix) -> tuple[npt.NDArray[np.int32], Aligned]:
        """Align every draw; also (B, K): the draw's feature aligned to each column, or -1."""
        some = self._distinct
        overlaps, permutations, counts = _core.align(
            some.draws, some.weights, matrix, True, True, self._threads
        )
        aligned = Aligned(counts, some.expand(overlaps), self._weights)
        return some.expand(permutations), aligned

    def count_aligned(self, permutations: npt.NDArray[np.int32]) -> IntArray:
        """(n, K): weight of the draws whose feature aligned to column j has item i."""
        return _core.count_aligned(self._draws, self._weights, permutations, self._threads)

    def relabel(self, permutations: npt.NDArray[np.int32], first: int = 0) -> BinaryMatrix:
        """(b, n, K): draws from `first` on, their features in the order of the permutations."""
        return _core.relabel(self._draws, permutations, first, self._threads)

    def measure(
        self, matrix: BinaryMatrix, permutations: npt.NDArray[np.int32]
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """(B, K) each: items shared with, and items of, the feature aligned to each column."""
        return _core.measure(self._draws, matrix, permutations, self._threads)

    def item_counts(self) -> IntArray:
        """(n,): number of features with each item, over all draws by weight."""
        return _core.item_counts(self._draws, self._weights)

    def first_equal(self) -> IntArray:
        """(B,): for each draw the first draw that is the same allocation."""
        return _core.first_equal(self._draws)

    def pair_overlaps(self, first: IntArray, second: IntArray) -> IntArray:
        """Total overlap between the draws `first[p]` and `second[p]`."""
        return _core.pair_overlaps(
            self._draws, np.ascontiguousarray(first), np.ascontiguousarray(second), self._threads
        )

    def draw_bounds(
        self, members: IntArray, weights: IntArray, *, n_blocks: int, agreements: bool
    ) -> _core.DrawBounds:
        """Bounds on how much each member overlaps with all others; see `alternatives.draws`."""
        return _core.DrawBounds(self._draws, members, weights, n_blocks, agreements, self._threads)

    def pricing(
        self, members: IntArray, weights: IntArray, *, scale: int, item_cost: int
    ) -> _core.Pricing:
        """Price columns over these draws, each counted `weights` times."""
        return _core.Pricing(self._draws, members, weights, scale, item_cost, self._threads)

    def gains_near(
        self,
        columns: BinaryMatrix,
        labels: npt.NDArray[np.int32],
        prices: IntArray,
        scale: int,
    ) -> IntArray:
        """(K, n + 1): most that a set near each labelled column can exceed the prices by."""
        return _core.gains_near(
            self._draws, self._weights, columns, labels, prices, scale, self._threads
        )

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
        return _core.gains_far(
            self._draws,
            self._weights,
            columns,
            labels,
            prices,
            scale,
            half_penalty,
            apart,
            self._threads,
        )


class Subsample(ThreadedEngine):
    """Some draws of an engine, copied only when a pass needs all of their items.

    A search looks at some items first; 512 draws of 100,000 items and 200 features take 1.3 GB.
    """

    def __init__(self, whole: ThreadedEngine, draws: IntArray, copies: IntArray | None) -> None:
        self.n_threads, self._threads, self._merges = whole.n_threads, whole._threads, whole._merges
        self._engine, self._whole = whole, whole.samples
        self._chosen, self._copies = draws, copies
        self._draw_numbers = read_only(whole.draw_numbers[draws])
        self._merging = []
        info = whole.samples_info.alone().select(draws, copies)
        self.samples_info = replace(info, find_hashes=lambda: self.samples._draws.hashes())

    @cached_property
    def samples(self) -> Samples:  # type: ignore[override]
        """The draws."""
        return self._whole._part(self._chosen, self._copies, self._threads)

    def _on_words(self, words: IntArray) -> _core.Draws:
        return self._whole._draws.on_words(self._chosen, words, self._threads)

    def count_aligned(self, permutations: npt.NDArray[np.int32]) -> IntArray:
        """(n, K): weight of the draws whose feature aligned to column j has item i."""
        weights = self.samples_info.weights
        if weights is not None:
            of_whole: IntArray = np.zeros(len(self._whole), dtype=np.int64)
            of_whole[self._chosen] = weights
            weights = of_whole
        sizes = np.array([len(self._chosen)])
        counts: IntArray = _core.count_by_group(
            self._whole._draws, weights, self._chosen, sizes, permutations, self._threads
        )[0]
        return counts


def _restore(
    samples: Samples, n_threads: int, draw_numbers: IntArray | None, merges: bool
) -> ThreadedEngine:
    """An engine as it was pickled."""
    return ThreadedEngine(samples, n_threads, draw_numbers, merges=merges)
