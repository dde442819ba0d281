"""Wide tables: a row for each draw, columns such as Z[2,3] or Z.2.3 (item 2, feature 3, from 1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.io.source import DrawSource
from fangs.io.tabular.columns import Coder
from fangs.io.tabular.roles import Columns, role_of, some
from fangs.samples import Samples

__all__ = ["Grid", "draws_of_wide", "find_grid", "find_grids"]


def draws_of_wide(
    names: Sequence[str],
    blocks: Iterable[tuple[npt.NDArray[Any], Columns]],
    *,
    variable: str | None = None,
) -> DrawSource:
    """Draws from a wide table.

    Parameters
    ----------
    names
        Names of all its columns.
    blocks
        Blocks of rows: the cells as a (rows, n K) array in the order of ``find_grid(...).names``,
        and those of the columns chain, draw and weight that there are.
    variable
        Whose columns hold the draws, where there are several.

    Examples
    --------
    >>> names = ["Z[1,1]", "Z[2,1]", "Z[1,2]", "Z[2,2]"]
    >>> find_grid(names).names
    ['Z[1,1]', 'Z[1,2]', 'Z[2,1]', 'Z[2,2]']
    >>> draws_of_wide(names, [(np.array([[1, 0, 1, 1]]), {})]).samples()[0]
    array([[1, 0],
           [1, 1]], dtype=uint8)
    """
    grid = find_grid(names, variable)
    coders = {role: Coder(role) for role in role_of(names) if role in ("chain", "draw", "weight")}

    def matrices() -> Iterator[npt.NDArray[Any]]:
        for cells, columns in blocks:
            for role, name in role_of(list(columns)).items():
                if role in coders:
                    coders[role].add(columns[name])
            yield from cells.reshape(len(cells), grid.n_items, grid.n_features)

    samples = Samples(matrices())
    chains = coders["chain"].values() if "chain" in coders else None
    weights = coders["weight"].numbers() if "weight" in coders else None
    order = np.arange(len(samples))
    if "draw" in coders and (draw := coders["draw"].values()).dtype.kind == "i":
        ranks = 0 * order if chains is None else np.unique(chains, return_inverse=True)[1]
        for rank in np.unique(ranks):  # draws of a chain in the order of their numbers
            here = np.flatnonzero(ranks == rank)
            order[here] = here[np.argsort(draw[here], kind="stable")]
    return DrawSource.of_samples(
        samples.select(order),
        chains=None if chains is None else chains[order],
        weights=None if weights is None else weights[order],
    )


@dataclass(frozen=True)
class Grid:
    """The columns of a wide table that hold the draws."""

    variable: str
    n_items: int
    n_features: int
    names: list[str]
    """Their names, item by item."""


_CELL = re.compile(r"(.+?)(?:\[(\d+), ?(\d+)\]|\[(\d+)\]\[(\d+)\]|\.(\d+)\.(\d+))")


def find_grids(names: Sequence[str]) -> dict[str, dict[tuple[int, int], str]]:
    """Columns by variable, item and feature (counted from 1)."""
    grids: dict[str, dict[tuple[int, int], str]] = {}
    for name in names:
        found = _CELL.fullmatch(name)
        if found is None or re.search(r"[.\]]\d*$", found[1]):  # theta.1.2.3 has three dimensions
            continue
        variable, *numbers = (part for part in found.groups() if part is not None)
        at = (int(numbers[0][:9]), int(numbers[1][:9]))
        if grids.setdefault(variable, {}).setdefault(at, name) is not name:
            raise ValueError(f"there are two columns for {variable}[{at[0]},{at[1]}]")
    return grids


def find_grid(names: Sequence[str], variable: str | None = None) -> Grid:
    """The columns Z[1,1], Z[1,2], ... of the variable, or of the only one that there is."""
    grids = find_grids(names)
    if variable is None:
        if not grids:
            raise ValueError(
                "it has neither columns draw, item and feature, nor columns such as Z[1,1] or "
                f"Z.1.1; it has {some(names)}"
            )
        if len(grids) > 1:
            first = next(iter(grids))
            raise ValueError(
                f"it has several variables ({some(grids)}); say which has the draws: "
                f"variable={first!r}"
            )
        variable = next(iter(grids))
    if variable not in grids:
        raise ValueError(
            f"it has no columns {variable}[1,1], {variable}[1,2], ...; "
            + (f"it has those of {some(grids)}" if grids else f"it has {some(names)}")
        )
    cells = grids[variable]
    n_items, n_features = (max(at[axis] for at in cells) for axis in (0, 1))
    if any(0 in at for at in cells):
        raise ValueError(f"it counts {variable} from 0; columns must be counted from 1")
    if n_items * n_features != len(cells):
        lacking = next(
            (i, k)
            for i in range(1, n_items + 1)
            for k in range(1, n_features + 1)
            if (i, k) not in cells
        )
        raise ValueError(f"there is no column {variable}[{lacking[0]},{lacking[1]}]")
    return Grid(variable, n_items, n_features, [cells[at] for at in sorted(cells)])
