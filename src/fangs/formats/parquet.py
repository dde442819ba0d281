"""Parquet files: draws as tables, and the matrix of an estimate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fangs._extras import require
from fangs.draws.form import Form
from fangs.draws.forms.table import TableForm
from fangs.draws.forms.table.columns import of_arrow
from fangs.draws.forms.table.rows import long_blocks
from fangs.formats.format import Format
from fangs.formats.guard import Budget
from fangs.formats.whole import whole_path

if TYPE_CHECKING:
    from fangs.draws.samples import Samples
    from fangs.estimate import Estimate

__all__ = ["FORMAT", "write_estimate", "write_samples"]


@contextmanager
def _open(path: Path) -> Iterator[Form]:
    parquet = require("pyarrow.parquet", extra="files")
    with parquet.ParquetFile(str(path), page_checksum_verification=True) as file:
        about, budget = file.metadata, Budget(path)
        budget.spend(8 * about.num_rows * about.num_columns)
        for group in range(about.num_row_groups):  # equal values take no room in the file
            budget.spend(max(0, about.row_group(group).total_byte_size))

        def batches(names: list[str], n_rows: int) -> Iterator[Any]:
            yield from file.iter_batches(batch_size=n_rows, columns=names)

        names = file.schema_arrow.names
        yield TableForm(of_arrow(names, batches, "the table", 1), "draws")


def _writer(path: str, schema: Any) -> Any:
    parquet = require("pyarrow.parquet", extra="files")
    return parquet.ParquetWriter(path, schema, write_page_checksum=True)


def write_samples(samples: Samples, path: Path, writer: Callable[..., Any] = _writer) -> None:
    """Write draws as a long table, whole or not at all; `writer` opens a file for a schema."""
    blocks = map(_table, long_blocks(samples))
    first = next(blocks)
    with whole_path(path) as temporary, writer(str(temporary), first.schema) as file:
        for table in chain([first], blocks):
            file.write_table(table)


def write_estimate(estimate: Estimate, path: Path, writer: Callable[..., Any] = _writer) -> None:
    """Write the matrix of an estimate as a table, whole or not at all."""
    if "item" in estimate.feature_names:
        raise ValueError("a feature is called 'item', as the column of the items is; rename it")
    features = zip(estimate.feature_names, estimate.matrix.T, strict=True)
    table = _table({"item": np.array(estimate.item_names), **dict(features)})
    with whole_path(path) as temporary, writer(str(temporary), table.schema) as file:
        file.write_table(table)


def _table(columns: Mapping[str, Any]) -> Any:
    return require("pyarrow", extra="files").table(dict(columns))


FORMAT = Format(_open, write_samples=write_samples, write_estimate=write_estimate)
