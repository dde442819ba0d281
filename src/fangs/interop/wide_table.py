"""Wide tables: a row per draw, a column per entry, such as Z[2,1] (CmdStan, JAGS, NIMBLE)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs.interop.given import Given, is_binary, numbered
from fangs.interop.tables import Table

_INDEXED = re.compile(r"(.+?)(?:\[ *(\d+) *, *(\d+) *\]|\.(\d+)\.(\d+)|:(\d+):(\d+))")
# Rows that are put together at a time.
_BLOCK = 256

Variables = dict[str, dict[tuple[int, int], str]]
"""Column names by variable, item and feature."""


def indexed_columns(columns: Iterable[str]) -> Variables:
    """The variables with two indices among the columns.

    Examples
    --------
    >>> indexed_columns(["lp__", "Z[1,1]", "Z[2, 1]", "A.1.1"])
    {'Z': {(1, 1): 'Z[1,1]', (2, 1): 'Z[2, 1]'}, 'A': {(1, 1): 'A.1.1'}}
    """
    found: Variables = {}
    for column in columns:
        if part := _INDEXED.fullmatch(column):
            variable, *numbers = (text for text in part.groups() if text is not None)
            at = (int(numbers[0]), int(numbers[1]))
            found.setdefault(variable, {})[at] = column
    return found


def read_wide(
    table: Table,
    roles: dict[str, str],
    variables: Variables,
    name: str,
    *,
    variable: str | None,
) -> Given:
    """Draws of a wide table, row by row, with the chain of each row if there is such a column."""
    variable = _choose(table, variables, name, variable)
    order = _grid(variables[variable], f"{name}.{variable}")
    columns = [table.columns[column] for column in variables[variable].values()]
    numeric = all(column.dtype.kind in "biuf" for column in columns)
    if not numeric:
        raise TypeError(f"{name} has text in the columns of {variable}; give columns of 0 and 1")
    return Given(
        _rows(columns, order, table.n_rows),
        numbered(f"{name}.{variable}"),
        chains=table.columns[roles["chain"]] if "chain" in roles else None,
        weights=table.columns[roles["weight"]] if "weight" in roles else None,
        size=(table.n_rows, table.n_rows * order.shape[1]),
    )


def _choose(table: Table, variables: Variables, name: str, variable: str | None) -> str:
    if variable is not None:
        if variable not in variables:
            known = ", ".join(repr(key) for key in variables)
            raise ValueError(f"{name} has no columns {variable}[i,k]; it has those of {known}")
        return variable
    first = slice(0, 1)
    fitting = [
        key
        for key, columns in variables.items()
        if all(is_binary(table.columns[column][first]) for column in columns.values())
    ]
    if len(fitting) == 1:
        return fitting[0]
    choice = ", ".join(repr(key) for key in fitting or variables)
    which = "several variables that may hold the draws" if fitting else "no variable of 0 and 1"
    raise ValueError(f"{name} has {which}: {choice}; name one: Samples(..., variable=...)")


def _grid(columns: dict[tuple[int, int], str], name: str) -> IntArray:
    """(n, K): which of the columns holds each entry; counted from 1, or all from 0."""
    at = np.array(list(columns))
    base = 0 if at.min() == 0 else 1
    n_items, n_features = at.max(axis=0) - base + 1
    order = np.full((n_items, n_features), -1, dtype=np.int64)
    order[tuple((at - base).T)] = np.arange(len(at))
    if (order < 0).any():
        item, feature = np.argwhere(order < 0)[0] + base
        raise ValueError(
            f"{name} has no column for item {item}, feature {feature}, but columns up to item "
            f"{n_items + base - 1}, feature {n_features + base - 1}; give a column for each entry"
        )
    return order


def _rows(
    columns: list[npt.NDArray[Any]], order: IntArray, n_rows: int
) -> Iterator[npt.NDArray[Any]]:
    for first in range(0, n_rows, _BLOCK):
        block = np.stack([column[first : first + _BLOCK] for column in columns], axis=1)
        yield from block[:, order]
