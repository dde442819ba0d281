"""Small pieces of HTML: escaped text, elements, sections, tables, data for a script."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from fangs.check.text import visible
from fangs.formats.json import plain


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


def figure(image: Html, caption: str = "", **attributes: Any) -> Html:
    """A picture, with what it shows below it."""
    below = element("figcaption", caption) if caption else ""
    return element("figure", image, below, **attributes)


def scrolling(content: Html, *, label: str) -> Html:
    """A box in which something large can be moved, also by the keyboard."""
    return element("div", content, class_="box", tabindex=0, role="region", aria_label=label)


def note(*words: Any) -> Html:
    """A paragraph in small print."""
    return element("p", *words, class_="note")


def with_code(words: str) -> list[Html | str]:
    """A sentence whose calls are shown as code.

    Examples
    --------
    >>> with_code("Try fangs.modes(draws).")
    ['Try ', '<code>fangs.modes(draws)</code>', '.']
    """
    pieces = _CALL.split(words)
    return [element("code", piece) if k % 2 else piece for k, piece in enumerate(pieces)]


_CALL = re.compile(r"(fangs\.\w+\([^)]*\))")


def table(header: Sequence[Any], rows: Iterable[Sequence[Any]], *, sortable: bool = False) -> Html:
    """A table in a box that scrolls sideways if the table is too wide."""
    parts = table_parts(header, list(rows), text={}, number={"class_": "number"})
    kind = "sortable" if sortable else None
    return element("div", element("table", parts, class_=kind), class_="wide")


def table_parts(
    header: Sequence[Any],
    rows: Sequence[Sequence[Any]],
    *,
    text: dict[str, str],
    number: dict[str, str],
) -> Html:
    """Head and body of a table; cells have attributes of `text`, or of `number`.

    The latter are in columns of numbers, but never in the first.
    """
    columns = list(zip(*rows, strict=True))[1:]
    looks = [text, *(number if all(map(is_number, column)) else text for column in columns)]
    looks += [text] * (len(header) - len(looks))

    def line(name: str, cells: Sequence[Any], **scope: str) -> Html:
        parts = zip(cells, looks, strict=True)
        return element("tr", *(element(name, cell, **scope, **look) for cell, look in parts))

    head = element("thead", line("th", header, scope="col"))
    return Html(head + "\n<tbody>\n" + join(line("td", row) for row in rows) + "\n</tbody>")


def is_number(cell: Any) -> bool:
    """Whether a cell of a table is a number, per cent, a time, an interval, or a dash.

    Examples
    --------
    >>> [is_number(cell) for cell in (3, "1,234.5", "12.1 %", "3 to 9", "0.1 s", "–", "map")]
    [True, True, True, True, True, True, False]
    """
    return _NUMBER.fullmatch(str(cell)) is not None


_NUMBER = re.compile(r"(under )?[\d,.]+( %| s| to [\d,.]+| \(\d+ %\))?|–|not sweetened")


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
