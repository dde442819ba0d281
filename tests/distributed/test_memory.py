"""Shards from disk and selections of their draws keep to one limit together."""

import numpy as np
import pytest

import fangs
from fangs.distributed import shard, streaming

SAMPLES = fangs.Samples(fangs.simulate.posterior_like(30, 4, 90, noise=0.2, seed=3).draws)


@pytest.fixture
def loads(monkeypatch):
    """The names of the shards that were loaded."""
    found, load = [], streaming.load_engine

    def counting(part, n_threads):
        found.append(part.name)
        return load(part, n_threads)

    monkeypatch.setattr(streaming, "load_engine", counting)
    return found


def test_shards_that_fit_are_read_once(loads):
    size = SAMPLES[:10].n_bytes
    with shard(SAMPLES, n_shards=9, memory_limit=5 * size + 8) as sharded:
        loads.clear()
        for _ in range(3):
            sharded.overlaps(SAMPLES[0])
    # Four stay; the other five go through the room that is left, the last one without a wait.
    assert 3 * 4 <= len(loads) <= 3 * 5


def test_selections_share_the_limit_with_the_shards_that_they_are_from():
    limit = SAMPLES.n_bytes // 2
    with shard(SAMPLES, n_shards=9, memory_limit=limit) as sharded:
        loaded = sharded._executor._loaded
        halves = [sharded.select(np.arange(first, 90, 2)) for first in (0, 1)]
        for _ in range(2):
            for first, half in enumerate(halves):
                found = half.overlaps(SAMPLES[0])
                wanted = fangs.align(SAMPLES[0], SAMPLES[first::2]).overlaps
                assert found.tolist() == wanted.tolist()
                assert loaded.free_bytes >= 0
        del half
        halves.clear()
        assert all(shard in sharded._executor._shards for shard in loaded.engines)


def test_a_selection_is_made_from_shards_that_are_loaded(tmp_path):
    SAMPLES.save(tmp_path / "draws.npz")
    with shard(tmp_path / "draws.npz", n_shards=3) as sharded:
        (tmp_path / "draws.npz").unlink()
        some = sharded.select(np.arange(0, 90, 4), np.arange(23))
        wanted = fangs.Samples(SAMPLES.select(np.arange(0, 90, 4)), weights=np.arange(23))
        found = fangs.estimate(some, seed=1)
        assert found.losses.tolist() == fangs.estimate(wanted, seed=1).losses.tolist()
