"""Draws, or any other arrays, at a place in nested values; without a place, the only draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.interop import SparseColumns
from fangs.io.nested.axes import AmbiguousError
from fangs.io.nested.candidates import candidates
from fangs.io.nested.dialect import Dialect
from fangs.io.nested.draws import Draws, gather
from fangs.io.nested.matrices import is_matrix, matrix_of
from fangs.io.nested.sparse import dense
from fangs.io.nested.values import Array, List, Text, Value
from fangs.io.nested.walk import Found, elements, kind_of, walk
from fangs.samples import Samples

__all__ = ["samples_in", "values_in"]

_MOST_LISTED = 12
_TYPES = {"logical": np.bool_, "integer": np.int64, "double": np.float64}


def samples_in(root: Value, variable: str | None, dialect: Dialect) -> Samples:
    """The draws at a place, or the only draws that there are."""
    if variable is None:
        return _only_draws(root, dialect).samples()
    steps = dialect.parse(variable)
    axes = next((step[1] for step in steps if step[0] == "axes"), None)
    found = walk(Found(root, ""), steps, dialect)
    try:
        return gather(found, dialect, axes).samples()
    except ValueError as error:
        raise ValueError(f"{error}{_suggestion(found, variable, dialect)}") from error


def values_in(root: Value, variable: str, dialect: Dialect) -> list[npt.NDArray[Any]]:
    """Every value at a place as an array, in the order of the file."""
    found = walk(Found(root, ""), dialect.parse(variable), dialect)
    while found and all(
        isinstance(here.value, List) and not is_matrix(here.value) for here in found
    ):
        found = [element for here in found for element in elements(here, dialect)]
    return [_value(here, dialect) for here in found]


def _value(here: Found, dialect: Dialect) -> npt.NDArray[Any]:
    if isinstance(here.value, Text):
        return np.array([word or "" for word in here.value.data], dtype=np.str_)
    if is_matrix(here.value) and not isinstance(here.value, Array):
        values = matrix_of(here, dialect).values
        return dense(values) if isinstance(values, SparseColumns) else values
    if not isinstance(here.value, Array):
        raise ValueError(f"{here} is {kind_of(here.value)}, which is no array")
    array = here.value.array()
    if array.dtype == np.uint8 and here.value.kind != "raw":  # it was kept in few bytes
        return array.astype(_TYPES[here.value.kind])
    return array


def _only_draws(root: Value, dialect: Dialect) -> Draws:
    found = dict(candidates(root, dialect))
    draws = {place: value for place, value in found.items() if isinstance(value, Draws)}
    unclear = [str(reason) for reason in found.values() if isinstance(reason, AmbiguousError)]
    if len(draws) == 1 and not unclear:
        return next(iter(draws.values()))
    if draws:
        chosen = [
            f"  variable={place!r}: {one.variable(place).size}" for place, one in draws.items()
        ]
        if len(chosen) > _MOST_LISTED:
            chosen[_MOST_LISTED:] = [f"  and {len(chosen) - _MOST_LISTED} more"]
        lines = ["several variables may be the draws; choose", *chosen, *unclear]
        raise ValueError("\n".join(lines))
    near = sorted(found.values(), key=lambda reason: -getattr(reason, "share", 1.0))
    if near:
        raise ValueError(f"nothing in it is a list of 0/1 matrices, but nearly: {near[0]}")
    held = kind_of(root).removeprefix("a list with ")
    raise ValueError(f"nothing in it is a list of 0/1 matrices; it holds {held}")


def _suggestion(found: list[Found], variable: str, dialect: Dialect) -> str:
    """Draws further down the path, for who stopped too early."""
    if len(found) != 1 or not isinstance(found[0].value, List):
        return ""
    below = candidates(found[0].value, dialect, variable)
    places = [place for place, draws in below if isinstance(draws, Draws)]
    return f"; did you mean variable={places[0]!r}?" if places else ""
