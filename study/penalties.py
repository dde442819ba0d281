"""Figure 5 of the paper, and the table beside it: features and ones of the estimate against `a`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import fangs
from study import figures, published
from study.draws import DrawSet
from study.markdown import table, write_page

PENALTIES = tuple(published.SPARSITY)


def measure(
    draws: DrawSet, *, penalties: Sequence[float] = PENALTIES
) -> dict[float, fangs.Estimate]:
    """Return the estimate at every penalty."""
    path = fangs.sparsity_path(draws.samples, a=penalties, seed=1)
    return dict(zip(path.a, path.estimates, strict=True))


def write(docs: Path, draws: DrawSet, found: Mapping[float, fangs.Estimate]) -> None:
    """Draw the figure and write the page."""
    _draw(docs / "images" / "study-penalties.png", draws, found)
    rows = [
        [
            *(f"{a:g}", f"{2 - a:.4g}", one.n_features, int(one.matrix.sum())),
            *(f"{one.expected_loss:.2f}", *published.SPARSITY[a]),
        ]
        for a, one in found.items()
    ]
    widths, ones = draws.samples.n_features, draws.samples.n_ones
    head = ["a", "2 − a", "K", "ones", "expected loss at a", "paper: K", "paper: ones"]
    write_page(
        docs / "study" / "penalties.md",
        "Sparsity against a",
        "`a` is the price of a one that the estimate has and a draw lacks, `2 - a` that of a one "
        "it misses. On the widest set of the [case studies](case-studies.md) "
        f"({draws.samples.n_items} items, {len(draws.samples):,} draws of {widths.min()} to "
        f"{widths.max()} features, on average {widths.mean():.1f}, with {ones.mean():.0f} ones), "
        "`fangs.sparsity_path` gives:",
        table(head, rows),
        _verdict(found),
        "![Features and ones of the estimate against a](../images/study-penalties.png)",
        "*Left:* the distribution of K over the draws, and the estimate's K at each `a` above "
        "it. *Right:* the estimate's ones; dotted, the mean of the draws. The paper's columns "
        "are the table beside its Figure 5, for other draws, whose K ran from 5 to 94. The "
        "farther K varies from draw to draw, the farther `a` can move the estimate's K.",
    )


def _verdict(found: Mapping[float, fangs.Estimate]) -> str:
    ones = [int(one.matrix.sum()) for one in found.values()]
    widths = [one.n_features for one in found.values()]
    fewer = all(later <= earlier for earlier, later in pairwise(ones))
    narrower = all(later <= earlier for earlier, later in pairwise(widths))
    if fewer and narrower:
        return "Both fall all the way as `a` grows, as they do in the paper."
    which = "ones fall" if fewer else "K falls" if narrower else "neither falls"
    return f"As `a` grows, {which} all the way; in the paper both do."


def _draw(path: Path, draws: DrawSet, found: Mapping[float, fangs.Estimate]) -> None:
    figure, (left, right) = figures.subplots(2, height=3.8)
    _histogram(left, draws.samples.n_features, found)
    ones = [int(one.matrix.sum()) for one in found.values()]
    places = range(len(found))
    right.plot(places, ones, "o-", color=figures.BLUE, lw=1.2, ms=5)
    for place, value in zip(places, ones, strict=True):
        right.annotate(
            f"{value}",
            (place, value),
            xytext=(0, 6),
            textcoords="offset points",
            ha="center",
            fontsize=9,
        )
    right.axhline(draws.samples.n_ones.mean(), ls=":", color=figures.INK, lw=1.2)
    right.set_xticks(places, [f"{a:g}" for a in found])
    right.set(xlabel="a", ylabel="ones of the estimate", ylim=(0, 1.12 * max(ones)))
    figures.save(figure, path)


def _histogram(
    axis: Any, widths: np.ndarray[Any, Any], found: Mapping[float, fangs.Estimate]
) -> None:
    """K over the draws as bars, and the estimates' K as marks in a band above them."""
    values, counts = np.unique(widths, return_counts=True)
    share = counts / counts.sum()
    axis.bar(values, share, width=0.9, color=figures.GREY)
    top = float(share.max())
    for rank, (a, one) in enumerate(found.items()):
        height = top * (1.12 + 0.11 * rank)
        axis.plot(one.n_features, height, "o", color=figures.BLUE, ms=5)
        axis.vlines(one.n_features, 0, height, color=figures.BLUE, lw=0.6, alpha=0.5)
        axis.annotate(
            f"a = {a:g}",
            (one.n_features, height),
            xytext=(6, -3),
            textcoords="offset points",
            fontsize=9,
        )
    axis.margins(x=0.15)
    axis.set(xlabel="number of features K", ylabel="share of draws")
