"""Finds what may be draws in nested values: lists of matrices and three-dimensional arrays."""

from __future__ import annotations

from collections.abc import Iterator

from fangs.io.inspect import Variable
from fangs.io.nested.dialect import Dialect
from fangs.io.nested.draws import Draws, NotBinaryError, gather, is_stack
from fangs.io.nested.matrices import is_matrix
from fangs.io.nested.values import List, Value
from fangs.io.nested.walk import Found, elements, kind_of, member

__all__ = ["candidates", "described"]

_MOST_BRANCHES = 64
"""A list of unlike elements is looked into one by one only up to this length."""


def candidates(
    root: Value, dialect: Dialect, place: str = ""
) -> Iterator[tuple[str, Draws | ValueError]]:
    """Places that hold matrices in lists or arrays, with the draws or the reason why not."""
    for found, draws in _scan([Found(root, place)], place, dialect, place == ""):
        # A list at the end of a place is walked through anyway.
        short = found
        while short.endswith(dialect.every()):
            short = short.removesuffix(dialect.every())
        yield short or found, draws


def described(root: Value, dialect: Dialect, path: str) -> list[Variable]:
    """All places that hold draws, or nearly so, and then what else there is by name."""
    found, near = [], []
    for place, draws in candidates(root, dialect):
        if isinstance(draws, Draws):
            found.append(draws.variable(place, path))
        else:
            problem = f"{draws.finding}, not 0 or 1" if isinstance(draws, NotBinaryError) else draws
            near.append(Variable(place, "close to draws", problem=str(problem)))
    seen = {_first_name(variable.name, dialect) for variable in found + near}
    rest = [
        Variable(name, kind_of(value)) for name, value in _named(root, dialect) if name not in seen
    ]
    return found + near + rest


def _first_name(place: str, dialect: Dialect) -> str | None:
    kind, name = next(iter(dialect.parse(place)), (None, None))
    return dialect.name(name, is_first=True) if kind == "name" and isinstance(name, str) else place


def _named(root: Value, dialect: Dialect) -> list[tuple[str, Value]]:
    if not isinstance(root, List):
        return [("", root)]
    return [
        (dialect.name(name, is_first=True), value)
        for name, value in zip(root.names, root.items, strict=False)
        if name
    ]


def _scan(
    group: list[Found], place: str, dialect: Dialect, is_root: bool = False
) -> Iterator[tuple[str, Draws | ValueError]]:
    """Look at all values of one pattern at once, for example at Z of all trees of all chains."""
    if all(is_matrix(here.value) for here in group):
        if group[0].at:
            yield place, _attempt(group, dialect)
    elif all(is_stack(here) for here in group):
        yield place, _attempt(group, dialect)
    elif all(isinstance(here.value, List) for here in group):
        lists = [here.value for here in group if isinstance(here.value, List)]
        if (is_root and any(lists[0].names)) or any(values.is_record for values in lists):
            yield from _scan_record(group, lists, place, dialect)
        else:
            yield from _scan_list(group, place, dialect)
    elif group[0].at and any(is_matrix(here.value) for here in group):
        yield place, _attempt(group, dialect)  # it says which of them is no matrix


def _scan_record(
    group: list[Found], lists: list[List], place: str, dialect: Dialect
) -> Iterator[tuple[str, Draws | ValueError]]:
    shared = set.intersection(*(set(values.names) for values in lists)) - {""}
    for name in dict.fromkeys(lists[0].names):
        if name in shared:
            inner = [member(here, name, dialect) for here in group]
            yield from _scan(inner, place + dialect.name(name, is_first=not place), dialect)


def _scan_list(
    group: list[Found], place: str, dialect: Dialect
) -> Iterator[tuple[str, Draws | ValueError]]:
    inner = [element for here in group for element in elements(here, dialect)]
    if not inner:
        return
    together = list(_scan(inner, place + dialect.every(), dialect))
    yield from together
    is_split = not any(isinstance(draws, Draws) for _, draws in together)
    # Only at the first list of unlike elements, or else the time could double with every level.
    if is_split and len(group) == 1 and 1 < len(inner) <= _MOST_BRANCHES:
        for i, element in enumerate(inner):
            one = Found(element.value, element.place, group[0].at, element.record)
            yield from _scan([one], place + dialect.index(i + 1), dialect)


def _attempt(group: list[Found], dialect: Dialect) -> Draws | ValueError:
    try:
        return gather(group, dialect)
    except ValueError as error:
        return error
