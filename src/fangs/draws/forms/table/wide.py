"""Tables with a column for each entry, such as Z[2,3] or Z.2.3, or one for each feature.

Wide tables have a row for each draw, as CmdStan, JAGS and NIMBLE write them; items and features are
counted from 1, or both from 0. Semi-wide tables have a row for each draw and item.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.draws.forms.stack import is_binary
from fangs.draws.forms.table.columns import Table, binary, numbers
from fangs.draws.forms.table.long import Entries, RowKeys
from fangs.draws.packing import pack
from fangs.draws.source import DrawSource, numbered
from fangs.draws.variables import Variable

__all__ = ["Grid", "describe_grids", "draws_of_grid", "find_grids", "semi_wide"]

_CELL = re.compile(
    r"(.+?)(?:\[ *(\d+) *, *(\d+) *\]|\[(\d+)\]\[(\d+)\]|\.(\d+)\.(\d+)\.?|:(\d+):(\d+))"
)


@dataclass(frozen=True)
class Grid:
    """The columns of a wide table that are one variable, by item and feature."""

    variable: str
    columns: Mapping[tuple[int, int], str]

    @property
    def first(self) -> int:
        """Where items and features count from."""
        return 0 if any(0 in at for at in self.columns) else 1

    @property
    def shape(self) -> tuple[int, int]:
        """Number of items and of features."""
        items, features = zip(*self.columns, strict=True)
        return max(items) + 1 - self.first, max(features) + 1 - self.first

    @property
    def names(self) -> list[str]:
        """The columns, item by item."""
        return [self.columns[at] for at in sorted(self.columns)]

    @property
    def problem(self) -> str:
        """What is wrong if an entry has no column; else empty."""
        if math.prod(self.shape) == len(self.columns):
            return ""
        items, features = (range(self.first, self.first + size) for size in self.shape)
        places = ((item, feature) for item in items for feature in features)
        item, feature = next(at for at in places if at not in self.columns)
        return (
            f"no column of {self.variable} for item {item}, feature {feature}, but columns up to "
            f"item {items[-1]}, feature {features[-1]}; give a column for each entry"
        )


def find_grids(names: Sequence[str]) -> dict[str, Grid]:
    """Variables with a column for each item and feature.

    Examples
    --------
    >>> find_grids(["lp__", "Z[1,1]", "Z[2, 1]", "A.1.1"])["Z"].names
    ['Z[1,1]', 'Z[2, 1]']
    """
    found: dict[str, dict[tuple[int, int], str]] = {}
    for name in names:
        cell = _CELL.fullmatch(name)
        if cell is None or re.search(r"[.:\]]\d*$", cell[1]):  # theta.1.2.3 has three dimensions
            continue
        variable, item, feature = (part for part in cell.groups() if part is not None)
        at = (int(item), int(feature))
        if found.setdefault(variable, {}).setdefault(at, name) is not name:
            raise ValueError(f"there are two columns for {variable}[{at[0]},{at[1]}]")
    return {variable: Grid(variable, columns) for variable, columns in found.items()}


def describe_grids(
    table: Table, roles: Mapping[str, str], grids: Mapping[str, Grid]
) -> list[Variable]:
    """All grids of a wide table: the rows are counted, and the first one is looked at."""
    every = [column for grid in grids.values() for column in grid.names]
    first = next(iter(table.blocks(every)), None)
    keys, n_rows = _keys_of_draws(table, roles), 0
    for block in table.blocks([*keys.columns, every[0]]):
        n_rows += len(block[every[0]])
        keys.add(block)
    n_chains = len(keys.coders["chain"].labels) if "chain" in keys.coders else None
    rows = []
    for name, grid in grids.items():
        problem, (n_items, width) = grid.problem, grid.shape
        if first is not None and not problem:
            cells = [numbers(first[column][:1], column, table) for column in grid.names]
            if not is_binary(np.reshape(cells, grid.shape)):
                problem = "its first draw has values other than 0 and 1"
        row = Variable(name, "wide table", n_rows, n_items, (width, width), n_chains)
        rows.append(Variable(name, row.what, problem=problem) if problem else row)
    return rows


def draws_of_grid(table: Table, roles: Mapping[str, str], grid: Grid, name: str) -> DrawSource:
    """The draws of one grid of a wide table, packed, in the order of their numbers."""
    if grid.problem:
        raise ValueError(f"{table.name} has {grid.problem}")
    keys = _keys_of_draws(table, roles)

    def rows() -> Iterator[npt.NDArray[Any]]:
        for block in table.blocks([*keys.columns, *grid.names]):
            keys.add(block)
            cells = np.stack([numbers(block[x], x, table) for x in grid.names], axis=1)
            yield from cells.reshape(len(cells), *grid.shape)

    once = DrawSource(n_draws=0, read=lambda _: rows(), name=numbered(name))
    packed = pack(once, table.name)
    coders, order = keys.coders, np.arange(len(packed))
    chains = coders["chain"].values() if "chain" in coders else None
    if "draw" in coders and (values := coders["draw"].values()).dtype.kind == "i":
        # Sorted in the places that its chain has.
        codes = 0 * order if chains is None else np.unique(chains, return_inverse=True)[1]
        order[np.argsort(codes, kind="stable")] = np.lexsort((values, codes))
    return DrawSource.of_packed(
        packed.select(order, 1),
        name=numbered(name),
        first_item=grid.first,
        chains=None if chains is None else chains[order],
        weights=coders["weight"].numbers()[order] if "weight" in coders else None,
    )


def _keys_of_draws(table: Table, roles: Mapping[str, str]) -> RowKeys:
    return RowKeys(table, {role: column for role, column in roles.items() if role != "item"})


def semi_wide(
    table: Table, roles: Mapping[str, str], features: Sequence[str]
) -> tuple[Entries, npt.NDArray[np.int8]]:
    """The entries of a semi-wide table that are not 0, and their values; the rest are features."""
    keys, n_rows = RowKeys(table, roles), 0
    rows, columns, values = [], [], []
    for block in table.blocks([*keys.columns, *features]):
        keys.add(block)
        for k, feature in enumerate(features):
            if (cells := binary(block[feature])) is None:
                raise ValueError(
                    f"{table.name} has the column {feature!r} with other values than 0 and 1, "
                    "which is no feature of a table of draw, item and features; drop it, or say "
                    f'what it is, such as dims={{"feature": {feature!r}}}'
                )
            here = np.flatnonzero(cells)
            rows.append(here + n_rows)
            columns.append(np.full(len(here), k))
            values.append(cells[here])
        n_rows += len(block[keys.items.name])
    keys.sort()
    n_items = len(keys.items.labels)
    places = keys.draw * n_items + keys.items.required()
    counts = np.bincount(places, minlength=keys.n_draws * n_items)
    for at in np.flatnonzero(counts != 1)[:1].tolist():
        raise ValueError(
            f"{table.name} has {counts[at]} rows for draw {keys.draw_labels[at // n_items]}, item "
            f"{keys.items.labels.tolist()[at % n_items]!r}; give one row for each item of each draw"
        )
    entries = Entries(keys, np.concatenate(rows), np.concatenate(columns), n_columns=len(features))
    return entries, np.concatenate(values)
