"""Heat maps: an estimate, the levels of its entries, the similarity of items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fangs._extras import require
from fangs.check.arguments import as_level
from fangs.check.text import count
from fangs.draws.samples import as_samples
from fangs.estimate import Estimate
from fangs.plot import canvas
from fangs.plot.order import item_order
from fangs.plot.outline import outline
from fangs.plot.palette import INSIDE
from fangs.plot.shading import highest_shared, signed
from fangs.posterior.core.result import Core
from fangs.posterior.similarity import pairwise_similarity

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def allocation(
    estimate: Estimate,
    *,
    core: Core | None = None,
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
    core
        From `fangs.core`: its entries are outlined.
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
    canvas.check_kind(estimate, Estimate, name="estimate", call=canvas.ESTIMATES)
    rows = item_order(estimate.matrix, order)
    ax = canvas.axes_or_new(ax, figsize=figsize, size=canvas.matrix_size(*estimate.matrix.shape))
    image = canvas.show_signed(ax, signed(estimate.matrix, estimate.proportions)[rows])
    title = "Feature" if core is None else _outline_core(ax, core, estimate, rows)
    canvas.label_items(ax, labels, estimate.item_names, rows)
    if colorbar:
        bar = ax.figure.colorbar(image, ax=ax, shrink=0.8)
        bar.set_ticks([-1, -0.5, 0, 0.5, 1], labels=["1", "0.5", "0", "0.5", "1"])
        bar.set_label("share of draws")
        words: dict[str, Any] = {"fontsize": "small", "textcoords": "offset points"}
        words["xycoords"] = "axes fraction"  # a label's height away from the numbers at the ends
        bar.ax.annotate("in the estimate", (0, 1), xytext=(0, 6), va="bottom", **words)
        bar.ax.annotate("left out", (0, 0), xytext=(0, -6), va="top", **words)
    canvas.label_features(ax, estimate.feature_names, title=title)
    return ax


def _outline_core(ax: Axes, core: Core, estimate: Estimate, rows: Any) -> str:
    """Draw lines around the entries of a core; return the title of the features, which says so."""
    canvas.check_kind(core, Core, name="core", call="fangs.core(estimate, draws)")
    if not np.array_equal(core.matrix, estimate.matrix):
        raise ValueError(
            "core is that of another matrix than the estimate's; make it from this estimate: "
            "fangs.core(estimate, draws)"
        )
    collections = require("matplotlib.collections", extra="plot")
    lines = outline(core.entries[rows]) - 0.5  # the middle of the first entry is at (0, 0)
    color = ax.xaxis.label.get_color()
    ax.add_collection(collections.LineCollection(lines, colors=color, linewidths=1.2, zorder=3))
    return f"Feature (outlined: {100 * core.level:.4g} % core)"


def levels(
    estimate: Estimate,
    *,
    shares: Sequence[float] = (0.2, 0.5, 0.9, 0.99),
    order: Any = "left",
    labels: Sequence[Any] | None = None,
    figsize: tuple[float, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw which entries at least a share of the draws has, for several shares.

    The darkest entries are the surest, the palest the most doubtful. At a = 1 the estimate
    is, but for ties, what at least half of the draws have. The legend counts entries and features;
    a feature counts at a level if it has an entry there.

    Parameters
    ----------
    estimate
        From `fangs.estimate` or `fangs.assess`.
    shares
        The levels, each more than 0 and at most 1.
    order, labels, figsize, ax
        As for `fangs.plot.allocation`.

    Examples
    --------
    >>> import fangs
    >>> ax = fangs.plot.levels(fangs.estimate(fangs.datasets.example(), seed=1))
    >>> [text.get_text() for text in ax.get_legend().get_texts()][0]
    '20 %: 223 entries, 4 features'
    """
    canvas.check_kind(estimate, Estimate, name="estimate", call=canvas.ESTIMATES)
    steps = sorted(as_level(share, name="shares") for share in shares)
    if not steps:
        raise ValueError("shares is empty; give at least one, such as 0.9")
    rows = item_order(estimate.matrix, order)
    ax = canvas.axes_or_new(
        ax, figsize=figsize, size=canvas.matrix_size(*estimate.matrix.shape, margin=4.6)
    )
    kept = [estimate.at_least(share) for share in steps]
    reached = np.stack(kept).sum(axis=0, dtype=np.float64)[rows]
    colors = require("matplotlib.colors", extra="plot")
    ramp = colors.LinearSegmentedColormap.from_list("levels", [ax.get_facecolor(), INSIDE])
    shades = [ramp((k + 1) / len(steps)) for k in range(len(steps))]
    colormap = colors.ListedColormap([ax.get_facecolor(), *shades])
    canvas.show_matrix(ax, reached, cmap=colormap, vmin=0, vmax=len(steps), aspect="auto")
    canvas.label_items(ax, labels, estimate.item_names, rows)
    patch = require("matplotlib.patches", extra="plot").Patch
    keys = [
        patch(facecolor=shade, edgecolor="black", linewidth=0.4, label=_counted(share, core))
        for share, shade, core in zip(steps, shades, kept, strict=True)
    ]
    canvas.legend_beside(ax, handles=keys, title="at least this share of draws")
    canvas.label_features(ax, estimate.feature_names)
    return ax


def _counted(share: float, core: Any) -> str:
    entries = count(int(core.sum()), "entry", plural="entries")
    return f"{100 * share:g} %: {entries}, {count(int(core.any(axis=0).sum()), 'feature')}"


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
    cmap
        Colours; by default those of rcParams.
    order, colorbar, labels, figsize, ax
        As for `fangs.plot.allocation`.

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
    ax = canvas.axes_or_new(ax, figsize=figsize, size=(6.2, 4.8))
    highest = highest_shared(shared)
    image = canvas.show_matrix(ax, shared[np.ix_(rows, rows)], cmap=cmap, vmin=0, vmax=highest)
    canvas.label_items(ax, labels, samples.item_names, rows)
    ax.set_xticks([])
    ax.set_xlabel("the same items")
    if colorbar:
        beyond: Any = "max" if float(shared.max(initial=0.0)) > highest else "neither"
        words = "features shared, on average"
        ax.figure.colorbar(image, ax=ax, shrink=0.8, label=words, extend=beyond)
    return ax
