"""The estimates of several modes side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fangs._extras import require
from fangs._palette import INSIDE, OUTSIDE
from fangs._typing import FloatArray
from fangs.modes import Modes
from fangs.plot.canvas import axes_or_new, label_entries, matrix_size, show_matrix, two_sided
from fangs.plot.order import item_order

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def modes(found: Modes, *, order: Any = "left", ax: Axes | None = None) -> Axes:
    """Draw the estimates of all modes side by side, their features aligned to each other.

    Entries that all modes have are blue, entries that only some have are orange.

    Parameters
    ----------
    found
        From `fangs.modes`.
    order
        Of the items: "left", "leaf", "given" or positions; see `item_order`.
    ax
        Axes to draw on; by default those of a new figure.

    Examples
    --------
    >>> import fangs
    >>> ax = fangs.plot.modes(fangs.modes(fangs.datasets.example(), seed=1))
    >>> [text.get_text() for text in ax.texts]
    ['mode 1, 75 %', 'mode 2, 25 %']
    """
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
    ax = axes_or_new(ax, size=(max(size[0], 1.4 + 1.2 * found.n_modes), size[1]))
    show_matrix(ax, shown, cmap=two_sided(ax), vmin=-1, vmax=1, aspect="auto")
    labels = found.estimates[0].labels
    label_entries(ax, [labels[i] for i in rows], which="y")
    ax.set_ylabel("" if len(ax.get_yticks()) == n_items else f"{n_items:,} items")
    numbers: list[Any] = []
    for m in range(found.n_modes):
        left = m * (width + 1)
        numbers += [*range(1, width + 1), ""]
        name = f"mode {m + 1}, {100 * found.weights[m]:.3g} %"
        transform = ax.get_xaxis_transform()
        middle = left + (width - 1) / 2
        ax.text(middle, 1.01, name, ha="center", va="bottom", transform=transform)
        if m:
            ax.axvspan(left - 1.5, left - 0.5, color=ax.figure.get_facecolor(), zorder=3)
    label_entries(ax, numbers[:-1], which="x")
    ax.set_xlabel("Feature")
    if found.n_modes > 1:
        lines = require("matplotlib.lines", extra="plot")
        square = {"linestyle": "", "marker": "s"}
        keys = [
            lines.Line2D([], [], color=INSIDE, label="in all modes", **square),
            lines.Line2D([], [], color=OUTSIDE, label="in some", **square),
        ]
        ax.figure.legend(handles=keys, loc="outside lower center", ncols=2, frameon=False)
    return ax
