"""Walks from a value along a path, through every element of a list where the path says so."""

from __future__ import annotations

import math
from dataclasses import dataclass
from difflib import get_close_matches

from fangs.io.nested.dialect import Dialect, Step
from fangs.io.nested.values import Array, List, Text, Value

__all__ = ["Found", "elements", "kind_of", "walk"]


@dataclass(slots=True, frozen=True, eq=False)
class Found:
    """A value with the way that led to it."""

    value: Value
    place: str
    """As the user would write it."""
    at: tuple[int, ...] = ()
    """Positions in the lists that were walked through."""
    record: List | None = None
    """The named list that it is in; sizes may be there."""

    def __str__(self) -> str:
        return self.place or "what the file holds"


def walk(start: Found, steps: list[Step], dialect: Dialect) -> list[Found]:
    """All values that a path reaches, in order."""
    found = [start]
    for step in steps:
        if step[0] == "axes":
            break
        reached: list[Found] = []
        for here in found:
            if step[0] == "every":
                reached += elements(here, dialect)
            else:
                reached.append(_step(here, step, dialect))
        found = reached
    return found


def elements(here: Found, dialect: Dialect) -> list[Found]:
    """Every element of a list."""
    if not isinstance(here.value, List):
        raise ValueError(f"{here} is {kind_of(here.value)}, and no list to walk through")
    return [
        Found(item, here.place + dialect.index(i + 1), (*here.at, i), here.record)
        for i, item in enumerate(here.value.items)
    ]


def member(here: Found, name: str, dialect: Dialect) -> Found:
    """An element of a list by its name."""
    values = here.value
    if not isinstance(values, List) or not any(values.names):
        raise ValueError(f"{here} is {kind_of(values)}, and has nothing named {name!r}")
    if name not in values.names:
        close = get_close_matches(name, values.names, n=1)
        meant = f" (did you mean {close[0]!r}?)" if close else ""
        raise ValueError(
            f"{here} has nothing named {name!r}{meant}; it has {_listed(values.names)}"
        )
    place = here.place + dialect.name(name, is_first=not here.place)
    return Found(values.items[values.names.index(name)], place, here.at, values)


def kind_of(value: Value) -> str:
    """What a value is, for complaints."""
    if value is None:
        return "NULL"
    if isinstance(value, List):
        what = "a data frame" if value.is_frame else "a list"
        return f"{what} with {_listed(value.names)}" if any(value.names) else what
    if isinstance(value, Text):
        return "text"
    if isinstance(value, Array):
        shape = value.shape
        if math.prod(shape) == 1:
            return "a number"
        if len(shape) == 1:
            return f"a vector of {shape[0]} numbers"
        noun = "matrix" if len(shape) == 2 else "array"
        return f"a {' x '.join(map(str, shape))} {noun}"
    article = "an" if value.what[0] in "aeiou" else "a"
    return f"{article} {value.what}"


def _step(here: Found, step: Step, dialect: Dialect) -> Found:
    if step[0] == "name":
        return member(here, step[1], dialect)
    if step[0] == "attribute":
        attributes = here.value.attributes if here.value is not None else {}
        if step[1] not in attributes:
            has = f"it has {_listed(tuple(attributes))}" if attributes else "it has none"
            raise ValueError(f"{here} has no attribute {step[1]!r}; {has}")
        return Found(attributes[step[1]], f"{here.place}@{step[1]}", here.at, here.record)
    assert step[0] == "index"
    if not isinstance(here.value, List):
        raise ValueError(f"{here} is {kind_of(here.value)}, and no list to choose from")
    if not 1 <= step[1] <= len(here.value.items):
        raise ValueError(
            f"{here} has no element {step[1]}; it has {len(here.value.items)}, counted from 1"
        )
    place = here.place + dialect.index(step[1])
    return Found(here.value.items[step[1] - 1], place, here.at, here.record)


def _listed(names: tuple[str, ...], most: int = 12) -> str:
    known = [name for name in names if name]
    more = f" and {len(known) - most} more" if len(known) > most else ""
    return ", ".join(known[:most]) + more
