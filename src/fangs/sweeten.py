"""Sweetening: downhill from a start, flip by flip, as the paper does it or to the very bottom.

Both ways are generators of states, one for the start and one after each improvement, so that a
search can report, stop and keep what was reached at any point. The last state says whether it is
proved that no single flip improves on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from fangs.engine import Engine, Neighbourhood
from fangs.loss import Objective
from fangs.samples import IntArray
from fangs.validate import BinaryMatrix

CROWD = 16
"""Among more features than this, flips of one feature, or of one item, are not made at once."""
STREAK = 8
"""Steps in a row that must work before longer ones are tried."""
PATIENCE = 2
"""Single flips in a row that may fail before all are priced again."""


@dataclass(frozen=True)
class Sweetened:
    """How far sweetening has come."""

    matrix: BinaryMatrix
    score: int
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
    state = state_of(nearby, objective)
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
            state_of(nearby, objective), n_flips=state.n_flips + 1, flips=((item, feature),)
        )
        yield state


def to_the_bottom(nearby: Neighbourhood, objective: Objective) -> Iterator[Sweetened]:
    """Flip until no single flip lowers the expected loss.

    Each round prices all flips, and makes at once all that would improve by themselves. If that
    does not lower the exact loss, and among many features, only the best of those are made that
    have nothing in common, because they seldom gain by the same draws. If that fails, too, they are
    gone through from the best down, one by one, and more at a step as long as that works, until
    some fail by themselves because prices have changed too much. The first flip of a round cannot
    fail, so every round improves.
    """
    state = state_of(nearby, objective)
    yield state
    n_features = state.matrix.shape[1]
    is_crowded = n_features > CROWD
    while True:
        better = objective.improves(state.matrix, nearby.counts())
        better[:, np.flatnonzero(nearby.sizes == 0)[1:]] = False  # they offer what the first does
        flips = objective.best_first(nearby.counts(), np.flatnonzero(better))
        if len(flips) == 0:
            yield replace(state, flips=(), is_flip_optimal=True)
            return
        for batch in _at_once(flips, n_features, is_crowded):
            won = attempt(nearby, objective, state, batch)
            if won is not None:
                break
            flips, is_crowded = batch, True
        if won is not None:
            state = won
            yield state
            continue
        at = failures = streak = 0
        step = 1
        while at < len(flips) and failures < PATIENCE:
            batch = flips[at : at + step]
            won = attempt(nearby, objective, state, batch)
            if won is not None:
                state = won
                yield state
                at, failures, streak = at + len(batch), 0, streak + 1
                if streak == STREAK:
                    step, streak = 4 * step, 0
                continue
            step, streak = max(len(batch) // 4, 1), 0
            if len(batch) == 1:
                at, failures = at + 1, failures + 1


class Descent:
    """`to_the_bottom` with empty columns to spare, so that the birth of a feature is a flip too.

    It can go on from where it ended at another penalty: the worth of a flip is known for all.
    """

    def __init__(self, engine: Engine, matrix: BinaryMatrix) -> None:
        self.engine = engine
        self.nearby = engine.neighbourhood(with_spare(matrix))

    def states(self, objective: Objective, n_flips: int = 0) -> Iterator[Sweetened]:
        """Descend, counting flips from `n_flips`; new columns come when the last is taken."""
        while True:
            for state in to_the_bottom(self.nearby, objective):
                if n_flips:
                    state = replace(state, n_flips=n_flips + state.n_flips)
                has_spare = 0 in self.nearby.sizes
                yield state if has_spare else replace(state, is_flip_optimal=False)
            if has_spare:
                return
            self.nearby = self.engine.neighbourhood(with_spare(state.matrix))
            n_flips = state.n_flips


def with_births(
    engine: Engine, start: BinaryMatrix | Sweetened, objective: Objective
) -> Iterator[Sweetened]:
    """A descent from an allocation, or from a state, which keeps its count of flips."""
    matrix, n_flips = (start.matrix, start.n_flips) if isinstance(start, Sweetened) else (start, 0)
    yield from Descent(engine, matrix).states(objective, n_flips)


def without_empty(matrix: BinaryMatrix) -> BinaryMatrix:
    """The columns that have an item."""
    return np.ascontiguousarray(matrix[:, matrix.any(axis=0)])


def with_empty(matrix: BinaryMatrix, n_empty: int = 1) -> BinaryMatrix:
    """The columns that have an item, and so many that have none."""
    kept = without_empty(matrix)
    padded = np.zeros((len(kept), kept.shape[1] + n_empty), dtype=np.uint8)
    padded[:, : kept.shape[1]] = kept
    return padded


def with_spare(matrix: BinaryMatrix) -> BinaryMatrix:
    """The columns that have an item, and as many empty ones as may soon be needed."""
    return with_empty(matrix, 1 + matrix.shape[1] // CROWD)


def state_of(nearby: Neighbourhood, objective: Objective) -> Sweetened:
    """The allocation as it stands, with no flips counted."""
    return Sweetened(nearby.matrix, score_of(nearby, objective))


def score_of(nearby: Neighbourhood, objective: Objective) -> int:
    """The score of the allocation as it stands."""
    return objective.score(int(nearby.sizes.sum()), nearby.total_overlap)


def attempt(
    nearby: Neighbourhood, objective: Objective, state: Sweetened, batch: IntArray
) -> Sweetened | None:
    """Make these flips (positions in the flattened matrix), or none if the loss would not fall."""
    items, features = np.divmod(batch, state.matrix.shape[1])
    nearby.flip(items, features)
    score = score_of(nearby, objective)
    if score >= state.score:
        nearby.flip(items, features)
        return None
    flips = tuple(zip(items.tolist(), features.tolist(), strict=True))
    return Sweetened(nearby.matrix, score, state.n_flips + len(flips), flips)


def _at_once(flips: IntArray, n_features: int, is_crowded: bool) -> Iterator[IntArray]:
    """What to try in one step: all flips, unless it is crowded, and what of them is apart."""
    if not is_crowded:
        yield flips
    apart = _apart(flips, n_features)
    if is_crowded or len(apart) < len(flips):
        yield apart


def _apart(flips: IntArray, n_features: int) -> IntArray:
    """Of flips in order of worth (positions likewise), those of another item than all before.

    Among many features, also of another feature.
    """
    if n_features <= CROWD:
        _, first = np.unique(flips // n_features, return_index=True)
        return flips[np.sort(first)]
    items: set[int] = set()
    features: set[int] = set()
    chosen = []
    for flip in flips.tolist():
        item, feature = divmod(flip, n_features)
        if item not in items and feature not in features:
            items.add(item)
            features.add(feature)
            chosen.append(flip)
    return np.array(chosen, dtype=np.int64)
