"""One allocation in any form, its rows matched with the items of the draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fangs._typing import BinaryMatrix
from fangs.check.arguments import as_allocation
from fangs.draws.form import NamedMatrix
from fangs.draws.labels import counted_order, first_number, labels_or_none, matched_order
from fangs.draws.open import form_of, is_estimate, library
from fangs.draws.request import Request

__all__ = ["column_names", "item_labels", "matched_allocation"]


def item_labels(matrix: Any, *, name: str) -> tuple[str, ...] | None:
    """The labels of the rows of a table, labelled array, estimate or matrix of a file, or None."""
    return labels_or_none(_named(matrix, name).items)


def column_names(matrix: Any, *, name: str) -> tuple[str, ...]:
    """The names of the columns of a table, labelled array or estimate; none if only numbered."""
    return labels_or_none(_named(matrix, name).features) or ()


def matched_allocation(
    matrix: Any,
    *,
    name: str,
    n_items: int | None = None,
    items: Sequence[str] | None = None,
    other: str = "the draws",
) -> BinaryMatrix:
    """A 0/1 matrix with its rows in the order of these items, where both have labels.

    `other` is what has these items. An estimate in another order than the draws is refused, because
    its other parts would stay in its own order.
    """
    if getattr(matrix, "_fangs_depth", 2) > 2:
        raise TypeError(
            f"{name} is {type(matrix).__name__}, where one matrix is wanted; give one draw, such "
            "as draws[0]. Calls with a matrix and all draws take the matrix first, as "
            "fangs.expected_loss(estimate, draws): swap them"
        )
    found = _named(matrix, name)
    array = as_allocation(found.values, name=name, n_items=n_items)
    if found.items is None or found.items == (None if items is None else tuple(items)):
        return array
    if items is None or first_number(found.items) is not None:
        order = counted_order(found.items)
        return array if order is None else array[order]
    order = matched_order(found.items, items, name=name, other=other)
    if is_estimate(matrix) and other == "the draws":
        raise ValueError(
            f"{name} has its items in another order than the draws; give {name}.to_frame(), whose "
            "rows are matched by name"
        )
    return array[order]


def _named(matrix: Any, name: str) -> NamedMatrix:
    if isinstance(matrix, NamedMatrix):
        return matrix
    if is_estimate(matrix):
        return NamedMatrix(matrix.matrix, matrix.items, matrix.feature_names)
    if library(matrix) in ("pandas", "polars", "pyarrow", "xarray"):
        return form_of(matrix, name=name).matrix(Request())
    return NamedMatrix(matrix)
