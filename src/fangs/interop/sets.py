"""Draws as collections of item sets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from fangs.interop.given import SparseColumns


def is_collection(value: Any) -> bool:
    """Whether something can be gone through, and is no text."""
    return isinstance(value, Iterable) and not isinstance(value, str | bytes)


def columns_of_sets(
    draw: Iterable[Iterable[Any]], n_items: int, position: dict[str, int], *, name: str
) -> SparseColumns:
    """One draw: each feature a collection of labels, or of positions from 0."""
    if not is_collection(draw):
        raise TypeError(f"{name} is {draw!r}; give a collection of item sets")
    starts, items = [0], []
    for k, feature in enumerate(draw):
        if not is_collection(feature):
            raise TypeError(f"{name}, feature {k} is {feature!r}; give a set of items")
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
