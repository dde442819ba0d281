"""Threads: where the system refuses to start one, the work is done by those that run."""

import os
import subprocess
import sys

import pytest

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
