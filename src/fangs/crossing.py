"""Crossing: from several allocations one that has the better of each feature.

Descents from different starts end in allocations that differ in a few features. Taking over one
feature at a time keeps what each of them has found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from fangs import _core
from fangs.engine import Engine
from fangs.loss import Objective
from fangs.samples import IntArray
from fangs.sweeten import Sweetened, attempt, state_of, with_births, with_spare, without_empty
from fangs.validate import BinaryMatrix


def crossed(
    engine: Engine, best: BinaryMatrix, others: Sequence[BinaryMatrix], objective: Objective
) -> Iterator[Sweetened]:
    """Take over features of the others where that lowers the expected loss, then sweeten."""
    nearby = engine.neighbourhood(with_spare(best))
    state = state_of(nearby, objective)
    yield state
    for other in others:
        for target, place in _exchanges(state.matrix, without_empty(other)):
            items = np.flatnonzero(state.matrix[:, place] != target)
            won = attempt(nearby, objective, state, items * state.matrix.shape[1] + place)
            if won is not None:
                state = won
                yield state
    if state.n_flips:
        yield from with_births(engine, state, objective)


def _exchanges(matrix: BinaryMatrix, other: BinaryMatrix) -> Iterator[tuple[BinaryMatrix, int]]:
    """Columns that the other has in the place of ours: changed, gone, or new in a spare one."""
    weights = matrix.T.astype(np.int64) @ other.astype(np.int64)
    partners: IntArray = _core.match(weights)[1]
    nothing = np.zeros(len(matrix), dtype=np.uint8)
    spare = [place for place in range(matrix.shape[1]) if not matrix[:, place].any()]
    for place, partner in enumerate(partners.tolist()):
        target = other[:, partner] if partner >= 0 else nothing
        if place not in spare and not np.array_equal(target, matrix[:, place]):
            yield target, place
    added = sorted(set(range(other.shape[1])) - set(partners.tolist()))
    yield from zip((other[:, column] for column in added), spare, strict=False)
