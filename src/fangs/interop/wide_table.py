"""Wide tables, in memory or in a file: a row per draw, a column per entry, such as Z[2,3] or Z.2.3.

So CmdStan, JAGS and NIMBLE write them. Items and features are counted from 1, or both from 0.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs.interop.roles import some

__all__ = ["Grid", "find_grid", "find_grids", "row_order"]

_CELL = re.compile(
    r"(.+?)(?:\[ *(\d+) *, *(\d+) *\]|\[(\d+)\]\[(\d+)\]|\.(\d+)\.(\d+)|:(\d+):(\d+))"
)


@dataclass(frozen=True)
class Grid:
    """The columns of a wide table that hold the draws."""

    variable: str
    n_items: int
    n_features: int
    names: list[str]
    """Their names, item by item."""


def find_grids(names: Sequence[str]) -> dict[str, dict[tuple[int, int], str]]:
    """Columns by variable, item and feature.

    Examples
    --------
    >>> find_grids(["lp__", "Z[1,1]", "Z[2, 1]", "A.1.1"])
    {'Z': {(1, 1): 'Z[1,1]', (2, 1): 'Z[2, 1]'}, 'A': {(1, 1): 'A.1.1'}}
    """
    grids: dict[str, dict[tuple[int, int], str]] = {}
    for name in names:
        found = _CELL.fullmatch(name)
        if found is None or re.search(r"[.:\]]\d*$", found[1]):  # theta.1.2.3 has three dimensions
            continue
        variable, *numbers = (part for part in found.groups() if part is not None)
        at = (int(numbers[0][:9]), int(numbers[1][:9]))
        if grids.setdefault(variable, {}).setdefault(at, name) is not name:
            raise ValueError(f"there are two columns for {variable}[{at[0]},{at[1]}]")
    return grids


def find_grid(
    names: Sequence[str], variable: str | None = None, *, called: str = "the table"
) -> Grid:
    """The columns Z[1,1], Z[1,2], ... of the variable, or of the only one that there is.

    `called` is what complaints call the table.

    Examples
    --------
    >>> find_grid(["lp__", "Z[1,1]", "Z[2,1]", "Z[1,2]", "Z[2,2]"]).names
    ['Z[1,1]', 'Z[1,2]', 'Z[2,1]', 'Z[2,2]']
    """
    grids = find_grids(names)
    if variable is None:
        if not grids:
            raise ValueError(
                f"{called} has neither columns draw, item and feature, nor columns such as Z[1,1] "
                f"or Z.1.1; it has {some(names)}"
            )
        if len(grids) > 1:
            raise ValueError(
                f"{called} has several variables that may hold the draws: {_quoted(grids)}; name "
                f"one, such as variable={next(iter(grids))!r}"
            )
        variable = next(iter(grids))
    if variable not in grids:
        there = f"those of {_quoted(grids)}" if grids else some(names)
        raise ValueError(f"{called} has no columns {variable}[1,1], ...; it has {there}")
    cells = grids[variable]
    base = 0 if any(0 in at for at in cells) else 1
    last_item, last_feature = (max(at[axis] for at in cells) for axis in (0, 1))
    n_items, n_features = last_item - base + 1, last_feature - base + 1
    if n_items * n_features != len(cells):
        item, feature = next(
            (i, k)
            for i in range(base, last_item + 1)
            for k in range(base, last_feature + 1)
            if (i, k) not in cells
        )
        raise ValueError(
            f"{called} has no column of {variable} for item {item}, feature {feature}, but columns "
            f"up to item {last_item}, feature {last_feature}; give a column for each entry"
        )
    return Grid(variable, n_items, n_features, [cells[at] for at in sorted(cells)])


def row_order(
    n_rows: int, draw: npt.NDArray[Any] | None, chains: npt.NDArray[Any] | None
) -> IntArray:
    """Positions of the rows that put the draws of each chain into the order of their numbers.

    Examples
    --------
    >>> row_order(4, np.array([2, 2, 1, 1]), np.array(["a", "b", "a", "b"]))
    array([2, 3, 0, 1])
    """
    order = np.arange(n_rows)
    if draw is None or draw.dtype.kind != "i":
        return order
    ranks = 0 * order if chains is None else np.unique(chains, return_inverse=True)[1]
    for rank in np.unique(ranks):
        here = np.flatnonzero(ranks == rank)
        order[here] = here[np.argsort(draw[here], kind="stable")]
    return order


def _quoted(names: Sequence[str] | dict[str, Any]) -> str:
    return some(repr(name) for name in names)
