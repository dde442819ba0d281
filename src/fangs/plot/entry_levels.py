"""The certain core of an estimate and its doubtful fringe, by levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fangs._extras import require
from fangs.check.arguments import as_level
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
)
from fangs.plot.order import item_order
from fangs.plot.palette import INSIDE

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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

    The darkest entries are the certain core, the palest its doubtful fringe. At a = 1 the estimate
    is, but for ties, what at least half of the draws have. The legend counts entries and features;
    a feature counts at a level if it has an entry there.

    Parameters
    ----------
    estimate
        From `fangs.estimate` or `fangs.assess`.
    shares
        The levels, each more than 0 and at most 1.
    order
        Of the items: "left", "leaf", "given" or positions; see `item_order`.
    labels
        What to call the items, one label each in the order of the draws; by default their own.
    figsize
        Width and height of the new figure in inches.
    ax
        Axes to draw on; by default those of a new figure.

    Examples
    --------
    >>> import fangs
    >>> ax = fangs.plot.levels(fangs.estimate(fangs.datasets.example(), seed=1))
    >>> [text.get_text() for text in ax.get_legend().get_texts()][0]
    '20 %: 223 entries, 4 features'
    """
    check_kind(estimate, Estimate, name="estimate", call=ESTIMATES)
    steps = sorted(as_level(share, name="shares") for share in shares)
    if not steps:
        raise ValueError("shares is empty; give at least one, such as 0.9")
    rows = item_order(estimate.matrix, order)
    ax = axes_or_new(ax, figsize=figsize, size=matrix_size(*estimate.matrix.shape, margin=4.6))
    kept = [estimate.at_least(share) for share in steps]
    reached = np.stack(kept).sum(axis=0, dtype=np.float64)[rows]
    if not estimate.n_features:
        reached = np.zeros((estimate.n_items, 1))
    colors = require("matplotlib.colors", extra="plot")
    ramp = colors.LinearSegmentedColormap.from_list("levels", [ax.get_facecolor(), INSIDE])
    shades = [ramp((k + 1) / len(steps)) for k in range(len(steps))]
    colormap = colors.ListedColormap([ax.get_facecolor(), *shades])
    show_matrix(ax, reached, cmap=colormap, vmin=0, vmax=len(steps), aspect="auto")
    label_items(ax, item_labels(labels, estimate.item_names), rows)
    patches = require("matplotlib.patches", extra="plot")
    keys = [
        patches.Patch(
            facecolor=shade, edgecolor="black", linewidth=0.4, label=_counted(share, core)
        )
        for share, shade, core in zip(steps, shades, kept, strict=True)
    ]
    ax.legend(
        handles=keys, title="at least this share of draws", loc="center left",
        bbox_to_anchor=(1.0, 0.5), frameon=False,
    )  # fmt: skip
    label_features(ax, estimate.feature_names)
    return ax


def _counted(share: float, core: Any) -> str:
    entries, features = int(core.sum()), int(core.any(axis=0).sum())
    entry, feature = (
        "entry" if entries == 1 else "entries",
        "feature" if features == 1 else "features",
    )
    return f"{100 * share:g} %: {entries:,} {entry}, {features:,} {feature}"
