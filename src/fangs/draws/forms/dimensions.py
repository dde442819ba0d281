"""Which dimension of a labelled array is which: by name, by ArviZ's numbers, or by elimination."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import islice, permutations
from typing import TypeVar

from fangs.draws.roles import UNCLEAR, found_roles

__all__ = ["find_dims", "is_numbered", "numbered_pair", "refuse_two_draws"]

_Name = TypeVar("_Name", bound=Hashable)

_NUMBERED = re.compile(r"(?:(.*)_)?dim_(\d+)")


def find_dims(
    sizes: Mapping[Hashable, int], told: Mapping[str, str], *, name: str, needs_draws: bool = True
) -> dict[str, Hashable]:
    """Which dimension is which; refused, with the readings, where names do not tell.

    `told` are names by meaning, from ``dims=``. Without `needs_draws` the array is one matrix.

    Examples
    --------
    >>> find_dims({"feature": 3, "draw": 9, "person": 4}, {}, name="Z")
    {'draw': 'draw', 'feature': 'feature', 'item': 'person'}
    >>> find_dims({"draw": 9, "Z_dim_1": 3, "Z_dim_0": 4}, {}, name="Z")
    {'draw': 'draw', 'item': 'Z_dim_0', 'feature': 'Z_dim_1'}
    """
    found = _named(sizes, told, name, needs_draws)
    needed = ["draw", "item", "feature"] if needs_draws else ["item", "feature"]
    missing = [role for role in needed if role not in found]
    rest = [dim for dim in sizes if dim not in found.values()]
    if missing[-2:] == ["item", "feature"] and (pair := numbered_pair(rest)):
        found["item"], found["feature"] = pair
        missing, rest = missing[:-2], [dim for dim in rest if dim not in pair]
    others = {"item", "feature"}.difference(missing)
    if len(rest) == len(missing) == 1 and not others & found_roles(rest).keys():
        if missing == ["item"] and needs_draws:
            refuse_two_draws(found["draw"], rest[0], told, _shape(sizes, name))
        found[missing[0]] = rest[0]
    elif rest or missing:
        words = _unclear(rest, missing, "chain" in found, needs_draws)
        raise ValueError(f"{_shape(sizes, name)}; {words}")
    return found


def is_numbered(dim: Hashable) -> bool:
    """Whether a dimension is called as xarray and ArviZ call those without a name: Z_dim_0."""
    return _NUMBERED.fullmatch(str(dim)) is not None


def _named(
    sizes: Iterable[Hashable], told: Mapping[str, str], name: str, needs_draws: bool
) -> dict[str, Hashable]:
    """The dimensions that have a name of their own, or were told."""
    present = list(sizes)
    roles = ("chain", "draw", "item", "feature") if needs_draws else ("item", "feature")
    # Chains may also be labels along the draws.
    own = {r: dim for r, dim in told.items() if r in roles and (r != "chain" or dim in present)}
    found = found_roles(present, own, name=name)
    along = [found[role] for role in ("chain", "draw") if role in found]
    if not needs_draws and (certain := [dim for dim in along if str(dim).lower() not in UNCLEAR]):
        raise ValueError(
            f"{name} holds draws along {certain[0]!r}, where one matrix is wanted; choose one of "
            f"them, such as .isel({certain[0]}=0)"
        )
    return {role: found[role] for role in roles if role in found}


def numbered_pair(dims: Sequence[_Name]) -> tuple[_Name, _Name] | None:
    """The two dimensions such as Z_dim_0 and Z_dim_1, by their numbers; None if they are not 2."""
    parts = {dim: part for dim in dims if (part := _NUMBERED.fullmatch(str(dim)))}
    if len(parts) != 2 or len({part[1] for part in parts.values()}) > 1:
        return None
    first, second = sorted(parts, key=lambda dim: int(parts[dim][2]))
    return first, second


def refuse_two_draws(draw: Hashable, item: Hashable, told: Mapping[str, str], what: str) -> None:
    """Refuse a name for the items that may be that of the draws instead.

    A biologist's samples are items, those of a statistician draws: iteration and sample may be
    either. What is called draw is that of the draws.
    """
    is_certain = "draw" in told or "draw" in str(draw).lower()
    if str(item).lower() in UNCLEAR and not is_certain:
        readings = [{"draw": draw, "item": item}, {"draw": item, "item": draw}]
        raise ValueError(f"{what}; say which is which: {_calls(readings)}")


def _unclear(
    rest: Sequence[Hashable], missing: list[str], has_chain: bool, needs_draws: bool
) -> str:
    """What to do where dimensions are left over or missing."""
    if len(rest) < len(missing):
        hint = "; [array] is one draw" if missing == ["draw"] and not has_chain else ""
        return f"none of them is for {' and '.join(missing)}{hint}"
    if not needs_draws:
        names = ", ".join(f"{dim!r}: {role!r}" for role, dim in zip(missing, rest, strict=False))
        return f"call them item and feature, such as array.rename({{{names}}})"
    choose = f"choose one entry of {', '.join(map(repr, rest))} first, with isel"
    if len(rest) == len(missing) + 1 and not has_chain:
        missing = ["chain", *missing]
    if not missing:
        return choose
    options = permutations(rest, len(missing))
    readings = [dict(zip(missing, option, strict=True)) for option in islice(options, 2)]
    more = f"; or {choose}" if len(rest) > len(missing) or missing == ["chain"] else ""
    return f"say which is which: {_calls(readings)}{more}"


def _shape(sizes: Mapping[Hashable, int], name: str) -> str:
    listed = ", ".join(f"{dim}: {size}" for dim, size in sizes.items())
    return f"{name} has the dimensions ({listed})"


def _calls(readings: Iterable[Mapping[str, Hashable]]) -> str:
    """Each reading as the argument that asks for it."""
    inside = (", ".join(f'"{r}": "{dim}"' for r, dim in one.items()) for one in readings)
    return " or ".join(f"dims={{{reading}}}" for reading in inside)
