"""How the passes grow with items n, features K and draws B: time per draw, on one core.

    python benchmarks/scaling.py

Sizes that would take more than the budgets below are skipped, and the table says so.
"""

import json

import numpy as np

import fangs
import scatter
from fangs.engine import ThreadedEngine
from report import DOCS, RESULTS, publish, seconds, table
from stopwatch import measure

ITEMS = (60, 1000, 10_000, 100_000)
FEATURES = (4, 16, 70, 200, 500)
DRAWS = (100, 1000, 10_000, 100_000)
DRAWS_AT = ((60, 4), (60, 70), (1000, 16))
"""Items and features at which the growth with the number of draws is measured."""
MOST_ENTRIES = 150_000_000
"""Entries generated per size; as many draws as fit, and at least LEAST_DRAWS."""
LEAST_DRAWS = 16
MOST_BYTES = 1_500_000_000
MOST_SECONDS = 60.0


def passes(n_items, n_features, n_draws):
    """Return seconds per draw of (align, evaluate), or None where a budget forbids it."""
    packed = n_items * n_features * n_draws / 8
    # What a draw takes at most: a popcount per word and pair, and a matching.
    guess = n_draws * (n_features**2 * (n_items / 64 * 1e-9 + 5e-9) + n_items * n_features * 2e-8)
    if packed > MOST_BYTES or guess > MOST_SECONDS:
        return None
    engine = ThreadedEngine(fangs.Samples(scatter.draws(n_items, n_features, n_draws)), n_threads=1)
    center = scatter.truth(n_items, n_features)
    align = measure(lambda: engine.align(center), budget=1.0, least=2).best
    evaluate = measure(lambda: engine.evaluate(center), budget=1.0, least=2).best
    print(n_items, n_features, n_draws, seconds(align), seconds(evaluate), sep="\t", flush=True)
    return align / n_draws, evaluate / n_draws


def exponent(sizes, times):
    """Return the slope of log time over log size, by least squares."""
    known = [(size, time) for size, time in zip(sizes, times, strict=True) if time is not None]
    if len(known) < 2:
        return "-"
    x, y = np.log(known).T
    return f"{np.polyfit(x, y, 1)[0]:.2f}"


def grid():
    """Return {(n, K): (align, evaluate)} at as many draws as the budget allows."""
    found = {}
    for n in ITEMS:
        for k in FEATURES:
            n_draws = min(2000, max(LEAST_DRAWS, MOST_ENTRIES // (n * k)))
            found[n, k] = passes(n, k, n_draws)
    return found


def grid_table(found, which):
    def cell(n, k):
        return seconds(found[n, k][which]) if found[n, k] else "skipped"

    def fit(pairs):
        sizes, places = zip(*pairs, strict=True)
        return exponent(sizes, [found[place] and found[place][which] for place in places])

    rows = [
        (f"n = {n:,}", *(cell(n, k) for k in FEATURES), fit((k, (n, k)) for k in FEATURES if k > 4))
        for n in ITEMS
    ]
    last = (fit((n, (n, k)) for n in ITEMS if n > 60) for k in FEATURES)
    rows.append(("exponent of n, from 1000", *last, ""))
    return table(("", *(f"K = {k}" for k in FEATURES), "exponent of K, from 16"), rows)


def draws_table(found):
    rows = []
    for n, k in DRAWS_AT:
        times = [found[n, k, b] for b in DRAWS]
        total = [t and t[0] * b for t, b in zip(times, DRAWS, strict=True)]
        cells = [seconds(t) if t else "skipped" for t in total]
        rows.append((f"n = {n}, K = {k}", *cells, exponent(DRAWS, total)))
    return table(("one alignment of all draws", *(f"B = {b:,}" for b in DRAWS), "exponent"), rows)


def plot(found, by_draws):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
    for which, name in enumerate(("alignment", "alignment with all flips")):
        axis = axes[which]
        for k in FEATURES:
            known = [(n, found[n, k][which] * 1e6) for n in ITEMS if found[n, k]]
            axis.loglog(*zip(*known, strict=True), marker="o", label=f"K = {k}")
        axis.set(title=name, xlabel="items", ylabel="µs per draw")
    axes[0].legend()
    for n, k in DRAWS_AT:
        known = [(b, by_draws[n, k, b][0] * b) for b in DRAWS if by_draws[n, k, b]]
        axes[2].loglog(*zip(*known, strict=True), marker="o", label=f"n = {n}, K = {k}")
    axes[2].set(title="alignment", xlabel="draws", ylabel="seconds for all draws")
    axes[2].legend()
    for axis in axes:
        axis.grid(alpha=0.3)
    (DOCS / "images").mkdir(exist_ok=True)
    figure.savefig(DOCS / "images" / "scaling.png", dpi=110)


def main():
    by_draws = {(n, k, b): passes(n, k, b) for n, k in DRAWS_AT for b in DRAWS}
    found = grid()
    RESULTS.mkdir(exist_ok=True)
    kept = {" ".join(map(str, size)): times for size, times in {**found, **by_draws}.items()}
    (RESULTS / "scaling.json").write_text(json.dumps(kept, indent=1) + "\n")
    plot(found, by_draws)
    publish(
        "scaling",
        "One alignment, per draw:\n\n" + grid_table(found, 0) + "\n\nOne alignment with all "
        "n * K flips, per draw:\n\n"
        + grid_table(found, 1)
        + "\n\n"
        + draws_table(by_draws)
        + "\n\n"
        "Exponents are slopes of log time over log size by least squares. Each size has as many "
        f"draws, {LEAST_DRAWS} to 2000, as {MOST_ENTRIES:,} entries allow; with few draws the "
        "fixed cost of a pass counts in full. Skipped: over "
        f"{MOST_BYTES / 1e9:g} GB packed or an expected {MOST_SECONDS:g} s to prepare and run.",
    )


if __name__ == "__main__":
    main()
