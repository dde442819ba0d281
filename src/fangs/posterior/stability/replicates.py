"""Replicates: estimates again from draws that were drawn again.

Each replicate descends from the estimate. Some, the scouts, also start afresh from a draw of their
own. Once a fresh start has ended elsewhere, the posterior is not clear, and the best of every
replicate from there on is perturbed, as in the search; in small problems all are. Replicates differ
in weights alone, and overlaps do not depend on weights: every allocation found then competes in
every replicate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from fangs._typing import BinaryMatrix, IntArray
from fangs.allocation import left_order, without_empty
from fangs.draws.weights import choose_draws
from fangs.engine import Engine, pass_seconds
from fangs.loss import Objective
from fangs.posterior.stability.bootstrap import BlockBootstrap
from fangs.search import SearchParams
from fangs.search.local_search import LocalSearch
from fangs.search.multistart import improve
from fangs.search.perturb import make_perturbations


@dataclass(frozen=True, kw_only=True)
class ReplicateParams:
    """What re-estimation trades against time; tests and experiments pass their own."""

    scouts: int = 4
    """The first replicates, which all make a fresh start."""
    scouting: int = 8
    """Of the others one in so many does. More: faster, but what descents miss may go unnoticed."""
    alignments: int = 3
    """Most times that a fresh start is replaced by what the draws aligned to it agree on."""
    search: SearchParams = field(default_factory=SearchParams)
    """How the best end of a replicate is perturbed."""


@dataclass(frozen=True, eq=False)
class Replicate:
    """The estimate of one replicate, left-ordered, and its exact score over the draws of it."""

    matrix: BinaryMatrix
    score: int
    objective: Objective

    @classmethod
    def of(cls, search: LocalSearch) -> Replicate:
        """Where a local search stands."""
        return cls(_left_ordered(search.matrix), search.score, search.objective)

    @property
    def expected_loss(self) -> float:
        """The expected loss over the draws of the replicate."""
        return self.objective.loss_of_score(self.score)


class Replicates:
    """Makes replicates and estimates each; what is done so far is in `found`."""

    def __init__(
        self,
        engine: Engine,
        matrix: BinaryMatrix,
        a: float,
        seed: int,
        bootstrap: BlockBootstrap,
        params: ReplicateParams | None = None,
    ) -> None:
        self.found: list[Replicate] = []
        self._engine = engine
        self._matrix = matrix
        self._a = a
        self._seed = seed
        self._bootstrap = bootstrap
        self._params = params or ReplicateParams()
        self._rng = np.random.default_rng(seed)
        # Small problems are perturbed all the same, because that is next to free.
        search, seconds = self._params.search, pass_seconds(engine.samples_info, matrix.shape[1])
        self._is_clear = search.walk_steps * seconds > search.free_seconds
        self._overlaps: dict[bytes, tuple[BinaryMatrix, IntArray]] = {}

    def solve(self, n: int, report: Callable[[int], None] = lambda done: None) -> None:
        """Make this many replicates and estimate each; `report` is called with those done."""
        for number in range(n):
            report(number)
            self.found.append(self._estimated(number))
        while not self._is_clear and self._compete():  # ends, because some score falls each time
            pass

    def weights(self, number: int) -> IntArray:
        """(B,): how much each draw counts in a replicate; its own weight times its copies."""
        counts = self._bootstrap.counts(np.random.default_rng([self._seed, number]))
        own = self._engine.samples_info.weights
        return counts if own is None else counts * own

    def _estimated(self, number: int) -> Replicate:
        engine = self._engine_of(number)
        objective = Objective.of(engine.samples_info, self._a)
        search = LocalSearch(engine, objective, self._matrix)
        search.descend()
        ends = [search]
        if number < self._params.scouts or number % self._params.scouting == 0:
            fresh = self._fresh_start(search)
            if fresh is not None:
                ends.append(LocalSearch(engine, objective, fresh))
                ends[1].descend()
                self._is_clear &= _is_same(ends[0].matrix, ends[1].matrix)
        best = min(ends, key=lambda end: end.key)
        if not self._is_clear:
            params = self._params.search
            improve(best, make_perturbations(params.final_tries, params), self._rng)
        return Replicate.of(best)

    def _fresh_start(self, search: LocalSearch) -> BinaryMatrix | None:
        """What the draws agree on when they are aligned to one of them, to that, and so on.

        None if that is where the search stands.
        """
        engine, info = search.engine, search.engine.samples_info
        matrix = engine.draw(int(choose_draws(info.weights, info.n_draws, 1, self._rng)[0]))
        for _ in range(self._params.alignments):
            matrix = without_empty(search.objective.threshold(engine.align(matrix).counts))
            if _is_same(matrix, search.matrix):
                return None
        return matrix

    def _compete(self) -> bool:
        """Give each replicate the best allocation found anywhere; whether any was better.

        It descends from there, so that it may find something new.
        """
        known = self._known_overlaps()
        ones = [int(matrix.sum()) for matrix, _ in known]
        is_better = False
        for number, found in enumerate(self.found):
            weights = self.weights(number)
            totals = [int(overlaps @ weights) for _, overlaps in known]
            scores = [found.objective.score(*pair) for pair in zip(ones, totals, strict=True)]
            best = min(range(len(known)), key=lambda k: (scores[k], ones[k]))
            if scores[best] < found.score:
                search = LocalSearch(self._engine_of(number), found.objective, known[best][0])
                search.descend()
                self.found[number] = Replicate.of(search)
                is_better = True
        return is_better

    def _known_overlaps(self) -> list[tuple[BinaryMatrix, IntArray]]:
        """The distinct allocations found, and the overlap of each with every draw."""
        for found in self.found:
            key = found.matrix.tobytes()
            if key not in self._overlaps:
                self._overlaps[key] = found.matrix, self._engine.overlaps(found.matrix)
        return list(self._overlaps.values())

    def _engine_of(self, number: int) -> Engine:
        """The draws of a replicate, with their weights there."""
        weights = self.weights(number)
        draws = np.flatnonzero(weights)
        return self._engine.select(draws, weights[draws])


def _left_ordered(matrix: BinaryMatrix) -> BinaryMatrix:
    """The left-ordered form of a matrix that is known to be good."""
    return np.ascontiguousarray(matrix[:, left_order(matrix)])


def _is_same(one: BinaryMatrix, other: BinaryMatrix) -> bool:
    """Whether two matrices are the same allocation."""
    return one is other or np.array_equal(_left_ordered(one), _left_ordered(other))
