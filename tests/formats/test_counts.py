"""What our files hold is counted in them: what is lost, or has become another, is refused."""

from __future__ import annotations

import json

import h5py
import numpy as np
import pyarrow.feather
import pyarrow.parquet
import pytest
import xarray as xr

import fangs
from fangs.formats import read_matrix
from support.refusals import refuses

RNG = np.random.default_rng(7)
SAMPLES = fangs.Samples(
    [RNG.random((30, 5)) < 0.5 for _ in range(8)],
    items=[f"item {i}" for i in range(30)],
    chains=["warm"] * 4 + ["cold"] * 4,
    weights=np.arange(1, 9),
)


def refused(path, *words, **options):
    with refuses(path.name, "damaged", *words, error=ValueError):
        fangs.read(path, **options)


@pytest.mark.parametrize("lost", ["Z/0.0.0.0", "weight/.zarray", "item/.zarray", "chain/0"])
def test_a_zarr_store_without_one_of_its_files_is_refused(lost, tmp_path):
    path = tmp_path / "d.zarr"
    SAMPLES.save(path)
    (path / lost).unlink()
    words = {
        "Z": ["draws.Z", "0 ones"],
        "weight": ["'weight'"],
        "item": ["'item'"],
        "chain": ["chain"],
    }
    refused(path, *words[lost.partition("/")[0]])


@pytest.mark.parametrize("suffix", [".h5", ".nc"])
def test_chunks_that_hdf5_no_longer_finds_are_no_zeros(suffix, tmp_path):
    path = tmp_path / f"d{suffix}"
    SAMPLES.save(path)
    with h5py.File(path) as file:
        place = file["Z"].id.get_chunk_info(0).byte_offset.to_bytes(8, "little")
    content = path.read_bytes()
    at = content.index(place)
    path.write_bytes(content[:at] + b"\xff" * 8 + content[at + 8 :])
    refused(path, "Z", "0 ones", str(SAMPLES.n_ones[0]))
    refused(path, "Z", "0 ones", str(SAMPLES.n_ones[6]), keep_chains="cold", burn_in=2)


@pytest.mark.parametrize("lost", ["weights", "chains", "items", "n_ones"])
def test_an_hdf5_file_without_one_of_its_arrays_is_refused(lost, tmp_path):
    path = tmp_path / "d.h5"
    SAMPLES.save(path)
    with h5py.File(path, "r+") as file:
        del file[lost]
    refused(path, repr(lost))


@pytest.mark.parametrize("suffix", [".parquet", ".feather"])
def test_a_table_that_has_lost_rows_or_columns_is_refused(suffix, tmp_path):
    whole, path = tmp_path / f"whole{suffix}", tmp_path / f"d{suffix}"
    SAMPLES.save(whole)
    is_parquet = suffix == ".parquet"
    table = pyarrow.parquet.read_table(whole) if is_parquet else pyarrow.feather.read_table(whole)
    write = pyarrow.parquet.write_table if is_parquet else pyarrow.feather.write_feather
    names = ["chain", "draw", "item", "feature", "freight"]
    for part, word in (
        (table.slice(0, len(table) - 3), "draws[7]"),
        (table.slice(0, len(table) // 2), "draws"),
        (table.rename_columns(names).replace_schema_metadata(table.schema.metadata), "'weight'"),
    ):
        write(part, path)
        refused(path, word)
    write(table.slice(0, len(table) - 3).replace_schema_metadata(), path)  # changed on purpose
    assert len(fangs.read(path)) == 8


def test_a_json_document_that_has_lost_something_is_refused(tmp_path):
    path = tmp_path / "d.json"
    SAMPLES.save(path)
    document = json.loads(path.read_text())
    for lost in ("weights", "chains", "items"):
        path.write_text(json.dumps({key: document[key] for key in document if key != lost}))
        refused(path, repr(lost))
    document["draws"][3][0].pop()
    path.write_text(json.dumps(document))
    refused(path, "draws[3]", str(SAMPLES.n_ones[3]))


@pytest.mark.parametrize("suffix", [".nc", ".zarr"])
def test_a_part_that_xarray_takes_of_our_file_is_no_damage(suffix, tmp_path):
    path, part = tmp_path / f"d{suffix}", tmp_path / f"part{suffix}"
    SAMPLES.save(path)
    options = {"engine": "zarr", "consolidated": False} if suffix == ".zarr" else {}
    with xr.open_dataset(path, **options) as dataset:
        chosen = dataset.isel(item=slice(0, 10), draw=slice(1, 3)).drop_encoding().load()
    if suffix == ".zarr":
        chosen.to_zarr(part, zarr_format=2, consolidated=False)
    else:
        chosen.to_netcdf(part)
    wanted = [SAMPLES[b][:10] for b in (1, 2, 5, 6)]
    assert [draw.tolist() for draw in fangs.read(part)] == [
        draw[:, draw.any(axis=0)].tolist() for draw in wanted
    ]


@pytest.mark.parametrize("what", ["items", "chains"])
@pytest.mark.parametrize("suffix", [".npz", ".csv", ".parquet", ".feather", ".json", ".zarr"])
def test_labels_with_a_null_character_stay_as_they_are(suffix, what, tmp_path):
    draws = [np.ones((2, 1))] * 4
    labels = {"items": ["a\0b", "a\0"], "chains": ["a\0b", "a\0c"] * 2}
    samples = fangs.Samples(draws, **{what: labels[what]})
    samples.save(tmp_path / f"d{suffix}")
    assert fangs.read(tmp_path / f"d{suffix}") == samples


@pytest.mark.parametrize("suffix", [".npz", ".csv", ".parquet", ".feather", ".json", ".zarr"])
def test_names_of_features_with_a_null_character_stay_as_they_are(suffix, tmp_path):
    matrix = xr.DataArray(
        [[1, 0], [1, 1]],
        dims=("item", "feature"),
        coords={"feature": np.array(["a", "a\0"], object)},
    )
    estimate = fangs.assess(matrix, [np.ones((2, 2))] * 3)
    estimate.save(tmp_path / f"e{suffix}")
    assert read_matrix(tmp_path / f"e{suffix}").features == ("a", "a\0")


@pytest.mark.parametrize("what", ["items", "chains"])
@pytest.mark.parametrize("suffix", [".h5", ".nc"])
def test_hdf5_refuses_a_label_with_a_null_character_by_its_name(suffix, what, tmp_path):
    samples = fangs.Samples([np.ones((2, 1))] * 2, **{what: ["fine", "a\0b"]})
    with refuses(f"d{suffix}", r"'a\x00b'", ".npz", error=ValueError):
        samples.save(tmp_path / f"d{suffix}")
    assert not list(tmp_path.iterdir())
