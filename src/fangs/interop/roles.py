"""Columns of tables that have a meaning of their own, by their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["ROLES", "Columns", "is_long", "role_of", "some"]

Columns = Mapping[str, Any]
"""Columns of one length, by name."""

ROLES = {
    "draw": ("draw", ".draw", "draw__", "sample", "iteration", ".iteration", "iter__"),
    "item": ("item",),
    "feature": ("feature",),
    "chain": ("chain", ".chain", "chain__"),
    "weight": ("weight", ".weight"),
    "value": ("value",),
}
"""Names of columns, in lower case, by what they hold; of several the first one counts."""


def role_of(names: Iterable[str], given: Mapping[str, str] | None = None) -> dict[str, str]:
    """Columns that have a meaning of their own, by what they hold; `given` ones go first.

    Examples
    --------
    >>> role_of(["Draw", "item", "person"], {"item": "person"})
    {'item': 'person', 'draw': 'Draw'}
    """
    found = dict(given or {})
    lower = {name.lower(): name for name in names if name not in found.values()}
    for role, aliases in ROLES.items():
        usual = [lower[alias] for alias in aliases if alias in lower]
        if role not in found and usual:
            found[role] = usual[0]
    return found


def is_long(names: Iterable[str]) -> bool:
    """Whether a table with these columns is a long one."""
    return {"item", "feature"} <= set(role_of(names))


def some(names: Iterable[str]) -> str:
    """The first few names, for a message."""
    listed = [str(name) for name in names]
    return ", ".join(listed[:8]) + (", ..." if len(listed) > 8 else "") if listed else "no columns"
