"""One allocation as a labelled table or array, its rows matched with the items of the draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fangs._typing import BinaryMatrix
from fangs._validate import as_allocation
from fangs.interop.frames import column_labels, is_labelled, labelled_matrix
from fangs.interop.given import labels_of, matched_order


def item_labels(matrix: Any, *, name: str) -> tuple[str, ...] | None:
    """The labels of the rows of a table, labelled array, estimate or matrix of a file, or None."""
    if is_labelled(matrix):
        labels = labelled_matrix(matrix, name, {})[1]
        return None if labels is None else labels_of(labels)
    return matrix.items if hasattr(matrix, "matrix") and hasattr(matrix, "items") else None


def column_names(matrix: Any, *, name: str) -> tuple[str, ...]:
    """The names of the columns of a table, labelled array or estimate; none if only numbered.

    Examples
    --------
    >>> import pandas as pd
    >>> column_names(pd.DataFrame([[1, 0]], columns=["tall", "wide"]), name="matrix")
    ('tall', 'wide')
    >>> column_names(pd.DataFrame([[1, 0]]), name="matrix")
    ()
    """
    if not is_labelled(matrix):
        return tuple(getattr(matrix, "feature_names", ()))
    return names_or_none(column_labels(matrix, name))


def names_or_none(labels: Sequence[Any]) -> tuple[str, ...]:
    """Labels of columns as names; none where they only count the columns, from 0 or from 1."""
    names = tuple(str(label) for label in labels)
    counted = [tuple(str(j + start) for j in range(len(names))) for start in (0, 1)]
    return () if names in counted else names


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
    labels = item_labels(matrix, name=name)
    is_estimate = _is_estimate(matrix)
    if is_labelled(matrix):
        matrix = labelled_matrix(matrix, name, {})[0]
    array = as_allocation(matrix, name=name, n_items=n_items)
    if labels is None or items is None or labels == tuple(items):
        return array
    order = matched_order(labels, items, name=name, other=other)
    if is_estimate and other == "the draws":
        raise ValueError(
            f"{name} has its items in another order than the draws; give {name}.to_frame(), whose "
            "rows are matched by name"
        )
    return array[order]


def _is_estimate(matrix: Any) -> bool:
    return hasattr(matrix, "matrix") and hasattr(matrix, "expected_loss")
