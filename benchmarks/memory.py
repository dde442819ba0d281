"""Peak memory compared with the packed size of the draws, each case in a process of its own.

    python benchmarks/memory.py

`list`: Samples built from a list of arrays that is there already. `generator`: built from draws
that come one at a time. `file`: read from an .npy file. `state`: matching
kept by the search for every draw (Engine.neighbourhood) with the support of all flips. `search`:
a whole `estimate`. All are peaks of resident memory beyond what the process held just before.
"""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np

import scatter
from report import publish, table

CASES = (
    *((62, 77, 3000), (62, 77, 50_000), (20, 3, 100_000)),
    *((1000, 50, 5000), (10_000, 70, 500)),
)
WORK = ("list", "generator", "file", "state", "search")
MB = 1e6


def resident(what):
    """Return a figure of this process in bytes: VmRSS is held now, VmHWM the peak (Linux)."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(what))


def held_now():
    """Return the memory held, and let the peak start again from there."""
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    return resident("VmRSS")


def write(path, shape):
    """Write draws to a file that is never held as a whole."""
    array = np.lib.format.open_memmap(path, mode="w+", dtype=np.uint8, shape=shape)
    for b, draw in enumerate(scatter.draws(*shape[1:], shape[0])):
        array[b] = draw


def measure(work, n, k, b):
    """Run in a fresh process: print packed bytes, bytes reported by Samples, and peak growth."""
    import fangs
    from fangs.engine import ThreadedEngine

    for _ in scatter.draws(n, k, 2):  # what making a draw takes is there before
        pass
    fangs.estimate(list(scatter.draws(10, 2, 5)), seed=1)
    # As after any work: freeing a block makes malloc keep others of up to its size on the heap.
    np.ones(31_000_000, np.uint8)
    if work == "file":
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/draws.npy"
            write(path, (b, n, k))
            before = held_now()
            samples = fangs.read(path)
    elif work in ("list", "generator"):
        given = scatter.draws(n, k, b)
        given = list(given) if work == "list" else given
        before = held_now()
        samples = fangs.Samples(given)
    else:
        samples = fangs.Samples(scatter.draws(n, k, b))
        center = scatter.truth(n, k)
        before = held_now()
        if work == "state":
            ThreadedEngine(samples, n_threads=2).neighbourhood(center).flip_support()
        else:
            fangs.estimate(samples, seed=1, n_threads=2, n_sweet=1)
    grown = resident("VmHWM") - before
    packed = n * int(samples.n_features.sum()) / 8
    print(json.dumps([packed, samples.n_bytes, grown]))


def main():
    if not os.access("/proc/self/clear_refs", os.W_OK):
        sys.exit("memory is measured through /proc, which this system lacks")
    rows = []
    for n, k, b in CASES:
        cells = []
        for work in WORK:
            command = [sys.executable, __file__, work, str(n), str(k), str(b)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            packed, held, grown = json.loads(done.stdout)
            cells.append(
                f"{grown / MB:.{0 if grown > 10 * MB else 1}f} MB ({grown / packed:.2f} x)"
            )
            print(n, k, b, work, cells[-1], flush=True)
        size = f"{n:,} items, {k} features, {b:,} draws"
        rows.append((size, f"{packed / MB:.1f} MB", f"{held / packed:.2f} x", *cells))
    publish("memory", table(("draws", "packed size", "held by Samples", *WORK), rows))


if __name__ == "__main__":
    if len(sys.argv) == 1:
        main()
    else:
        measure(sys.argv[1], *map(int, sys.argv[2:]))
