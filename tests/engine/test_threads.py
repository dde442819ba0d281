"""Threads: any number gives the same bits; where one cannot start, those that run do its work."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest

import fangs
from fangs.engine import OutOfTimeError, ThreadedEngine
from support.strategies import noisy_draws

# The address space holds only a few stacks of this size, so most of 64 threads cannot start.
STACK, ADDRESS_SPACE = 1 << 30, 4 << 30

PROGRAM = """
import threading
import numpy as np
import fangs
from fangs.engine import ThreadedEngine

rng = np.random.default_rng(0)
draws = (rng.random((20_000, 40, 20)) < 0.3).astype(np.uint8)
samples = fangs.Samples(draws)
wanted = ThreadedEngine(samples, 1).evaluate(draws[0])
found = ThreadedEngine(samples, 64).evaluate(draws[0])
assert np.array_equal(found.flip_support, wanted.flip_support)
assert np.array_equal(found.aligned.counts, wanted.aligned.counts)
done = threading.Event()
try:
    threads = [threading.Thread(target=done.wait) for _ in range(8)]
    for thread in threads:
        thread.start()
    print("all threads started")
except RuntimeError:
    print("no more threads")
done.set()
"""


def limit_memory():
    import resource

    for what, size in ((resource.RLIMIT_STACK, STACK), (resource.RLIMIT_AS, ADDRESS_SPACE)):
        resource.setrlimit(what, (size, resource.getrlimit(what)[1]))


@pytest.mark.skipif(sys.platform != "linux", reason="limits on memory work differently elsewhere")
def test_a_pass_goes_on_with_the_threads_that_start():
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        preexec_fn=limit_memory,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "no more threads"


def all_passes(engine):
    """What every pass that uses threads gives."""
    first, rng = engine.draw(0), np.random.default_rng(1)
    permutations, aligned = engine.permutations(first)
    evaluation = engine.evaluate(first)
    nearby = engine.neighbourhood(first)
    nearby.flip(range(9), [f % first.shape[1] for f in range(9)], with_support=True)
    pairs = rng.integers(engine.samples_info.n_draws, size=(2, 500))
    yield from (permutations, aligned.counts, aligned.overlaps, evaluation.flip_support)
    yield from (nearby.flip_support(), np.array(nearby.total_overlap))
    yield from engine.grow_templates([rng.permutation(60) for _ in range(6)])
    yield from (engine.place(first, 20), engine.pair_overlaps(*pairs))
    yield from (engine.count_aligned(permutations), engine.relabel(permutations[:300]))
    yield from engine.measure(first, permutations)


def test_eight_threads_give_the_bits_of_one():
    """The draws are so many that all eight start; also run under the thread sanitizer."""
    samples = fangs.Samples(noisy_draws(np.random.default_rng(2), 70, 14, 3_000, noise=0.2))
    one, eight = (all_passes(ThreadedEngine(samples, n, merges=False)) for n in (1, 8))
    for wanted, found in zip(one, eight, strict=True):
        assert np.array_equal(wanted, found)


def test_a_pass_of_many_threads_that_runs_out_of_time_can_be_repeated():
    samples = fangs.Samples(np.random.default_rng(3).random((20_000, 70, 14)) < 0.3)
    engine = ThreadedEngine(samples, 8, merges=False)
    with pytest.raises(OutOfTimeError):  # a pass takes a tenth of a second or more
        engine.limited(0.02).evaluate(samples[0])
    wanted = ThreadedEngine(samples, 1).evaluate(samples[0])
    assert np.array_equal(engine.evaluate(samples[0]).flip_support, wanted.flip_support)


def test_the_matching_of_one_wide_draw_ends_when_its_time_is_over():
    """Two draws of 6,000 features take a second and more each."""
    wide = (np.random.default_rng(4).random((8, 6_000)) < 0.5).astype(np.uint8)
    engine = ThreadedEngine([wide, wide[:, ::-1]], 2)
    began = time.perf_counter()
    engine.overlaps(wide[::-1])
    whole = time.perf_counter() - began
    with pytest.raises(OutOfTimeError):
        engine.limited(0.1).overlaps(wide[::-1])
    assert time.perf_counter() - began - whole < 0.1 + whole / 2
