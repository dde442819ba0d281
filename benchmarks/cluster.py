"""The search on a cluster of processes on this machine: speed-up, overhead, bytes, rounds, memory.

    python benchmarks/cluster.py [folder for the draws]

Everything is compared within one run, because machines differ and may be busy: look at ratios.
Writes results/cluster.md and results/cluster.json; cluster_round.py models a round from them.
"""

import json
import pickle
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import numpy as np

import cluster_round
import distributed
import fangs
import scatter
from fangs.distributed import cluster as fangs_cluster
from fangs.distributed import shard
from fangs.engine import as_engine
from report import RESULTS, machine, seconds, table, times

MANY_DRAWS = (50, 8, 1_000_000)
MANY_ITEMS = (1_000_000, 20, 200)
MB = 1e6


class Traffic:
    """Counts the rounds of all `DaskShards`, and what they send and receive."""

    def __init__(self):
        self.sent, self.received, self.taken = [], [], []

    @contextmanager
    def counted(self):
        run, gather = fangs_cluster.DaskShards.run, fangs_cluster.DaskShards._gather
        traffic = self

        def counting_run(shards, step, *shared, own=None):
            began = time.perf_counter()
            traffic.sent.append(len(pickle.dumps((shared, own), protocol=5)))
            found = run(shards, step, *shared, own=own)
            traffic.taken.append(time.perf_counter() - began)
            return found

        def counting_gather(shards, futures):
            parts = gather(shards, futures)
            traffic.received.append(sum(getattr(part, "n_bytes", 0) for part in parts))
            return parts

        fangs_cluster.DaskShards.run = counting_run
        fangs_cluster.DaskShards._gather = counting_gather
        try:
            yield self
        finally:
            fangs_cluster.DaskShards.run, fangs_cluster.DaskShards._gather = run, gather


