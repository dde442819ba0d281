"""One screen of text about an estimate."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from fangs.check.text import count, shortened, time_taken, visible
from fangs.estimate import FIELDS
from fangs.report.tables import estimate_table

if TYPE_CHECKING:
    from fangs.estimate import Estimate
    from fangs.search.record import Search

__all__ = ["screen"]

WIDTH = 80  # columns of the screen
ROWS = 40  # items, or features in the summary, that one screen shows
LABEL = 16  # characters at which an item label is cut


def screen(estimate: Estimate) -> str:
    """Describe ``estimate`` on one screen: what it is, how good, and how it was found.

    The matrix is drawn item by item where it fits; otherwise the features are listed.
    """
    blocks = ["\n".join(_lines(estimate))]
    if estimate.n_features:
        blocks.append(_drawing(estimate) if _fits(estimate) else _summary(estimate))
    if estimate.search is not None:
        blocks.append(_search_lines(estimate.search))
    return "\n\n".join(blocks)


def _lines(estimate: Estimate) -> list[str]:
    """What there is to say, line by line."""
    said = (field.words(estimate) for field in FIELDS)
    return [fill(words, WIDTH, subsequent_indent="  ") for words in said if words]


def _fits(e: Estimate) -> bool:
    return e.n_items <= ROWS and 2 + LABEL + _cell(e) * e.n_features <= WIDTH


def _cell(e: Estimate) -> int:
    """Characters that a column of the drawing takes."""
    largest = str(int(e.matrix.sum(axis=0).max()))
    return max(len(_cut(text)) for text in (*e.feature_names, largest)) + 1


def _drawing(e: Estimate) -> str:
    """Draw the matrix: a row per item, with names of features above and sizes below."""
    sizes = e.matrix.sum(axis=0, dtype=np.int64)
    cell = _cell(e)
    labels = [_cut(label) for label in e.item_names]
    indent = max(map(len, [*labels, "feature"]))

    def line(label: str, cells: list[str]) -> str:
        return f"  {label:<{indent}}" + "".join(f"{text:>{cell}}" for text in cells)

    rows = [
        line(label, ["■" if entry else "·" for entry in row])
        for label, row in zip(labels, e.matrix, strict=True)
    ]
    head = line("feature", [_cut(name) for name in e.feature_names])
    return "\n".join([head, *rows, line("items", [str(size) for size in sizes])])


def _summary(e: Estimate) -> str:
    """List the features: how many items, how sure of them, and which come first."""
    names = [_cut(name) for name in e.feature_names[:ROWS]]
    width = max(map(len, [*names, "feature"]))
    lines = [f"  {'feature':>{width}}  items  mean proportion  which"]
    for j, (name, (_, size, mean)) in enumerate(zip(names, estimate_table(e)[1], strict=False)):
        start = f"  {name:>{width}}  {size:>5}  {mean:>15}  "
        members = _first_members(e.matrix[:, j])
        names_of = [e.first_item + i if e.items is None else e.items[i] for i in members]
        lines.append(start + _fitted([_cut(name) for name in names_of], WIDTH - len(start)))
    if e.n_features > ROWS:
        lines.append(f"  and {count(e.n_features - ROWS, 'more feature')}")
    return "\n".join(lines)


def _first_members(column: npt.NDArray[np.uint8]) -> list[int]:
    """The first items of a feature, more than a line can show."""
    few = np.flatnonzero(column[: 100 * WIDTH])
    if len(few) < WIDTH:
        few = np.flatnonzero(column)
    members: list[int] = few[:WIDTH].tolist()
    return members


def _search_lines(search: Search) -> str:
    # Those that continue from a subsample are no starts of their own.
    starts = [start for start in search.starts if start.method != "subsample"]
    sweetened = sum(start.loss is not None for start in starts)
    seconds = sum(search.seconds.values())
    seed = "" if search.seed is None else f", seed {search.seed}"
    lines = [
        f"Search: {count(len(starts), 'start')}, {sweetened} sweetened, "
        f"{count(search.flips, 'flip')}, {time_taken(seconds)}{seed}",
        f"Stopped: {search.stopped_because}",
    ]
    return "\n".join(fill(line, WIDTH, subsequent_indent="  ") for line in lines)


def _fitted(words: list[str], width: int) -> str:
    """Join the words that fit, and add an ellipsis if some do not."""
    text = ", ".join(words)
    while len(text) > width and len(words) > 1:
        words = words[:-1]
        text = ", ".join(words) + ", …"
    return text


def _cut(label: object) -> str:
    return shortened(visible(label), LABEL)
