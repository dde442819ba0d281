"""Places in nested values: ``post[[1]][[]]$Z`` in R, ``chain.Z`` in MATLAB; and walks to them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from fangs.draws.forms.nested.values import Array, List, Text, Value

__all__ = ["MATLAB", "Dialect", "Found", "R", "innermost", "kind_of", "walk"]

_AXES = ("chain", "draw", "item", "feature")

Step = tuple[str, Any]
"""Its kind (name, attribute, index, every, axes), and the name, the number or the axes."""


@dataclass(frozen=True)
class Dialect:
    """The syntax of one language: the pattern of a step, and how steps are written."""

    language: str
    example: str
    step: re.Pattern[str]
    """The group that matches has the kind of the step as its name; ``^`` begins a place."""
    name: str
    index: str
    every: str
    axes: str
    plain: str = ".*"
    """Pattern of names that need no quotes."""

    def parse(self, text: str) -> list[Step]:
        """Split a place into steps; axes come last.

        Examples
        --------
        >>> R.parse("post[[1]][[]]$Z")
        [('name', 'post'), ('index', 1), ('every', ''), ('name', 'Z')]
        >>> MATLAB.parse("chain.Z(item, feature, draw)")[-1]
        ('axes', ('item', 'feature', 'draw'))
        """
        text, at = text.strip(), 0
        values: dict[str, Callable[[str], Any]] = {"index": int, "axes": _axes}
        steps: list[Step] = []
        while at < len(text):
            found = self.step.match(text, at)
            if found is None or (steps and steps[-1][0] == "axes"):
                raise ValueError(
                    f"variable={text!r} cannot be read from {text[at:]!r} on; it is written as in "
                    f"{self.language}, for example {self.example!r}, and axes come last"
                )
            group = str(found.lastgroup)
            kind = group.rstrip("1234")
            steps.append((kind, values.get(kind, str)(found[group])))
            at = found.end()
        return steps

    def short(self, place: str) -> str:
        """A place without the last steps to every element, which are taken anyway."""
        while place.endswith(self.every):
            place = place.removesuffix(self.every)
        return place

    def named(self, name: str, place: str) -> str:
        """The place of an element by its name; the first step has no sign before it."""
        quoted = name if re.fullmatch(self.plain, name) else f"`{name}`"
        return place + self.name.format(quoted) if place else quoted


R = Dialect(
    "R",
    "post[[1]][[]]$Z",
    re.compile(
        r"""(?:\$|^)(?:`(?P<name1>[^`]+)`|(?P<name2>[A-Za-z.][\w.]*))
        | @(?P<attribute>[A-Za-z.][\w.]*)
        | \[\[\s*(?:(?P<index>\d{1,9})|"(?P<name3>[^"]+)"|'(?P<name4>[^']+)'|(?P<every>))\s*\]\]
        | \[(?P<axes>[a-z,\s]+)\]""",
        re.VERBOSE,
    ),
    name="${}",
    index="[[{}]]",
    every="[[]]",
    axes="[{}]",
    plain=r"[A-Za-z.][\w.]*",
)

MATLAB = Dialect(
    "MATLAB",
    "chain.Z",
    re.compile(
        r"""(?:\.|^)(?P<name>[A-Za-z]\w*)
        | \{\s*:?\s*\}(?P<every1>) | \(\s*:?\s*\)(?P<every2>)
        | [{(]\s*(?P<index>\d{1,9})\s*[})]
        | \((?P<axes>[a-z,\s]+)\)""",
        re.VERBOSE,
    ),
    name=".{}",
    index="{{{}}}",
    every="{}",
    axes="({})",
)


@dataclass(slots=True, frozen=True, eq=False)
class Found:
    """A value with the way that led to it.

    Attributes
    ----------
    place
        As the user would write it.
    at
        Names or positions in the lists that were walked through.
    record
        The named list that it is in; sizes and labels may be there.
    """

    value: Value
    dialect: Dialect
    place: str = ""
    at: tuple[str | int, ...] = ()
    record: List | None = None

    def __str__(self) -> str:
        return self.place or "what the file holds"

    def elements(self) -> list[Found]:
        """Every element of a list."""
        if not isinstance(self.value, List):
            raise ValueError(f"{self} is {kind_of(self.value)}, and no list to walk through")
        items, names = self.value.items, self.value.names
        keys: Iterable[str | int] = names if all(names) and names else range(len(items))
        places = (self.place + self.dialect.index.format(i + 1) for i in range(len(items)))
        return [
            Found(item, self.dialect, place, (*self.at, key), self.record)
            for item, place, key in zip(items, places, keys, strict=True)
        ]

    def step(self, kind: str, key: Any) -> Found:
        """An element by its name or its number, or an attribute."""
        value, place, record = self.value, self.place, self.record
        if isinstance(value, List) and kind == "name" and key in value.names:
            inside, place = value.items[value.names.index(key)], self.dialect.named(key, place)
            record = value
        elif isinstance(value, List) and kind == "index" and 1 <= key <= len(value.items):
            inside, place = value.items[key - 1], place + self.dialect.index.format(key)
        elif value is not None and kind == "attribute" and key in value.attributes:
            inside, place = value.attributes[key], f"{place}@{key}"
        else:
            raise ValueError(f"{self} has no {kind} {key!r}; it is {kind_of(value)}")
        return Found(inside, self.dialect, place, self.at, record)


def walk(start: Found, steps: list[Step]) -> list[Found]:
    """All values that a path reaches, in order."""
    found = [start]
    for kind, key in steps:
        if kind == "every":
            found = [one for here in found for one in here.elements()]
        else:
            found = [here.step(kind, key) for here in found]
    return found


def innermost(found: list[Found], is_leaf: Callable[[Value], bool]) -> list[Found]:
    """What lists hold, and lists in these, down to the first that is none."""
    while found and all(isinstance(x.value, List) and not is_leaf(x.value) for x in found):
        found = [one for here in found for one in here.elements()]
    return found


def kind_of(value: Value) -> str:
    """What a value is, in words."""
    if value is None:
        return "NULL"
    if isinstance(value, List):
        what = "a data frame" if "data.frame" in value.classes else f"a list of {len(value.items)}"
        names = [name for name in value.names if name]
        more = f" and {len(names) - 12} more" if len(names) > 12 else ""
        return f"{what} with {', '.join(names[:12])}{more}" if names else what
    if isinstance(value, Text):
        return "text"
    if isinstance(value, Array):
        shape = value.shape
        if math.prod(shape) == 1:
            return "a number"
        if len(shape) == 1:
            return f"a vector of {shape[0]} numbers"
        return f"a {' x '.join(map(str, shape))} {'matrix' if len(shape) == 2 else 'array'}"
    return f"{'an' if value.what[0] in 'aeiou' else 'a'} {value.what}"


def _axes(words: str) -> tuple[str, ...]:
    names = tuple(word.strip().removesuffix("s") for word in words.split(","))
    if sorted(names) not in (sorted(_AXES), sorted(_AXES[1:])):
        raise ValueError(
            f"variable names the axes {words}; they are draw, item and feature, and maybe chain, "
            "in the order of the array"
        )
    return names
