"""The main table: our estimate beside what a user would pick instead, in time and expected loss.

    python benchmarks/peers.py [--full]

The five sets of draws of the verification study, of the sizes of the paper's case studies.
Everything runs on 2 cores except the NumPy and SciPy search, which has no use for the second. Where
a search would take too long its time is extrapolated from some of its iterations, and marked "~";
its loss is then what it had reached by that time, not what it would reach. `--full` runs the R
package to its end with all seeds everywhere; on the widest set that takes a quarter of an hour.
"""

import argparse
import statistics
import sys
from pathlib import Path
from time import perf_counter

import fangs
import naive
import r_fangs
from report import machine, publish, seconds, table, times
from stopwatch import measure

sys.path.insert(0, str(Path(__file__).parent.parent))

from study.draws import make

THREADS = 2
SEEDS = range(1, 6)
R_SEEDS = range(1, 4)
AFFORD = 10.0
"""Seconds for each phase of the NumPy and SciPy search; the rest is extrapolated."""
WIDEST = "alzheimers"
WIDEST_ITERATIONS = 20


def ours(samples, n_iter):
    """Return the time of each seed, and the loss that it ended with."""
    taken, losses = [], []
    for seed in SEEDS:
        since = perf_counter()
        found = fangs.estimate(samples, n_iter=n_iter, seed=seed, n_threads=THREADS)
        taken.append(perf_counter() - since)
        losses.append(found.expected_loss)
    return taken, losses, ""


def scipy_peer(draws):
    _, loss, taken, share = naive.estimate(draws, seed=1, afford=AFFORD)
    return [taken], [loss], "" if share == 1 else "~"


def r_peer(draws, samples, n_iter):
    """Return the time of each seed, and the loss that it ended with."""
    runs = [r_fangs.estimate(draws, n_iter=n_iter, seed=seed, n_cores=THREADS) for seed in R_SEEDS]
    for run in runs:
        check = fangs.expected_loss(run.matrix, samples)
        if abs(check - run.expected_loss) > 1e-6 * max(check, 1):
            raise AssertionError(f"R says {run.expected_loss}, fangs {check}, of the same matrix")
    taken = [run.seconds_for(1000) for run in runs]
    mark = "" if n_iter == 1000 else "~"
    return taken, [run.expected_loss for run in runs], mark


def span(values, form):
    """Write the smallest and the largest value, or what there is to say where there is one."""
    if len(values) == 1:
        return "one run"
    low, high = form(min(values)), form(max(values))
    return low if low == high else f"{low} - {high}"


def case(name, *, full):
    """Return the lines of one case, and one about packing."""
    draws = list(make(name).samples)
    samples = fangs.Samples(draws)
    pack = measure(lambda: fangs.Samples(draws), budget=0.5).best
    widths = samples.n_features
    size = f"{name}: {samples.n_items} items, {widths.min()} to {widths.max()} features"
    peers = {
        "fangs, default": lambda: ours(samples, None),
        "fangs, n_iter=1000 (the paper's algorithm)": lambda: ours(samples, 1000),
    }
    if r_fangs.version():
        n_iter = WIDEST_ITERATIONS if name == WIDEST and not full else 1000
        peers["R fangs, nIterations=1000"] = lambda: r_peer(draws, samples, n_iter)
    peers["NumPy + SciPy, n_iter=1000, 1 core"] = lambda: scipy_peer(draws)
    found = {peer: run() for peer, run in peers.items()}
    # A busy machine may slow down one search and not the next: ours are timed once more after all.
    for peer in list(peers)[:2]:
        found[peer][0].extend(peers[peer]()[0])
    lines, time, loss = [], None, None
    for peer, (runs, losses, mark) in found.items():
        taken, reached = statistics.median(runs), statistics.median(losses)
        time, loss = time or taken, loss or reached
        lines.append(
            (
                peer,
                mark + seconds(taken),
                span(runs, seconds),
                mark + times(taken / time),
                f"{reached:.4f}",
                span(losses, "{:.4f}".format),
                f"{reached / loss - 1:+.2%}",
            )
        )
        print(*lines[-1], sep="  ", flush=True)
    header = (
        *("search", "time", "range", "time / default"),
        *("expected loss", "range", "loss over default"),
    )
    packing = (name, len(draws), seconds(pack), f"{pack / len(draws) * 1e6:.2f}")
    return f"**{size}, {len(draws)} draws**\n\n{table(header, lines)}", packing


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="run R to its end on the widest case")
    parser.add_argument("cases", nargs="*", default=list(fangs.simulate.CASE_STUDIES))
    chosen = parser.parse_args()
    peer = r_fangs.version()
    print(peer or "R or its package fangs is not installed: its lines are left out", flush=True)
    about = machine()
    parts, packing = zip(*(case(name, full=chosen.full) for name in chosen.cases), strict=True)
    text = "\n\n".join(parts) + (
        "\n\nPacking a list of arrays into `Samples`, not part of the times above:\n\n"
        + table(("case", "draws", "packing", "µs per draw"), packing)
    )
    if len(chosen.cases) < len(fangs.simulate.CASE_STUDIES):
        print(text)  # a part of the table does not replace the whole
        return
    absent = "R's package fangs was not installed, so its lines are missing."
    publish("peers", text, about=f"{about} {peer + '.' if peer else absent}")


if __name__ == "__main__":
    main()
