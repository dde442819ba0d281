"""Tables with draws, as plain columns: long (a row per one) and wide (a row per draw)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.io.source import DrawSource
from fangs.io.tabular.long import draws_of_long, long_blocks
from fangs.io.tabular.roles import Columns, is_long, role_of, some
from fangs.io.tabular.wide import Grid, draws_of_wide, find_grid, find_grids

__all__ = [
    "Grid",
    "draws_of_long",
    "draws_of_table",
    "draws_of_wide",
    "find_grid",
    "find_grids",
    "is_long",
    "long_blocks",
    "role_of",
    "some",
]


def draws_of_table(
    columns: Columns, *, variable: str | None = None, n_rows: int = 4096
) -> DrawSource:
    """Draws from the columns of a table in memory, long or wide.

    Parameters
    ----------
    columns
        The columns by name, all of one length.
    variable
        Whose columns hold the draws of a wide table, where there are several.
    n_rows
        Rows of a wide table that are put together at a time.

    Examples
    --------
    >>> columns = {".chain": [1, 2], "Z[1,1]": [1, 0], "Z[2,1]": [1, 1]}
    >>> draws_of_table(columns).samples()
    Samples(2 draws, 2 items, 1 feature, 2 chains)
    """
    names = [str(name) for name in columns]
    if is_long(names):
        if variable is not None:
            raise ValueError(f"a long table has a single variable; leave out {variable=}")
        return draws_of_long(columns)
    grid = find_grid(names, variable)
    cells: list[npt.NDArray[Any]] = [np.asarray(columns[name]) for name in grid.names]
    labels = {name: np.asarray(columns[name]) for name in role_of(names).values()}

    def blocks() -> Iterator[tuple[npt.NDArray[Any], Columns]]:
        for start in range(0, len(cells[0]), n_rows):
            here = slice(start, start + n_rows)
            rows = np.column_stack([column[here] for column in cells])
            yield rows, {name: column[here] for name, column in labels.items()}

    return draws_of_wide(names, blocks(), variable=variable)
