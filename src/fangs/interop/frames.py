"""Draws one by one: labelled ones (a table or DataArray each) are matched by the names of items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.interop.given import Dims, Given, labels_of, library, matched_order, numbered
from fangs.interop.sparse import is_sparse, sparse_columns
from fangs.interop.tables import as_table, is_table


def read_list(draws: Iterable[Any], name: str, dims: Dims) -> Given:
    """Draws of a list or any other iterable, matched by name where they have names."""
    rest = iter(draws)
    start = list(_first(rest))
    is_sized = isinstance(draws, list | tuple)
    size = _size(draws) if is_sized else (0, 0)  # type: ignore[arg-type]
    if not start or type(start[0]) is np.ndarray or not is_labelled(start[0]):
        plain = (
            _unlabelled(draw, f"{name}[{b}]", name) for b, draw in enumerate(chain(start, rest))
        )
        return Given(plain, numbered(name), size=size)
    labels = labelled_matrix(start[0], f"{name}[0]", dims)[1]
    matched = _matched(chain(start, rest), labels, name, dims)
    items = None if labels is None else labels_of(labels)
    return Given(matched, numbered(name), items=items, size=size)


def _first(rest: Iterator[Any]) -> Iterator[Any]:
    for draw in rest:
        yield draw
        return


def _matched(draws: Iterable[Any], first: Any, name: str, dims: Dims) -> Iterator[npt.NDArray[Any]]:
    """The draws with their rows in the order of the first."""
    wanted = None if first is None else [str(label) for label in first]
    columns: Any = None
    for b, draw in enumerate(draws):
        called = f"{name}[{b}]"
        if not is_labelled(draw):
            raise ValueError(
                f"{called} is of type {type(draw).__name__}, but {name}[0] is a labelled table or "
                "array; give all draws in the same form"
            )
        matrix, given = labelled_matrix(draw, called, dims)
        labels = None if given is None else [str(label) for label in given]
        if (labels is None) != (wanted is None):
            without = called if labels is None else f"{name}[0]"
            raise ValueError(
                f"{without} has no item labels, but other draws have; give all or none"
            )
        if wanted is not None and labels is not None and labels != wanted:
            _refuse_transposed(columns, _column_labels(draw), labels, wanted, called, name)
            matrix = matrix[matched_order(labels, wanted, name=called, other=f"{name}[0]")]
        columns = _column_labels(draw) if b == 0 else columns
        yield matrix


def _column_labels(draw: Any) -> Any:
    return labels_of(draw.columns) if library(draw) == "pandas" else None


def _refuse_transposed(
    first: Any, columns: Any, labels: list[str], wanted: list[str], called: str, name: str
) -> None:
    """Refuse tables whose columns have the same labels while their rows do not."""
    if columns is not None and first == columns and set(labels) != set(wanted):
        raise ValueError(
            f"{called} has other row labels than {name}[0], but the same column labels, such as "
            f"{columns[0]!r}; rows must be items: give frame.T if the columns are"
        )


def _unlabelled(draw: Any, called: str, name: str) -> Any:
    if type(draw) is np.ndarray:
        return draw
    if is_sparse(draw):
        return sparse_columns(draw, called)
    if is_labelled(draw):
        raise ValueError(
            f"{called} is a labelled {type(draw).__name__}, but {name}[0] has no labels; give all "
            "draws in the same form"
        )
    return draw


def is_labelled(draw: Any) -> bool:
    """Whether one matrix is a table or a labelled array."""
    is_frame = is_table(draw) and hasattr(draw, "columns")  # a Series is no matrix
    return is_frame or (library(draw) == "xarray" and hasattr(draw, "dims"))


def labelled_matrix(draw: Any, called: str, dims: Dims) -> tuple[npt.NDArray[Any], Any]:
    """One draw as a matrix, and the labels of its rows or None."""
    if library(draw) == "xarray":
        from fangs.interop.labelled import read_matrix

        return read_matrix(draw, called, dims)
    table = as_table(draw, called)
    item = dims.get("item", "item")
    columns = dict(table.columns)
    labels = columns.pop(item, None)
    for column, values in columns.items():
        if values.dtype.kind not in "biuf":
            raise TypeError(
                f"{called} has values of type {values.dtype} in the column {column!r}; give "
                'columns of 0 and 1, and the labels in the index or a column "item"'
            )
    matrix = (
        np.stack(list(columns.values()), axis=1)
        if columns
        else np.zeros((len(table.index) if labels is None else len(labels), 0), dtype=np.uint8)
    )
    return matrix, table.index if labels is None else labels


def column_labels(draw: Any, called: str) -> Any:
    """The labels of the columns of a table or labelled array; an empty list if it has none."""
    if library(draw) == "xarray":
        from fangs.interop.labelled import feature_labels

        return feature_labels(draw, called)
    return [name for name in as_table(draw, called).columns if name != "item"]


def _size(draws: list[Any] | tuple[Any, ...]) -> tuple[int, int]:
    """Numbers of draws and features."""
    shapes: list[Any] = [getattr(draw, "shape", ()) for draw in draws]
    return len(draws), sum(int(shape[1]) for shape in shapes if len(shape) == 2)
