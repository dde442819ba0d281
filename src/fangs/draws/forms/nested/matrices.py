"""What counts as one matrix, what as the columns of a table, and what as labels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, TypeGuard

import numpy as np

from fangs.draws.form import NamedMatrix
from fangs.draws.forms.nested.places import Found, kind_of
from fangs.draws.forms.nested.values import (
    NA_INTEGER,
    NUMBERS,
    Array,
    List,
    Other,
    Text,
    Value,
    filled,
    text_of,
)
from fangs.draws.forms.table import TableForm
from fangs.draws.forms.table.columns import Levels, of_columns
from fangs.draws.forms.table.wide import find_grids
from fangs.draws.labels import first_number
from fangs.draws.request import Request

__all__ = ["as_array", "check_claims", "is_matrix", "labels_of", "matrix_of",
           "table_of"]  # fmt: skip

_SPARSE = ("dgCMatrix", "lgCMatrix", "ngCMatrix")
_MAX_ENTRIES = 2**33
"""Entries of all sparse matrices together: a few bytes can claim any size."""


def is_matrix(value: Value) -> bool:
    """Whether `matrix_of` has a matrix for it; the values are not looked at."""
    if isinstance(value, List):
        return "data.frame" in value.classes and all(map(_is_column, value.items))
    return value.n_dims == 2 if isinstance(value, Array) else _is_sparse(value)


def matrix_of(found: Found) -> NamedMatrix:
    """The matrix, or a complaint about what is there instead."""
    value = found.value
    if isinstance(value, Array) and value.n_dims == 2:
        rows, columns = value.labels
        return NamedMatrix(value.array(), rows, columns or ())
    if is_matrix(value) and (table := table_of(found)) is not None:
        return table.matrix(Request())
    if _is_sparse(value):
        return _of_sparse(value)
    is_vector = isinstance(value, Array) and value.n_dims == 1
    remedy = ": R makes a vector of a single column unless one writes drop = FALSE"
    words = f"{found} is {kind_of(value)}, not a matrix of 0 and 1"
    raise ValueError(words + remedy * is_vector)


def table_of(found: Found) -> TableForm | None:
    """The columns by name, if it is a data frame, or has columns that are entries of draws.

    In an array, the last dimension has the names, after those of the draws and the chains.
    """
    value, row_names = found.value, None
    columns: list[tuple[str, Any]] = []
    if isinstance(value, List):
        sizes = {len(one.data) for one in value.items if isinstance(one, Array | Text)}
        if "data.frame" not in value.classes and (len(sizes) != 1 or not find_grids(value.names)):
            return None
        pairs = zip(value.names, value.items, strict=False)
        columns = [(name, _column(one)) for name, one in pairs if _is_column(one)]
        row_names = _row_names(value)
    elif isinstance(value, Array) and value.n_dims in (2, 3):
        names = value.labels[-1]
        if names is None or not find_grids(names):
            return None
        array = value.array()
        if array.ndim == 3:
            labels = value.labels[1] or range(1, array.shape[1] + 1)
            start = first_number(labels)
            chains = labels if start is None else range(start, start + array.shape[1])
            columns = [(".chain", np.repeat(np.asarray(chains), len(array)))]
        columns += zip(names, array.reshape(-1, len(names), order="F").T, strict=True)
    else:
        return None
    called, get = [name for name, _ in columns], dict(columns).__getitem__
    return TableForm(of_columns(called, get, str(found), row_labels=row_names), str(found))


def as_array(value: Value) -> Value:
    """The array of an rvar of R's package posterior, whose draws lie chain by chain; or itself."""
    attributes = {} if value is None else value.attributes
    inside, chains = attributes.get("draws"), attributes.get("nchains")
    if not (isinstance(inside, Array) and isinstance(chains, Array) and len(chains.data) == 1):
        return value
    n_draws, *rest = inside.shape
    n_chains = int(chains.data[0])
    names = Text(["iteration", "chain", *("" for _ in rest)])
    sizes = np.array([n_draws // max(n_chains, 1), n_chains, *rest])
    data = inside.array().reshape(-1, order="F")
    return Array(data, inside.kind, {"dim": Array(sizes, "integer", {"names": names})})


def labels_of(value: Value, *, is_told: bool) -> Any:
    """Words, or several numbers, as Python and NumPy have them; None if these are no labels."""
    if isinstance(value, List) and all(isinstance(one, Text) for one in value.items):
        return [word for one in value.items for word in text_of(one)]  # a cell of words
    size = math.prod(value.shape) if isinstance(value, Array) else 0
    if not isinstance(value, Array | Text) or (size == 1 and not is_told):
        return None
    column = _column(value)
    if isinstance(column, Levels):
        return list(column.values())
    is_padded = isinstance(value, Text) and len({len(word or "") for word in value.data}) == 1
    return [word and word.rstrip() for word in column] if is_padded else column


def check_claims(values: Iterable[Value]) -> None:
    """Refuse sparse matrices that together claim too much."""
    if sum(math.prod(_size(value)) for value in values if _is_sparse(value)) > _MAX_ENTRIES:
        raise ValueError("the sparse matrices together claim more than a file may unpack to")


def _column(value: Array | Text) -> Any:
    """Numbers, words, or the levels of a factor."""
    if isinstance(value, Text):
        return value.data
    if "levels" not in value.attributes:
        return value.array()
    codes = np.asarray(value.data).astype(np.int64)
    return Levels(np.maximum(codes, 0) - 1, text_of(value.attributes["levels"]))


def _is_column(value: Value) -> TypeGuard[Array | Text]:
    is_vector = isinstance(value, Array) and value.kind in NUMBERS and "dim" not in value.attributes
    return is_vector or isinstance(value, Text)


def _row_names(frame: List) -> Sequence[Any] | None:
    """The names of the rows of a data frame, or their numbers."""
    names = frame.attributes.get("row.names")
    if isinstance(names, Text):
        return text_of(names)
    numbers = list(names.data) if isinstance(names, Array) else []
    if len(numbers) == 2 and numbers[0] == NA_INTEGER:  # c(NA, -n) means 1:n
        return range(1, abs(int(numbers[1])) + 1)
    return numbers or None


def _is_sparse(value: Value) -> TypeGuard[Other]:
    """Whether it is a sparse matrix of R's package Matrix."""
    kinds = text_of(value.attributes.get("class")) if isinstance(value, Other) else ()
    return kinds[:1] in [(kind,) for kind in _SPARSE]


def _size(sparse: Other) -> tuple[int, ...]:
    sizes = sparse.attributes.get("Dim")
    return tuple(map(int, sizes.data)) if isinstance(sizes, Array) else ()


def _of_sparse(sparse: Other) -> NamedMatrix:
    slots = {name: sparse.attributes.get(name) for name in ("i", "p", "x")}
    found = {name: slot.array() for name, slot in slots.items() if isinstance(slot, Array)}
    if not {"i", "p"} <= set(found):
        raise ValueError("a sparse matrix lacks its entries")
    shape, names = _size(sparse), sparse.attributes.get("Dimnames")
    rows = text_of(names.items[0]) if isinstance(names, List) and names.items else ()
    values = filled(found["i"], found["p"], found.get("x", 1), shape)
    return NamedMatrix(values, rows if len(rows) == shape[0] else None)
