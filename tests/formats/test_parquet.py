"""Arrow's files: columns of any type that a database may have written."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import fangs

STACK = np.random.default_rng(4).integers(2, size=(8, 5, 3))
ITEMS = list("abcde")
DRAW, ITEM, FEATURE = np.nonzero(STACK)
CASTS = {
    "plain": {},
    "dictionary": {"item": lambda column: column.dictionary_encode()},
    "large text": {"item": lambda column: column.cast(pa.large_string())},
    "decimals": {"draw": lambda column: column.cast(pa.decimal128(19, 0))},
    "floats": {"draw": lambda column: column.cast(pa.float64()), "feature": lambda c: c.cast("f4")},
    "small": {"draw": lambda column: column.cast(pa.uint8()), "feature": lambda c: c.cast("i1")},
}


@pytest.mark.parametrize("cast", CASTS)
@pytest.mark.parametrize("suffix", [".parquet", ".feather"])
def test_columns_of_any_type_are_read(suffix, cast, tmp_path):
    columns = {
        "draw": pa.array(DRAW),
        "item": pa.array(np.array(ITEMS)[ITEM]),
        "feature": pa.array(FEATURE + 1),
    }
    for name, change in CASTS[cast].items():
        columns[name] = change(columns[name])
    write = pa.parquet.write_table if suffix == ".parquet" else pa.feather.write_feather
    write(pa.table(columns), tmp_path / f"d{suffix}")
    wanted = fangs.Samples(STACK, items=ITEMS)
    assert fangs.read(tmp_path / f"d{suffix}", items=ITEMS) == wanted
    assert fangs.Samples(pa.table(columns), items=ITEMS) == wanted


def test_rows_may_come_in_small_groups(tmp_path):
    samples = fangs.datasets.example().select(range(30))
    samples.save(tmp_path / "d.parquet")
    table = pa.parquet.read_table(tmp_path / "d.parquet")
    pa.parquet.write_table(table, tmp_path / "groups.parquet", row_group_size=100)
    assert fangs.read(tmp_path / "groups.parquet") == samples
