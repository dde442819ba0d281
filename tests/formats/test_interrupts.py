"""Ctrl-C while files are read: it arrives, wherever a library is at that moment."""

import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import fangs
from fangs.formats.interrupts import uninterrupted

LOOP = """
import signal, sys
import fangs
signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell ignores it
fangs.read(sys.argv[1])
try:
    print("reading", flush=True)
    while True:
        fangs.read(sys.argv[1])
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("suffix", [".nc", ".zarr", ".h5", ".npz"])
def test_an_interrupt_while_files_are_read_is_not_lost(suffix, tmp_path):
    path = tmp_path / f"draws{suffix}"
    fangs.Samples(np.random.default_rng(0).integers(2, size=(20, 5, 3))).save(path)
    rng, lost = np.random.default_rng(1), 0
    for _ in range(4):
        process = subprocess.Popen(
            [sys.executable, "-c", LOOP, str(path)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stdout.readline() == "reading\n"
        time.sleep(rng.uniform(0, 0.1))
        process.send_signal(signal.SIGINT)
        try:
            said, _ = process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            lost += 1
            process.kill()
            process.communicate()
        else:
            assert said == "interrupted\n"
    assert lost <= 1  # the collector may run a library's code at any time: never is not to be had


@pytest.fixture
def _by_default():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@uninterrupted
def pressed(then):
    """Ctrl-C, and what comes after it in the call."""
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
    then()


@pytest.mark.usefixtures("_by_default")
def test_a_call_ends_before_an_interrupt_is_heard():
    done = []

    def wait():
        time.sleep(0.05)
        done.append("the call")

    with pytest.raises(KeyboardInterrupt):
        pressed(wait)
    assert done == ["the call"]


def test_an_error_of_a_call_is_raised_where_it_is_waited_for():
    with pytest.raises(ZeroDivisionError):
        uninterrupted(lambda: 1 // 0)()
