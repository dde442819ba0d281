"""How a place in nested values is written: ``post[[1]][[]]$Z`` in R, ``chain.Z`` in MATLAB."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["AXES", "MATLAB", "Dialect", "R", "Step"]

AXES = ("draw", "item", "feature")

Step: TypeAlias = (
    tuple[Literal["name", "attribute"], str]
    | tuple[Literal["index"], int]
    | tuple[Literal["every"], None]
    | tuple[Literal["axes"], tuple[int, int, int]]
)
"""One step into a value; the axes, in order, of draws, items and features end a path."""


@dataclass(frozen=True)
class Dialect:
    """The syntax of one language."""

    language: str
    first: str
    """A name at the beginning, as a pattern."""
    steps: tuple[tuple[Literal["name", "attribute", "index", "every", "axes"], str], ...]
    """Patterns of the steps, with the name or number as their only group."""
    forms: dict[str, str]
    """How steps are written."""
    example: str

    def parse(self, text: str) -> list[Step]:
        """Split a place into steps."""
        found = re.match(self.first, text.strip())
        rest = text.strip()
        steps: list[Step] = []
        if found:
            steps.append(("name", _first_group(found)))
            rest = rest[found.end() :]
        while rest:
            step, n_chars = self._next(rest, text)
            if steps and steps[-1][0] == "axes":
                raise ValueError(f"variable={text!r} goes on after the axes; axes come last")
            steps.append(step)
            rest = rest[n_chars:].lstrip()
        return steps

    def _next(self, rest: str, text: str) -> tuple[Step, int]:
        for kind, pattern in self.steps:
            found = re.match(pattern, rest)
            if not found:
                continue
            if kind == "every":
                return (kind, None), found.end()
            word = _first_group(found)
            if kind == "index":
                return (kind, int(word)), found.end()
            if kind == "axes":
                return (kind, _axes(word, text)), found.end()
            return (kind, word), found.end()
        raise ValueError(
            f"variable={text!r} cannot be read from {rest!r} on; it is written as in "
            f"{self.language}, for example {self.example!r}"
        )

    def every(self) -> str:
        """All elements of a list."""
        return self.forms["every"]

    def index(self, position: int) -> str:
        """One element, counted from 1."""
        return self.forms["index"].format(position)

    def name(self, name: str, *, is_first: bool) -> str:
        """An element by its name; the first step has no sign before it."""
        if not re.fullmatch(self.first, name) and "quoted" in self.forms:
            name = self.forms["quoted"].format(name)
        return name if is_first else self.forms["name"].format(name)

    def entry(self, *position: int) -> str:
        """An entry of an array, counted from 0 here and from 1 in the text."""
        return self.forms["entry"].format(", ".join(str(at + 1) for at in position))

    def axes(self, order: tuple[int, int, int]) -> str:
        """The axes of an array, as a step."""
        words = [AXES[order.index(axis)] for axis in range(3)]
        return self.forms["entry"].format(", ".join(words))


_NAMED_AXES = r"\s*([a-z]+\s*,\s*[a-z]+\s*,\s*[a-z]+)\s*"

R = Dialect(
    language="R",
    first=r"`([^`]+)`|([A-Za-z.][\w.]*)",
    steps=(
        ("name", r"\$(?:`([^`]+)`|([A-Za-z.][\w.]*))"),
        ("attribute", r"@([A-Za-z.][\w.]*)"),
        ("every", r"\[\[\s*\]\]"),
        ("index", r"\[\[\s*(\d{1,9})\s*\]\]"),
        ("name", r"\[\[\s*(?:\"([^\"]+)\"|'([^']+)')\s*\]\]"),
        ("axes", rf"\[{_NAMED_AXES}\]"),
    ),
    forms={
        "every": "[[]]",
        "index": "[[{}]]",
        "name": "${}",
        "quoted": "`{}`",
        "entry": "[{}]",
    },
    example="post[[1]][[]]$Z",
)

MATLAB = Dialect(
    language="MATLAB",
    first=r"([A-Za-z]\w*)",
    steps=(
        ("name", r"\.([A-Za-z]\w*)"),
        ("every", r"\{\s*:?\s*\}|\(\s*:?\s*\)"),
        ("index", r"\{\s*(\d{1,9})\s*\}"),
        ("index", r"\(\s*(\d{1,9})\s*\)"),
        ("axes", rf"\({_NAMED_AXES}\)"),
    ),
    forms={"every": "{}", "index": "{{{}}}", "name": ".{}", "entry": "({})"},
    example="chain.Z",
)


def _first_group(found: re.Match[str]) -> str:
    return next(group for group in found.groups() if group is not None)


def _axes(words: str, text: str) -> tuple[int, int, int]:
    names = [word.strip().removesuffix("s") for word in words.split(",")]
    if sorted(names) != sorted(AXES):
        raise ValueError(
            f"variable={text!r} names the axes {words}; they are draw, item and feature, in the "
            "order of the array"
        )
    draw, item, feature = (names.index(axis) for axis in AXES)
    return draw, item, feature
