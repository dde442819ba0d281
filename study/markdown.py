"""Write Markdown: tables, numbers, and whole pages that say where they come from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

ORIGIN = "<!-- Written by `make study`; change the scripts in study/, not this page. -->"


def table(head: Sequence[str], rows: Sequence[Sequence[object]], *, text_columns: int = 1) -> str:
    """Return a Markdown table whose first columns are text and whose others are numbers.

    Examples
    --------
    >>> print(table(["study", "loss"], [["DFA", 14.78]]))
    | study | loss |
    |---|---:|
    | DFA | 14.78 |
    """
    rule = ["---" if column < text_columns else "---:" for column in range(len(head))]
    lines = [f"| {' | '.join(head)} |", f"|{'|'.join(rule)}|"]
    lines += [f"| {' | '.join(str(cell) for cell in row)} |" for row in rows]
    return "\n".join(lines)


def seconds(value: float) -> str:
    """Return a duration to two significant digits.

    Examples
    --------
    >>> seconds(0.01234), seconds(123.4)
    ('0.012', '123')
    """
    if value >= 10:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 1 else f"{value:.2g}"


def percent(share: float) -> str:
    """Return a share in per cent, to one digit.

    Examples
    --------
    >>> percent(0.0123)
    '1.2 %'
    """
    return f"{100 * share:.1f} %"


def span(values: Any) -> str:
    """Return the least and the largest of some numbers, or the one number that all are.

    Examples
    --------
    >>> span([3, 5, 4]), span([4, 4])
    ('3 to 5', '4')
    """
    low, high = min(values), max(values)
    return f"{low} to {high}" if low < high else f"{low}"


def write_page(path: Path, title: str, *paragraphs: str) -> None:
    """Write a page."""
    path.parent.mkdir(parents=True, exist_ok=True)
    parts = [f"# {title}", ORIGIN, *(_wrapped(paragraph) for paragraph in paragraphs)]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _wrapped(paragraph: str) -> str:
    """Break the lines of text and lists; tables, headings and pictures stay as they are."""
    if paragraph.startswith(("|", "#", "!")):
        return paragraph
    return "\n".join(
        fill(
            line,
            width=100,
            subsequent_indent="  " if line.startswith("- ") else "",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in paragraph.split("\n")
    )
