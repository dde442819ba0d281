"""Nested values as a form."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.draws.form import NamedMatrix
from fangs.draws.forms.nested.candidates import Candidate, Candidates
from fangs.draws.forms.nested.matrices import as_array, is_matrix, matrix_of
from fangs.draws.forms.nested.places import Dialect, Found, innermost, kind_of, walk
from fangs.draws.forms.nested.values import Array, List, Text, Value
from fangs.draws.forms.stack import is_binary
from fangs.draws.request import Request
from fangs.draws.roles import names_no_draws
from fangs.draws.source import DrawSource
from fangs.draws.variables import Variable, choose

__all__ = ["NestedForm"]

_TYPES = {"logical": np.bool_, "integer": np.int64, "double": np.float64}


class NestedForm:
    """Values in lists within lists, from R or MATLAB.

    Parameters
    ----------
    root
        The value, or the variables of a file.
    dialect
        How places are written.
    name
        What complaints call it.
    """

    def __init__(self, root: Value, dialect: Dialect, name: str) -> None:
        self._root, self._dialect, self._name = Found(as_array(root), dialect), dialect, name

    def variables(self, request: Request) -> list[Variable]:
        """Places that hold draws or nearly so, and what else there is by name."""
        rows = [row for row, _ in self._candidates(None, request)]
        return sorted(rows, key=lambda row: row.problem is None and not row.holds_draws)

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """The draws at a place, or the only draws below it."""
        found = self._candidates(variable, request)
        row, source = found[0]
        if variable is None or len(found) > 1 or not row.problem:
            chosen = choose([row for row, _ in found], name=self._name)
            row, source = next(one for one in found if one[0].name == chosen)
        if source is None:
            raise ValueError(row.problem)
        return source

    def matrix(self, request: Request) -> NamedMatrix:
        """The only matrix of 0 and 1 among the variables."""
        root = self._root.value
        names = root.names if isinstance(root, List) and not is_matrix(root) else ()
        found = [self._root.step("name", name) for name in names if name] or [self._root]
        matrices = [matrix_of(one) for one in found if is_matrix(one.value)]
        matrices = [one for one in matrices if is_binary(one.values)]
        if len(matrices) != 1:
            raise ValueError(f"{self._name} is to hold one matrix of 0 and 1, not {len(matrices)}")
        return matrices[0]

    def values(self, variable: str) -> list[npt.NDArray[Any]]:
        """Every value at a place as an array, in the order of the file."""
        found = walk(self._root, self._dialect.parse(variable))
        return [_values(here) for here in innermost(found, is_matrix)]

    def _candidates(self, variable: str | None, request: Request) -> list[Candidate]:
        """What may be draws at a place, or below it."""
        every = Candidates(self._root, self._name, request)
        if variable is None and request.dims.get("value") in every.entries:
            variable = self._dialect.named(request.dims["value"], "")
        try:
            steps = self._dialect.parse(variable or "")
            axes = steps.pop()[1] if steps and steps[-1][0] == "axes" else None
            group = walk(self._root, steps)
        except ValueError:  # it may be a variable of a table
            found = [one for one in every.below([self._root], "") if one[0].name == variable]
            if not found:
                raise
            return found
        if axes is not None:
            return list(every.of_stacks(innermost(group, is_matrix), str(variable), [axes]))
        found = list(every.below(group, variable or ""))
        fitting = [x for x in found if x[0].holds_draws and not names_no_draws(x[0].name)]
        if len(fitting) == 1 and (problem := every.incomplete.get(fitting[0][0].name)):
            row = Variable(fitting[0][0].name, fitting[0][0].what, problem=problem)
            return [(row, None), *(one for one in found if one is not fitting[0])]
        what = kind_of(group[0].value) if group else "an empty list"
        return found or [(Variable(variable or "", what), None)]


def _values(here: Found) -> npt.NDArray[Any]:
    if isinstance(here.value, Text):
        return np.array([word or "" for word in here.value.data], dtype=np.str_)
    if not isinstance(here.value, Array):
        if not is_matrix(here.value):
            raise ValueError(f"{here} is {kind_of(here.value)}, which is no array")
        return np.asarray(matrix_of(here).values)
    array = here.value.array()
    is_packed = array.dtype == np.uint8 and here.value.kind in _TYPES  # kept in few bytes
    return array.astype(_TYPES[here.value.kind]) if is_packed else array
