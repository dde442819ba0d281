"""Matrices side by side: an estimate and another matrix, or the estimates of several modes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fangs._extras import require
from fangs._typing import FloatArray
from fangs.check.arguments import as_allocation
from fangs.check.text import rounded
from fangs.modes import Modes
from fangs.plot import canvas
from fangs.plot.order import item_order
from fangs.plot.palette import INSIDE, OUTSIDE
from fangs.plot.shading import side_by_side, with_gaps

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CROSS = 4.0
"""Height of a row, in points, from which on a cross fits into an entry."""


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
    names
        What to call the two.
    order, labels, figsize, ax
        As for `fangs.plot.allocation`.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> estimate = fangs.estimate(draws, seed=1)
    >>> ax = fangs.plot.comparison(estimate, draws[0], names=("Estimate", "First draw"))
    """
    _refuse_draws(estimate, other)
    first = as_allocation(estimate, name="estimate")
    first, second = side_by_side(first, as_allocation(other, name="other", n_items=len(first)))
    rows, differ = item_order(first, order), first != second
    sign = 1.0 - 2.0 * differ
    items = getattr(estimate, "item_names", range(1, len(first) + 1))
    ax = _show([first * sign, second * sign], names, labels, items, rows, figsize=figsize, ax=ax)
    keys = {"both": INSIDE, "only one": OUTSIDE}
    if _row_height(ax, len(first)) >= CROSS:
        absent = with_gaps([1.0 * (differ & (matrix == 0)) for matrix in (first, second)])[rows]
        y, x = np.nonzero(absent)
        ax.scatter(x, y, marker="x", s=CROSS**2 / 2, linewidths=0.7, color=OUTSIDE)
        keys["missing"] = OUTSIDE
    _legend_below(ax, keys)
    names_of = getattr(estimate, "feature_names", ())
    alone = range(len(names_of) + 1, first.shape[1] + 1)  # features of the other alone
    _label_columns_of(ax, [*names_of, *alone], n_blocks=2)
    return ax


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
    order, labels, figsize, ax
        As for `fangs.plot.allocation`.

    Examples
    --------
    >>> import fangs
    >>> ax = fangs.plot.modes(fangs.modes(fangs.datasets.example(), seed=1))
    >>> [text.get_text() for text in ax.texts]
    ['mode 1, 75 %', 'mode 2, 25 %']
    """
    canvas.check_kind(found, Modes, name="found", call="fangs.modes(draws)")
    rows = item_order(np.hstack(found.aligned()), order)
    titles = [f"mode {m + 1}, {rounded(100 * share)} %" for m, share in enumerate(found.weights)]
    items = found.estimates[0].item_names
    ax = _show(found.differences(), titles, labels, items, rows, figsize=figsize, ax=ax)
    _label_columns_of(ax, found.feature_names, n_blocks=found.n_modes)
    if found.n_modes > 1:
        _legend_below(ax, {"in all modes": INSIDE, "in some": OUTSIDE})
    return ax


def _show(
    blocks: Sequence[FloatArray],
    titles: Sequence[str],
    labels: Sequence[Any] | None,
    items: Sequence[Any],
    rows: Any,
    *,
    figsize: tuple[float, float] | None,
    ax: Axes | None,
) -> Axes:
    """Draw matrices next to each other, with a title above each and a gap between them."""
    width, shown = max(blocks[0].shape[1], 1), with_gaps(blocks)[rows]
    fitting, height = canvas.matrix_size(*shown.shape, margin=1.6)
    ax = canvas.axes_or_new(
        ax, figsize=figsize, size=(max(fitting, 1.8 + 1.4 * len(blocks)), height)
    )
    canvas.show_signed(ax, shown)
    canvas.label_items(ax, labels, items, rows)
    place: dict[str, Any] = {"ha": "center", "va": "bottom"}
    for k, title in enumerate(titles):
        left = k * (width + 1)
        transform = ax.get_xaxis_transform()
        ax.text(left + (width - 1) / 2, 1.01, title, transform=transform, **place)
        if k:
            ax.axvspan(left - 1.5, left - 0.5, color=ax.figure.get_facecolor(), zorder=3)
    return ax


def _label_columns_of(ax: Axes, features: Sequence[Any], *, n_blocks: int) -> None:
    """Label the columns of every block, and none of the gaps."""
    canvas.label_features(ax, [*features, *["", *features] * (n_blocks - 1)])


def _legend_below(ax: Axes, colors: dict[str, str]) -> None:
    """Say below the figure what colours mean; what is missing is a cross."""
    line = require("matplotlib.lines", extra="plot").Line2D
    keys = [
        line(
            [], [], color=color, label=name, linestyle="", marker="x" if name == "missing" else "s"
        )
        for name, color in colors.items()
    ]
    ax.figure.legend(handles=keys, loc="outside lower center", ncols=3, frameon=False)


def _refuse_draws(*matrices: Any) -> None:
    if any(getattr(matrix, "_fangs_depth", 2) > 2 for matrix in matrices):
        raise TypeError(
            "estimate and other are one matrix each, but draws were given; take one of them, such "
            "as fangs.plot.comparison(estimate, draws[0])"
        )


def _row_height(ax: Axes, n_rows: int) -> float:
    """Height of a row in points."""
    return float(ax.get_window_extent().height * 72.0 / ax.figure.dpi / max(n_rows, 1))