def peak():
    """Peak of resident memory of this process in bytes (Linux)."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))


@contextmanager
def workers(n_workers):
    with (
        tempfile.TemporaryDirectory() as folder,
        distributed.LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            dashboard_address=":0",
            local_directory=folder,
            silence_logs="ERROR",
        ) as local,
        distributed.Client(local, set_as_default=False) as client,
    ):
        yield client


def written(folder, n, k, b):
    """Draws in a file, made once: Zarr, of which parts are read alone, or .npz if draws are few."""
    path = Path(folder) / f"draws-{n}-{k}-{b}.{'zarr' if b > 1000 else 'npz'}"
    if not path.exists():
        fangs.Samples(scatter.draws(n, k, b)).save(path)
    return path


def best_of(runs, samples, traffic=None, **options):
    """The shortest of several runs, for other work may be going on; and the estimate."""
    taken = []
    for _ in range(runs):
        if traffic is not None:
            traffic.sent, traffic.received, traffic.taken = [], [], []
        began = time.perf_counter()
        estimate = fangs.estimate(samples, seed=1, **options)
        taken.append(time.perf_counter() - began)
    return min(taken), estimate


def end_to_end(path, *, limit):
    """Rows: an estimate here, from disk within a limit, and on 1 and 2 workers."""
    rows, found = [], {}
    began = time.perf_counter()
    samples = fangs.read(path)
    size = samples.n_bytes
    reading = time.perf_counter() - began

    def add(name, taken, loaded, traffic=None, memory=None):
        found[name] = taken
        row = [name, seconds(loaded), seconds(taken), times(taken / found["here, 1 thread"])]
        if traffic is None:
            row += ["-"] * 4
        else:
            n_rounds = len(traffic.taken)
            row += [n_rounds, f"{np.mean(traffic.sent) / MB:.3g} MB"]
            row += [f"{np.sum(traffic.received) / n_rounds / MB:.3g} MB", f"{memory / MB:.0f} MB"]
        rows.append(row)
        print(path.name, row, flush=True)

    for threads in (1, 2):
        taken, estimate = best_of(3, samples, n_threads=threads)
        add(f"here, {threads} thread{'s' * (threads > 1)}", taken, reading)
        wanted = estimate.expected_loss
    del samples
    began = time.perf_counter()
    with shard(path, memory_limit=limit, n_shards=8) as sharded:
        loaded = time.perf_counter() - began
        taken, estimate = best_of(1, sharded)
        assert estimate.expected_loss == wanted
        add(f"here, 2 threads, {limit / MB:.0f} of {size / MB:.0f} MB held", taken, loaded)
    for n_workers in (1, 2):
        with workers(n_workers) as client, Traffic().counted() as traffic:
            began = time.perf_counter()
            with shard(path, client=client, n_shards=4) as sharded:
                loaded = time.perf_counter() - began
                taken, estimate = best_of(3, sharded, traffic)
                assert estimate.expected_loss == wanted
            memory = max(client.run(peak).values())
            add(f"{n_workers} worker{'s' * (n_workers > 1)}", taken, loaded, traffic, memory)
    return rows


def median_round(sharded, matrix, repeats):
    taken = []
    for _ in range(repeats):
        began = time.perf_counter()
        sharded.evaluate(matrix)
        taken.append(time.perf_counter() - began)
    return float(np.median(taken))


def rounds(path):
    """Measured rounds, and those that the model makes of its costs."""
    tiny = fangs.Samples(scatter.draws(20, 3, 64))
    samples = fangs.read(path)[:200_000]
    matrix = scatter.truth(*MANY_DRAWS[:2])
    alone = as_engine(samples, n_threads=1)
    alone.evaluate(matrix)
    compute = median_round(alone, matrix, 5)
    rows, points = [], []
    with workers(2) as client:
        for n_shards in (1, 2, 4, 8, 16):
            with shard(tiny, n_shards=n_shards, client=client) as sharded:
                median_round(sharded, tiny[0], 5)
                points.append((n_shards, median_round(sharded, tiny[0], 15)))
        costs = cluster_round.fit(points)
        for n_shards, taken in points:
            modelled = costs.round + costs.task * n_shards
            rows.append([f"next to no draws, {n_shards} shards, 2 workers", taken, modelled])
    for n_workers in (1, 2):
        with workers(n_workers) as client:
            for n_shards in (2, 8):
                with shard(samples, n_shards=n_shards, client=client) as sharded:
                    median_round(sharded, matrix, 3)
                    taken = median_round(sharded, matrix, 7)
                modelled = cluster_round.mean_round(
                    costs,
                    n_shards=n_shards,
                    n_workers=n_workers,
                    compute=compute,
                    matrix_bytes=matrix.size / 8,
                    part_bytes=2 * len(samples) / n_shards + 4 * matrix.size,
                )
                name = f"200,000 draws, {n_shards} shards, {n_workers} workers"
                rows.append([name, taken, modelled])
    shown = [[name, seconds(t), seconds(m), times(m / t)] for name, t, m in rows]
    return shown, {"costs": asdict(costs), "bytes_per_second": wide_rate()}


def wide_rate():
    """Packed bytes that one core evaluates in a second, for the draws of the projection."""
    n_items, n_features = cluster_round.PROJECTED
    samples = fangs.Samples(scatter.draws(n_items, n_features, 3))
    engine, matrix = as_engine(samples, n_threads=1), scatter.truth(n_items, n_features)
    return samples.n_bytes / median_round(engine, matrix, 2)


def harder(n_workers=2):
    """Rows: rounds of an estimate where starts disagree, so that the search goes on."""
    rows = []
    for noise in (0.1, 0.3):
        made = fangs.simulate.posterior_like(50, 8, 20_000, noise=noise, births=1, seed=1)
        samples = fangs.Samples(made.draws)
        here, wanted = best_of(2, samples, n_threads=2)
        with (
            workers(n_workers) as client,
            Traffic().counted() as traffic,
            shard(samples, client=client, n_shards=2) as sharded,
        ):
            there, estimate = best_of(2, sharded, traffic)
        assert estimate.matrix.tolist() == wanted.matrix.tolist()
        n_rounds = len(traffic.taken)
        rows.append([f"noise {noise}", n_rounds, seconds(here), seconds(there)])
        rows[-1].append(seconds((there - here) / n_rounds))
        print(rows[-1], flush=True)
    return rows


def main(folder):
    head = ("where", "reading", "estimate", "of 1 thread", "rounds")
    head += ("sent a round", "received a round", "peak of a worker")
    parts = []
    many = written(folder, *MANY_DRAWS)
    shown, found = rounds(many)
    parts += ["One round, measured and modelled:", ""]
    parts += [table(("round", "measured", "modelled", "ratio"), shown), ""]
    parts += ["An estimate from 20,000 draws of 50 items and 8 features, 2 workers:", ""]
    head_harder = ("draws", "rounds", "here, 2 threads", "2 workers", "difference a round")
    parts += [table(head_harder, harder()), ""]
    (RESULTS / "cluster.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    for sizes, limit in ((MANY_DRAWS, 16_000_000), (MANY_ITEMS, 128_000_000)):
        n, k, b = sizes
        parts += [f"{b:,} draws of {n:,} items and {k} features:", ""]
        parts += [table(head, end_to_end(written(folder, n, k, b), limit=limit)), ""]
        text = "\n".join([*parts, f"*{machine()}*", ""])
        (RESULTS / "cluster.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as made:
            main(made)
