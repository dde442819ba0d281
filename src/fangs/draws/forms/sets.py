"""Draws as collections of item sets: each feature a set of labels, or of positions from 0."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from fangs._typing import IntArray
from fangs.draws.form import Form
from fangs.draws.open import is_collection
from fangs.draws.request import Request
from fangs.draws.source import DrawSource, numbered
from fangs.draws.sparse import SparseColumns
from fangs.draws.variables import Variable

__all__ = ["SetsForm"]


class SetsForm(Form):
    """A list of draws, each a list of features, each a collection of items.

    Items are labels, or positions from 0 where it is said how many there are.
    """

    def __init__(
        self,
        draws: Iterable[Any],
        name: str,
        *,
        n_items: int | None = None,
        items: tuple[str, ...] | None = None,
        chains: Any = None,
        weights: Any = None,
    ) -> None:
        self._draws = [
            [_collection(feature, f"{name}[{b}], feature {k}") for k, feature in enumerate(draw)]
            for b, draw in enumerate(
                _collection(one, f"{name}[{b}]") for b, one in enumerate(draws)
            )
        ]
        self._name, self._n_items, self._labels = name, n_items, items
        self._chains, self._weights = chains, weights

    def variables(self, request: Request) -> list[Variable]:
        """The draws, counted."""
        try:
            n_items, _ = self._items(request)
        except ValueError as error:
            return [Variable(self._name, "sets", problem=str(error))]
        source = self.draws(None, request)
        return [source.describe(self._name, "sets", n_items, map(len, self._draws))]

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """The draws, over the items of the request where it has some."""
        n_items, labels = self._items(request)
        place = {label: i for i, label in enumerate(labels or ())}
        are_numbers = not any(isinstance(item, str) for item in self._each_item())
        if are_numbers and not all(str(item) in place for item in self._each_item()):
            place = {}  # all are positions, even those that are a label, too

        def read(at: IntArray) -> Iterator[SparseColumns]:
            for b in at.tolist():
                yield _columns(self._draws[b], n_items, place, f"{self._name}[{b}]")

        return DrawSource(
            n_draws=len(self._draws),
            read=read,
            name=numbered(self._name),
            items=labels,
            chains=None if self._chains is None else np.array(self._chains),
            weights=None if self._weights is None else np.array(self._weights),
            n_features=sum(map(len, self._draws)),
        )

    def _each_item(self) -> Iterator[Any]:
        return (item for draw in self._draws for feature in draw for item in feature)

    def _items(self, request: Request) -> tuple[int, tuple[str, ...] | None]:
        """Number and labels of the items."""
        if self._labels is not None:
            return len(self._labels), self._labels
        are_labels = all(isinstance(item, str) for item in self._each_item())
        if self._n_items is not None and not (are_labels and request.items):
            return self._n_items, None
        if request.items is None and not are_labels:
            raise ValueError(
                "its items are positions, and it does not say how many there are; add the key "
                "'n_items', or give items="
            )
        labels = request.items or tuple(dict.fromkeys(self._each_item()))
        return len(labels), labels


def _collection(value: Any, name: str) -> list[Any]:
    if not is_collection(value):
        raise TypeError(f"{name} is {str(value)[:40]!r}; give a collection of items")
    return list(value)


def _columns(
    draw: list[list[Any]], n_items: int, place: Mapping[str, int], name: str
) -> SparseColumns:
    """A draw; items are labels with a place, or positions where there are none."""
    starts, items = [0], []
    for k, feature in enumerate(draw):
        found = set()
        for item in feature:
            is_number = isinstance(item, int | np.integer) and not isinstance(item, bool)
            at = place.get(str(item), int(item) if is_number else -1)
            if not 0 <= at < n_items:
                raise ValueError(
                    f"{name}, feature {k} names the item {item!r}; it must be 0 to {n_items - 1}, "
                    "or one of the labels"
                )
            found.add(at)
        items += sorted(found)
        starts.append(len(items))
    return SparseColumns(n_items, np.array(starts), np.array(items, dtype=np.int64))
