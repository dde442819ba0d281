"""What notebooks show of samples and estimates: a compact table next to a heat map."""

from __future__ import annotations

from typing import Any

import numpy as np

from fangs.estimate import Estimate
from fangs.plot.order import item_order
from fangs.posterior.similarity import pairwise_similarity
from fangs.report.heat import TALLEST, picture, signed
from fangs.report.markup import Html, element
from fangs.report.words import count, count_effective
from fangs.samples import Samples

DRAWS = 200
"""Draws, spread evenly, over which the similarity of items is computed."""
ITEMS = 300
"""Items up to which it is computed at all, because a notebook should not wait."""


def estimate_html(estimate: Estimate) -> str:
    """The numbers of an estimate next to its matrix."""
    e = estimate
    rows: list[tuple[str, Any]] = [
        ("features", e.n_features),
        ("items", f"{e.n_items:,}"),
        ("ones", f"{e.n_ones:,}"),
        ("expected loss", f"{e.expected_loss:.6g} at a = {e.a:g}"),
        ("flip-optimal", "yes" if e.is_flip_optimal else "not ruled out"),
        ("draws", f"{e.n_draws:,}"),
    ]
    if e.weights is not None:
        rows.append(("effective draws", count_effective(e.effective_draws)))
    if e.n_ties:
        rows.insert(5, ("ties", f"{count(e.n_ties, 'entry', plural='entries')}"))
    if e.lower_bound is not None:
        rows.insert(4, ("lower bound", f"{e.lower_bound:.6g}"))
    if e.note:
        rows.append(("note", e.note))
    shown: Any = slice(None)
    which = "items"
    if e.n_items > TALLEST:  # a picture has no more rows; those not shown are not looked at
        shown = np.linspace(0, e.n_items - 1, TALLEST).astype(np.int64)
        which = f"{TALLEST:,} of the {e.n_items:,} items"
    matrix = e.matrix[shown]
    values = signed(matrix, e.proportions[shown])[item_order(matrix)]
    image = picture(values, alt="the matrix, shaded by share of draws", cell=_cell(values.shape))
    return _beside(
        "Estimate", rows, image, f"{which} × features; blue in the estimate, orange left out"
    )


def samples_html(samples: Samples) -> str:
    """The numbers of the draws next to the similarity of their items."""
    info = samples.info
    low, high = int(samples.n_features.min()), int(samples.n_features.max())
    rows: list[tuple[str, Any]] = [
        ("draws", f"{len(samples):,}"),
        ("items", f"{samples.n_items:,}"),
        ("features", str(low) if low == high else f"{low} to {high}"),
        ("ones", f"{info.total_ones / info.total_weight:.4g} on average"),
    ]
    if samples.weights is not None:
        rows.append(("effective draws", count_effective(samples.effective_draws)))
    if samples.chains is not None:
        rows.append(("chains", len(samples.info.chain_names)))
    if samples.n_items > ITEMS:
        return _beside("Samples", rows, Html(""), "")
    some = info.counted[np.unique(np.linspace(0, len(info.counted) - 1, DRAWS).astype(np.int64))]
    shared = pairwise_similarity(samples.select(some))
    order = item_order(np.round(shared, 1))
    values = shared[np.ix_(order, order)] / max(float(shared.max()), 1e-9)
    image = picture(values, alt="features that items share", cell=_cell(values.shape))
    return _beside("Samples", rows, image, "items × items; blue: features shared")


def _cell(shape: tuple[int, ...]) -> int:
    return int(np.clip(200 // max(shape), 2, 16))


def _beside(name: str, rows: list[tuple[str, Any]], image: Html, caption: str) -> str:
    """A table and a figure, with inline styles: notebooks bring their own style sheets."""
    lines = [
        element("tr", element("th", key, style="text-align:left"), element("td", value))
        for key, value in rows
    ]
    table = element(
        "table", element("caption", element("b", f"fangs.{name}")), element("tbody", *lines)
    )
    figure = element(
        "figure", image, element("figcaption", caption, style="font-size:85%"), style="margin:0"
    )
    return element(
        "div", table, figure if image else "", style="display:flex;gap:2em;align-items:flex-start"
    )
