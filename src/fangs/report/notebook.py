"""What all notebook views share: small tables next to a picture, with styles of their own.

Notebooks bring style sheets that override attributes, so sizes and alignment are inline styles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fangs.report.markup import Html, element, table_parts

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


def name_values(values: dict[str, Any]) -> Html:
    """A table of names and values; those that are empty are left out."""
    lines = (
        element("tr", element("th", key, style=CELL), element("td", value, style=CELL))
        for key, value in values.items()
        if value != ""
    )
    return element("table", element("tbody", *lines), style="margin:0")


def grid(header: Sequence[Any], rows: Sequence[Sequence[Any]]) -> Html:
    """A table with a header; of many rows the first are shown, and the rest are counted."""
    parts = table_parts(header, rows[:ROWS], text={"style": CELL}, number={"style": NUMBER})
    shown = element("table", parts, style="margin:0 0 4px")
    if len(rows) <= ROWS:
        return shown
    return Html(shown + sentence(f"and {len(rows) - ROWS:,} more; see to_frame()"))
