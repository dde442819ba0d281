"""Parquet files: draws as tables, and the matrix of an estimate."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fangs._extras import require
from fangs._typing import IntArray
from fangs.draws.form import Form
from fangs.draws.forms.table import TableForm
from fangs.draws.forms.table.columns import of_arrow
from fangs.draws.forms.table.rows import long_blocks
from fangs.formats.format import Format
from fangs.formats.guard import WRITTEN, Budget, check_written
from fangs.formats.whole import whole_path

if TYPE_CHECKING:
    from fangs.draws.samples import Samples
    from fangs.estimate import Estimate

__all__ = ["FORMAT", "checked_counts", "write_estimate", "write_samples"]


@contextmanager
def _open(path: Path) -> Iterator[Form]:
    parquet = require("pyarrow.parquet", extra="files")
    with parquet.ParquetFile(str(path), page_checksum_verification=True) as file:
        about = file.metadata  # equal values take no room in the file
        groups = (about.row_group(group) for group in range(about.num_row_groups))
        n_bytes = sum(max(0, group.total_byte_size) for group in groups)
        Budget(path).spend(max(8 * about.num_rows * about.num_columns, n_bytes))

        def batches(names: list[str], n_rows: int) -> Iterator[Any]:
            yield from file.iter_batches(batch_size=n_rows, columns=names)

        schema = file.schema_arrow
        table = of_arrow(schema.names, batches, "the table", 1)
        yield TableForm(table, "draws", n_ones=checked_counts(schema))


def checked_counts(schema: Any) -> IntArray | None:
    """The ones of each draw, if the file is ours, which must have the columns that were written."""
    about = json.loads((schema.metadata or {}).get(WRITTEN.encode(), "{}"))
    check_written(schema.names, about.get("columns"))
    return np.array(about["n_ones"], dtype=np.int64) if about else None


def _writer(path: str, schema: Any) -> Any:
    parquet = require("pyarrow.parquet", extra="files")
    return parquet.ParquetWriter(path, schema, write_page_checksum=True)


def write_samples(samples: Samples, path: Path, writer: Callable[..., Any] = _writer) -> None:
    """Write draws as a long table, whole or not at all; `writer` opens a file for a schema."""
    blocks = map(_table, long_blocks(samples))
    first = next(blocks)
    about = {"columns": " ".join(first.schema.names), "n_ones": samples.n_ones.tolist()}
    schema = first.schema.with_metadata({WRITTEN: json.dumps(about)})
    with whole_path(path) as temporary, writer(str(temporary), schema) as file:
        for table in chain([first], blocks):
            file.write_table(table)


def write_estimate(estimate: Estimate, path: Path, writer: Callable[..., Any] = _writer) -> None:
    """Write the matrix of an estimate as a table, whole or not at all."""
    if "item" in estimate.feature_names:
        raise ValueError("a feature is called 'item', as the column of the items is; rename it")
    features = zip(estimate.feature_names, estimate.matrix.T, strict=True)
    table = _table({"item": list(estimate.item_names), **dict(features)})
    with whole_path(path) as temporary, writer(str(temporary), table.schema) as file:
        file.write_table(table)


def _table(columns: Mapping[str, Any]) -> Any:
    return require("pyarrow", extra="files").table(dict(columns))


FORMAT = Format(_open, write_samples=write_samples, write_estimate=write_estimate)
