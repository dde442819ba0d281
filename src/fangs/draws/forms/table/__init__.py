"""Tables of pandas, polars and pyarrow, of R and of files: long, semi-wide, wide, or one matrix.

What the columns are called says which; see `fangs.draws.roles`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from fangs.draws.form import NamedMatrix
from fangs.draws.forms.dimensions import is_numbered
from fangs.draws.forms.table.columns import (
    Coder,
    Table,
    numbers,
    of_arrow,
    of_columns,
    of_pandas,
    of_polars,
)
from fangs.draws.forms.table.long import LongTable
from fangs.draws.forms.table.wide import Grid, WideTable, find_grids, semi_wide
from fangs.draws.labels import first_number, labels_or_none, text_of
from fangs.draws.open import library
from fangs.draws.request import Request
from fangs.draws.roles import ROLES, UNCLEAR, found_roles, is_row_names
from fangs.draws.source import DrawSource
from fangs.draws.variables import Variable, choose

__all__ = ["TableForm", "of"]

_IGNORED = {*ROLES["draw"], *ROLES["chain"], *ROLES["weight"]} - set(UNCLEAR)
"""Names of columns that mean nothing where another one has their role."""


class TableForm:
    """A table, whose columns say what they hold by their names.

    Parameters
    ----------
    table
        The columns.
    name
        What complaints call the draws.
    n_warm_up
        Draws at the start of each chain that the file itself says are no draws of the posterior.
    """

    def __init__(self, table: Table, name: str, *, n_warm_up: int = 0) -> None:
        self._table, self._name, self._n_warm_up = table, name, n_warm_up

    @classmethod
    def of(cls, value: Any, name: str) -> TableForm:
        """The form of a table of pandas, polars or pyarrow."""
        kind = library(value)
        if kind == "pandas":
            return cls(of_pandas(value, name), name)
        if kind == "polars":
            return cls(of_polars(value, name), name)
        if not hasattr(value, "schema"):
            raise TypeError(f"{name} is of type {type(value).__name__}; give a table")

        def batches(names: list[str], n_rows: int) -> Any:
            part = value.select(names)
            return part.to_batches() if hasattr(part, "to_batches") else [part]

        return cls(of_arrow(value.schema.names, batches, name), name)

    @classmethod
    def of_columns(
        cls, columns: Mapping[str, Any], name: str, row_names: Sequence[str] | None = None
    ) -> TableForm:
        """The form of a mapping of names to columns: arrays, or lists with None for no value.

        Examples
        --------
        >>> form = TableForm.of_columns({"Z[1,1]": [1, 0], "Z[2,1]": [1, 1]}, "draws")
        >>> [draw.tolist() for draw in form.draws(None, Request()).all()]
        [[[1], [1]], [[0], [1]]]
        """
        table = of_columns(list(columns), columns.__getitem__, name, row_labels=row_names)
        return cls(table, name)

    def holds_draws(self, request: Request) -> bool:
        """Whether its columns are those of many draws, and not of one matrix."""
        return self._kind(request) != "matrix"

    def variables(self, request: Request) -> list[Variable]:
        """The draws, counted; several where there are several grids or columns of 0 and 1."""
        kind, roles = self._kind(request), self._roles(request)
        try:
            if kind == "wide":
                return WideTable(self._table, roles, self._grids).variables()
            if kind == "long":
                return self._long(roles).variables(request.dims.get("value"))
            if kind == "semi-wide":
                entries, _ = semi_wide(self._table, roles, self._others(roles))
                return [entries.describe("", "semi-wide table")]
        except ValueError as error:
            return [Variable("", f"{kind} table", problem=str(error))]
        return [Variable("", f"a table with the columns {self._listed()}")]

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """The draws: of a grid of columns, or those that a column of 0 and 1 tells."""
        kind, roles = self._kind(request), self._roles(request)
        variable = request.dims.get("value") if variable is None else variable
        if kind == "wide":
            wide = WideTable(self._table, roles, self._grids)
            if variable is None and len(self._grids) == 1:
                (variable,) = self._grids
            elif variable is None:
                variable = choose(wide.variables(), name=self._table.name, by_name=False)
            source = wide.draws(variable, f"{self._name}.{variable}")
            return replace(source, n_warm_up=self._n_warm_up)
        if variable is not None and (kind != "long" or variable not in self._others(roles)):
            raise ValueError(
                f"{self._table.name} has no variable {variable!r}; its columns are {self._listed()}"
            )
        if kind == "long":
            return self._long(roles).draws(variable, self._name)
        if kind == "semi-wide":
            entries, values = semi_wide(self._table, roles, self._others(roles))
            return entries.draws(values, self._name)
        missing = [role for role in ("draw", "item", "feature") if role not in roles]
        rest = [x[:30] for x in self._others(roles) if x.lower() not in ROLES["value"]]
        pairs = zip(missing, [*rest, "...", "...", "..."], strict=False)
        reading = ", ".join(f'"{role}": "{column}"' for role, column in pairs)
        raise ValueError(
            f"{self._table.name} is one table that is neither long (columns draw, item, feature) "
            "nor semi-wide (draw, item and one for each feature) nor wide (Z[1,1], Z[1,2], ...); "
            f"its columns are {self._listed()}. Say what they mean, such as dims={{{reading}}}, "
            "or give a list with one table per draw"
        )

    def matrix(self, request: Request) -> NamedMatrix:
        """A row for each item and a column for each feature."""
        roles = self._roles(request)
        along = [roles[role] for role in ("draw", "chain") if role in roles]
        along = [column for column in along if column.lower() not in UNCLEAR]
        if along or self._kind(request) != "matrix":
            what = f"along {along[0]!r}" if along else "in columns such as Z[1,1]"
            raise ValueError(f"{self._table.name} holds draws {what}, where one matrix is wanted")
        item = roles.get("item", roles.get("draw"))  # a biologist's samples are items
        is_named = item is not None
        if item is None:
            item = next((name for name in self._table.names if is_row_names(name)), None)
        features = [name for name in self._table.names if name != item and not self._is_index(name)]
        labels = Coder(item or "", self._table, is_label=True)
        parts: list[Any] = [np.zeros((0, len(features)), dtype=np.uint8)]
        for block in self._table.blocks([*([] if item is None else [item]), *features]):
            columns = [numbers(block[name], name, self._table) for name in features]
            n_rows = len(next(iter(block.values())))
            parts.append(np.stack(columns, axis=1) if columns else np.zeros((n_rows, 0)))
            if item is not None:
                labels.add(block[item])
        values, items = np.concatenate(parts), None
        if item is not None and len(values):
            items = tuple(map(str, labels.labels[labels.required()]))
            items = items if is_named else labels_or_none(items)
        elif self._table.row_labels is not None:
            items = tuple(map(text_of, self._table.row_labels))
            values = values if features else np.zeros((len(items), 0), dtype=np.uint8)
            items = None if first_number(items) == 0 else items
        return NamedMatrix(values, items, labels_or_none(features) or ())

    @cached_property
    def _grids(self) -> dict[str, Grid]:
        return find_grids(self._table.names)

    def _is_index(self, name: str) -> bool:
        return is_row_names(name) or name == self._table.index

    def _roles(self, request: Request) -> dict[str, str]:
        """Columns by what they hold."""
        told = {
            r: name for r, name in request.dims.items() if r != "value" or name not in self._grids
        }
        names = [x for x in self._table.names if x in told.values() or not is_row_names(x)]
        roles = found_roles(names, told, name=self._table.name)
        rest = [name for name in names if name not in roles.values()]
        pair = sorted(name for name in rest if is_numbered(name))
        if len(pair) == 2 and not {"item", "feature"} & set(roles):  # as ArviZ calls them
            roles["item"], roles["feature"] = pair
        unclear = [name for name in rest if name.lower() in UNCLEAR]
        if unclear and "draw" in roles and "item" not in roles and not self._grids:
            if "draw" not in told and "draw" not in roles["draw"].lower():
                one, other = roles["draw"], unclear[0]
                raise ValueError(
                    f"{self._table.name} has the columns {one!r} and {other!r}; say which is "
                    f'which: dims={{"draw": "{one}", "item": "{other}"}} or '
                    f'dims={{"draw": "{other}", "item": "{one}"}}'
                )
            roles["item"] = unclear[0]
        return roles

    def _kind(self, request: Request) -> str:
        roles = self._roles(request)
        if {"draw", "item", "feature"} <= roles.keys():
            return "long"
        if self._grids:
            return "wide"
        has_keys = {"draw", "item"} <= roles.keys()
        return "semi-wide" if has_keys and self._others(roles) else "matrix"

    def _others(self, roles: Mapping[str, str]) -> list[str]:
        """Columns that may be features, or tell ones from zeros."""
        known = {column for role, column in roles.items() if role != "value"}
        return [
            name
            for name in self._table.names
            if name not in known and not self._is_index(name) and name.lower() not in _IGNORED
        ]

    def _long(self, roles: Mapping[str, str]) -> LongTable:
        return LongTable(self._table, roles, self._others(roles))

    def _listed(self) -> str:
        names = [repr(name[:30]) for name in self._table.names]
        return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


of = TableForm.of
