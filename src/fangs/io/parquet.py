"""Parquet files: draws as long or wide tables, and the matrix of an estimate."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fangs._extras import require
from fangs.io.atomic import whole_path
from fangs.io.dims import item_labels
from fangs.io.guard import Budget
from fangs.io.inspect import Variable
from fangs.io.source import DrawSource
from fangs.io.tables import (
    draws_of_long,
    draws_of_wide,
    find_grid,
    find_grids,
    is_long,
    long_blocks,
    role_of,
)
from fangs.samples import Samples

if TYPE_CHECKING:
    from fangs.estimate import Estimate

__all__ = ["describe", "read", "read_matrix", "write_estimate", "write_samples"]

_BLOCK_BYTES = 2**24


def read(path: Path, variable: str | None) -> DrawSource:
    """Read draws from a long or wide table, a block of rows at a time."""
    with _opened(path) as file:
        names = list(file.schema_arrow.names)
        if len(set(names)) < len(names):
            raise ValueError("it has two columns of one name")
        _check_size(file, Budget(path))
        if is_long(names):
            if variable is not None:
                raise ValueError(f"a long table has a single variable; leave out {variable=}")
            return draws_of_long(_blocks(file, names))
        wide = _wide_blocks(file, names, variable)
        return draws_of_wide(names, wide, variable=variable)


def describe(path: Path) -> list[Variable]:
    """What a table holds, from its names and sizes alone."""
    with _opened(path) as file:
        names, n_rows = list(file.schema_arrow.names), file.metadata.num_rows
    start = f"fangs.read({str(path)!r}"
    if is_long(names):
        return [Variable("", "long table", None, None, None, None, f"{start})")]
    grids = [find_grid(names, name) for name in find_grids(names)]
    rows = []
    for grid in grids:
        call = f"{start})" if len(grids) == 1 else f"{start}, variable={grid.variable!r})"
        sizes = (grid.n_features, grid.n_features)
        rows.append(Variable(grid.variable, "wide table", n_rows, grid.n_items, sizes, None, call))
    return rows


def write_samples(samples: Samples, path: Path) -> None:
    """Write draws as a long table, whole or not at all."""
    arrow, parquet = (require(name, extra="files") for name in ("pyarrow", "pyarrow.parquet"))
    writer = None
    with whole_path(path) as temporary:
        try:
            for block in long_blocks(samples):
                columns = {name: _column(arrow, name, values) for name, values in block.items()}
                table = arrow.table(columns)
                if writer is None:
                    writer = parquet.ParquetWriter(
                        str(temporary), table.schema, write_page_checksum=True
                    )
                writer.write_table(table)
        finally:
            if writer is not None:
                writer.close()


def write_estimate(estimate: Estimate, path: Path) -> None:
    """Write the matrix of an estimate as a table, whole or not at all."""
    arrow, parquet = (require(name, extra="files") for name in ("pyarrow", "pyarrow.parquet"))
    columns = {"item": _column(arrow, "item", np.array(estimate.labels))}
    if "item" in estimate.feature_names:
        raise ValueError("a feature is called 'item', as the column of the items is; rename it")
    for name, column in zip(estimate.feature_names, estimate.matrix.T, strict=True):
        columns[name] = arrow.array(np.ascontiguousarray(column))
    with whole_path(path) as temporary:
        parquet.write_table(arrow.table(columns), str(temporary), write_page_checksum=True)


def read_matrix(path: Path) -> tuple[npt.NDArray[Any], tuple[str, ...] | None, list[str]]:
    """A table with a row per item as a matrix, labels of its items or None, names of its columns.

    The column called item, if there is one, holds the labels.
    """
    with _opened(path) as file:
        names = list(file.schema_arrow.names)
        if len(set(names)) < len(names):
            raise ValueError("it has two columns of one name")
        _check_size(file, Budget(path))
        features = [name for name in names if name != "item"]
        blocks = list(_blocks(file, names)) or [{name: np.zeros(0) for name in names}]
    columns = {name: np.concatenate([block[name] for block in blocks]) for name in names}
    matrix = np.column_stack(
        [columns[name] for name in features] or [np.zeros((len(columns["item"]), 0))]
    )
    return matrix, item_labels(columns.get("item"), len(matrix)), features


def _opened(path: Path) -> Any:
    parquet = require("pyarrow.parquet", extra="files")
    return parquet.ParquetFile(str(path), page_checksum_verification=True)


def _check_size(file: Any, budget: Budget) -> None:
    """Refuse a table that would unpack to too much; equal values take no room in the file."""
    about = file.metadata
    budget.spend(8 * about.num_rows * about.num_columns)
    for group in range(about.num_row_groups):
        budget.spend(max(0, about.row_group(group).total_byte_size))


def _column(arrow: Any, name: str, values: Any) -> Any:
    try:
        return arrow.array(np.ma.getdata(values), mask=np.ma.getmaskarray(values))
    except (UnicodeError, arrow.ArrowException) as error:
        raise ValueError(
            f"cannot write the column {name!r} to Parquet: {error}; .npz, .csv and .json take any "
            "label"
        ) from error


def _blocks(file: Any, names: list[str]) -> Iterator[dict[str, npt.NDArray[Any]]]:
    n_rows = max(1, _BLOCK_BYTES // (8 * max(len(names), 1)))
    for batch in file.iter_batches(batch_size=n_rows, columns=names):
        yield {
            name: column.to_numpy(zero_copy_only=False)
            for name, column in zip(batch.schema.names, batch.columns, strict=True)
        }


def _wide_blocks(
    file: Any, names: list[str], variable: str | None
) -> Iterator[tuple[npt.NDArray[Any], dict[str, npt.NDArray[Any]]]]:
    cells = find_grid(names, variable).names
    others = list(role_of(names).values())
    for block in _blocks(file, [*cells, *others]):
        yield np.column_stack([block[name] for name in cells]), {n: block[n] for n in others}
