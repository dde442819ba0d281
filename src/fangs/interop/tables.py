"""Tables of pandas, polars and pyarrow as named columns, and which kind of table they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.interop.given import Dims, Given, library

NAMES = {
    "draw": ("draw", ".draw", "draw__", "sample", "iteration", ".iteration", "iter__"),
    "item": ("item",),
    "feature": ("feature",),
    "chain": ("chain", ".chain", "chain__"),
    "weight": ("weight", ".weight"),
    "value": ("value",),
}
"""What columns are called where nobody says otherwise; the first that is there counts."""


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


def as_table(value: Any) -> Table:
    """Any table as columns; named levels of a pandas index become columns, too."""
    kind = library(value)
    if kind == "pandas":
        return _of_pandas(value)
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
    return Table(
        {name: np.asarray(value.column(i).to_pylist()) for i, name in enumerate(names)}, {}
    )


def read_table(
    value: Any, name: str, *, variable: str | None, dims: Dims, items: tuple[str, ...] | None
) -> Given:
    """Draws of one table: a row per one of a draw, or a row per draw."""
    from fangs.interop.long_table import read_long
    from fangs.interop.wide_table import indexed_columns, read_wide

    table = as_table(value)
    for role, column in dims.items():
        if column not in table.columns:
            raise ValueError(
                f"{name} has no column {column!r} for {role!r}; {_listed(table.columns)}"
            )
    roles = find_columns(table, dims)
    if {"draw", "item", "feature"} <= roles.keys():
        if variable is not None:
            raise ValueError(
                f"{name} is a table of draw, item and feature; leave out {variable=}, or name the "
                f'column of its values: dims={{"value": {variable!r}}}'
            )
        return read_long(table, roles, name, items=items)
    variables = indexed_columns(table.columns)
    if variables:
        return read_wide(table, roles, variables, name, variable=variable)
    raise ValueError(
        f"{name} is one table that is neither long (columns draw, item, feature) nor wide "
        f"(columns Z[1,1], Z[1,2], ...); {_listed(table.columns)}. Say what they mean, such as "
        'dims={"draw": ..., "item": ..., "feature": ...}, or give a list with one table per draw'
    )


def find_columns(table: Table, dims: Dims) -> dict[str, str]:
    """Which column is which, by the arguments or by their usual names."""
    found = dict(dims)
    for role, usual in NAMES.items():
        free = [column for column in usual if column in table.columns]
        if role not in found and free and free[0] not in found.values():
            found[role] = free[0]
    return found


def _of_pandas(value: Any) -> Table:
    frame = value if hasattr(value, "columns") else value.to_frame("value")
    named = [level for level in frame.index.names if level is not None]
    if len(named) == frame.index.nlevels and (len(named) > 1 or named[0] in _usual()):
        frame = frame.reset_index()
    categories = {
        str(name): list(frame.dtypes.iloc[i].categories)
        for i, name in enumerate(frame.columns)
        if hasattr(frame.dtypes.iloc[i], "categories")
    }
    columns = {str(name): frame.iloc[:, i].to_numpy() for i, name in enumerate(frame.columns)}
    return Table(columns, categories, frame.index)


def _usual() -> set[str]:
    return {column for usual in NAMES.values() for column in usual}


def _listed(columns: dict[str, Any]) -> str:
    names = [repr(name) for name in columns]
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return f"its columns are {', '.join(names[:8])}{more}"
