"""Tables of pandas, polars and pyarrow as named columns, and which kind of table they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs.interop.columns import Coder
from fangs.interop.given import Dims, Given, is_binary, labels_of, library, numbered
from fangs.interop.long_table import LongTable
from fangs.interop.roles import ROLES, role_of
from fangs.interop.wide_table import Grid, find_grid, find_grids, row_order

# Rows of a wide table that are put together at a time.
_BLOCK = 256


@dataclass(frozen=True)
class Table:
    """Named columns of equal length."""

    columns: dict[str, npt.NDArray[Any]]
    categories: dict[str, list[Any]]
    """The values that a column may have, in their order, where the library keeps them."""
    index: Any = None
    """Labels of the rows, where the library has them."""

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self.columns.values()))) if self.columns else len(self.index or ())


def is_table(value: Any) -> bool:
    """Whether something is a table of one of the libraries."""
    return library(value) in ("pandas", "polars", "pyarrow") and (
        hasattr(value, "columns") or hasattr(value, "to_frame")
    )


def as_table(value: Any, name: str) -> Table:
    """Any table as columns; named levels of a pandas index become columns, too."""
    kind = library(value)
    if kind == "pandas":
        return _of_pandas(value, name)
    if kind == "polars":
        frame = value.collect() if hasattr(value, "collect") else value
        frame = frame if hasattr(frame, "columns") else frame.to_frame()
        categories = {
            name: frame[name].dtype.categories.to_list()
            for name in frame.columns
            if type(frame[name].dtype).__name__ == "Enum"
        }
        return Table({name: frame[name].to_numpy() for name in frame.columns}, categories)
    names = value.schema.names
    _refuse_twice(names, name)
    return Table(
        {name: np.asarray(value.column(i).to_pylist()) for i, name in enumerate(names)}, {}
    )


def read_table(
    value: Any, name: str, *, variable: str | None, dims: Dims, items: tuple[str, ...] | None
) -> Given:
    """Draws of one table: a row per one of a draw, or a row per draw."""
    table = as_table(value, name)
    for role, column in dims.items():
        if column not in table.columns:
            raise ValueError(
                f"{name} has no column {column!r} for {role!r}; {_listed(table.columns)}"
            )
    roles = role_of(table.columns, dims)
    if {"draw", "item", "feature"} <= roles.keys():
        if variable is not None:
            raise ValueError(
                f"{name} is a table of draw, item and feature; leave out {variable=}, or name the "
                f'column of its values: dims={{"value": {variable!r}}}'
            )
        return _read_long(table, roles, name, items)
    if find_grids(list(table.columns)):
        return _read_wide(table, roles, name, variable)
    raise ValueError(
        f"{name} is one table that is neither long (columns draw, item, feature) nor wide "
        f"(columns Z[1,1], Z[1,2], ...); {_listed(table.columns)}. Say what they mean, such as "
        'dims={"draw": ..., "item": ..., "feature": ...}, or give a list with one table per draw'
    )


def _read_long(
    table: Table, roles: dict[str, str], name: str, items: tuple[str, ...] | None
) -> Given:
    _refuse_unknown(table, roles, name)
    known = {column: labels for column, labels in table.categories.items() if labels}
    long = LongTable.of([table.columns], roles, name=name, first_row=0, known=known)
    over = long.over(items)
    labels = over.labels
    if items is None and roles["item"] in known:
        labels = labels_of(known[roles["item"]])
    return Given(
        long.matrices(over),
        numbered(name),
        items=labels,
        chains=long.chains,
        weights=long.weights,
    )


def _read_wide(table: Table, roles: dict[str, str], name: str, variable: str | None) -> Given:
    names, grids = list(table.columns), find_grids(list(table.columns))
    if variable is None and len(grids) > 1:
        variable = _the_binary_one(table, grids)
    grid = find_grid(names, variable, called=name)
    cells = [table.columns[column] for column in grid.names]
    if not all(column.dtype.kind in "biuf" for column in cells):
        raise TypeError(
            f"{name} has text in the columns of {grid.variable}; give columns of 0 and 1"
        )
    coders = {}
    for role in {"draw", "chain", "weight"} & roles.keys():
        coders[role] = Coder(roles[role])
        coders[role].table, coders[role].first_row = name, 0
        coders[role].add(table.columns[roles[role]])
    chains = coders["chain"].values() if "chain" in coders else None
    draw = coders["draw"].values() if "draw" in coders else None
    order = row_order(table.n_rows, draw, chains)
    return Given(
        _rows(cells, order, grid),
        numbered(f"{name}.{grid.variable}"),
        chains=None if chains is None else chains[order],
        weights=table.columns[roles["weight"]][order] if "weight" in roles else None,
        size=(table.n_rows, table.n_rows * grid.n_features),
    )


def _the_binary_one(table: Table, grids: dict[str, dict[tuple[int, int], str]]) -> str | None:
    """The only variable whose first row holds 0 and 1 alone; None if there are others."""
    first = slice(0, 1)
    fitting = [
        variable
        for variable, cells in grids.items()
        if all(is_binary(table.columns[column][first]) for column in cells.values())
    ]
    return fitting[0] if len(fitting) == 1 else None


def _rows(cells: list[npt.NDArray[Any]], order: IntArray, grid: Grid) -> Iterator[Any]:
    for first in range(0, len(order), _BLOCK):
        here = order[first : first + _BLOCK]
        block = np.stack([column[here] for column in cells], axis=1)
        yield from block.reshape(len(here), grid.n_items, grid.n_features)


def _refuse_unknown(table: Table, roles: dict[str, str], name: str) -> None:
    """Refuse columns without a meaning: one that tells zeros from ones must not be overlooked."""
    unknown = [c for c in table.columns if c not in roles.values() and c.lower() not in _usual()]
    if unknown:
        raise ValueError(
            f"{name} has the column {unknown[0]!r}, which has no meaning in a table of draw, item "
            f'and feature; drop it, or name it if it holds 0 and 1: dims={{"value": '
            f"{unknown[0]!r}}}"
        )


def _of_pandas(value: Any, name: str) -> Table:
    frame = value if hasattr(value, "columns") else value.to_frame("value")
    named = [level for level in frame.index.names if level is not None]
    if len(named) == frame.index.nlevels and (len(named) > 1 or named[0] in _usual()):
        frame = frame.reset_index()
    _refuse_twice([str(column) for column in frame.columns], name)
    categories = {
        str(column): list(frame.dtypes.iloc[i].categories)
        for i, column in enumerate(frame.columns)
        if hasattr(frame.dtypes.iloc[i], "categories")
    }
    columns = {str(column): frame.iloc[:, i].to_numpy() for i, column in enumerate(frame.columns)}
    return Table(columns, categories, frame.index)


def _refuse_twice(columns: list[str], name: str) -> None:
    if len(set(columns)) < len(columns):
        twice = next(column for column in columns if columns.count(column) > 1)
        raise ValueError(f"{name} has two columns {twice!r}; give each column a name of its own")


def _usual() -> set[str]:
    return {column for usual in ROLES.values() for column in usual}


def _listed(columns: dict[str, Any]) -> str:
    names = [repr(name) for name in columns]
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return f"its columns are {', '.join(names[:8])}{more}"
