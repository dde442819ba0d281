"""Checks of the arguments of `fangs.simulate`, and the words of its errors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fangs.check.arguments import as_allocation


def as_features(
    matrix: ArrayLike, *, name: str = "matrix", n_items: int | None = None
) -> NDArray[np.uint8]:
    """Return an allocation without its empty columns."""
    z = as_allocation(matrix, name=name)
    if n_items is not None and z.shape[0] != n_items:
        raise ValueError(
            f"{name} has {z.shape[0]} rows but there are {n_items} items; give one row per item"
        )
    return np.ascontiguousarray(z[:, z.any(axis=0)])


def as_data(data: ArrayLike) -> NDArray[np.float64]:
    """Return the data as a finite (items, dimensions) array of float64."""
    array = np.asarray(data)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"data must be real numbers; got dtype {array.dtype}")
    if array.ndim != 2 or array.shape[0] == 0:
        raise ValueError(
            f"data must be two-dimensional with at least one item; got shape {array.shape}"
        )
    if not bool(np.isfinite(array).all()):
        raise ValueError("data must be finite; remove or impute missing and infinite values first")
    return np.ascontiguousarray(array, dtype=np.float64)


def as_positive(value: Any, name: str) -> float:
    """Return a finite number above zero."""
    if isinstance(value, (bool, str, bytes)):
        raise TypeError(f"{name} must be a number above 0; got {value!r}")
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number above 0; got {value!r}") from None
    if not (math.isfinite(number) and number > 0):
        raise ValueError(f"{name} must be finite and above 0; got {value!r}")
    return number


def as_probability(value: float, name: str) -> float:
    """Return a number from 0 to 1."""
    number = float(value)
    if not 0 <= number <= 1:
        raise ValueError(f"{name} must be from 0 to 1; got {value!r}")
    return number
