"""The estimates of several modes side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fangs._extras import require
from fangs._typing import FloatArray
from fangs.modes import Modes
from fangs.plot.canvas import (
    axes_or_new,
    check_kind,
    item_labels,
    label_features,
    label_items,
    matrix_size,
    show_matrix,
    two_sided,
)
from fangs.plot.order import item_order
from fangs.plot.palette import INSIDE, OUTSIDE

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def modes(
    found: Modes,
    *,
    order: Any = "left",
    labels: Sequence[Any] | None = None,
    figsize: tuple[float, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the estimates of all modes side by side, their features aligned to each other.

    Entries that all modes have are blue, entries that only some have are orange. Features have
    the names that `Modes.named` gave them.

    Parameters
    ----------
    found
        From `fangs.modes`.
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
    >>> ax = fangs.plot.modes(fangs.modes(fangs.datasets.example(), seed=1))
    >>> [text.get_text() for text in ax.texts]
    ['mode 1, 75 %', 'mode 2, 25 %']
    """
    check_kind(found, Modes, name="found", call="fangs.modes(draws)")
    matrices = found.aligned()
    n_items, width = matrices[0].shape
    rows = item_order(np.hstack(matrices), order)
    in_all = np.all(matrices, axis=0)
    gap = np.zeros((n_items, 1))
    blocks: list[FloatArray] = []
    for matrix in matrices:
        blocks += [np.where(in_all, 1.0, -1.0) * matrix, gap]
    shown = np.hstack(blocks[:-1])[rows]
    size = matrix_size(n_items, shown.shape[1], margin=1.6)
    ax = axes_or_new(ax, figsize=figsize, size=(max(size[0], 1.8 + 1.4 * found.n_modes), size[1]))
    show_matrix(ax, shown, cmap=two_sided(ax), vmin=-1, vmax=1, aspect="auto")
    label_items(ax, item_labels(labels, found.estimates[0].item_names), rows)
    names: list[str] = []
    for m in range(found.n_modes):
        left = m * (width + 1)
        names += [*found.feature_names, ""]
        title = f"mode {m + 1}, {100 * found.weights[m]:.3g} %"
        transform = ax.get_xaxis_transform()
        middle = left + (width - 1) / 2
        ax.text(middle, 1.01, title, ha="center", va="bottom", transform=transform)
        if m:
            ax.axvspan(left - 1.5, left - 0.5, color=ax.figure.get_facecolor(), zorder=3)
    label_features(ax, names[:-1])
    if found.n_modes > 1:
        lines = require("matplotlib.lines", extra="plot")
        square = {"linestyle": "", "marker": "s"}
        keys = [
            lines.Line2D([], [], color=INSIDE, label="in all modes", **square),
            lines.Line2D([], [], color=OUTSIDE, label="in some", **square),
        ]
        ax.figure.legend(handles=keys, loc="outside lower center", ncols=2, frameon=False)
    return ax
