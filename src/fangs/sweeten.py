"""Sweetening: downhill from a start, flip by flip, as the paper does it or to the very bottom.

Both ways are generators of states, one for the start and one after each improvement, so that a
search can report, stop and keep what was reached at any point. The last state says whether it is
proved that no single flip improves on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from fangs.engine import Engine, Neighbourhood
from fangs.loss import Objective
from fangs.samples import IntArray
from fangs.validate import BinaryMatrix


@dataclass(frozen=True)
class Sweetened:
    """How far sweetening has come."""

    matrix: BinaryMatrix
    score: Fraction
    n_flips: int = 0
    """Flips since the start."""
    flips: tuple[tuple[int, int], ...] = ()
    """The flips (item, feature) that led here from the state before."""
    is_flip_optimal: bool = False


def by_proposals(
    nearby: Neighbourhood, objective: Objective, proposals: IntArray
) -> Iterator[Sweetened]:
    """Take flips in the order proposed, keeping each that strictly lowers the expected loss.

    This is the sweetening phase of Dahl et al. 2023, Algorithm 1, flip for flip; only the work
    differs: a proposal is looked up among the exact changes of all flips, and the draws are visited
    only after one was accepted. Proposals are (N, 2): items and features.
    """
    state = _state_of(nearby, objective)
    yield state
    at = 0
    while at < len(proposals):
        better = objective.improves(state.matrix, nearby.counts())
        hits = np.flatnonzero(better[proposals[at:, 0], proposals[at:, 1]])
        if len(hits) == 0:
            return
        at += int(hits[0])
        item, feature = (int(x) for x in proposals[at])
        nearby.flip(item, feature)
        at += 1
        state = replace(
            _state_of(nearby, objective), n_flips=state.n_flips + 1, flips=((item, feature),)
        )
        yield state


def to_the_bottom(nearby: Neighbourhood, objective: Objective) -> Iterator[Sweetened]:
    """Flip until no single flip lowers the expected loss.

    Each round takes the best flip of every column at once. Where flips interfere and the exact loss
    does not fall, the better half of them is tried, and so on down to the single best, which
    cannot fail.
    """
    state = _state_of(nearby, objective)
    yield state
    while True:
        items, features = _best_of_each_column(state.matrix, nearby.counts(), objective)
        if len(items) == 0:
            yield replace(state, flips=(), is_flip_optimal=True)
            return
        while True:
            nearby.flip(items, features)
            tried = _state_of(nearby, objective)
            if tried.score < state.score:
                break
            nearby.flip(items, features)
            half = (len(items) + 1) // 2
            items, features = items[:half], features[:half]
        flips = tuple(zip(items.tolist(), features.tolist(), strict=True))
        state = replace(tried, n_flips=state.n_flips + len(flips), flips=flips)
        yield state


def with_births(engine: Engine, matrix: BinaryMatrix, objective: Objective) -> Iterator[Sweetened]:
    """`to_the_bottom` with an empty column to spare, so that the birth of a feature is a flip too.

    When the spare column is taken, the descent goes on with a new one.
    """
    n_flips = 0
    while True:
        nearby = engine.neighbourhood(with_empty(matrix))
        for state in to_the_bottom(nearby, objective):
            state = replace(state, n_flips=n_flips + state.n_flips)
            has_spare = not state.matrix.any(axis=0).all()
            yield state if has_spare else replace(state, is_flip_optimal=False)
        if has_spare:
            return
        matrix, n_flips = state.matrix, state.n_flips


def without_empty(matrix: BinaryMatrix) -> BinaryMatrix:
    """The columns that have an item."""
    return np.ascontiguousarray(matrix[:, matrix.any(axis=0)])


def with_empty(matrix: BinaryMatrix) -> BinaryMatrix:
    """The columns that have an item, and one that has none."""
    return np.ascontiguousarray(np.pad(without_empty(matrix), ((0, 0), (0, 1))))


def _state_of(nearby: Neighbourhood, objective: Objective) -> Sweetened:
    matrix = nearby.matrix
    return Sweetened(matrix, objective.score(int(matrix.sum()), nearby.total_overlap))


def _best_of_each_column(
    matrix: BinaryMatrix, counts: IntArray, objective: Objective
) -> tuple[IntArray, IntArray]:
    """The most improving flip of each column that has one, most improving first."""
    if matrix.size == 0:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    gains = np.where(objective.improves(matrix, counts), objective.gains(matrix, counts), -np.inf)
    items = gains.argmax(axis=0)
    best = gains[items, np.arange(gains.shape[1])]
    features = np.argsort(-best, kind="stable")
    features = features[best[features] > -np.inf]
    return items[features], features
