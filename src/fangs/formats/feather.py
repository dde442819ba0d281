"""Feather files, which are Arrow tables: draws as tables, and the matrix of an estimate."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from fangs._extras import require
from fangs.draws.form import Form
from fangs.draws.forms.table import TableForm
from fangs.draws.forms.table.columns import of_arrow
from fangs.formats.format import Format
from fangs.formats.guard import Budget
from fangs.formats.parquet import checked_counts, write_estimate, write_samples

__all__ = ["FORMAT"]


@contextmanager
def _open(path: Path) -> Iterator[Form]:
    arrow = require("pyarrow", extra="files")
    with arrow.memory_map(str(path)) as source:

        def batches(names: list[str], n_rows: int) -> Iterator[Any]:
            places = [schema.get_field_index(name) for name in names]
            options = arrow.ipc.IpcReadOptions(included_fields=places)
            file, budget = arrow.ipc.open_file(source, options=options), Budget(path)
            for i in range(file.num_record_batches):
                batch = file.get_batch(i)
                budget.spend(batch.get_total_buffer_size())
                batch.validate(full=True)
                yield batch

        schema = arrow.ipc.open_file(source).schema
        table = of_arrow(schema.names, batches, "the table", 1)
        yield TableForm(table, "draws", n_ones=checked_counts(schema))


def _writer(path: str, schema: Any) -> Any:
    arrow = require("pyarrow", extra="files")
    options = arrow.ipc.IpcWriteOptions(compression="lz4")
    return arrow.ipc.new_file(path, schema, options=options)


FORMAT = Format(
    _open,
    write_samples=partial(write_samples, writer=_writer),
    write_estimate=partial(write_estimate, writer=_writer),
)
