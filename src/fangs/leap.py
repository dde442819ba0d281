"""Many penalties of a path at once, where all draws match the features in one way only.

Such a draw has the same worth for every flip, whatever else is flipped, as long as it stays matched
as it is. So what comes of all flips that pay at a penalty can be foretold from one pricing. Another
pass over the draws prices the outcomes of all penalties, and tells whether it came as foretold.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fangs.engine import Engine, Priced
from fangs.loss import Objective, left_order
from fangs.samples import IntArray
from fangs.validate import BinaryMatrix


class Landed(NamedTuple):
    """Where a leap began and ended: left-ordered, and proved to be at the bottom."""

    begin: Priced
    outcome: Priced
    n_flips: int


def leap(engine: Engine, begin: Priced, objectives: dict[float, Objective]) -> dict[float, Landed]:
    """From one allocation to where no single flip lowers these objectives.

    Those are left out for which features are not clear enough, or one would come or go: then all
    flips at once may not be the best that can be done. The allocation has no empty columns.
    """
    if not objectives:
        return {}
    matrix, counts = begin.matrix, np.ascontiguousarray(begin.counts[:, :-1])
    births = begin.counts[:, -1].max(initial=0)
    if _overlap(matrix, counts) != begin.aligned.total_overlap:
        return {}
    drafts: dict[float, tuple[bytes, BinaryMatrix]] = {}
    variants: dict[bytes, tuple[BinaryMatrix, IntArray]] = {}
    for a, objective in objectives.items():
        draft = objective.settled(matrix, counts)
        order = np.array(left_order(draft), dtype=np.int64)
        if len(order) == matrix.shape[1] and not objective.is_worth_having(births):
            key = draft.tobytes()
            drafts[a] = key, draft
            variants[key] = draft.take(order, axis=1), order
    priced = engine.price_variants(matrix, [*variants.values()]) if variants else []
    outcomes = dict(zip(variants, priced, strict=True))
    landed: dict[float, Landed] = {}
    for a, (key, draft) in drafts.items():
        outcome = outcomes[key]
        if outcome.n_anew == 0 or (
            outcome.aligned.total_overlap == _overlap(draft, counts)
            and objectives[a].is_bottom(outcome)
        ):
            landed[a] = Landed(begin, outcome, int(np.count_nonzero(draft != matrix)))
    return landed


def _overlap(matrix: BinaryMatrix, counts: IntArray) -> int:
    """The total overlap if no draw has a choice of partners, and so many have each entry."""
    return int((matrix * counts).sum())
