"""Sweetening: from a start downhill, flip by flip, as the paper does it or to the very bottom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from fangs.engine import Neighbourhood
from fangs.loss import Objective
from fangs.samples import IntArray
from fangs.validate import BinaryMatrix

OnImproved = Callable[[BinaryMatrix, Fraction], bool]
"""Told of each better allocation and its score; answers whether to go on."""


@dataclass(frozen=True)
class Sweetened:
    """Where a descent ended."""

    matrix: BinaryMatrix
    score: Fraction
    n_flips: int
    is_flip_optimal: bool


def by_proposals(
    neighbourhood: Neighbourhood,
    proposals: IntArray,
    objective: Objective,
    on_improved: OnImproved = lambda matrix, score: True,
) -> tuple[Sweetened, list[tuple[int, int]]]:
    """Take flips in the order proposed, keeping each that strictly lowers the expected loss.

    This is the sweetening phase of Dahl et al. 2023, Algorithm 1, flip for flip; only the work
    differs: a proposal is looked up among the exact changes of all flips, and the draws are visited
    only after one was accepted.

    Parameters
    ----------
    neighbourhood
        The start.
    proposals
        (N, 2): items and features to flip, in order.

    Returns
    -------
    sweetened, accepted
        Where it ended, and the accepted flips in order.
    """
    accepted: list[tuple[int, int]] = []
    at, going = 0, True
    while True:
        matrix, counts = neighbourhood.matrix, neighbourhood.counts()
        score = objective.score(int(matrix.sum()), neighbourhood.total_overlap)
        better = objective.improves(matrix, counts)
        if accepted:
            going = on_improved(matrix, score)
        hits = np.flatnonzero(better[proposals[at:, 0], proposals[at:, 1]])
        if len(hits) == 0 or not going:
            return Sweetened(matrix, score, len(accepted), not better.any()), accepted
        at += int(hits[0])
        item, feature = (int(x) for x in proposals[at])
        neighbourhood.flip(item, feature)
        accepted.append((item, feature))
        at += 1


def to_the_bottom(
    neighbourhood: Neighbourhood,
    objective: Objective,
    on_improved: OnImproved = lambda matrix, score: True,
) -> Sweetened:
    """Flip until no single flip lowers the expected loss.

    Each round takes the best flip of every column at once. Where flips interfere and the exact loss
    does not fall, the better half of them is tried, and so on down to the single best, which
    cannot fail.
    """
    n_flips = 0
    matrix = neighbourhood.matrix
    score = objective.score(int(matrix.sum()), neighbourhood.total_overlap)
    while True:
        counts = neighbourhood.counts()
        items, features = _best_of_each_column(matrix, counts, objective)
        if len(items) == 0:
            return Sweetened(matrix, score, n_flips, True)
        while True:
            neighbourhood.flip(items, features)
            tried = neighbourhood.matrix
            tried_score = objective.score(int(tried.sum()), neighbourhood.total_overlap)
            if tried_score < score:
                break
            neighbourhood.flip(items, features)
            half = (len(items) + 1) // 2
            items, features = items[:half], features[:half]
        matrix, score = tried, tried_score
        n_flips += len(items)
        if not on_improved(matrix, score):
            return Sweetened(matrix, score, n_flips, False)


def _best_of_each_column(
    matrix: BinaryMatrix, counts: IntArray, objective: Objective
) -> tuple[IntArray, IntArray]:
    """The most improving flip of each column that has one, most improving first."""
    gains = np.where(objective.improves(matrix, counts), objective.gains(matrix, counts), -np.inf)
    if gains.size == 0:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    items = gains.argmax(axis=0)
    best = gains[items, np.arange(gains.shape[1])]
    features = np.argsort(-best, kind="stable")
    features = features[best[features] > -np.inf]
    return items[features], features
