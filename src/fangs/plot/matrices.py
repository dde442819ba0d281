"""Heat maps: an estimate, an estimate next to another matrix, the similarity of items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fangs._extras import require
from fangs.check.arguments import as_allocation
from fangs.draws.samples import as_samples
from fangs.estimate import Estimate
from fangs.plot.canvas import (
    ESTIMATES,
    axes_or_new,
    check_kind,
    item_labels,
    label_features,
    label_items,
    matrix_size,
    show_matrix,
    two_sided,
)
from fangs.plot.order import item_order, side_by_side
from fangs.plot.palette import INSIDE, OUTSIDE
from fangs.posterior.similarity import pairwise_similarity

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CROSS = 4.0
"""Height of a row, in points, from which on a cross fits into an entry."""


def allocation(
    estimate: Estimate,
    *,
    order: Any = "left",
    colorbar: bool = True,
    labels: Sequence[Any] | None = None,
    figsize: tuple[float, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the estimate, every entry shaded by the share of draws that have it.

    Entries in the estimate are blue, entries left out are orange. The stronger the colour, the
    more draws have the entry. A sure estimate shows strong blue and nothing else.

    Parameters
    ----------
    estimate
        From `fangs.estimate` or `fangs.assess`.
    order
        Of the items: "left", "leaf", "given" or positions; see `item_order`.
    colorbar
        Whether to explain the colours.
    labels
        What to call the items, one label each in the order of the draws; by default their own.
    figsize
        Width and height of the new figure in inches.
    ax
        Axes to draw on; by default those of a new figure.

    Examples
    --------
    >>> import fangs
    >>> ax = fangs.plot.allocation(fangs.estimate(fangs.datasets.example(), seed=1))
    >>> ax.get_ylabel()
    '100 items'
    """
    check_kind(estimate, Estimate, name="estimate", call=ESTIMATES)
    rows = item_order(estimate.matrix, order)
    ax = axes_or_new(ax, figsize=figsize, size=matrix_size(*estimate.matrix.shape))
    signed = np.where(estimate.matrix == 1, estimate.proportions, -estimate.proportions)[rows]
    if not estimate.n_features:
        signed = np.zeros((estimate.n_items, 1))
    image = show_matrix(ax, signed, cmap=two_sided(ax), vmin=-1, vmax=1, aspect="auto")
    label_items(ax, item_labels(labels, estimate.item_names), rows)
    if colorbar:
        bar = ax.figure.colorbar(image, ax=ax, shrink=0.8)
        bar.set_ticks([-1, -0.5, 0, 0.5, 1], labels=["1", "0.5", "0", "0.5", "1"])
        bar.set_label("share of draws")
        words: dict[str, Any] = {"fontsize": "small", "textcoords": "offset points"}
        words["xycoords"] = "axes fraction"  # a label's height away from the numbers at the ends
        bar.ax.annotate("in the estimate", (0, 1), xytext=(0, 6), va="bottom", **words)
        bar.ax.annotate("left out", (0, 0), xytext=(0, -6), va="top", **words)
    label_features(ax, estimate.feature_names)
    return ax


