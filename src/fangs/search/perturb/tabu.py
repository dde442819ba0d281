"""Tabu walk: on by the mildest flip, without taking back what was just flipped."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fangs.engine import Engine, pass_seconds
from fangs.search.local_search import LocalSearch, never


@dataclass(frozen=True)
class TabuWalk:
    """Flip-optimal allocations often differ in two to six entries that only help together.

    Each step makes the flip that raises the loss least (or lowers it most). Flips of the last steps
    are tabu unless they lead below the start (Glover 1989; "steepest descent, mildest ascent",
    Hansen 1986). The walk ends as soon as it is below its start.
    """

    n_steps: int = 10
    tenure: int = 6
    max_ascents: int = 5
    """Steps up in a row after which the walk is given up."""
    max_seconds: float = math.inf
    """Time that a walk may take by the cost model; where a pass takes long it has fewer steps."""

    def __call__(self, search: LocalSearch, rng: np.random.Generator) -> None:
        """Walk until something better is found or the steps are used up."""
        start = score = search.score
        n_features = search.matrix.shape[1]
        tabu: dict[int, int] = {}
        ascents = 0
        for step in range(self.affordable_steps(search.engine, n_features)):
            costs = search.flip_costs()
            recent = [flip for flip, until in tabu.items() if until > step]
            for flip, cost in zip(recent, costs[recent].tolist(), strict=True):
                # A flip that is never made may cost infinitely much, which cannot be added.
                if cost != never(costs) and score + cost >= start:
                    costs[flip] = never(costs)
            best = int(costs.argmin())
            if costs[best] == never(costs):  # all flips of a small matrix are tabu
                return
            ascents = ascents + 1 if costs[best] > 0 else 0
            if ascents > self.max_ascents:
                return
            search.flip(np.array([best]))
            score = search.score
            if score < start:
                return
            if search.matrix.shape[1] != n_features:  # columns were renumbered
                n_features = search.matrix.shape[1]
                tabu.clear()
            else:
                tabu[best] = step + 1 + self.tenure

    def affordable_steps(self, engine: Engine, n_features: int) -> int:
        """Steps for which there is time over the draws of an engine; none if only for one."""
        n_steps = min(
            self.n_steps, self.max_seconds / pass_seconds(engine.samples_info, n_features)
        )
        return int(n_steps) if n_steps >= 2 else 0
