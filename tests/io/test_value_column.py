"""A long table with a dense column of 0 and 1, whatever it is called, is no table of ones."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fangs

DRAWS = np.array([[[1, 0], [0, 1], [1, 1]], [[0, 1], [1, 1], [0, 0]]])
NAMES = ("Z", ".value", "present", "Freq", "value")


def dense(name: str) -> pd.DataFrame:
    draw, item, feature = np.indices(DRAWS.shape)
    columns = {"draw": draw, "item": item, "feature": feature, name: DRAWS}
    return pd.DataFrame({key: values.ravel() for key, values in columns.items()})


def write(frame: pd.DataFrame, path: Path) -> None:
    if path.suffix == ".parquet":
        frame.to_parquet(path, index=False)
    else:
        frame.to_csv(path, index=False, sep="\t" if path.suffix == ".tsv" else ",")


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
@pytest.mark.parametrize("name", NAMES)
def test_a_dense_column_of_any_name_tells_ones_from_zeros(name, suffix, tmp_path):
    path = tmp_path / f"draws{suffix}"
    write(dense(name), path)
    assert fangs.read(path) == fangs.Samples(DRAWS)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_column_of_other_numbers_is_refused_by_its_name(suffix, tmp_path):
    path = tmp_path / f"draws{suffix}"
    frame = dense("Z")
    write(frame.assign(Z=frame["Z"] + 0.5), path)
    with pytest.raises(ValueError, match=r"'Z'"):
        fangs.read(path)


def test_of_two_columns_of_ones_and_zeros_none_is_taken(tmp_path):
    frame = dense("Z")
    write(frame.assign(truth=1), tmp_path / "draws.csv")
    with pytest.raises(ValueError, match=r"'Z'"):
        fangs.read(tmp_path / "draws.csv")
