"""Files that other libraries wrote, and what is said about those that do not quite fit."""

from __future__ import annotations

import json
import os
import tracemalloc

import h5py
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
import xarray as xr

import fangs
from support.objects import by_arviz

STACK = np.random.default_rng(4).integers(2, size=(8, 5, 3), dtype=np.int64)
CHAINS = np.repeat([1, 2], 4)
ITEMS = list("abcde")


def same(found, stack=STACK, items=None, chains=None):
    wanted = fangs.Samples(stack, items=items, chains=chains)
    assert [draw.tolist() for draw in found] == [draw.tolist() for draw in wanted]
    assert found.items == wanted.items
    assert (found.chains is None) == (chains is None)
    if chains is not None:
        assert found.chains.tolist() == wanted.chains.tolist()


def refused(path, reason, **settings):
    with pytest.raises(ValueError, match=reason) as caught:
        fangs.read(path, **settings)
    message = str(caught.value)
    assert path.name in message
    assert "\n" not in message


def wide(form="Z[{},{}]"):
    cells = {form.format(i + 1, k + 1): STACK[:, i, k] for i in range(5) for k in range(3)}
    return {".chain": CHAINS, ".draw": np.arange(8), "lp__": np.linspace(0, 1, 8), **cells}


def long():
    b, i, k = np.nonzero(STACK)
    return {"draw": b, "chain": CHAINS[b], "item": np.array(ITEMS)[i], "feature": k + 1}


# Tables


@pytest.mark.parametrize("table", [wide(), long()], ids=["wide", "long"])
def test_tables_of_pandas_and_polars(table, tmp_path):
    items = ITEMS if "item" in table else None
    pd.DataFrame(table).to_csv(tmp_path / "pandas.csv", index=False)
    pd.DataFrame(table).to_csv(tmp_path / "index.tsv", sep="\t")
    pd.DataFrame(table).to_parquet(tmp_path / "pandas.parquet")
    pl.DataFrame(table).write_csv(tmp_path / "polars.csv")
    pl.DataFrame(table).write_parquet(tmp_path / "polars.pq")
    for path in tmp_path.iterdir():
        found = fangs.read(path, items=items)
        same(found, items=items, chains=CHAINS)


def test_a_table_with_categories_and_missing_values(tmp_path):
    frame = pd.DataFrame(long()).astype({"item": "category"})
    extra = pd.DataFrame({"draw": [8], "chain": [2], "item": ["a"], "feature": [None]})
    whole = pd.concat([frame.astype({"item": str}), extra.astype({"feature": "Int64"})])
    whole.to_parquet(tmp_path / "d.parquet")
    frame.to_parquet(tmp_path / "categories.parquet")
    found = fangs.read(tmp_path / "d.parquet", items=ITEMS)
    assert len(found) == 9
    assert found.n_features[8] == 0
    same(fangs.read(tmp_path / "categories.parquet", items=ITEMS), items=ITEMS, chains=CHAINS)


CMDSTAN = """\
# stan_version_major = 2
# method = sample (Default)
#   sample
#     num_samples = 4
#     num_warmup = 2
#     save_warmup = {save}
#     thin = 1 (Default)
lp__,accept_stat__,Z.1.1,Z.2.1,Z.1.2,Z.2.2
{rows}# Adaptation terminated
# Step size = 0.9
-7.1,0.9,1,1,0,1
-7.2,0.8,1,0,0,1
#
#  Elapsed Time: 0.01 seconds (Sampling)
"""


def test_files_of_cmdstan_are_a_chain_each(tmp_path):
    for chain in (1, 2):
        text = CMDSTAN.format(save="false (Default)", rows="")
        (tmp_path / f"out_{chain}.csv").write_text(text)
    found = fangs.read([tmp_path / "out_1.csv", tmp_path / "out_2.csv"])
    stack = np.array([[[1, 0], [1, 1]], [[1, 0], [0, 1]]] * 2)
    same(found, stack, chains=[0, 0, 1, 1])


