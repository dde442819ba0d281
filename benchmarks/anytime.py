"""Expected loss against time on the widest case: ours, the paper's algorithm, and R.

python benchmarks/anytime.py [--seconds 20] [--r-seconds 600]
"""

import argparse
import json
import sys
from pathlib import Path
from time import perf_counter

import fangs
import r_fangs
from report import DOCS, RESULTS, machine, publish, seconds, table

sys.path.insert(0, str(Path(__file__).parent.parent))

from study.draws import make

CASE = "alzheimers"
THREADS = 2
PROPOSALS = (0, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)


def followed(samples, **options):
    """Return the estimate and (seconds, best loss so far) as the search reports them."""
    trace, began = [], perf_counter()

    def note(progress):
        if progress.phase != "start":  # losses of starts are over some of the draws
            trace.append((perf_counter() - began, progress.loss))

    found = fangs.estimate(samples, seed=1, n_threads=THREADS, progress=note, **options)
    trace.append((perf_counter() - began, found.expected_loss))
    return [(time, loss) for time, loss in trace if loss != float("inf")]


def by_proposals(samples):
    """Return (seconds, loss) of the paper's algorithm for more and more proposals per start."""
    points = []
    for n_iter in PROPOSALS:
        began = perf_counter()
        found = fangs.estimate(samples, n_iter=n_iter, seed=1, n_threads=THREADS)
        points.append((perf_counter() - began, found.expected_loss))
    return points


def time_to(curve, loss):
    """Say when a curve first was at this loss or below."""
    return next((seconds(time) for time, reached in curve if reached <= loss), "never")


def plot(curves):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axis = pyplot.subplots(figsize=(7.5, 4.5), layout="constrained")
    for name, curve in curves.items():
        style = {"drawstyle": "steps-post"} if "n_iter" not in name else {"marker": "o"}
        (line,) = axis.plot(*zip(*curve, strict=True), label=name, **style)
        axis.plot(*curve[-1], marker="s", color=line.get_color())
    axis.set(xscale="log", xlabel="seconds", ylabel="expected loss")
    axis.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False)
    axis.grid(alpha=0.3)
    (DOCS / "images").mkdir(exist_ok=True)
    figure.savefig(DOCS / "images" / "anytime.png", dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20, help="granted to ours")
    parser.add_argument("--r-seconds", type=float, default=600, help="granted to R at most")
    chosen = parser.parse_args()
    samples = make(CASE).samples
    draws = list(samples)
    peer, about = r_fangs.version(), machine()
    fangs.estimate(samples, seed=0, n_threads=THREADS)  # the first of a process takes longer
    curves = {
        "fangs, default": followed(samples),
        f"fangs, max_seconds={chosen.seconds:g}": followed(samples, max_seconds=chosen.seconds),
        "fangs, n_iter from 0 (the paper's algorithm)": by_proposals(samples),
    }
    notes = ["A square marks where a search ended."]
    if peer:
        run = r_fangs.estimate(draws, max_seconds=chosen.r_seconds, n_cores=THREADS, quiet=False)
        curves["R fangs, nIterations=1000"] = [*run.trace, (run.seconds, run.expected_loss)]
        notes.append(f"R made {run.n_iter} of its 1000 iterations in {seconds(run.seconds)}.")
        if 0 < run.n_iter < 1000:
            notes.append(
                f"All 1000 would take about {seconds(run.seconds_for(1000))} (extrapolated)."
            )
    else:
        notes.append("R's package fangs was not installed, so its curve is missing.")
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "anytime.json").write_text(json.dumps(curves, indent=0) + "\n")
    plot(curves)
    default = curves["fangs, default"][-1][1]
    goals = sorted({curve[-1][1] for curve in curves.values()}, reverse=True)
    goal_names = [f"to {goal:.4f}" for goal in goals]
    rows = [
        (
            name,
            seconds(curve[-1][0]),
            f"{curve[-1][1]:.4f}",
            f"{curve[-1][1] / default - 1:+.2%}",
            *(time_to(curve, goal) for goal in goals),
        )
        for name, curve in curves.items()
    ]
    header = ("search", "ended after", "expected loss", "over default", *goal_names)
    publish(
        "anytime",
        table(header, rows) + "\n\n" + " ".join(notes) + " The last columns say when a search "
        "first reached what each of them ended with.",
        about=f"{about} {peer or ''}".strip(),
    )


if __name__ == "__main__":
    main()
