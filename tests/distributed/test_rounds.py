"""A round moves little, keeps what it may, and reads no more than it must."""

import numpy as np
import pytest

import fangs
from fangs.distributed import cluster, shard, steps
from fangs.distributed.shard_engine import ShardEngine
from fangs.distributed.sources import as_shards
from fangs.distributed.steps import PackedMatrix, Part, combine
from fangs.draws.request import Request
from fangs.engine import as_engine

xarray = pytest.importorskip("xarray")

SAMPLES = fangs.Samples(fangs.simulate.posterior_like(30, 4, 90, noise=0.2, seed=3).draws)
OPTIONS = {"n_shards": 4, "shard_bytes": 1}


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([0, 255], np.uint8),
        ([-1, 127], np.int8),
        ([0, 256], np.uint16),
        ([-1, 128], np.int16),
        ([0, 2**16], np.uint32),
        ([-1, 2**16], np.int32),
        ([-1, 2**32], np.int64),
        ([], np.uint8),
    ],
)
def test_numbers_travel_in_the_smallest_type(values, kind):
    part = Part.of([np.array(values, dtype=np.int64)], [np.array(values, dtype=np.int64)])
    for array in (*part.sums, *part.rows):
        assert array.dtype == kind
        assert array.tolist() == values


def test_sums_never_overflow_and_rows_keep_the_order_of_shards():
    rng = np.random.default_rng(4)
    sums = rng.integers(-300, 300, (20, 5))
    rows = [rng.integers(0, 2 ** rng.integers(1, 40), 3) for _ in range(20)]
    parts = [Part.of([sums[s]], [rows[s]]).of_shard(s) for s in range(20)]
    rng.shuffle(parts)
    found = combine([combine(parts[:7]), combine(parts[7:8]), combine(parts[8:])])
    assert found.sums[0].tolist() == sums.sum(axis=0).tolist()
    assert found.rows[0].tolist() == np.concatenate(rows).tolist()
    assert combine([Part.of([np.array([200])])] * 2).sums[0].tolist() == [400]


def test_many_items_take_a_byte_per_entry_there_and_an_eighth_here():
    """A million items with 50 features are 50 MB to the client and 6.25 MB to the cluster."""
    n_items, n_features = 20_000, 50
    matrix = (np.random.default_rng(1).random((n_items, n_features)) < 0.1).astype(np.uint8)
    engine = ShardEngine([matrix] * 200)
    packed = PackedMatrix.of(matrix)
    assert packed.bits.nbytes == n_items * n_features // 8
    assert steps.visit(engine, "key", packed, True, 0).n_bytes <= n_items * n_features + 8
    assert steps.visit(engine, "key", packed, False, 0).n_bytes <= 8
    assert steps.align(engine, packed).n_bytes <= n_items * n_features + 8 * 200


@pytest.mark.parametrize("n_shards", [3, 20])
def test_large_rounds_are_added_up_on_the_workers(client, monkeypatch, n_shards):
    monkeypatch.setattr(cluster, "LARGE", 1)
    gathered = []
    gather = cluster.DaskShards._gather

    def counting(self, futures):
        gathered.append(len(futures))
        return gather(self, futures)

    with shard(SAMPLES, n_shards=n_shards, client=client) as sharded:
        monkeypatch.setattr(cluster.DaskShards, "_gather", counting)
        here, there = as_engine(SAMPLES).evaluate(SAMPLES[0]), sharded.evaluate(SAMPLES[0])
        assert there.flip_support.tolist() == here.flip_support.tolist()
        assert there.aligned.overlaps.tolist() == here.aligned.overlaps.tolist()
    assert gathered == [2]  # one sum per worker


def test_matchings_stay_with_their_engine_up_to_a_size():
    engine, packed = ShardEngine(SAMPLES), PackedMatrix.of(SAMPLES[0])
    steps.visit(engine, "one", packed, True, 0)
    assert len(engine.neighbourhoods) == 0
    for key in ("one", "two", "one"):
        steps.visit(engine, key, packed, True, 1 << 30)
    assert len(engine.neighbourhoods) == 2
    steps.visit(engine.limited(60), "one", packed, True, 1 << 30)  # the same draws
    assert len(engine.neighbourhoods) == 2
    size = engine.neighbourhood(SAMPLES[0]).n_bytes
    steps.visit(engine, "three", packed, True, size)
    assert len(engine.neighbourhoods) == 1


class Counted(xarray.backends.BackendArray):
    """An array on some medium that knows how much of it was read."""

    def __init__(self, values):
        self.values, self.shape, self.dtype, self.n_read = values, values.shape, values.dtype, 0

    def __getitem__(self, key):
        return xarray.core.indexing.explicit_indexing_adapter(
            key, self.shape, xarray.core.indexing.IndexingSupport.OUTER, self._read
        )

    def _read(self, key):
        found = self.values[key]
        self.n_read += found.size
        return found


def test_an_array_that_is_not_chunked_is_read_by_shards_only():
    values = np.stack([np.eye(6, 3, dtype=np.uint8)] * 80).reshape(2, 40, 6, 3)
    medium = Counted(values)
    lazy = xarray.DataArray(
        xarray.Variable(
            ("chain", "draw", "item", "feature"),
            xarray.core.indexing.LazilyIndexedArray(medium),
        )
    )
    shards = as_shards(lazy, Request(), **OPTIONS)
    assert (len(shards), medium.n_read) == (4, 0)
    assert len(shards[1].load()) == 20
    assert medium.n_read == values.size // 4
    with shard(lazy, n_shards=4, memory_limit=1) as sharded:
        assert len(sharded) == 80
    assert lazy.variable._in_memory is False


def test_chunks_of_one_draw_are_read_together():
    array = pytest.importorskip("dask.array")
    lazy = array.zeros((5000, 6, 3), chunks=(1, 6, 3), dtype=np.uint8)
    assert len(as_shards(lazy, Request(), n_shards=None, shard_bytes=1 << 20)) == 1
    assert len(as_shards(lazy, Request(), n_shards=None, shard_bytes=18_000)) == 5