def test_the_warm_up_of_cmdstan_is_not_taken_for_draws(tmp_path):
    path = tmp_path / "out.csv"
    path.write_text(CMDSTAN.format(save="1", rows="-9,1,0,0,0,0\n-8,1,0,0,0,0\n"))
    refused(path, "first 2 draws of each chain are its warm-up; .*burn_in=2")
    assert fangs.read(path, burn_in=2).n_ones.tolist() == [3, 2]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a;b\n1;2\n", "separated by ';'; write it with commas"),
        ("draw\titem\tfeature\n1\t1\t1\n", r"separated by '\\t'; name it \.tsv"),
        ("draw,item\n1,1\n", "neither columns draw, item and feature"),
        ("item,feature\n1,1\n", "needs a column 'draw'"),
        ("draw,item,feature\n1,1\n", "'1,1' has 2 cells, but there are 3 columns"),
        ("draw,item,feature\n", "no rows"),
        ("# only a comment\n", "no row in it"),
        ("draw,item,feature,item\n1,1,1,1\n", "two columns 'item'"),
        ("Z[1,1],Z[2,1]\n1,0\n", r"the name Z\[1,\.\.\. has a comma; put such names into quotes"),
        ("Z.1.1,Z.2.1\n1,0\n1\n", "'1' has 1 cells"),
        ("Z.1.1,Z.2.1\n1,x\n", "could not convert string 'x'"),
        ("Z.1.1,Z.2.1\n1,2\n", r"draws\[0\] has the value 2.0 at item 1, feature 0"),
        ("Z.1.1,Z.2.1\n1,\n", "could not convert string ''"),
        ("Z.1.1,Z.2.1\n", "draws is empty"),
    ],
)
def test_near_misses_of_tables(text, reason, tmp_path):
    (tmp_path / "d.csv").write_text(text)
    refused(tmp_path / "d.csv", reason)


def test_text_of_another_encoding_is_refused(tmp_path):
    (tmp_path / "d.csv").write_bytes("draw,item,feature\n1,é,1\n".encode("latin-1"))
    refused(tmp_path / "d.csv", "not text in UTF-8")
    (tmp_path / "bom.csv").write_text("draw,item,feature\n1,é,1\n", encoding="utf-8-sig")
    assert fangs.read(tmp_path / "bom.csv").items == ("é",)


# JSON


def test_json_of_sets(tmp_path):
    draws = [[["a", "b"], ["c"]], []]
    path = tmp_path / "d.json"
    path.write_text(json.dumps(draws))
    assert [draw.tolist() for draw in fangs.read(path)] == [[[1, 0], [1, 0], [0, 1]], [[], [], []]]
    assert fangs.read(path, items=["c", "b", "a", "d"])[0].tolist() == [
        [0, 1],
        [1, 0],
        [1, 0],
        [0, 0],
    ]
    path.write_text(json.dumps({"n_items": 3, "draws": [[[0, 2]]], "chains": ["x"]}))
    assert fangs.read(path)[0].tolist() == [[1], [0], [1]]


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ("[[[0, 1]]]", "positions, .*'n_items', or give items="),
        ("[[[1, 0], [1, 1]]]", "not a matrix of 0 and 1"),
        ('{"Z": []}', "no list 'draws'; it has the keys Z"),
        ('{"draws": [[[3]]], "n_items": 3}', "names the item 3; it must be 0 to 2"),
        ('{"draws": [[["a"]]], "items": ["a"], "chains": [1, 2]}', "'chains' are no list with one"),
        ('{"draws": [[[0.5]]], "n_items": 3}', "'0.5'; items are names or numbers"),
        ('{"draws": [3], "n_items": 3}', r"draws\[0\] is '3', not a list"),
        ("[" * 100000, "damaged"),
        ("{", "Expecting"),
        ("3", "neither a list of draws"),
    ],
)
def test_near_misses_of_json(document, reason, tmp_path):
    (tmp_path / "d.json").write_text(document)
    refused(tmp_path / "d.json", reason)


