"""Tables of pandas, polars and pyarrow, of R and of files: long, semi-wide, wide, or one matrix.

What the columns are called says which; see `fangs.draws.roles`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from fangs._typing import IntArray
from fangs.draws.form import NamedMatrix
from fangs.draws.forms.dimensions import numbered_pair, refuse_two_draws
from fangs.draws.forms.table.columns import Coder, Table, numbers, of_arrow, of_pandas, of_polars
from fangs.draws.forms.table.long import LongTable
from fangs.draws.forms.table.wide import (
    Grid,
    describe_grids,
    draws_of_grid,
    find_grids,
    semi_wide,
)
from fangs.draws.labels import first_number, labels_or_none, text_of
from fangs.draws.open import library
from fangs.draws.request import Request
from fangs.draws.roles import ROLES, UNCLEAR, found_roles, is_row_names
from fangs.draws.source import DrawSource
from fangs.draws.variables import Variable, choose

__all__ = ["TableForm", "of"]

_IGNORED = {*ROLES["draw"], *ROLES["chain"], *ROLES["weight"]} - set(UNCLEAR)
"""Names of columns that mean nothing where another one has their role."""


def of(value: Any, name: str) -> TableForm:
    """The form of a table of pandas, polars or pyarrow."""
    kind = library(value)
    if kind in ("pandas", "polars"):
        return TableForm((of_pandas if kind == "pandas" else of_polars)(value, name), name)
    if not hasattr(value, "schema"):
        raise TypeError(f"{name} is of type {type(value).__name__}; give a table")

    def batches(names: list[str], n_rows: int) -> Any:
        part = value.select(names)
        return part.to_batches() if hasattr(part, "to_batches") else [part]

    return TableForm(of_arrow(value.schema.names, batches, name), name)


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
    n_ones
        Ones of each draw of a long table, where the file itself says it.
    """

    def __init__(
        self, table: Table, name: str, *, n_warm_up: int = 0, n_ones: IntArray | None = None
    ) -> None:
        self._table, self._name, self._n_warm_up = table, name, n_warm_up
        self._n_ones = n_ones

    def holds_draws(self, request: Request) -> bool:
        """Whether its columns are those of many draws, and not of one matrix."""
        return self._reading(request)[0] != "matrix"

    def variables(self, request: Request) -> list[Variable]:
        """The draws, counted; several where there are several grids or columns of 0 and 1."""
        table, (kind, roles, others) = self._table, self._reading(request)
        try:
            if kind == "wide":
                return describe_grids(table, roles, self._grids)
            if kind == "long":
                return LongTable(table, roles, others).variables(request.dims.get("value"))
            if kind == "semi-wide":
                return [semi_wide(table, roles, others)[0].describe("", "semi-wide table")]
        except ValueError as error:
            return [Variable("", f"{kind} table", problem=str(error))]
        problem = self._unclear(roles, others) if "draw" in roles else None
        return [Variable("", f"a table with the columns {_listed(table.names)}", problem=problem)]

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """The draws: of a grid of columns, or those that a column of 0 and 1 tells."""
        table, (kind, roles, others) = self._table, self._reading(request)
        variable = request.dims.get("value") if variable is None else variable
        known = {"wide": list(self._grids), "long": others}.get(kind, [])
        if variable is not None and variable not in known:
            there = _listed(known or table.names)
            raise ValueError(f"{table.name} has no variable {variable!r}; it has {there}")
        if kind == "wide":
            if variable is None and len(known) > 1:
                rows = describe_grids(table, roles, self._grids)
                variable = choose(rows, name=table.name, by_name=False)
            grid = self._grids[variable or known[0]]
            source = draws_of_grid(table, roles, grid, f"{self._name}.{grid.variable}")
            return replace(source, n_warm_up=self._n_warm_up)
        if kind == "long":
            source = LongTable(table, roles, others).draws(variable, self._name)
            return source.counted(self._n_ones)
        if kind == "semi-wide":
            entries, values = semi_wide(table, roles, others)
            return entries.draws(values, self._name)
        raise ValueError(f"{table.name}: {self._unclear(roles, others)}")

    def _unclear(self, roles: Mapping[str, str], others: Sequence[str]) -> str:
        """Why no draws can be told from these columns, and what to say of them."""
        missing = [role for role in ("draw", "item", "feature") if role not in roles]
        rest = [x[:30] for x in others if x.lower() not in ROLES["value"]]
        pairs = zip(missing, [*rest, "...", "...", "..."], strict=False)
        reading = ", ".join(f'"{role}": "{column}"' for role, column in pairs)
        return (
            f"its columns are {_listed(self._table.names)}; say what they mean, such as "
            f"dims={{{reading}}}. One table is long (draw, item, feature), semi-wide (draw, item, "
            "one for each feature) or wide (Z[1,1], Z[1,2], ...); a list has one per draw"
        )

    def matrix(self, request: Request) -> NamedMatrix:
        """A row for each item and a column for each feature."""
        table, (kind, roles, _) = self._table, self._reading(request)
        along = [roles[role] for role in ("draw", "chain") if role in roles]
        along = [column for column in along if column.lower() not in UNCLEAR]
        if along or kind != "matrix":
            what = f"along {along[0]!r}" if along else "in columns such as Z[1,1]"
            raise ValueError(f"{table.name} holds draws {what}, where one matrix is wanted")
        item = roles.get("item", roles.get("draw"))  # a biologist's samples are items
        is_named = item is not None
        if item is None:
            item = next((name for name in table.names if is_row_names(name)), None)
        features = [name for name in table.names if name != item and not self._is_index(name)]
        labels, parts = Coder(item or "", table, is_label=True), []
        for block in table.blocks([*([] if item is None else [item]), *features]):
            n_rows = len(next(iter(block.values())))
            columns = [numbers(block[name], name, table) for name in features]
            parts.append(np.stack(columns, axis=1) if columns else np.zeros((n_rows, 0)))
            if item is not None:
                labels.add(block[item])
        values = np.concatenate([np.zeros((0, len(features)), dtype=np.uint8), *parts])
        items: tuple[str, ...] | None = None
        if item is not None and len(values):
            items = tuple(map(str, labels.labels[labels.required()]))
            items = items if is_named else labels_or_none(items)
        elif table.row_labels is not None:
            items = tuple(map(text_of, table.row_labels))
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
        pair = numbered_pair(rest)
        if pair and not {"item", "feature"} & set(roles):
            roles["item"], roles["feature"] = pair
        unclear = [name for name in rest if name.lower() in UNCLEAR]
        if unclear and "draw" in roles and "item" not in roles and not self._grids:
            what = f"{self._table.name} has the columns {roles['draw']!r} and {unclear[0]!r}"
            refuse_two_draws(roles["draw"], unclear[0], told, what)
            roles["item"] = unclear[0]
        return roles

    def _reading(self, request: Request) -> tuple[str, dict[str, str], list[str]]:
        """What kind of table it is, the columns by role, and columns of features or values."""
        roles = self._roles(request)
        known = {column for role, column in roles.items() if role != "value"}
        others = [
            name
            for name in self._table.names
            if name not in known and not self._is_index(name) and name.lower() not in _IGNORED
        ]
        if {"draw", "item", "feature"} <= roles.keys():
            return "long", roles, others
        if self._grids:
            return "wide", roles, others
        is_semi_wide = {"draw", "item"} <= roles.keys() and others
        return "semi-wide" if is_semi_wide else "matrix", roles, others


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name[:30]) for name in names[:8])
    return shown + (f" and {len(names) - 8} more" if len(names) > 8 else "")
