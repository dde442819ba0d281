"""Every reader of files against damaged files: draws, or one line that names the file.

``python -m fuzz.files SECONDS SEED`` in tests/ runs it alone. The files are read in child
processes, so that a crash is told from a refusal.
"""

from __future__ import annotations

import faulthandler
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import fangs
from fangs.formats import read_matrix
from fuzz.mutate import mutated
from fuzz.originals import SAMPLES, write_originals

__all__ = ["run"]

IN_HDF5 = re.compile(r"most recent call first\):\n  File \"[^\n]*/h5py/")
"""Damaged groups can send HDF5 round in circles; no reader of h5py can prevent that."""
BATCH = 250
"""Files for each child process."""
SECONDS_EACH = 20
"""A file that takes more time of the processor hangs; or one that waits ten times as long."""
SEALED = ("own.npz", "estimate.npz")
"""Our archives, which nobody repacks; their checksums notice other changes."""
BYTES_EACH = 300 * 2**20
"""Memory that a damaged file of a few kilobytes may cost."""


def run(seconds: float, seed: int) -> int:
    """Read damaged files for some seconds; the number of files tried.

    Raises AssertionError with the seed of a file that was not refused properly, which
    ``python -m fuzz.files --one SEED`` reads again.
    """
    end, tried = time.monotonic() + seconds, 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "originals").mkdir()
        write_originals(folder / "originals")
        while time.monotonic() < end or not tried:
            first = seed * 10**9 + tried
            _run_child(folder, first)
            tried += BATCH
    return tried


def _run_child(folder: Path, first: int) -> None:
    end = first + BATCH
    while first < end:
        command = [sys.executable, "-m", "fuzz.files", "--child", str(folder), str(first)]
        child = subprocess.run(
            [*command, str(end - first)],
            capture_output=True,
            text=True,
            errors="replace",
            cwd=Path(__file__).parents[1],
        )
        lines = child.stdout.split("\n")
        last = lines[-2] if len(lines) > 1 else str(first)
        if child.returncode == -signal.SIGPROF and IN_HDF5.search(child.stderr):
            print(f"HDF5 itself hung on file {last}")
            first = int(last.split()[0]) + 1
            continue
        if child.returncode != 0:
            hung = child.returncode in (-signal.SIGALRM, -signal.SIGPROF)
            what = "hung" if hung else f"ended with {child.returncode}"
            raise AssertionError(f"file {last} {what}: {child.stderr[-2000:]}")
        if child.stderr:
            raise AssertionError(f"files from {first} wrote to stderr: {child.stderr[-2000:]}")
        return


def _child(folder: Path, first: int, count: int = BATCH) -> None:
    names = sorted(path.name for path in (folder / "originals").iterdir())
    work = folder / f"work{os.getpid()}"
    work.mkdir(exist_ok=True)
    faulthandler.register(signal.SIGPROF, chain=True)  # says where it hung, and ends it
    for seed in range(first, first + count):
        rng = np.random.default_rng(seed)
        name = names[int(rng.integers(len(names)))]
        print(seed, name, flush=True)
        signal.setitimer(signal.ITIMER_PROF, SECONDS_EACH)
        signal.alarm(10 * SECONDS_EACH)
        before = _most_memory()
        target = _damaged(folder / "originals" / name, work, rng)
        _attempt(target, rng)
        grown = _most_memory() - before
        assert grown < BYTES_EACH, f"{name} took {grown / 2**20:.0f} MB"
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.alarm(0)
    shutil.rmtree(work)


def _damaged(original: Path, work: Path, rng: np.random.Generator) -> Path:
    target = work / original.name
    if not original.is_dir():
        is_sealed = original.name in SEALED
        target.write_bytes(mutated(original.read_bytes(), rng, is_sealed=is_sealed))
        return target
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(original, target)
    inside = sorted(path for path in target.rglob("*") if path.is_file())
    victim = inside[int(rng.integers(len(inside)))]
    if rng.integers(12) == 0:
        victim.unlink()
    else:
        victim.write_bytes(mutated(victim.read_bytes(), rng))
    return target


def _attempt(path: Path, rng: np.random.Generator) -> None:
    """Read the file in all ways; draws that are sealed are as they were, or refused."""
    if "estimate" in path.name:
        readers = [read_matrix, fangs.load] if path.suffix == ".npz" else [read_matrix]
    else:
        readers = [fangs.read, fangs.inspect] if rng.integers(4) == 0 else [fangs.read]
    for reader in readers:
        message = ""
        try:
            found = reader(path)
        except ValueError as error:
            message = str(error)
        if message:
            assert path.name in message, message
            # Places where draws may be are listed, a line each.
            assert "\n" not in message or "variable=" in message, message
            assert "MemoryError" not in message, message
            continue
        assert str(found)
        if path.name == "own.npz" and reader is fangs.read:
            assert found == SAMPLES


def _most_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _one(seed: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "originals").mkdir()
        write_originals(Path(name) / "originals")
        _child(Path(name), seed, 1)


if __name__ == "__main__":
    if sys.argv[1] == "--child":
        _child(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
    elif sys.argv[1] == "--one":
        _one(int(sys.argv[2]))
    else:
        print(run(float(sys.argv[1]), int(sys.argv[2])), "damaged files")