# Labelled arrays


def dataset(**names):
    dims = ("chain", "draw", names.get("item", "item"), names.get("feature", "feature"))
    array = xr.DataArray(STACK.reshape(2, 4, 5, 3), dims=dims, coords={"chain": [1, 2]})
    return xr.Dataset({"Z": array, "sigma": (("chain", "draw"), np.ones((2, 4)))})


def test_datasets_of_xarray(tmp_path):
    data = dataset().assign_coords(item=ITEMS)
    data.to_netcdf(tmp_path / "a.nc", engine="netcdf4")
    data.to_netcdf(tmp_path / "b.nc", engine="h5netcdf")
    data.drop_vars("item").to_zarr(tmp_path / "c.zarr", zarr_format=3, consolidated=False)
    data.to_zarr(tmp_path / "d.zarr", zarr_format=2)
    data.astype(np.int8).drop_vars("item").to_netcdf(tmp_path / "e.nc", format="NETCDF3_CLASSIC")
    data.transpose("feature", "draw", "item", "chain").to_netcdf(tmp_path / "f.nc")
    for path in tmp_path.iterdir():
        same(fangs.read(path), items=None if path.stem in "ce" else ITEMS, chains=CHAINS)
        assert (
            fangs.read(path, chains=2, thin=3).n_ones.tolist() == STACK[[4, 7]].sum((1, 2)).tolist()
        )


def test_inference_data_of_arviz(tmp_path):
    values = {"Z": STACK.reshape(2, 4, 5, 3), "mu": np.ones((2, 4))}
    data = by_arviz({"posterior": values})
    data.to_netcdf(str(tmp_path / "d.nc"))
    chains = np.repeat([0, 1], 4)
    same(fangs.read(tmp_path / "d.nc"), chains=chains)
    same(fangs.read(tmp_path / "d.nc", variable="posterior/Z"), chains=chains)


def test_samples_may_be_one_dimension(tmp_path):
    dims = ("item", "feature", "sample")
    array = xr.DataArray(np.moveaxis(STACK, 0, -1), dims=dims, coords={"chain": ("sample", CHAINS)})
    array.to_dataset(name="Z").to_netcdf(tmp_path / "d.nc")
    same(fangs.read(tmp_path / "d.nc"), chains=CHAINS)


def test_near_misses_of_labelled_arrays(tmp_path):
    data = dataset()
    data["W"] = data["Z"]
    data.to_netcdf(tmp_path / "two.nc")
    refused(tmp_path / "two.nc", r"\(Z, W\); say which: variable='Z'")
    same(fangs.read(tmp_path / "two.nc", variable="W"), chains=CHAINS)
    refused(tmp_path / "two.nc", "'sigma' has the dimensions chain, draw", variable="sigma")
    refused(tmp_path / "two.nc", "no variable 'Y'; it has Z, sigma, W", variable="Y")
    data[["sigma"]].to_zarr(tmp_path / "none.zarr", zarr_format=2)
    refused(tmp_path / "none.zarr", "no variable with draws; it has sigma")
    (tmp_path / "empty.zarr").mkdir()
    refused(tmp_path / "empty.zarr", "no Zarr group")


@pytest.mark.parametrize("suffix", [".nc", ".zarr", ".h5"])
def test_a_store_is_never_unpacked_whole(suffix, tmp_path, monkeypatch):
    for module in ("labelled.reading", "labelled.writing", "hdf5"):
        monkeypatch.setattr(f"fangs.io.{module}.BLOCK_BYTES", 2**18)
    rng = np.random.default_rng(0)
    samples = fangs.Samples(
        ((rng.random((60, 40)) < 0.3) for _ in range(8000)), chains=[0] * 4000 + [1] * 4000
    )
    unpacked = 8000 * 60 * 40
    for action in (samples.save, fangs.read):
        tracemalloc.start()
        action(tmp_path / f"d{suffix}")
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < unpacked / 3
    same(fangs.read(tmp_path / f"d{suffix}", burn_in=3990), [samples[b] for b in (
        *range(3990, 4000), *range(7990, 8000)
    )], chains=[0] * 10 + [1] * 10)  # fmt: skip


