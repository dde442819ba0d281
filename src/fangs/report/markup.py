"""Small pieces of HTML: escaped text, elements, sections, tables, data for a script."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from fangs._visible import visible
from fangs.io.json import plain


class Html(str):
    """Finished markup; everything else is text and gets escaped."""

    __slots__ = ()


def text(value: Any) -> Html:
    """Escape a value, unless it is `Html` already.

    Examples
    --------
    >>> text("a < b"), text(Html("<b>c</b>"))
    ('a &lt; b', '<b>c</b>')
    """
    return value if isinstance(value, Html) else Html(_escaped(value))


def _escaped(value: Any) -> str:
    """Text without markup, control codes, half characters, or codes that turn the line around."""
    return escape(_UNSEEN.sub(lambda found: visible(found[0]), str(value)))


_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


def join(pieces: Iterable[Any], separator: str = "\n") -> Html:
    """Join pieces, each escaped."""
    return Html(separator.join(text(piece) for piece in pieces))


def element(name: str, *content: Any, **attributes: Any) -> Html:
    """An element; attributes that are None are left out, and ``class_`` is ``class``.

    Examples
    --------
    >>> element("p", "x < y", class_="note")
    '<p class="note">x &lt; y</p>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_escaped(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{written}>{join(content, '')}</{name}>")


def void(name: str, **attributes: Any) -> Html:
    """An element without content and end tag."""
    return Html(element(name, **attributes).removesuffix(f"</{name}>"))


def section(name: str, title: str, *content: Any) -> Html:
    """A section with its heading."""
    return element("section", element("h2", title), join(content), id=name)


def note(*words: Any) -> Html:
    """A paragraph in small print."""
    return element("p", *words, class_="note")


def table(header: Sequence[Any], rows: Iterable[Sequence[Any]], *, sortable: bool = False) -> Html:
    """A table in a box that scrolls sideways if the table is too wide."""
    head = element("tr", *(element("th", cell, scope="col") for cell in header))
    body = (element("tr", *(element("td", cell) for cell in row)) for row in rows)
    inner = element("thead", head) + "\n<tbody>\n" + join(body) + "\n</tbody>"
    kind = "sortable" if sortable else None
    return element("div", element("table", Html(inner), class_=kind), class_="wide")


def data_block(document: Any, *, name: str) -> Html:
    r"""JSON for a script to read, written so that no text in it can end the element.

    Examples
    --------
    >>> print(data_block(["</script>"], name="data"))
    <script type="application/json" id="data">["\u003c/script\u003e"]</script>
    """
    written = json.dumps(document, default=plain, separators=(",", ":"))
    for character in "<>&":
        written = written.replace(character, f"\\u{ord(character):04x}")
    return Html(f'<script type="application/json" id="{escape(name)}">{written}</script>')
