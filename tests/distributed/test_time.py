"""A time limit ends rounds too, and there is always an estimate: from disk and on a cluster."""

import time

import numpy as np
import pytest

import fangs
from fangs.distributed import shard
from fangs.distributed.steps import Part, combine, run_in_time
from fangs.engine import OutOfTimeError


@pytest.fixture(scope="module")
def samples():
    rng = np.random.default_rng(0)
    draws = [(rng.random((150, 25)) < 0.15).astype(np.uint8) for _ in range(240)]
    return fangs.Samples(draws, weights=np.arange(240) % 3)


@pytest.fixture(params=["streamed", "one at a time", "cluster"])
def sharded(request, samples):
    where = {"memory_limit": 1 if request.param == "one at a time" else 1 << 30}
    if request.param == "cluster":
        where = {"client": request.getfixturevalue("client")}
    with shard(samples, n_shards=6, **where) as found:
        yield found


def test_rounds_end_when_their_time_is_over(sharded, samples):
    late, reference = sharded.limited(0.0), samples[0]
    for late_one in (late, sharded.select(np.arange(1, 200)).limited(0.0)):
        for question in (late_one.overlaps, late_one.evaluate, late_one.neighbourhood):
            with pytest.raises(OutOfTimeError):
                question(reference)
    with pytest.raises(OutOfTimeError):
        late.subsample(20, np.random.default_rng(1))
    wanted = fangs.align(reference, samples).overlaps.tolist()
    assert sharded.limited(600.0).overlaps(reference).tolist() == wanted
    assert sharded.overlaps(reference).tolist() == wanted


def test_a_subsample_has_no_more_time_than_its_engine(sharded, samples):
    limited = sharded.limited(3.0)
    here = limited.subsample(20, np.random.default_rng(1))
    here.overlaps(samples[0])
    time.sleep(3.0)
    with pytest.raises(OutOfTimeError):
        here.overlaps(samples[0])


@pytest.mark.parametrize("n_iter", [None, 10**8])
@pytest.mark.parametrize("seconds", [0.001, 1.0])
def test_a_limit_is_kept_and_something_is_returned(sharded, samples, n_iter, seconds):
    """Within a second on an idle machine; here it may be busy."""
    began = time.perf_counter()
    found = fangs.estimate(sharded, n_iter=n_iter, n_init=10**6, max_seconds=seconds, seed=1)
    assert time.perf_counter() - began < seconds + 10
    assert found.search.stopped_because == f"the time limit of {seconds:g} s was reached"
    assert found.expected_loss == fangs.expected_loss(found, samples)
    assert found.fingerprint == samples.fingerprint


def test_one_late_shard_makes_the_round_late(samples):
    engine = fangs.engine.as_engine(samples)
    packed = fangs.distributed.steps.PackedMatrix.of(samples[0])
    overlaps = fangs.distributed.steps.overlaps
    parts = [run_in_time(overlaps, s, seconds, engine, packed) for s, seconds in enumerate([9, 0])]
    assert [part.is_late for part in parts] == [False, True]
    assert combine(parts).is_late
    assert not combine([parts[0], Part.of(rows=[np.ones(2)]).of_shard(1)]).is_late