# HDF5


def test_forms_of_hdf5(tmp_path):
    with h5py.File(tmp_path / "stack.h5", "w") as file:
        file["Z"] = STACK
        file["items"] = ITEMS
        file["chains"] = CHAINS
    with h5py.File(tmp_path / "chains.hdf5", "w") as file:
        file.create_dataset("Z", data=STACK.reshape(2, 4, 5, 3), chunks=(2, 2, 5, 3))
        file["items"] = ITEMS
    with h5py.File(tmp_path / "group.h5", "w") as file:
        for b in range(8):
            file[f"Z/draw_{b + 5}"] = STACK[b].astype(float)
        file["items"], file["chains"] = ITEMS, CHAINS
    with h5py.File(tmp_path / "rows.h5", "w") as file:
        file["Z"] = np.concatenate([draw.T for draw in STACK])
        file["n_features"] = [3] * 8
        file["items"], file["chains"] = ITEMS, CHAINS
    for path in tmp_path.iterdir():
        has_labels = path.name != "chains.hdf5"
        same(fangs.read(path), items=ITEMS, chains=CHAINS if has_labels else np.repeat([0, 1], 4))
        wanted = STACK[[2, 6]].sum((1, 2)).tolist()
        assert fangs.read(path, burn_in=2, thin=2).n_ones.tolist() == wanted


def test_near_misses_of_hdf5(tmp_path):
    with h5py.File(tmp_path / "d.h5", "w") as file:
        file["Z"], file["W"] = STACK, STACK
        file["flat"] = np.ones((4, 3))
        file["elsewhere"] = h5py.ExternalLink("other.h5", "/Z")
    refused(tmp_path / "d.h5", r"\(W, Z\); say which")
    refused(tmp_path / "d.h5", "'flat' is no dataset .* W, Z is", variable="flat")
    refused(tmp_path / "d.h5", "'elsewhere' is no dataset", variable="elsewhere")
    same(fangs.read(tmp_path / "d.h5", variable="Z"))
    with h5py.File(tmp_path / "rows.h5", "w") as file:
        file["Z"], file["n_features"] = np.ones((6, 3)), [3, 4]
    refused(tmp_path / "rows.h5", "6 rows, but n_features adds up to 7")


# Suffix and content


def test_suffix_and_content_must_agree(tmp_path):
    contents = {}
    for suffix in (".npz", ".npy", ".parquet", ".h5", ".json", ".csv"):
        path = tmp_path / f"d{suffix}"
        np.save(path, STACK) if suffix == ".npy" else fangs.Samples(STACK).save(path)
        contents[suffix] = path.read_bytes()
    for suffix in (".npz", ".npy", ".parquet", ".h5", ".nc", ".csv", ".json", ".tsv"):
        for kind, content in contents.items():
            if kind == suffix or (kind, suffix) == (".h5", ".nc"):
                continue
            path = tmp_path / f"other{suffix}"
            path.write_bytes(content)
            refused(path, "other")
    (tmp_path / "p.npz").write_bytes(b"\x80\x04\x95...")
    refused(tmp_path / "p.npz", "pickle, which fangs never loads")
    (tmp_path / "empty.csv").write_bytes(b"")
    refused(tmp_path / "empty.csv", "is empty")
    os.mkfifo(tmp_path / "pipe.npz")
    refused(tmp_path / "pipe.npz", "a device or a pipe; give a file")
    (tmp_path / "d.csv.zarr").write_text("")
    refused(tmp_path / "d.csv.zarr", "store is a folder")


