"""Are expected error rates those to the truth? Posteriors of simulated data, each with its truth.

python benchmarks/error_rates.py [data sets]

Writes results/error_rates.md, docs/images/error-rates-calibration.png, and the table in
docs/error-rates.md.

Each truth is drawn from the prior and the data from the model, so a truth is one more draw of its
posterior; the chain may begin there. Error rates of the estimate are compared with its errors, the
truth aligned to it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import fangs
from fangs import simulate

HERE = Path(__file__).parent
PICTURE = HERE.parent / "docs" / "images" / "error-rates-calibration.png"
PENALTIES = (0.5, 1.0, 1.5)
PAGE = HERE.parent / "docs" / "error-rates.md"
MODEL = {"sigma_x": 0.7, "sigma_a": 1.0}


def one(seed):
    """Expected and actual false discovery and omission rates at each penalty."""
    truth = simulate.IBP(20).draw(alpha=1.5, seed=seed)
    data = simulate.linear_gaussian(truth, n_dims=6, seed=seed, **MODEL).data
    settings = {"n_draws": 200, "burn_in": 300, "thin": 3, "n_chains": 2}
    draws = simulate.sample_posterior(
        data, alpha=1.5, initial=truth, seed=seed, **MODEL, **settings
    ).draws
    samples = fangs.Samples(draws)
    rows = []
    for a in PENALTIES:
        estimate = fangs.estimate(samples, a=a, seed=1)
        expected = fangs.summary(estimate, samples).error_rates
        wrong = fangs.align(estimate, [truth]).draws()[0] != estimate.matrix
        is_one = estimate.matrix == 1
        rows.append(
            [
                [expected.false_discovery, wrong[is_one].mean() if is_one.any() else 0.0],
                [expected.false_omission, wrong[~is_one].mean() if (~is_one).any() else 0.0],
            ]
        )
    return rows


def picture(found):
    """Mean error against mean expected error, in five groups of data sets each."""
    axes = plt.subplots(1, 2, figsize=(7.6, 3.4), layout="constrained")[1]
    for rate, ax in enumerate(axes):
        for k, a in enumerate(PENALTIES):
            expected, actual = found[:, k, rate].T
            groups = np.array_split(np.argsort(expected, kind="stable"), 5)
            means = [actual[g].mean() for g in groups]
            spread = [2 * actual[g].std() / len(g) ** 0.5 for g in groups]
            at = [expected[g].mean() for g in groups]
            ax.errorbar(at, means, yerr=spread, fmt="os^"[k], markersize=4, label=f"a = {a:g}")
        top = ax.get_ylim()[1]
        ax.axline((0, 0), slope=1, color="#808080", linestyle="--", linewidth=1)
        name = ("false discovery rate", "false omission rate")[rate]
        ax.set(xlim=(0, top), ylim=(0, top), xlabel=f"Expected {name}", ylabel="Share wrong")
    axes[0].legend(frameon=False)
    axes[0].figure.savefig(PICTURE, dpi=80, pil_kwargs={"optimize": True})


def main(runs: int = 200) -> None:
    plt.rcParams["font.size"] = 9
    found = np.array([one(seed) for seed in range(runs)])  # (runs, penalties, rates, 2)
    picture(found)
    lines = [
        "| a | false discovery, expected | actual | false omission, expected | actual |",
        "|---|---:|---:|---:|---:|",
    ]
    for k, a in enumerate(PENALTIES):
        cells = []
        for rate in range(2):
            expected, actual = found[:, k, rate].T
            error = (actual - expected).std() / runs**0.5
            cells += [f"{expected.mean():.3f}", f"{actual.mean():.3f} ± {error:.3f}"]
        lines.append(f"| {a:g} | {' | '.join(cells)} |")
    table = "\n".join(lines) + "\n"
    print(table)
    (HERE / "results" / "error_rates.md").write_text(table, encoding="utf-8")
    place = re.compile(r"(<!-- begin calibration -->\n).*?(<!-- end calibration -->)", re.S)
    page = place.sub(lambda at: f"{at[1]}\n{table}\n{at[2]}", PAGE.read_text("utf-8"))
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