def comparison(
    estimate: Any,
    other: Any,
    *,
    order: Any = "left",
    names: tuple[str, str] = ("Estimate", "Other"),
    labels: Sequence[Any] | None = None,
    figsize: tuple[float, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw an estimate next to another matrix whose features are aligned to it.

    Entries that both have are blue. Entries that only one has are orange, with a small cross in
    the other where rows are high enough for crosses.

    Parameters
    ----------
    estimate
        An `Estimate`, or any 0/1 matrix.
    other
        An estimate or matrix of the same items, such as the draw ``samples[b]``.
    order
        Of the items: "left", "leaf", "given" or positions; see `item_order`.
    names
        What to call the two.
    labels
        What to call the items, one label each in the order of the draws; by default their own.
    figsize
        Width and height of the new figure in inches.
    ax
        Axes to draw on; by default those of a new figure.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> estimate = fangs.estimate(draws, seed=1)
    >>> ax = fangs.plot.comparison(estimate, draws[0], names=("Estimate", "First draw"))
    """
    _refuse_draws(estimate, other)
    first = as_allocation(estimate, name="estimate")
    second = as_allocation(other, name="other", n_items=len(first))
    first, second = side_by_side(first, second)
    rows = item_order(first, order)
    first, second = first[rows], second[rows]
    width = first.shape[1]
    ax = axes_or_new(ax, figsize=figsize, size=matrix_size(len(first), 2 * width + 1, margin=1.4))
    differ = first != second
    gap = np.zeros((len(first), 1))
    sign = 1.0 - 2.0 * differ
    shown = np.hstack([first * sign, gap, second * sign])
    show_matrix(ax, shown, cmap=two_sided(ax), vmin=-1, vmax=1, aspect="auto")
    absent = np.hstack([differ & (first == 0), gap > 0, differ & (second == 0)])
    at = np.nonzero(absent)
    crossed = _row_height(ax, len(first)) >= CROSS
    if crossed:
        ax.scatter(at[1], at[0], marker="x", s=CROSS**2 / 2, linewidths=0.7, color=OUTSIDE)
    label_items(ax, item_labels(labels, getattr(estimate, "labels", range(len(first)))), rows)
    for name, middle in zip(names, ((width - 1) / 2, width + 1 + (width - 1) / 2), strict=True):
        ax.text(middle, 1.01, name, ha="center", va="bottom", transform=ax.get_xaxis_transform())
    ax.axvspan(width - 0.5, width + 0.5, color=ax.figure.get_facecolor(), zorder=3)
    lines = require("matplotlib.lines", extra="plot")
    square = {"linestyle": "", "marker": "s"}
    keys = [
        lines.Line2D([], [], color=INSIDE, label="both", **square),
        lines.Line2D([], [], color=OUTSIDE, label="only one", **square),
    ]
    if crossed:
        cross = lines.Line2D([], [], color=OUTSIDE, label="missing", linestyle="", marker="x")
        keys.append(cross)
    ax.figure.legend(handles=keys, loc="outside lower center", ncols=3, frameon=False)
    names_of = getattr(estimate, "feature_names", ())
    features = [*names_of, *range(len(names_of) + 1, width + 1)]  # the rest are the other's alone
    label_features(ax, [*features, "", *features])
    return ax


def similarity(
    samples: Any,
    *,
    order: Any = "leaf",
    cmap: Any = None,
    colorbar: bool = True,
    labels: Sequence[Any] | None = None,
    figsize: tuple[float, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the expected number of features that each two items share.

    The colours range over what different items share. An item shares all its features with
    itself, often far more, so the diagonal would hide all other differences; where it is above
    the range it has the strongest colour, and the colour bar ends in an arrow.

    Parameters
    ----------
    samples
        The posterior draws: `fangs.Samples`, or anything it accepts.
    order
        Of the items: "left", "leaf", "given" or positions; see `item_order`.
    cmap
        Colours; by default those of rcParams.
    colorbar
        Whether to explain the colours.
    labels
        What to call the items, one label each in the order of the draws; by default their own.
    figsize
        Width and height of the new figure in inches.
    ax
        Axes to draw on; by default those of a new figure.

    Examples
    --------
    >>> import fangs
    >>> ax = fangs.plot.similarity([[[1, 0], [1, 1]], [[1], [0]]], order="given")
    >>> ax.images[0].get_array().tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    samples = as_samples(samples)
    shared = pairwise_similarity(samples)
    rows = item_order(shared, order)
    ax = axes_or_new(ax, figsize=figsize, size=(6.2, 4.8))
    apart = shared[~np.eye(len(shared), dtype=bool)]
    highest = float(apart.max(initial=0.0)) or float(shared.max(initial=0.0)) or 1.0
    image = show_matrix(ax, shared[np.ix_(rows, rows)], cmap=cmap, vmin=0, vmax=highest)
    label_items(ax, item_labels(labels, samples.items or range(samples.n_items)), rows)
    ax.set_xticks([])
    ax.set_xlabel("the same items")
    if colorbar:
        beyond: Any = "max" if float(shared.max(initial=0.0)) > highest else "neither"
        words = "features shared, on average"
        ax.figure.colorbar(image, ax=ax, shrink=0.8, label=words, extend=beyond)
    return ax


def _refuse_draws(*matrices: Any) -> None:
    if any(getattr(matrix, "_fangs_depth", 2) > 2 for matrix in matrices):
        raise TypeError(
            "estimate and other are one matrix each, but draws were given; take one of them, such "
            "as fangs.plot.comparison(estimate, draws[0])"
        )


def _row_height(ax: Axes, n_rows: int) -> float:
    """Height of a row in points."""
    return float(ax.get_window_extent().height * 72.0 / ax.figure.dpi / max(n_rows, 1))
