"""What all notebook views share: small tables next to a picture, with styles of their own.

Notebooks bring style sheets that override attributes, so sizes and alignment are inline styles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fangs.report.markup import Html, element, is_number

ROWS = 20
"""Rows that a table in a notebook shows."""
CELL = "text-align:left;padding:1px 12px 1px 0;vertical-align:top;white-space:nowrap"
NUMBER = CELL.replace("left", "right", 1)
WIDEST = "28em"
"""Width of a sentence, so that a picture fits next to it in JupyterLab with its file list open."""


def beside(name: str, *parts: Any, image: Html | str = "", caption: str = "") -> str:
    """The name of a result, its tables and sentences, and a picture next to them."""
    head = element("div", element("b", f"fangs.{name}"), style="margin-bottom:4px")
    words = element("div", head, *parts)
    small = element("figcaption", caption, style="font-size:85%;max-width:300px")
    figure = element("figure", image, small, style="margin:0") if image else ""
    layout = "display:flex;flex-wrap:wrap;gap:8px 32px;align-items:flex-start"
    return element("div", words, figure, style=layout)


def sentence(words: str) -> Html:
    """A line of text between tables."""
    words = words.replace(" %", "\u00a0%")  # no line begins with %
    return element("p", words, style=f"margin:4px 0;max-width:{WIDEST}")


def name_values(rows: Sequence[tuple[str, Any]]) -> Html:
    """A table of names and values."""
    lines = (
        element("tr", element("th", key, style=CELL), element("td", value, style=CELL))
        for key, value in rows
    )
    return element("table", element("tbody", *lines), style="margin:0")


def grid(header: Sequence[Any], rows: Sequence[Sequence[Any]]) -> Html:
    """A table with a header; of many rows the first are shown, and the rest are counted."""
    columns = zip(*rows, strict=True)
    looks = [NUMBER if all(map(is_number, column)) else CELL for column in columns]
    looks[:1] = [CELL]
    looks += [CELL] * (len(header) - len(looks))

    def line(name: str, cells: Sequence[Any]) -> Html:
        parts = zip(cells, looks, strict=True)
        return element("tr", *(element(name, cell, style=look) for cell, look in parts))

    head = line("th", header)
    lines = (line("td", row) for row in rows[:ROWS])
    table = element(
        "table", element("thead", head), element("tbody", *lines), style="margin:0 0 4px"
    )
    if len(rows) <= ROWS:
        return table
    return Html(table + sentence(f"and {len(rows) - ROWS:,} more; see to_frame()"))
