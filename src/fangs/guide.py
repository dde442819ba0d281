"""Starts for any penalty on the path, found on some of the draws."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from fangs.engine import Engine
from fangs.loss import Objective, left_ordered
from fangs.samples import IntArray
from fangs.screened import SCREEN, WALK
from fangs.starts import from_template
from fangs.sweeten import with_births, without_empty
from fangs.validate import BinaryMatrix

N_TEMPLATES = 4
"""Templates that serve as starts at every penalty."""
N_SWEET = 2
"""Starts that are sweetened at every penalty."""


class Guide:
    """Finds good starts for any penalty on some of the draws, where there are many."""

    def __init__(self, engine: Engine, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.engine = engine
        if engine.n_draws > 2 * SCREEN:
            some = self.rng.choice(engine.n_draws, size=SCREEN, replace=False)
            self.engine = engine.select(np.sort(some))
        self.n_walk = min(WALK, self.engine.n_draws)
        self.found: dict[float, tuple[int, BinaryMatrix]] = {}
        """The best allocation found at each penalty, and its score there."""
        self.tried: dict[float, set[bytes]] = {}

    @cached_property
    def templates(self) -> list[IntArray]:
        """Counts of mean features; the same for all penalties."""
        walks = [self.rng.permutation(self.engine.n_draws) for _ in range(N_TEMPLATES)]
        return self.engine.grow_templates([walk[: self.n_walk] for walk in walks])

    def take(self, a: float, matrix: BinaryMatrix) -> None:
        """Be told what was found elsewhere."""
        self.found[a] = (self.score(matrix, Objective.of(self.engine, a)), matrix)

    def look(self, a: float) -> None:
        """Sweeten the best starts that were not tried before; remember the best end."""
        objective = Objective.of(self.engine, a)
        tried = self.tried.setdefault(a, set())
        ranked: list[tuple[int, BinaryMatrix]] = []
        for start in self.starts(a, objective):
            key = left_ordered(start).tobytes()
            if key in tried:
                break  # two agree
            tried.add(key)
            ranked.append((self.score(start, objective), start))
        ranked.sort(key=lambda pair: pair[0])
        ends = [self.found[a]] if a in self.found else []
        for _, start in ranked[:N_SWEET]:
            *_, last = with_births(self.engine, start, objective)
            ends.append((last.score, without_empty(last.matrix)))
        self.found[a] = min(ends, key=lambda pair: pair[0])

    def starts(self, a: float, objective: Objective) -> Iterator[BinaryMatrix]:
        """Templates, at the first look, and what the neighbours have, fitted to this penalty."""
        for counts in () if a in self.found else self.templates:
            yield from_template(self.engine, counts, self.n_walk, objective).matrix
        for near in self.neighbours(a):
            yield self.rethresholded(self.found[near][1], objective)

    def neighbours(self, a: float) -> list[float]:
        """The nearest penalties below and above that have been looked at."""
        below = [near for near in self.found if near < a]
        above = [near for near in self.found if near > a]
        return [*([max(below)] if below else []), *([min(above)] if above else [])]

    def score(self, matrix: BinaryMatrix, objective: Objective) -> int:
        """The allocation's score over the guide's draws."""
        return objective.score(int(matrix.sum()), int(self.engine.overlaps(matrix).sum()))

    def rethresholded(self, matrix: BinaryMatrix, objective: Objective) -> BinaryMatrix:
        """Keep the entries worth having at this penalty, with the draws aligned as they are.

        It cannot harm: of all allocations this is the best for that alignment.
        """
        return without_empty(objective.threshold(self.engine.align(matrix).counts))
