"""Posteriors made by others: our estimates and R's, in time and in how often the best is reached.

    REAL=../shared/real python benchmarks/real.py [seeds]

Reads the files of that folder, which are not part of the repository, through R and SciPy. The
lowest loss known is that of its README; a run counts as a hit if it reaches it.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
import scipy.io

import fangs
import r_fangs
from report import machine, publish, seconds, table, times

PENALTIES = (0.5, 1.0, 1.5)
# File, R expression for the list of draws (or None for MATLAB), lowest known losses at PENALTIES.
SETS = {
    "samplesFA": ("samplesFA.RData", "samplesFA", (15.535, 15.45, 10.885)),
    "aibd 10x100, AIBD": ("out.10.100.*.RData", "samplesAIBD", (9.45, 10.02, 6.67)),
    "aibd 10x100, IBP": ("out.10.100.*.RData", "samplesIBP", (10.52, 11.56, 7.94)),
    "aibd 10x1000, AIBD": ("out.10.1000.*.RData", "samplesAIBD", (9.427, 10.218, 6.883)),
    "aibd 10x1000, IBP": ("out.10.1000.*.RData", "samplesIBP", (11.576, 12.626, 8.636)),
    "aibd 30x1000, AIBD": ("out.30.1000.*.RData", "samplesAIBD", (33.617, 38.082, 27.773)),
    "aibd 30x1000, IBP": ("out.30.1000.*.RData", "samplesIBP", (36.98, 38.91, 26.846)),
    "USArrests": ("USArrests*.RData", "get(ls()[1])", (20.4225, 21.659, 15.7155)),
    "discode, all": ("chain_ibp_1000.mat", None, (15.725, 21.75, 26.603)),
    "discode, after 300": ("chain_ibp_1000.mat", None, (3.716, 3.909, 3.124)),
}
EXPORT = """
given <- commandArgs(trailingOnly = TRUE)
draws <- (function() { load(given[1]); eval(parse(text = given[2])) })()
out <- file(given[3], "wb")
writeBin(as.integer(c(nrow(draws[[1]]), length(draws), sapply(draws, ncol))), out)
for (draw in draws) writeBin(as.raw(draw), out)
close(out)
"""


def read(folder, name):
    """The draws of one set, a list of matrices."""
    pattern, expression, _ = SETS[name]
    [path] = folder.glob(pattern)
    if expression is None:
        draws = list(scipy.io.loadmat(path)["chain"]["Z"][0, 0])
        return draws[300:] if "after" in name else draws
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "draws.bin"
        subprocess.run(["Rscript", "-e", EXPORT, str(path), expression, str(out)], check=True)
        data = out.read_bytes()
    n_items, n_draws = np.frombuffer(data, "<i4", 2)
    widths = np.frombuffer(data, "<i4", n_draws, offset=8)
    entries = np.frombuffer(data, np.uint8, offset=8 + 4 * n_draws)
    ends = np.cumsum(widths * n_items)
    return [
        entries[end - n_items * width : end].reshape(n_items, width, order="F")
        for end, width in zip(ends, widths, strict=True)
    ]


def measure(samples, a, lowest, n_seeds):
    """Times and losses of the default over seeds, and how many reach the lowest known loss."""
    taken, losses = [], []
    for seed in range(n_seeds):
        since = perf_counter()
        found = fangs.estimate(samples, a=a, seed=seed, n_threads=2)
        taken.append(perf_counter() - since)
        losses.append(found.expected_loss)
    hits = sum(loss <= lowest + 0.001 for loss in losses)
    return statistics.median(taken), max(losses), hits


def main(folder, n_seeds):
    about, rows, hits = machine(), [], dict.fromkeys(PENALTIES, 0)
    has_r = r_fangs.version() is not None
    for name, (_, _, known) in SETS.items():
        draws = [draw[:, draw.any(axis=0)] for draw in read(folder, name)]
        samples = fangs.Samples(draws)
        for a, lowest in zip(PENALTIES, known, strict=True):
            taken, worst, reached = measure(samples, a, lowest, n_seeds)
            hits[a] += reached
            row = [f"{name}, a = {a:g}", seconds(taken), f"{reached} of {n_seeds}"]
            row.append(f"{max(worst / lowest - 1, 0):.2%}")
            if has_r:
                for n_iter in (1000, 0):
                    run = r_fangs.estimate(draws, a=a, n_iter=n_iter)
                    row += [seconds(run.seconds), times(run.seconds / taken)]
                    row.append(f"{run.expected_loss / lowest - 1:+.2%}")
            rows.append(row)
            print(*row, sep="  ", flush=True)
    header = ["draws", "default", "lowest loss reached", "worst seed"]
    if has_r:
        header += ["R, 1000 iterations", "/ ours", "its loss", "R's default", "/ ours", "its loss"]
    total = n_seeds * len(SETS)
    said = ", ".join(f"{count} of {total} at a = {a:g}" for a, count in hits.items())
    publish(
        "real",
        f"The lowest loss known is reached in {said}.\n\n{table(header, rows)}",
        about=f"{about} {r_fangs.version() or 'R was not installed.'}",
    )


if __name__ == "__main__":
    if "REAL" not in os.environ:
        sys.exit("say where the files are: REAL=../shared/real python benchmarks/real.py")
    main(Path(os.environ["REAL"]), int(sys.argv[1]) if len(sys.argv) > 1 else 10)
