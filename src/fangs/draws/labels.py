"""Labels of items and features: when numbers are labels, and rows matched by their labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fangs._typing import IntArray

__all__ = [
    "counted_order",
    "first_number",
    "item_names",
    "labels_or_none",
    "matched_order",
    "same_order",
]


def first_number(labels: Sequence[Any] | np.ndarray) -> int | None:
    """Where labels count from if they only count, from 0 or from 1; else None.

    This is the one place where labels count as numbers.

    Examples
    --------
    >>> first_number(range(3)), first_number(["1", "2"]), first_number([2, 3]), first_number(["a"])
    (0, 1, None, None)
    """
    texts = [text_of(label) for label in labels]
    starts = [start for start in (0, 1) if texts == _counted(start, len(texts))]
    return starts[0] if texts and starts else None


def _counted(start: int, n: int) -> list[str]:
    return [str(start + i) for i in range(n)]


def counted_order(labels: Sequence[str]) -> IntArray | None:
    """How rows that are only numbered, from 0 or from 1, come into that order; else None."""
    for start in (0, 1):
        if set(labels) == set(wanted := _counted(start, len(labels))):
            return matched_order(labels, wanted, name="the matrix", other="the draws")
    return None


def labels_or_none(labels: Any) -> tuple[str, ...] | None:
    """Labels as text; None where they only count the items (0 to n - 1, or 1 to n)."""
    if labels is None or first_number(labels) is not None:
        return None
    return tuple(text_of(label) for label in labels)


def item_names(items: tuple[str, ...] | None, n_items: int, first_item: int) -> tuple[str, ...]:
    """What people read: the labels of the items, or their numbers from the first on."""
    return tuple(_counted(first_item, n_items)) if items is None else items


def text_of(label: Any) -> str:
    """A label as text: bytes as UTF-8, a whole number without its point."""
    if isinstance(label, bytes):
        return label.decode("utf-8")
    if isinstance(label, float | np.floating) and label == label and float(label).is_integer():
        return str(int(label))
    return str(label)


def matched_order(
    labels: Sequence[str], wanted: Sequence[str], *, name: str, other: str
) -> IntArray:
    """Where each wanted label is; refused if the labels differ.

    Examples
    --------
    >>> matched_order(["b", "a"], ["a", "b"], name="draws[1]", other="draws[0]")
    array([1, 0])
    """
    place = {label: i for i, label in enumerate(labels)}
    if len(place) != len(labels):
        twice = next(label for i, label in enumerate(labels) if place[label] != i)
        raise ValueError(f"{name} has the item {twice!r} more than once; labels must differ")
    missing = [label for label in wanted if label not in place]
    known = set(wanted)
    extra = [label for label in labels if label not in known]
    if missing or extra:
        parts = [f"lacks {_first_few(missing)}"] if missing else []
        parts += [f"has {_first_few(extra)}, which {other} lacks"] if extra else []
        raise ValueError(
            f"{name} {' and '.join(parts)}; items are matched by name, so give the same labels in "
            f"{name} as in {other}"
        )
    return np.array([place[label] for label in wanted], dtype=np.int64)


def same_order(
    labels: Sequence[str] | None, wanted: Sequence[str] | None, *, name: str, other: str
) -> IntArray | None:
    """How rows come into the wanted order; None where nothing needs to move."""
    if (labels is None) != (wanted is None):
        without, having = (name, other) if labels is None else (other, name)
        raise ValueError(f"{without} has no item labels, but {having} has; label all or none")
    if labels is None or wanted is None or tuple(labels) == tuple(wanted):
        return None
    return matched_order(labels, wanted, name=name, other=other)


def _first_few(labels: list[str]) -> str:
    shown = ", ".join(repr(label) for label in labels[:3])
    return shown if len(labels) <= 3 else f"{shown} and {len(labels) - 3} more"
