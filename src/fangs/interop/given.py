"""Draws in a form that can be packed, whatever library they came from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray

Dims = dict[str, str]
"""Names of dimensions or columns by what they mean, such as ``{"item": "person"}``."""


@dataclass(frozen=True)
class Given:
    """Draws with the labels that came along, ready to be packed one by one."""

    draws: Iterable[Any]
    """(n, K_b) matrices, dense or `SparseColumns`."""
    name: Callable[[int], str]
    """What complaints call a draw."""
    items: tuple[str, ...] | None = None
    chains: Sequence[Any] | npt.NDArray[Any] | None = None
    """One label per draw."""
    weights: IntArray | None = None
    """One whole number per draw."""
    size: tuple[int, int] = (0, 0)
    """Numbers of draws and features to make room for; 0 where they are not known."""

    def in_order_of(self, items: tuple[str, ...]) -> Given:
        """The same draws with their rows in the order of these items, matched by name."""
        if self.items is None or self.items == items:
            return replace(self, items=items)
        order = matched_order(self.items, items, name="draws", other="items")
        return replace(self, items=items, draws=_reordered(self.draws, order))


@dataclass(frozen=True)
class ChainsGiven:
    """Markov chains with their names; each is anything that holds draws."""

    names: Sequence[Any]
    chains: Sequence[Any]
    name: Callable[[Any], str]
    """What complaints call the chain of a name."""


@dataclass(frozen=True)
class SparseColumns:
    """A binary matrix by the items of each column, each item once."""

    n_items: int
    starts: IntArray
    """(K + 1,): where the items of each column start."""
    items: IntArray

    @property
    def shape(self) -> tuple[int, int]:
        """(n, K)."""
        return self.n_items, len(self.starts) - 1

    def take_rows(self, order: IntArray) -> SparseColumns:
        """The matrix with row `order[i]` in place i."""
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        return SparseColumns(self.n_items, self.starts, place[self.items])


def numbered(name: str) -> Callable[[int], str]:
    """Call draw 3 ``name[3]``."""
    return lambda b: f"{name}[{b}]"


def library(value: Any) -> str:
    """The package that an object's class, or a class above it, comes from; "" if it is ours.

    Examples
    --------
    >>> library(np.zeros(3)), library([0])
    ('', '')
    """
    for kind in type(value).__mro__:
        root = kind.__module__.partition(".")[0]
        if root in _LIBRARIES:
            return root
    return ""


_LIBRARIES = {"arviz", "arviz_base", "pandas", "polars", "pyarrow", "scipy", "sparse", "xarray"}


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
        parts = [f"lacks {_some(missing)}"] if missing else []
        parts += [f"has {_some(extra)}, which {other} lacks"] if extra else []
        raise ValueError(
            f"{name} {' and '.join(parts)}; items are matched by name, so give the same labels in "
            f"{name} as in {other}"
        )
    return np.array([place[label] for label in wanted], dtype=np.int64)


def labels_of(values: Any) -> tuple[str, ...] | None:
    """Labels as text; None for the numbers 0, 1, 2, ... that libraries put where there are none.

    Examples
    --------
    >>> labels_of(np.arange(3)), labels_of([1, 2])
    (None, ('1', '2'))
    """
    array = np.asarray(values)
    if array.dtype.kind in "iu" and np.array_equal(array, np.arange(len(array))):
        return None
    return tuple(str(label) for label in values)


def is_binary(values: npt.NDArray[Any]) -> bool:
    """Whether all values are 0, 1, or what absent features are padded with."""
    if values.dtype.kind not in "biuf":
        return False
    return bool(((values == 0) | (values == 1) | (values == -1) | (values != values)).all())


def _some(labels: list[str]) -> str:
    shown = ", ".join(repr(label) for label in labels[:3])
    return shown if len(labels) <= 3 else f"{shown} and {len(labels) - 3} more"


def _reordered(draws: Iterable[Any], order: IntArray) -> Iterator[Any]:
    for draw in draws:
        yield draw.take_rows(order) if isinstance(draw, SparseColumns) else np.asarray(draw)[order]
