"""What the plots share: new axes where none are given, matrices, labels that fit, legends."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from fangs._extras import require
from fangs.check.arguments import holds_estimates
from fangs.check.text import shortened
from fangs.draws.labels import first_number
from fangs.plot.palette import INSIDE, OUTSIDE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.image import AxesImage
    from matplotlib.legend import Legend

ESTIMATES = "fangs.estimate(draws), or fangs.assess(matrix, draws)"
"""Calls that make what pictures of an estimate need."""
SMALLEST = 0.6
"""Labels that would have to shrink below this share of their rcParams size are left out."""
LONGEST = 24
"""Characters at which a label is cut, in its middle; a third more where that tells labels apart."""


def axes_or_new(
    ax: Axes | None,
    *,
    size: tuple[float, float] | None = None,
    figsize: tuple[float, float] | None = None,
) -> Axes:
    """Return the axes given, or those of a new figure of `figsize` inches, by default `size`."""
    if ax is not None and figsize is not None:
        raise TypeError("figsize is the size of a new figure; leave it out where ax is given")
    if figsize is not None and np.shape(figsize) != (2,):
        raise TypeError(
            f"figsize = {figsize!r} is no size; give width and height in inches: (6, 4)"
        )
    if ax is None:
        pyplot = require("matplotlib.pyplot", extra="plot")
        ax = pyplot.subplots(figsize=figsize or size, layout="constrained")[1]
    elif not hasattr(ax, "imshow"):
        raise TypeError(f"ax is of type {type(ax).__name__}; give matplotlib Axes, or None")
    return ax


def check_kind(value: Any, kind: type, *, name: str, call: str) -> None:
    """Refuse what is not a result of this kind, and name the call that makes one."""
    if not isinstance(value, kind):
        inside = holds_estimates(value) if kind.__name__ == "Estimate" else None
        if inside is not None:
            raise TypeError(f"{name} is {inside}")
        raise TypeError(
            f"{name} is of type {type(value).__name__}; give a fangs.{kind.__name__}, from {call}"
        )


def show_matrix(ax: Axes, values: NDArray[np.float64], **options: Any) -> AxesImage:
    """Draw a matrix, one sharp rectangle per value, without the grid of the style."""
    if not values.shape[1]:
        values = np.zeros((len(values), 1))
    ax.grid(False)
    return ax.imshow(values, interpolation="none", **options)


def show_signed(ax: Axes, values: NDArray[np.float64]) -> AxesImage:
    """Draw values from left out (-1) over the background of the axes (0) to in the estimate (1)."""
    colors = require("matplotlib.colors", extra="plot")
    ramp = [OUTSIDE, ax.get_facecolor(), INSIDE]
    colormap = colors.LinearSegmentedColormap.from_list("fangs", ramp)
    return show_matrix(ax, values, cmap=colormap, vmin=-1, vmax=1, aspect="auto")


def matrix_size(n_rows: int, n_columns: int, *, margin: float = 2.4) -> tuple[float, float]:
    """Width and height of a figure for a matrix, in inches; tall enough for labels if possible."""
    width = margin + np.clip(0.32 * n_columns, 1.2, 9.0)
    height = 0.8 + 0.17 * n_rows
    return float(width), float(np.clip(height, 2.4, 9.0) if height < 9.0 else 5.0)


def item_labels(labels: Sequence[Any] | None, own: Sequence[Any]) -> Sequence[Any]:
    """The labels given, one for each item, or the items' own."""
    if labels is None:
        return own
    if isinstance(labels, str) or len(labels) != len(own):
        raise ValueError(
            f"labels has {len(labels)} entries, but there are {len(own)} items; give a list with "
            "one label per item, in the order of the draws"
        )
    return labels


def label_items(
    ax: Axes, labels: Sequence[Any] | None, own: Sequence[Any], rows: NDArray[np.int64]
) -> None:
    """Label the items of the rows, or say how many there are if their labels do not fit."""
    labels = item_labels(labels, own)
    label_entries(ax, [labels[i] for i in rows], which="y")
    fits = len(ax.get_yticks()) == len(rows)
    ax.set_ylabel(f"{len(own):,} items" if not fits else item_title(labels))


def item_title(labels: Sequence[Any]) -> str:
    """What to call an axis of items: nothing where their names say so."""
    return "" if first_number(labels) is None else "Item"


