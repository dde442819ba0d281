"""One matrix in a file: whatever `Estimate.save` writes is read back, labels included."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import fangs
from fangs.formats import read_matrix
from fangs.formats.registry import FORMATS, format_of

WRITTEN = [
    suffixes[0]
    for suffixes in FORMATS
    if format_of(Path(f"x{suffixes[0]}")).write_estimate is not None
]
DRAWS = [np.array([[1, 0], [1, 1], [0, 1]]), np.array([[1, 0], [1, 1], [1, 1]])]


def found(**labels):
    return fangs.estimate(fangs.Samples(DRAWS, **labels), seed=1)


@pytest.mark.parametrize("suffix", WRITTEN)
@pytest.mark.parametrize(
    ("estimate", "items", "names"),
    [
        (found(), None, ()),
        (found(items=["ann", "bob", "cyd"]), ("ann", "bob", "cyd"), ()),
        (
            found(items=["3", "1", "2"]).named(["tall", "wide"]),
            ("3", "1", "2"),
            ("tall", "wide"),
        ),
        (fangs.estimate([np.zeros((3, 1))], seed=1), None, ()),
    ],
    ids=["numbered", "items", "all names", "no features"],
)
def test_what_is_saved_is_read_back(suffix, estimate, items, names, tmp_path):
    estimate.save(tmp_path / f"e{suffix}")
    again = read_matrix(tmp_path / f"e{suffix}")
    assert again.values.dtype == np.uint8
    assert np.array_equal(again.values, estimate.matrix)
    assert (again.items, tuple(again.features)) in [
        (items, names),
        # An archive keeps the names that features have by default.
        (items, estimate.feature_names),
    ]


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".nc", ".zarr"])
def test_rows_are_put_into_the_order_of_the_items(suffix, tmp_path):
    found(items=["ann", "bob", "cyd"]).save(tmp_path / f"e{suffix}")
    again = read_matrix(tmp_path / f"e{suffix}", items=["cyd", "ann", "bob"])
    assert np.array_equal(again.values, found().matrix[[2, 0, 1]])
    with pytest.raises(ValueError, match=r"lacks 'eve'.*has 'ann'"):
        read_matrix(tmp_path / f"e{suffix}", items=["cyd", "eve", "bob"])


@pytest.mark.parametrize("suffix", [".csv", ".json", ".npz"])
def test_numbers_are_names_where_the_items_are_called_so(suffix, tmp_path):
    found(items=["0", "1", "2"]).save(tmp_path / f"e{suffix}")
    again = read_matrix(tmp_path / f"e{suffix}", items=["2", "0", "1"])
    assert np.array_equal(again.values, found().matrix[[2, 0, 1]])
    again = read_matrix(tmp_path / f"e{suffix}", items=["ann", "bob", "cyd"])
    assert np.array_equal(again.values, found().matrix)


def test_tables_and_arrays_of_others(tmp_path):
    matrix = found().matrix
    pd.DataFrame(matrix, columns=["x", "y"]).to_parquet(tmp_path / "plain.parquet")
    assert np.array_equal(read_matrix(tmp_path / "plain.parquet").values, matrix)
    assert read_matrix(tmp_path / "plain.parquet").features == ("x", "y")
    transposed = xr.Dataset({"Z": (("feature", "item"), matrix.T)})
    transposed.to_netcdf(tmp_path / "mine.nc", engine="h5netcdf")
    assert np.array_equal(read_matrix(tmp_path / "mine.nc").values, matrix)


def test_near_misses_are_refused(tmp_path):
    matrix = found().matrix
    two = xr.Dataset({name: (("item", "feature"), matrix) for name in "ZY"})
    two.to_netcdf(tmp_path / "two.nc", engine="h5netcdf")
    with pytest.raises(ValueError, match=r"Z_hat.*Z \(item, feature\), Y"):
        read_matrix(tmp_path / "two.nc")
    xr.Dataset({"Z": (("feature", "features"), matrix)}).to_netcdf(
        tmp_path / "odd.nc", engine="h5netcdf"
    )
    with pytest.raises(ValueError, match="call them item and feature"):
        read_matrix(tmp_path / "odd.nc")
    pd.DataFrame({"item": ["a", "b"], "1": [0.5, 1]}).to_parquet(tmp_path / "half.parquet")
    with pytest.raises(ValueError, match=r"half.parquet.* 0\.5"):
        read_matrix(tmp_path / "half.parquet")
    pd.DataFrame({"item": ["a", "b"], "1": ["x", "y"]}).to_parquet(tmp_path / "text.parquet")
    with pytest.raises(ValueError, match=r"text.parquet"):
        read_matrix(tmp_path / "text.parquet")
