"""Local search: an allocation that moves by flips, downhill to where no single flip helps.

All flips are evaluated at once and exactly (docs/how-the-search-works.md), so a descent ends with a
proof that it is flip-optimal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix, IntArray
from fangs.allocation import with_empty
from fangs.engine import Engine
from fangs.loss import Objective

MAX_JOINT_FEATURES = 16
"""With more features than this, flips of one item or of one feature are not made together."""


class LocalSearch:
    """The current allocation over the draws of an engine, with empty columns to spare.

    The birth of a feature is thus a flip like any other. `on_step` is called with the search after
    each step of a descent, so that a caller can note what was reached, or stop by raising.
    """

    def __init__(
        self,
        engine: Engine,
        objective: Objective,
        matrix: BinaryMatrix,
        on_step: Callable[[LocalSearch], None] = lambda search: None,
    ) -> None:
        self.engine = engine
        self.objective = objective
        self.n_flips = 0
        self._on_step = on_step
        self._match_all(matrix)

    @property
    def matrix(self) -> BinaryMatrix:
        """The current allocation, empty columns included."""
        return self._nearby.matrix

    @property
    def n_ones(self) -> int:
        """Its number of ones."""
        return int(self._nearby.sizes.sum())

    @property
    def n_features(self) -> int:
        """Its number of features."""
        return int(np.count_nonzero(self._nearby.sizes))

    @property
    def score(self) -> int:
        """Its exact score; lower is better."""
        return self.objective.score(self.n_ones, self._nearby.total_overlap)

    @property
    def key(self) -> tuple[int, int]:
        """What allocations are compared by: the score, and of equal ones the sparser."""
        return self.score, self.n_ones

    def flip_costs(self) -> npt.NDArray[Any]:
        """(n * K,): change of the score by each flip, all but one empty column left out."""
        costs = self.objective.flip_costs(self.matrix, self._nearby.flip_support())
        empty = np.flatnonzero(self._nearby.sizes == 0)
        costs[:, empty[1:]] = never(costs)  # they offer what the first one does
        return costs.ravel()

    def flip(self, flips: IntArray) -> None:
        """Flip these entries, given by their positions in the flattened matrix."""
        self._flip(flips)
        self._keep_room()

    def try_flips(
        self, flips: IntArray, *, at_most: int | None = None, is_likely: bool = True
    ) -> bool:
        """Flip these entries if that lowers the score, or leaves it at most there; whether so.

        What `is_likely` to succeed is evaluated in the same pass, else only when it has succeeded.
        """
        limit = self.score - 1 if at_most is None else at_most
        self._flip(flips, with_support=is_likely)
        if self.score > limit:
            self._flip(flips, with_support=False)
            return False
        self.n_flips += len(flips) if at_most is None else 0
        self._keep_room()
        return True

    def move_to(self, matrix: BinaryMatrix) -> None:
        """Go to another allocation, by flips where it has as many columns."""
        if matrix.shape[1] != len(self._nearby.sizes):
            self._match_all(matrix)
            return
        differing = np.flatnonzero(self.matrix != matrix)
        if len(differing):
            self._flip(differing, with_support=False)
            self._keep_room()

    def descend(self) -> None:
        """Flip until no single flip lowers the expected loss.

        Each round tries all flips that would help by themselves at once. Where that does not lower
        the loss, and among many features, only flips of different items (and features) are made
        together; then the better half of those, and so on. The best flip alone cannot fail. Of
        equally good allocations the sparser is chosen: ones that could go at no cost go.
        """
        jointly = len(self._nearby.sizes) <= MAX_JOINT_FEATURES
        while True:
            costs = self.flip_costs()
            flips = np.flatnonzero(costs < 0)
            if len(flips):
                flips = flips[np.argsort(costs[flips], kind="stable")]  # the best first
                for batch in self._batches(flips, jointly):
                    if self.try_flips(batch, is_likely=jointly or len(batch) == 1):
                        break
                    jointly = False
            else:
                tied = np.flatnonzero((costs == 0) & (self.matrix.ravel() == 1))
                if len(tied) == 0:
                    break
                if not self.try_flips(tied, at_most=self.score):
                    self.flip(tied[:1])
            self._on_step(self)
        self._on_step(self)

    def _batches(self, flips: IntArray, jointly: bool) -> Iterator[IntArray]:
        """What to try at once, from the most flips to the best one alone."""
        if jointly:
            yield flips
        apart = _apart(flips, len(self._nearby.sizes))
        if len(apart) < len(flips) or not jointly:
            yield apart
        while len(apart) > 1:
            apart = apart[: len(apart) // 2]
            yield apart

    def _flip(self, flips: IntArray, *, with_support: bool = True) -> None:
        items, features = np.divmod(flips, len(self._nearby.sizes))
        self._nearby.flip(items, features, with_support=with_support)

    def _keep_room(self) -> None:
        """Make new empty columns when the last one has been taken; columns are then renumbered."""
        if 0 not in self._nearby.sizes:
            self._match_all(self.matrix)

    def _match_all(self, matrix: BinaryMatrix) -> None:
        n_empty = 1 + matrix.shape[1] // MAX_JOINT_FEATURES
        self._nearby = self.engine.neighbourhood(with_empty(matrix, n_empty))


def never(costs: npt.NDArray[Any]) -> Any:
    """A cost above all others, for flips that are not to be made."""
    return math.inf if costs.dtype == object else np.iinfo(np.int64).max


def _apart(flips: IntArray, n_features: int) -> IntArray:
    """Keep only the best flip of each item; among many features also of each feature."""
    if n_features <= MAX_JOINT_FEATURES:
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
            if len(features) == n_features:
                break  # every feature has its flip
    return np.array(chosen, dtype=np.int64)
