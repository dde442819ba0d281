"""The paper's search and nothing else: FANGS, Algorithm 1 of Dahl, Johnson and Andros (2023)."""

from __future__ import annotations

import numpy as np

from fangs._typing import BinaryMatrix
from fangs.allocation import without_empty
from fangs.draws.weights import choose_draws
from fangs.engine import Engine
from fangs.loss import Objective
from fangs.search.starts import Candidate
from fangs.search.state import SearchState, Solution

BLOCK = 64
"""Proposals that each start gets before the next start has its turn."""


def algorithm1(state: SearchState, n_iter: int) -> None:
    """Make starts from single draws, keep the best, and sweeten them by random proposals."""
    rng = np.random.default_rng(state.settings.seed)
    with state.phase("start"):
        starts = initialise(state, rng)
    with state.phase("sweeten"):
        sweetenings = [
            Sweetening(state, start, generator)
            for start, generator in zip(starts, rng.spawn(len(starts)), strict=True)
        ]
        try:
            # Lines 13 and 14: all starts advance together, here a block of iterations at a time.
            for done in range(0, n_iter, BLOCK):
                state.report_progress("sweeten", done, n_iter)
                for sweetening in sweetenings:
                    sweetening.propose(min(BLOCK, n_iter - done))
        finally:
            for sweetening in sweetenings:
                sweetening.record()
    state.stopped_because = f"{n_iter} proposals per start were made"


def initialise(state: SearchState, rng: np.random.Generator) -> list[Candidate]:
    """Lines 2 to 11: a start from each of `n_init` baselines; keep the best `n_sweet`."""
    engine, objective = state.engine, state.objective
    info, n_init = engine.samples_info, state.settings.n_init
    baselines = choose_draws(info.weights, info.n_draws, n_init, rng).tolist()
    starts: list[Candidate] = []
    for done, draw in enumerate(baselines, start=1):
        matrix = initial_estimate(engine, engine.draw(draw), objective)
        with state.measured_pass():
            overlap = info.weigh(engine.overlaps(matrix))
        score = objective.score(int(matrix.sum()), overlap)
        starts.append(Candidate("baseline", draw, matrix, score))
        state.offer(Solution(matrix, score, int(matrix.sum())))
        state.report_progress("start", done, n_init)
    starts.sort(key=lambda start: (start.score, int(start.matrix.sum())))
    n_sweet = state.settings.n_sweet
    for start in starts[n_sweet:]:
        state.record_start(start, objective, n_draws=info.n_draws)
    return starts[:n_sweet]


def initial_estimate(engine: Engine, baseline: BinaryMatrix, objective: Objective) -> BinaryMatrix:
    """Lines 5 to 8: align the draws to a baseline, threshold the proportions at a/2.

    Every draw is padded to the largest number of features (line 2), so every feature has a place.
    Where the best alignment is not unique the paper leaves the choice to the solver; here features
    that overlap with no column of the baseline go into the free columns, both in their own order.
    """
    width = int(engine.samples_info.n_features.max(initial=0))
    counts = engine.place(baseline, width)
    return without_empty(objective.threshold(counts))


def with_a_column(start: BinaryMatrix) -> BinaryMatrix:
    """A start that can be flipped in: one without ones keeps one empty column, as in R.

    The paper removes empty columns (line 8) and does not say what to propose where none is left.
    """
    return start if start.shape[1] else np.zeros((len(start), 1), dtype=np.uint8)


class Sweetening:
    """Lines 15 to 20 for one start: random flips, kept where they strictly lower the loss.

    A proposal is looked up among the exact costs of all flips, so the draws are visited only after
    one was accepted; the flips accepted are those of the paper's loop.
    """

    def __init__(self, state: SearchState, start: Candidate, rng: np.random.Generator) -> None:
        matrix = with_a_column(start.matrix)
        self._state, self._start, self._rng = state, start, rng
        self._nearby = state.engine.neighbourhood(matrix)
        self._n_entries = matrix.size
        self._n_flips = 0
        self.solution = self._where()
        """The allocation so far, also where a pass was interrupted."""

    def _where(self) -> Solution:
        ones = int(self._nearby.sizes.sum())
        score = self._state.objective.score(ones, self._nearby.total_overlap)
        return Solution(self._nearby.matrix, score, ones)

    def propose(self, n_proposals: int) -> None:
        """Propose single flips, each entry as likely as any other."""
        proposals = self._rng.integers(self._n_entries, size=n_proposals)
        objective, nearby = self._state.objective, self._nearby
        at = 0
        while at < n_proposals:
            costs = objective.flip_costs(nearby.matrix, nearby.flip_support()).ravel()
            hits = np.flatnonzero(costs[proposals[at:]] < 0)
            if len(hits) == 0:
                return
            at += int(hits[0])
            item, feature = divmod(int(proposals[at]), len(nearby.sizes))
            nearby.flip(item, feature, with_support=True)
            at += 1
            self._n_flips += 1
            self.solution = self._where()
            self._state.offer(self.solution)
        self._state.deadline.check()

    def record(self) -> None:
        """Note how far the start came."""
        self._state.record_start(
            self._start,
            self._state.objective,
            self.solution,
            self._n_flips,
            n_draws=self._state.engine.samples_info.n_draws,
        )
