"""Swings: past where a descent ends, by way of another penalty and back.

At a penalty a little smaller or larger than its own, and on other draws, a descent goes on in many
features at once; back at its own it seldom ends where it was, and often lower. Kicks change one
feature at random, swings change what is nearly worth changing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import cycle, islice

import numpy as np

from fangs.engine import Engine
from fangs.loss import Objective
from fangs.sweeten import Descent, Sweetened
from fangs.validate import BinaryMatrix

FACTORS = (0.7, 1.4, 0.5, 2.0)
"""By how much swings change the odds a : 2 - a, in turn."""
MAX_SWINGS = 24
"""Swings after which no more are made, even if they help."""
WIDEST = 3.0
"""Random swings change the odds by up to this factor, or by its inverse."""


def aside(a: float, factor: float) -> float:
    """The penalty whose odds a : 2 - a are so many times those of the one given."""
    odds = factor * a / (2 - a)
    return min(max(2 * odds / (1 + odds), math.nextafter(0, 1)), math.nextafter(2, 0))


def swung(
    engine: Engine,
    start: BinaryMatrix,
    objective: Objective,
    rng: np.random.Generator,
    most: int = MAX_SWINGS,
    turns: int = 1,
) -> Iterator[Sweetened]:
    """Descend, and swing until so many turns are in vain; yields the best so far after each."""
    descent = Descent(engine, start)
    *_, best = descent.states(objective)
    yield best
    failures, n_flips, matrix = 0, best.n_flips, best.matrix
    for factor in islice(cycle(FACTORS), most):
        some = engine.some(-(-engine.n_draws // 2), rng)
        there = Objective.of(some, aside(objective.a, factor))
        *_, away = Descent(some, matrix).states(there, n_flips)
        *_, back = Descent(engine, away.matrix).states(objective, away.n_flips)
        n_flips, matrix = back.n_flips, back.matrix
        failures = 0 if back.score < best.score else failures + 1
        best = min(best, back, key=lambda state: state.score)
        yield best
        if failures == turns * len(FACTORS):
            return


def swung_away(
    engine: Engine, start: BinaryMatrix, objective: Objective, rng: np.random.Generator
) -> BinaryMatrix:
    """Where a descent ends at a random penalty near the objective's."""
    factor = math.exp(rng.uniform(-1, 1) * math.log(WIDEST))
    there = Objective.of(engine, aside(objective.a, factor))
    *_, away = Descent(engine, start).states(there)
    return away.matrix
