"""Ctrl-C while files are read: it arrives, wherever a library is at that moment."""

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import fangs
from fangs.io.interrupts import held_interrupts

LOOP = """
import signal, sys
import fangs
signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell ignores it
fangs.read(sys.argv[1])
print("reading", flush=True)
try:
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


@held_interrupts()
def pressed(then):
    """Ctrl-C, and what comes after it in the block."""
    signal.raise_signal(signal.SIGINT)
    then()


@pytest.mark.usefixtures("_by_default")
def test_an_interrupt_is_held_until_the_block_ends():
    done = []
    with pytest.raises(KeyboardInterrupt):
        pressed(lambda: done.append("the block"))
    assert done == ["the block"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("_by_default")
def test_an_interrupt_counts_more_than_a_failure_of_the_block():
    with pytest.raises(KeyboardInterrupt):
        pressed(lambda: int("nothing"))


def test_other_handlers_are_left_alone():
    seen = []
    before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    try:
        with held_interrupts():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == [signal.SIGINT]