def test_objects_are_never_unpickled(tmp_path):
    np.save(tmp_path / "o.npy", np.array([[1], None], dtype=object), allow_pickle=True)
    np.savez(tmp_path / "o.npz", np.array([{}], dtype=object))
    refused(tmp_path / "o.npy", "never loads")
    refused(tmp_path / "o.npz", "never loads")


def test_arrow_columns_of_any_type(tmp_path):

    columns = {name: pa.array(values) for name, values in long().items()}
    columns["item"] = columns["item"].dictionary_encode()
    columns["draw"] = columns["draw"].cast(pa.decimal128(19, 0))
    pa.parquet.write_table(pa.table(columns), tmp_path / "d.parquet")
    same(fangs.read(tmp_path / "d.parquet", items=ITEMS), items=ITEMS, chains=CHAINS)


def with_parameters(folder):
    """Files of each kind with draws Z, and parameters W that have as many dimensions."""
    rng = np.random.default_rng(3)
    by_chain, loadings = STACK.reshape(2, 4, 5, 3), rng.normal(size=(2, 4, 3, 2))
    dims = {"Z": ("chain", "draw", "item", "feature"), "W": ("chain", "draw", "feature", "axis")}
    values = {"W": loadings, "Z": by_chain}
    data = xr.Dataset({name: (dims[name], values[name]) for name in values})
    data.to_netcdf(folder / "d.nc")
    data.to_zarr(folder / "d.zarr", zarr_format=2)
    np.savez(folder / "d.npz", alpha=np.ones(8), **values)
    with h5py.File(folder / "d.h5", "w") as file:
        for name, array in values.items():
            file[name] = array
    return sorted(folder.iterdir())


def test_draws_are_told_from_parameters_by_their_values(tmp_path):
    for path in with_parameters(tmp_path):
        same(fangs.read(path), chains=np.repeat([0, 1], 4))
        rows = {row.name: row for row in fangs.inspect(path).rows}
        assert rows["Z"].holds_draws
        assert "other than 0 and 1" in rows["W"].problem
        with pytest.raises(ValueError, match=r"0 and 1"):
            fangs.read(path, variable="W")


def test_several_variables_of_draws_are_refused(tmp_path):
    with_parameters(tmp_path)
    np.savez(tmp_path / "d.npz", Y=STACK, Z=STACK, W=np.full((8, 5, 3), 0.5))
    with h5py.File(tmp_path / "d.h5", "w") as file:
        file["Y"] = file["Z"] = STACK
    for path in (tmp_path / "d.npz", tmp_path / "d.h5"):
        with pytest.raises(ValueError, match=r"\(Y, Z\); say which: variable='Y'"):
            fangs.read(path)
    np.savez(tmp_path / "d.npz", V=np.full((8, 5, 3), 0.5), W=np.full((8, 5, 3), 0.5))
    with pytest.raises(ValueError, match=r"none of its variables.*V, W"):
        fangs.read(tmp_path / "d.npz")


def test_arrays_with_chains_in_numpy_files(tmp_path):
    by_chain = STACK.reshape(2, 4, 5, 3)
    np.save(tmp_path / "d.npy", by_chain)
    np.savez(tmp_path / "d.npz", by_chain)
    for path in (tmp_path / "d.npy", tmp_path / "d.npz"):
        same(fangs.read(path), chains=np.repeat([0, 1], 4))
        same(fangs.read(path, chains=1), fangs.Samples(by_chain[1]), chains=np.repeat(1, 4))
        assert fangs.inspect(path).rows[0].chains == 2
    np.save(tmp_path / "d.npy", np.asfortranarray(by_chain))
    with pytest.raises(ValueError, match=r"Fortran order; save np\.ascontiguousarray"):
        fangs.read(tmp_path / "d.npy")
