"""Text from outside, such as a label, made safe for a terminal."""

from __future__ import annotations

from typing import Any


def visible(value: Any) -> str:
    r"""Text in which every character can be seen: others, such as escape codes, are written out.

    Examples
    --------
    >>> print(visible("red: \x1b[31m, two\nlines"), visible("grün"))
    red: \x1b[31m, two\nlines grün
    """
    text = str(value)
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
