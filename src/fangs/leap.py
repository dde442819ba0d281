"""All penalties of a path at once, where nearly all draws match the features in one way only.

Such a draw has the same worth for every flip, whatever else is flipped, as long as it stays matched
as it is. So the flips that pay at each penalty can be told beforehand from one alignment, and one
pass over the draws prices the outcomes of all penalties.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fangs.engine import Engine, Priced
from fangs.loss import Objective, left_order
from fangs.samples import IntArray
from fangs.validate import BinaryMatrix

ROUNDS = 3
"""Passes after which every penalty must be settled, or the features are not clear enough."""


class Landed(NamedTuple):
    """Where a leap ended: left-ordered, and proved to be at the bottom."""

    outcome: Priced
    n_flips: int


def leap(
    engine: Engine, matrix: BinaryMatrix, counts: IntArray, objectives: dict[float, Objective]
) -> dict[float, Landed] | None:
    """From one allocation to where no single flip lowers any of these objectives.

    None if that takes too many rounds, or if a feature would come or go: then single flips may not
    be enough. The allocation has no empty columns; `counts` (n, K) are the draws that have its
    entries when they are aligned to it.
    """
    features = np.arange(matrix.shape[1])
    drafts = {a: (matrix ^ objectives[a].improves(matrix, counts), features) for a in objectives}
    landed: dict[float, Landed] = {}
    for _ in range(ROUNDS):
        if not all(draft.any(axis=0).all() for draft, _ in drafts.values()):
            return None
        variants = {a: _left_ordered(*draft) for a, draft in drafts.items()}
        distinct = {draft.tobytes(): (draft, origin) for draft, origin in variants.values()}
        priced = engine.price_variants(matrix, list(distinct.values()))
        outcomes = dict(zip(distinct, priced, strict=True))
        drafts = {}
        for a, (draft, origin) in variants.items():
            outcome = outcomes[draft.tobytes()]
            flips = objectives[a].improving(outcome)
            if flips[:, -1].any():
                return None
            if flips.any():
                drafts[a] = draft ^ flips[:, :-1], origin
            else:
                landed[a] = Landed(outcome, int((draft != matrix[:, origin]).sum()))
        if not drafts:
            return landed
    return None


def _left_ordered(matrix: BinaryMatrix, origin: IntArray) -> tuple[BinaryMatrix, IntArray]:
    """Columns in left order, with what stood for each; none of them is empty."""
    order = np.array(left_order(matrix), dtype=np.int64)
    return np.ascontiguousarray(matrix[:, order]), origin[order]