def label_features(ax: Axes, labels: Sequence[Any], *, title: str = "Feature") -> None:
    """Label the columns; the last thing to do, because it needs the room that all else leaves."""
    fit_layout(ax)
    label_entries(ax, labels, which="x")
    ax.set_xlabel(title)


def fit_layout(ax: Axes) -> None:
    """Give everything that was drawn so far its room."""
    layout = ax.figure.get_layout_engine()
    if layout is not None:
        layout.execute(ax.figure.canvas.figure)  # the whole figure, where this is a part of one


def label_entries(ax: Axes, labels: Sequence[Any], *, which: Literal["x", "y"]) -> None:
    """Label the rows if their labels fit, and as many of the columns as can be read.

    Names of columns that do not fit side by side are turned; of numbers, some are left out.
    Labels are shown literally: a dollar sign does not start a formula.
    """
    axis = ax.yaxis if which == "y" else ax.xaxis
    names = _short(labels)
    em = _font_size(which)
    box = ax.get_window_extent()
    points = (box.height if which == "y" else box.width) * 72.0 / ax.figure.dpi
    room = points / em / max(len(names), 1)  # ems per label
    step, scale, angle = 1, 1.0, 0.0
    if which == "y":
        scale = min(1.0, room / 1.1)
        if scale < SMALLEST:
            names = []
    else:
        wanted = 0.65 * max(map(len, names), default=0) + 0.4
        if wanted > room and not all(name.isdigit() for name in names if name):
            wanted, angle = 1.1, 90.0
        step = int(np.ceil(wanted / room))
        step = next(s * 10**p for p in range(9) for s in (1, 2, 5) if s * 10**p >= step)
    # Of many labels every 2nd, 5th or 10th of each block of columns; blocks end at an empty name.
    shown, number = [], 0
    for k, name in enumerate(names):
        number = number + 1 if name else 0
        if number and number % step == 0:
            shown.append(k)
    for tick in axis.set_ticks(shown, [names[i] for i in shown]):
        tick.label1.set_parse_math(False)
        tick.label1.set_fontsize(scale * em)
        tick.label1.set_rotation(angle)
    axis.set_tick_params(length=0)


def _short(labels: Sequence[Any]) -> list[str]:
    """Labels without their middles; they are longer where they would be the same."""
    words = [str(label) for label in labels]
    for longest in (LONGEST, LONGEST * 4 // 3):
        names = [shortened(word, longest) for word in words]
        if len(set(names)) == len(set(words)):
            break
    return names


def _font_size(which: Literal["x", "y"]) -> float:
    """Size of tick labels, in points."""
    wanted = require("matplotlib", extra="plot").rcParams[f"{which}tick.labelsize"]
    properties = require("matplotlib.font_manager", extra="plot").FontProperties(size=wanted)
    return float(properties.get_size_in_points())


FEW = 15
"""Whole numbers up to which each has a tick of its own."""


def whole_numbers(axis: Axis, *, low: int | None = None, high: int | None = None) -> None:
    """Put ticks on whole numbers only: on each from low to high if these are few."""
    ticker = require("matplotlib.ticker", extra="plot")
    if low is not None and high is not None and high - low < FEW:
        axis.set_major_locator(ticker.FixedLocator(list(range(low, high + 1))))
    else:
        axis.set_major_locator(ticker.MaxNLocator(integer=True, steps=[1, 2, 5, 10]))


def legend_above(ax: Axes, *, columns: int = 1, **options: Any) -> None:
    """Put the legend above the axes, where nothing is drawn."""
    place: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0.2}
    ax.legend(frameon=False, handlelength=1.5, ncols=columns, **place, **options)


def legend_beside(ax: Axes, **options: Any) -> Legend:
    """Put the legend on the right of the axes."""
    return ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, **options)


def note_below(ax: Axes, note: str) -> None:
    """Put a note under the label of the x axis, if there is one, in lines as wide as the axes."""
    if note:
        inches = ax.get_window_extent().width / ax.figure.dpi
        characters = round(72 * inches / (0.55 * float(ax.xaxis.label.get_fontsize())))
        ax.set_xlabel(f"{ax.get_xlabel()}\n{fill(f'Note: {note}', max(characters, 30))}")
