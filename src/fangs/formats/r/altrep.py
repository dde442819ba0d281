"""Vectors that R saves as a recipe (ALTREP): sequences, numbers as strings, and wrappers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fangs.check.text import visible
from fangs.draws.forms.nested import Array, List, Other, Text, Value, text_of
from fangs.formats.guard import DamagedError
from fangs.formats.r.streams import NA_INTEGER

__all__ = ["expanded"]

_MAX_STRINGS = 1 << 24


def expanded(info: Any, state: Any, attributes: Mapping[str, Value]) -> Value:
    """The vector that the recipe describes; a sequence stays a range, of whatever length."""
    named = text_of(info.items[0]) if isinstance(info, List) and info.items else ("",)
    name = named[0]
    if name in ("compact_intseq", "compact_realseq"):
        kind = "integer" if name == "compact_intseq" else "double"
        return Array(_sequence(state), kind, attributes)
    inner = state.items[0] if isinstance(state, List) and state.items else None
    if name == "deferred_string":
        return Text(_strings(inner), attributes)
    if not name.startswith("wrap_"):
        return Other(f"vector of class {visible(name)}")
    if not isinstance(inner, Array | Text | List):
        raise DamagedError("it has a wrapper with nothing in it")
    inner.attributes = attributes
    return inner


def _sequence(state: Any) -> range:
    is_numeric = isinstance(state, Array) and state.kind in ("integer", "double")
    values = state.data if is_numeric else []
    if len(values) != 3 or not all(abs(x) < 1 << 52 and x == int(x) for x in values):
        raise DamagedError("it has a compact sequence without a length, a start and a step")
    length, start, step = (int(x) for x in values)
    if length < 0 or step == 0:
        raise DamagedError(f"it has a compact sequence of length {length} and step {step}")
    return range(start, start + length * step, step)


def _strings(numbers: Any) -> list[str | None]:
    if not isinstance(numbers, Array) or numbers.kind not in ("integer", "double"):
        raise DamagedError("it has strings made of numbers without the numbers")
    if len(numbers.data) > _MAX_STRINGS:
        raise ValueError(f"it has {len(numbers.data)} numbers as strings, which is too many")
    if numbers.kind == "integer":
        return [None if x == NA_INTEGER else str(int(x)) for x in numbers.data]
    return [None if np.isnan(x) else f"{x:.15g}" for x in numbers.data]
