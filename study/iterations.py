"""Figure 3 of the paper: expected loss against the number of proposals, beside the best draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import fangs
from study import figures
from study.cases import Measured
from study.draws import DrawSet
from study.markdown import table, write_page

N_ITER = {
    "aibd": (1, 10, 30, 100, 300, 1000, 3000),
    "alzheimers": (10, 100, 1000, 3000, 10_000),
}
"""Proposals per start, for the two sets that the paper shows."""
SEEDS = range(5)

Losses = Mapping[int, Sequence[float]]


def measure(
    draws: DrawSet, n_iter: Sequence[int], *, seeds: Sequence[int] = SEEDS
) -> dict[int, list[float]]:
    """Return the expected losses of the paper's FANGS by number of proposals."""
    return {
        count: [
            fangs.estimate(draws.samples, n_iter=count, seed=seed).expected_loss for seed in seeds
        ]
        for count in n_iter
    }


def write(
    docs: Path,
    sets: Mapping[str, DrawSet],
    measured: Mapping[str, Measured],
    losses: Mapping[str, Losses],
) -> None:
    """Draw the figure and write the page."""
    figure, axes = figures.subplots(len(losses), height=3.6)
    for axis, (name, found) in zip(np.atleast_1d(axes), losses.items(), strict=True):
        _scatter(axis, sets[name], measured[name], found)
    figures.save(figure, docs / "images" / "study-iterations.png")
    sections = []
    for name, found in losses.items():
        rows = [
            [f"{count:,}", *(f"{value:.2f}" for value in (min(one), np.median(one), max(one)))]
            for count, one in found.items()
        ]
        sections += [
            f"## {_label(sets[name])}",
            table(["n_iter", "lowest", "median", "highest"], rows),
        ]
        sections.append(
            f"Best draw {measured[name].best_draw.median:.2f}; default search "
            f"{measured[name].default} over its seeds."
        )
    n_seeds = len(next(iter(next(iter(losses.values())).values())))
    write_page(
        docs / "study" / "iterations.md",
        "Expected loss against the number of proposals",
        "The paper sweetens each start by `n_iter` random flips and asks how many are needed. "
        f"Below, `fangs.estimate(n_iter=...)` with {n_seeds} seeds, one dot each (jittered "
        "sideways), on the two posteriors of the [case studies](case-studies.md); the paper's "
        "Figure 3 shows its own two. Dashed: the best draw. Solid: the default search, which "
        "knows the change of every flip and stops when none helps, so that it has no number of "
        "proposals.",
        "![Expected loss against n_iter, two sets of draws](../images/study-iterations.png)",
        _verdict(losses),
        *sections,
    )


def _scatter(axis: Any, draws: DrawSet, measured: Measured, found: Losses) -> None:
    jitter = np.random.default_rng(0)
    for count, losses in found.items():
        places = count * np.exp(jitter.uniform(-0.12, 0.12, size=len(losses)))
        axis.plot(places, losses, "o", ms=4, mew=0, alpha=0.6, color=figures.BLUE)
    best, default = measured.best_draw.median, measured.default.median
    axis.axhline(best, ls="--", color=figures.INK, lw=1.2, label="best draw")
    axis.axhline(default, color=figures.ORANGE, lw=1.2, label="default search")
    axis.set(xscale="log", xlabel="n_iter", ylabel="expected loss", title=_label(draws))
    axis.legend(frameon=False, fontsize=9)


def _label(draws: DrawSet) -> str:
    return f"n = {draws.samples.n_items}, true K = {draws.truth.shape[1]}"


def _verdict(losses: Mapping[str, Losses]) -> str:
    """Say whether the first set settles before its last count while the last set does not."""
    medians = [[float(np.median(one)) for one in found.values()] for found in losses.values()]
    if medians[0][-1] == medians[0][-2] and medians[-1][-1] < medians[-1][-2]:
        return (
            "As in the paper, the small set is settled after few proposals and the wide one goes "
            "on improving as far as we looked."
        )
    return (
        "In the paper the small set settles after few proposals and the wide one goes on "
        "improving; the tables show how far that holds here."
    )
