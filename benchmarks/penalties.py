"""How good is the search away from a = 1? The widest case, from small penalties to large.

    python benchmarks/penalties.py [--seconds 30]

"Lowest known" is the lowest expected loss that any search found at that penalty; one of them ran
for `--seconds`. The other columns show how far the searches end above it: the default with its
median seed and its worst seed, and Algorithm 1 of the paper (n_iter=1000) with its best seed.
"""

import argparse
import statistics
import sys
from pathlib import Path
from time import perf_counter

import fangs
from report import publish, seconds, table

sys.path.insert(0, str(Path(__file__).parent.parent))

from study.draws import make

CASE = "alzheimers"
PENALTIES = (0.01, 0.1, 0.5, 0.75, 1.0, 1.25, 1.5, 1.9, 1.99)
SEEDS = range(1, 8)
PAPER_SEEDS = range(1, 4)
THREADS = 2


def row(samples, a, granted):
    def search(seed, **options):
        return fangs.estimate(samples, a=a, seed=seed, n_threads=THREADS, **options).expected_loss

    taken, losses = [], []
    for seed in SEEDS:
        since = perf_counter()
        losses.append(search(seed))
        taken.append(perf_counter() - since)
    paper = [search(seed, n_iter=1000) for seed in PAPER_SEEDS]
    lowest = min(*losses, *paper, search(0, max_seconds=granted))

    def above(loss):
        return f"{loss / lowest - 1:+.2%}"

    cells = (
        f"{a:g}",
        seconds(statistics.median(taken)),
        f"{lowest:.4f}",
        above(statistics.median(losses)),
        above(max(losses)),
        above(min(paper)),
    )
    print(*cells, sep="  ", flush=True)
    return cells


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=30, help="for the search with time")
    granted = parser.parse_args().seconds
    samples = make(CASE).samples
    header = (
        *("a", "default", "lowest known", "default, median", "default, worst"),
        "Algorithm 1, best",
    )
    rows = [row(samples, a, granted) for a in PENALTIES]
    widths = samples.n_features
    about = (
        f"{len(samples)} draws of {samples.n_items} items and {widths.min()} to {widths.max()} "
        f"features; {len(SEEDS)} seeds of the default, {len(PAPER_SEEDS)} of Algorithm 1, "
        f"and one search of {granted:g} s."
    )
    publish("penalties", f"{about}\n\n{table(header, rows)}")


if __name__ == "__main__":
    main()
