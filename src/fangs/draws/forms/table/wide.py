"""Tables with a column for each entry, such as Z[2,3] or Z.2.3, or one for each feature.

Wide tables have a row for each draw, as CmdStan, JAGS and NIMBLE write them; items and features are
counted from 1, or both from 0. Semi-wide tables have a row for each draw and item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.draws.forms.stack import is_binary
from fangs.draws.forms.table.columns import Table, binary, numbers
from fangs.draws.forms.table.long import Entries, RowKeys
from fangs.draws.source import DrawSource, numbered
from fangs.draws.variables import Variable

__all__ = ["Grid", "WideTable", "find_grids", "semi_wide"]

_CELL = re.compile(
    r"(.+?)(?:\[ *(\d+) *, *(\d+) *\]|\[(\d+)\]\[(\d+)\]|\.(\d+)\.(\d+)\.?|:(\d+):(\d+))"
)


@dataclass(frozen=True)
class Grid:
    """The columns of a wide table that are one variable, item by item.

    Attributes
    ----------
    variable, columns
        Its name and theirs.
    shape
        Number of items and of features.
    first
        Where items and features count from.
    problem
        What is wrong if an entry has no column; else empty.
    """

    variable: str
    columns: tuple[str, ...]
    shape: tuple[int, int]
    first: int
    problem: str

    @classmethod
    def of(cls, variable: str, cells: Mapping[tuple[int, int], str]) -> Grid:
        """The grid of columns by item and feature."""
        first = 0 if any(0 in at for at in cells) else 1
        last = [max(at[axis] for at in cells) for axis in (0, 1)]
        shape = (last[0] - first + 1, last[1] - first + 1)
        problem = ""
        if shape[0] * shape[1] != len(cells):
            places = ((first + i, first + k) for i in range(shape[0]) for k in range(shape[1]))
            item, feature = next(at for at in places if at not in cells)
            problem = (
                f"no column of {variable} for item {item}, feature {feature}, but columns up to "
                f"item {last[0]}, feature {last[1]}; give a column for each entry"
            )
        return cls(variable, tuple(cells[at] for at in sorted(cells)), shape, first, problem)


def find_grids(names: Sequence[str]) -> dict[str, Grid]:
    """Variables with a column for each item and feature.

    Examples
    --------
    >>> find_grids(["lp__", "Z[1,1]", "Z[2, 1]", "A.1.1"])["Z"].columns
    ('Z[1,1]', 'Z[2, 1]')
    """
    found: dict[str, dict[tuple[int, int], str]] = {}
    for name in names:
        cell = _CELL.fullmatch(name)
        if cell is None or re.search(r"[.:\]]\d*$", cell[1]):  # theta.1.2.3 has three dimensions
            continue
        variable, *place = (part for part in cell.groups() if part is not None)
        at = (int(place[0][:9]), int(place[1][:9]))
        if found.setdefault(variable, {}).setdefault(at, name) is not name:
            raise ValueError(f"there are two columns for {variable}[{at[0]},{at[1]}]")
    return {variable: Grid.of(variable, cells) for variable, cells in found.items()}


class WideTable:
    """A wide table; its cells are read when draws are wanted, and packed at once."""

    def __init__(self, table: Table, roles: Mapping[str, str], grids: Mapping[str, Grid]) -> None:
        self._table, self._grids = table, grids
        self._roles = {role: column for role, column in roles.items() if role != "item"}

    def variables(self) -> list[Variable]:
        """All grids: the rows are counted, and the first one is looked at."""
        columns = [column for grid in self._grids.values() for column in grid.columns]
        first = next(iter(self._table.blocks(columns)), None)
        keys, n_rows = RowKeys(self._table, self._roles), 0
        for block in self._table.blocks([*keys.columns, columns[0]]):
            n_rows += len(block[columns[0]])
            keys.add(block)
        n_chains = len(keys.coders["chain"].labels) if "chain" in keys.coders else None
        rows = []
        for name, grid in self._grids.items():
            problem = grid.problem
            if not problem and first is not None:
                cells = [numbers(first[column][:1], column, self._table) for column in grid.columns]
                if not is_binary(np.array(cells).reshape(grid.shape)):
                    problem = "its first draw has values other than 0 and 1"
            sizes = (n_rows, grid.shape[0], (grid.shape[1],) * 2, n_chains)
            what = "wide table"
            rows.append(
                Variable(name, what, problem=problem) if problem else Variable(name, what, *sizes)
            )
        return rows

    def draws(self, variable: str, name: str) -> DrawSource:
        """The draws of a grid, in the order of their numbers."""
        from fangs.draws.samples import Samples

        table, keys = self._table, RowKeys(self._table, self._roles)
        if variable not in self._grids:
            there = ", ".join(map(repr, self._grids))
            raise ValueError(
                f"{table.name} has no columns {variable}[1,1], ...; it has those of {there}"
            )
        grid = self._grids[variable]
        if grid.problem:
            raise ValueError(f"{table.name} has {grid.problem}")

        def rows() -> Iterator[npt.NDArray[Any]]:
            block = None
            for block in table.blocks([*keys.columns, *grid.columns]):
                keys.add(block)
                cells = np.stack([numbers(block[c], c, table) for c in grid.columns], axis=1)
                yield from cells.reshape(len(cells), *grid.shape)
            if block is None:
                raise ValueError(f"{table.name} has no row")

        once = DrawSource(n_draws=0, read=lambda _: rows(), name=numbered(name))
        samples = Samples._of_source(once)
        coders = keys.coders
        chains = coders["chain"].values() if "chain" in coders else None
        order = np.arange(len(samples))
        if "draw" in coders and (values := coders["draw"].values()).dtype.kind == "i":
            # Sorted in the places that its chain has.
            codes = 0 * order if chains is None else np.unique(chains, return_inverse=True)[1]
            order[np.argsort(codes, kind="stable")] = np.lexsort((values, codes))
        return replace(
            samples.select(order)._source(),
            first_item=grid.first,
            chains=None if chains is None else chains[order],
            weights=coders["weight"].numbers()[order] if "weight" in coders else None,
        )


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
