"""Shards of stores, files and lazy arrays: each process reads its own part, and nothing early."""

import json

import numpy as np
import pytest

import fangs
from fangs.distributed import shard
from fangs.draws.request import Request
from support.program import run

xarray = pytest.importorskip("xarray")
array = pytest.importorskip("dask.array")

RNG = np.random.default_rng(6)
STACK = (RNG.random((2, 40, 9, 4)) < 0.3).astype(np.uint8)
ITEMS = [f"item {i}" for i in range(9)]
WHOLE = fangs.Samples(STACK.reshape(80, 9, 4), items=ITEMS, chains=np.repeat([0, 1], 40))


def same(found, wanted=WHOLE, items=True):
    assert len(found) == len(wanted)
    assert found.samples_info.items == (wanted.items if items else None)
    assert found.samples_info.chains.tolist() == wanted.chains.tolist()
    assert found.samples_info.fingerprint == wanted.fingerprint
    # Few starts, since shards that are read one at a time are read again in every pass.
    one, other = (fangs.estimate(draws, seed=1, n_init=2, n_sweet=1) for draws in (found, wanted))
    assert one.matrix.tolist() == other.matrix.tolist()
    assert one.losses.tolist() == other.losses.tolist()


@pytest.fixture(scope="module", params=["npz", "nc", "zarr", "h5"])
def store(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / f"draws.{request.param}"
    WHOLE.save(path)
    return path


def test_a_store_is_read_in_parts(store):
    with shard(store, n_shards=3, memory_limit=1) as found:
        assert found.n_shards == 3
        same(found)


def test_burn_in_and_thinning_are_those_of_the_whole(store):
    with shard(store, n_shards=3, burn_in=5, thin=3, keep_chains=[1]) as found:
        same(found, fangs.read(store, burn_in=5, thin=3, keep_chains=[1]))


def test_workers_read_a_store_themselves(client, store):
    with shard(store, n_shards=3, client=client) as found:
        same(found)


def test_other_files_are_one_shard(tmp_path):
    WHOLE.save(tmp_path / "draws.csv")
    with shard(tmp_path / "draws.csv") as found:
        assert found.n_shards == 1
        same(found)


def test_lazy_arrays_stay_lazy_until_a_shard_is_loaded(client):
    seen = []

    def block(values):
        seen.append(values.shape)
        return values

    chunks = (1, 1, 9, 4)  # one draw each: they are read together
    lazy = array.from_array(STACK, chunks=chunks).map_blocks(block, dtype=np.uint8)
    seen.clear()
    from fangs.distributed.sources import as_shards

    options = {"n_shards": 4, "shard_bytes": 1}
    assert len(as_shards(lazy, Request(), **options)) == 4
    dims = ("chain", "draw", "item", "feature")
    assert len(as_shards(xarray.DataArray(lazy, dims=dims), Request(), **options)) == 4
    assert seen == []
    with shard(lazy, n_shards=4, client=client) as found:
        assert found.n_shards == 4
        same(found, items=False)
    assert seen == []  # the workers computed it


@pytest.mark.parametrize("turned", [False, True])
def test_labelled_arrays_are_cut_by_name(turned):
    dims = ("chain", "draw", "item", "feature")
    labelled = xarray.DataArray(STACK, dims=dims, coords={"item": ITEMS})
    if turned:
        labelled = labelled.transpose("feature", "draw", "item", "chain")
    with shard(labelled, n_shards=4) as found:
        same(found)


def test_the_command_line_can_start_workers(store):
    if store.suffix != ".zarr":
        return
    result = run("estimate", store, "--workers", 2, "--seed", 1, "--n-init", 2, "--json")
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    assert document["matrix"] == fangs.estimate(WHOLE, seed=1, n_init=2).matrix.tolist()


def test_alternatives_need_all_draws_here():
    with shard(WHOLE, n_shards=2) as found, pytest.raises(ValueError, match="Samples"):
        fangs.alternatives.draws(found)


@pytest.mark.parametrize("kind", ["dask", "xarray"])
def test_what_is_given_per_draw_is_cut_with_a_lazy_array(kind):
    flat, weights, chains = STACK.reshape(80, 9, 4), RNG.random(80), np.repeat(["x", "y"], 40)
    weights[10:40] = 0  # some shards have draws of weight 0 only
    lazy = array.from_array(flat, chunks=(1, 9, 4))
    if kind == "xarray":
        lazy = xarray.DataArray(lazy, dims=("draw", "item", "feature"))
    with shard(lazy, n_shards=8, weights=weights, chains=chains, items=ITEMS) as found:
        whole = fangs.Samples(flat, weights=weights, chains=chains, items=ITEMS)
        assert found.weights.tolist() == whole.weights.tolist()
        same(found, whole)


@pytest.mark.parametrize("kind", ["dask", "xarray", "memory"])
def test_every_request_means_the_same_for_shards(kind):
    source = array.from_array(STACK, chunks=(1, 10, 9, 4))
    if kind == "xarray":
        dims, coords = ("chain", "draw", "person", "feature"), {"person": ITEMS}
        source = xarray.DataArray(source, dims=dims, coords=coords)
    wanted = {"burn_in": 7, "thin": 3, "keep_chains": [1], "weights": RNG.random(80)}
    if kind == "memory":
        source = STACK
    elif kind == "xarray":
        wanted |= {"dims": {"item": "person"}, "items": ITEMS[::-1]}
    with shard(source, n_shards=5, **wanted) as found:
        whole = fangs.Samples(source, **wanted)
        assert found.weights.tolist() == whole.weights.tolist()
        same(found, whole)


def test_weights_of_several_files_are_those_of_all_draws(tmp_path):
    paths, weights = [tmp_path / f"{c}.npz" for c in range(2)], RNG.random(80)
    for c, path in enumerate(paths):
        fangs.Samples(STACK[c], items=ITEMS).save(path)
    with shard(paths, weights=weights, burn_in=3) as found:
        same(found, fangs.Samples(paths, weights=weights, burn_in=3))


@pytest.mark.parametrize("labels", [ITEMS, list(range(1, 10))])
def test_items_of_lazy_arrays_are_put_into_the_wanted_order(labels):
    dims = ("chain", "draw", "item", "feature")
    lazy = xarray.DataArray(STACK, dims=dims, coords={"item": labels}).chunk({"draw": 10})
    with shard(lazy, items=labels[::-1], n_shards=4) as found:
        same(found, fangs.Samples(lazy, items=labels[::-1]))
