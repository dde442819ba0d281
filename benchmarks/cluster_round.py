"""A model of one round on a cluster: latency, bandwidth, stragglers. Used to project beyond it.

    python benchmarks/cluster_round.py

The client submits a task per shard through the scheduler, which serves one message after the other.
Each worker runs its tasks in turn, on its threads. What the shards of a worker return is added
there, a tree with fan-in 16 adds what workers return, and the client receives the last sums.
`Costs` are measured by cluster.py on one machine; `--json` of that file holds what it found.
"""

import heapq
import json
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from report import seconds, table

FAN_IN = 16
PROJECTED = (1_000_000, 100)
"""Items and features of the draws of the projection."""


@dataclass(frozen=True)
class Costs:
    """What does not depend on the draws."""

    round: float
    """Seconds for a round of one task that does nothing."""
    task: float
    """Seconds of the scheduler for one more task."""
    bandwidth: float = 1e9
    """Bytes a second between two processes."""
    straggling: float = 0.0
    """Standard deviation of the logarithm of a factor on the time of each task."""


def simulate(costs, *, n_shards, n_workers, n_threads=1, compute, matrix_bytes, part_bytes, rng):
    """Seconds of one round. `compute` is the time of all shards together on one core."""
    send = matrix_bytes / costs.bandwidth
    free = [0.0] * (n_workers * n_threads)
    heapq.heapify(free)
    ends = []
    factors = np.exp(costs.straggling * rng.standard_normal(n_shards))
    for s in range(n_shards):
        submitted = costs.round / 2 + (s + 1) * costs.task + send
        begin = max(submitted, heapq.heappop(free))
        ends.append(begin + compute / n_shards * factors[s])
        heapq.heappush(free, ends[-1])
    returned = part_bytes / costs.bandwidth
    parts, done = min(n_shards, n_workers), max(ends)
    if parts < n_shards and part_bytes > 1e6:
        done += costs.task * parts
    while parts > FAN_IN:
        parts = math.ceil(parts / FAN_IN)
        done += costs.task * parts + FAN_IN * returned
    return done + parts * returned + costs.round / 2


def mean_round(costs, *, repeats=200, **sizes):
    """The mean over many rounds."""
    rng = np.random.default_rng(1)
    return float(np.mean([simulate(costs, rng=rng, **sizes) for _ in range(repeats)]))


def fit(points):
    """`Costs` from measured rounds of tasks that do next to nothing: time against their number."""
    sizes, times = zip(*points, strict=True)
    task, first = np.polyfit(sizes, times, 1, w=1 / np.array(times))  # relative errors count
    return Costs(round=max(0.0, float(first)), task=max(0.0, float(task)))


def costs_line(found):
    """What the projection stands on, in a line."""
    costs = found["costs"]
    return (
        f"round {seconds(costs['round'])}, task {seconds(costs['task'])}, a core evaluates "
        f"{found['bytes_per_second'] / 1e6:.0f} MB packed a second"
    )


def project(found):
    """Rounds and estimates at 100 workers and 1 TB packed, under assumptions that are printed."""
    measured = Costs(**found["costs"])
    rate = found["bytes_per_second"]
    rows = []
    for name, bandwidth, straggling in (
        ("10 Gbit/s, even workers", 1.25e9, 0.0),
        ("10 Gbit/s, stragglers (sd of log 0.3)", 1.25e9, 0.3),
        ("1 Gbit/s, stragglers (sd of log 0.3)", 1.25e8, 0.3),
    ):
        costs = Costs(measured.round, measured.task, bandwidth, straggling)
        row = [name]
        for n_workers, n_cores in ((10, 8), (100, 8), (1000, 8)):
            entries = math.prod(PROJECTED)
            compute = 1e12 / rate
            row.append(
                seconds(
                    mean_round(
                        costs,
                        n_shards=max(4 * n_workers, 1000),
                        n_workers=n_workers,
                        n_threads=n_cores,
                        compute=compute,
                        matrix_bytes=entries / 8,
                        part_bytes=2 * entries,
                        repeats=20,
                    )
                )
            )
        rows.append(row)
    head = ("a cold round over 1 TB packed", "10 workers", "100 workers", "1000 workers")
    return table(head, rows)


if __name__ == "__main__":
    results = Path(__file__).parent / "results" / "cluster.json"
    print(f"{costs_line(json.loads(results.read_text()))}\n")
    print(project(json.loads(results.read_text())))
