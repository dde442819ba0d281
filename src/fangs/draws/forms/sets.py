"""Draws as collections of item sets: each feature a set of labels, or of positions from 0."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from fangs._typing import IntArray
from fangs.draws.form import NamedMatrix
from fangs.draws.request import Request
from fangs.draws.source import DrawSource
from fangs.draws.sparse import SparseColumns
from fangs.draws.variables import Variable

__all__ = ["SetsForm"]


class SetsForm:
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
            for b, draw in enumerate(_collections(draws, name))
        ]
        self._name, self._n_items, self._items = name, n_items, items
        self._chains, self._weights = chains, weights

    def variables(self, request: Request) -> list[Variable]:
        """The draws, counted."""
        sizes = [len(draw) for draw in self._draws]
        n_items, labels, _ = self._over(request.items)
        width = (min(sizes, default=0), max(sizes, default=0))
        chains = None if self._chains is None else len(set(self._chains))
        return [Variable(self._name, "sets", len(sizes), n_items, width, chains, labels)]

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """The draws, over the items of the request where it has some."""
        n_items, labels, problem = self._over(request.items)
        if problem:
            raise ValueError(problem)
        position = {label: i for i, label in enumerate(labels or ())}

        def read(at: IntArray) -> Iterator[SparseColumns]:
            for b in at.tolist():
                yield _columns(self._draws[b], n_items, position, f"{self._name}[{b}]")

        return DrawSource(
            n_draws=len(self._draws),
            read=read,
            name=lambda b: f"{self._name}[{b}]",
            items=labels,
            chains=None if self._chains is None else np.array(self._chains),
            weights=None if self._weights is None else np.array(self._weights),
            n_features=sum(map(len, self._draws)),
        )

    def matrix(self, request: Request) -> NamedMatrix:
        """The only draw."""
        raise ValueError(f"{self._name} holds draws, not one matrix; fangs.read(path) reads them")

    def _over(
        self, wanted: tuple[str, ...] | None
    ) -> tuple[int, tuple[str, ...] | None, str | None]:
        """Number and labels of the items, and why the draws cannot be read, or None."""
        if self._items is not None or self._n_items is not None:
            known = self._items is None or wanted is None or set(wanted) == set(self._items)
            labels = self._items if wanted is None or not known else wanted
            n_items = len(labels) if labels is not None else int(self._n_items or 0)
            return n_items, labels, None
        seen = dict.fromkeys(x for draw in self._draws for feature in draw for x in feature)
        if wanted is not None:
            return len(wanted), wanted, None
        if all(isinstance(item, str) for item in seen):
            return len(seen), tuple(seen), None
        return (
            len(seen),
            None,
            (
                "its items are positions, and it does not say how many there are; add the key "
                "'n_items', or give items="
            ),
        )


def _collections(draws: Iterable[Any], name: str) -> Iterator[list[Any]]:
    for b, draw in enumerate(draws):
        yield _collection(draw, f"{name}[{b}]")


def _collection(value: Any, name: str) -> list[Any]:
    if not isinstance(value, Iterable) or isinstance(value, str | bytes):
        raise TypeError(f"{name} is {str(value)[:40]!r}; give a collection of items")
    return list(value)


def _columns(
    draw: list[list[Any]], n_items: int, position: dict[str, int], name: str
) -> SparseColumns:
    starts, items = [0], []
    for k, feature in enumerate(draw):
        found = set()
        for item in feature:
            is_number = isinstance(item, int | np.integer) and not isinstance(item, bool)
            at = position.get(str(item), int(item) if is_number else -1)
            if not 0 <= at < n_items:
                known = f"0 to {n_items - 1}" + (", or one of the labels" if position else "")
                raise ValueError(f"{name}, feature {k} names the item {item!r}; it must be {known}")
            found.add(at)
        items += sorted(found)
        starts.append(len(items))
    return SparseColumns(n_items, np.array(starts), np.array(items, dtype=np.int64))
