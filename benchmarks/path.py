"""What a path over the penalty costs, compared with separate searches.

    python benchmarks/path.py

CPU time of all threads, the middle of many seeds where that is quick. "One estimate" is the cost of
a search at a = 1, at each of the path's penalties on average, and where it is slowest, which is
usually at the smallest. The last two columns say by how much the path's expected losses differ from
those of the separate searches, at the penalty where it is lowest by comparison and where it is
highest.
"""

import statistics
import sys
from pathlib import Path
from time import process_time

import fangs
from report import publish, seconds, table, times

sys.path.insert(0, str(Path(__file__).parent.parent))

from study.draws import make

THREADS = 2
SETS = {
    **{name: lambda name=name: make(name).samples for name in fangs.simulate.CASE_STUDIES},
    "bundled": fangs.datasets.example,
    "many draws": lambda: fangs.Samples(
        fangs.simulate.posterior_like(
            50, 8, 10_000, density=0.2, noise=0.2, births=2, deaths=0.15, splits=0.05, seed=12
        ).draws
    ),
}
"""The paper's five sizes, the draws that come with the package, and many more draws."""
SEEDS = range(1, 16)
ENOUGH = 2.0
"""Seconds after which no more seeds are tried."""


def measured(run):
    """Return the middle CPU time of as many seeds as time allows, and what seed 1 gave."""
    taken, results = [], []
    for seed in SEEDS:
        since = process_time()
        results.append(run(seed))
        taken.append(process_time() - since)
        if sum(taken) > ENOUGH:
            break
    return statistics.median(taken), results[0]


def case(samples):
    fangs.estimate(samples, seed=0, n_threads=THREADS)
    whole, path = measured(lambda seed: fangs.sparsity_path(samples, seed=seed, n_threads=THREADS))
    searches = [
        measured(lambda seed, a=a: fangs.estimate(samples, a=a, seed=seed, n_threads=THREADS))
        for a in path.a
    ]
    taken = [taken for taken, _ in searches]
    one, mean, slowest = taken[path.a.index(1.0)], statistics.mean(taken), max(taken)
    over = [
        loss / alone.expected_loss - 1
        for loss, (_, alone) in zip(path.expected_losses, searches, strict=True)
    ]
    widths = samples.n_features
    size = (
        f"{samples.n_items} items, {widths.min()} to {widths.max()} features, {len(samples)} draws"
    )
    cells = (
        size,
        *(seconds(cost) for cost in (one, mean, slowest, whole)),
        *(times(whole / cost) for cost in (one, mean, slowest)),
        f"{min(over):+.2%}",
        f"{max(over):+.2%}",
    )
    print(*cells, sep="  ", flush=True)
    return cells


def main():
    header = (
        "draws",
        "one estimate at a = 1",
        "on average",
        "the slowest",
        "whole path",
        "path / one at a = 1",
        "/ average",
        "/ slowest",
        "losses from",
        "to",
    )
    publish("path", table(header, [case(make_set()) for make_set in SETS.values()]))


if __name__ == "__main__":
    main()
