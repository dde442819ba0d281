"""How much of an estimate replicates have: shares of its entries, and how far they are from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fangs.plot import canvas
from fangs.plot.order import item_order
from fangs.plot.palette import INSIDE, NEUTRAL
from fangs.plot.shading import signed
from fangs.posterior.stability import Stability

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH = 2.6
"""Width of the picture of the distances, in inches."""
MOST_BARS = 40
"""Distances that have a bar each; more are put together."""


def stability(
    found: Stability,
    *,
    order: Any = "left",
    labels: Sequence[Any] | None = None,
    figsize: tuple[float, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the share of replicates that have each entry, and how far they are from the estimate.

    Entries of the estimate are blue, entries that it leaves out are orange. The stronger the
    colour, the more replicates have the entry: an estimate that draws drawn again do not change is
    in strong blue, with nothing else. Next to it is the FARO loss between the estimate and that of
    each replicate; the same estimate is in blue.

    Parameters
    ----------
    found
        From `fangs.stability`.
    order, labels, figsize
        As for `fangs.plot.allocation`.
    ax
        Axes to draw the matrix on, without the distances; by default both are drawn in a new
        figure.

    Returns
    -------
    Axes
        Those of the matrix; those of the distances are the second ones of its figure.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.arrests()
    >>> found = fangs.stability(fangs.estimate(draws, seed=1), draws, seed=1)
    >>> ax = fangs.plot.stability(found)
    >>> [axes.get_xlabel() for axes in ax.figure.axes]
    ['Feature', 'FARO loss from the estimate']
    """
    canvas.check_kind(found, Stability, name="found", call="fangs.stability(estimate, draws)")
    if ax is not None:
        return _draw_entries(canvas.axes_or_new(ax, figsize=figsize), found, order, labels)
    width, height = canvas.matrix_size(*found.matrix.shape, margin=1.8)
    ax = canvas.axes_or_new(None, figsize=figsize, size=(width + WIDTH, height))
    total = figsize[0] if figsize is not None else width + WIDTH
    grid = ax.figure.add_gridspec(1, 2, width_ratios=[max(total - WIDTH, 1.0), WIDTH])
    ax.set_subplotspec(grid[0])
    _draw_distances(ax.figure.add_subplot(grid[1]), found)
    return _draw_entries(ax, found, order, labels)


def _draw_entries(ax: Axes, found: Stability, order: Any, labels: Any) -> Axes:
    """The matrix, shaded by the share of replicates with each entry."""
    rows = item_order(found.matrix, order)
    canvas.show_signed(ax, signed(found.matrix, found.entries)[rows])
    canvas.label_items(ax, labels, found.labels, rows)
    ax.set_title("Share of the replicates")
    canvas.note_below(ax, found.note)
    canvas.label_features(ax, found.feature_names)
    return ax


def _draw_distances(ax: Axes, found: Stability) -> None:
    """How many replicates are how far from the estimate."""
    values, counts = np.unique(found.distances, return_counts=True)
    if len(values) <= MOST_BARS:
        ax.bar(values, counts, width=0.8, color=[NEUTRAL if v else INSIDE for v in values])
    else:
        ax.hist(found.distances, bins=MOST_BARS, color=NEUTRAL)
    canvas.whole_numbers(ax.xaxis, low=0, high=int(values.max()))
    canvas.whole_numbers(ax.yaxis)
    percent = f"{100 * found.identical:.0f} % the same"
    ax.set(xlabel="FARO loss from the estimate", ylabel="Replicates", title=percent)
