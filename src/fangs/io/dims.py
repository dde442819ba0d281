"""Which dimension of a labelled array is which, by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Dims", "find_dims", "item_labels"]

ITEM_NAMES = ("item", "items")
FEATURE_NAMES = ("feature", "features")


@dataclass(frozen=True)
class Dims:
    """The dimensions of a labelled array of draws."""

    sample: tuple[Any, ...]
    """(chain, draw), (draw,) or (sample,)."""
    item: Any
    feature: Any


def find_dims(dims: Sequence[Any]) -> Dims | None:
    """Find samples, items and features by the names of the dimensions.

    Of the two dimensions that are no samples, names decide; where neither is called item or
    feature, the first one is that of the items, as in ``Z_dim_0, Z_dim_1``.

    Examples
    --------
    >>> find_dims(["feature", "item", "draw"])
    Dims(sample=('draw',), item='item', feature='feature')
    >>> find_dims(["chain", "draw", "Z_dim_0", "Z_dim_1"]).feature
    'Z_dim_1'
    >>> find_dims(["chain", "draw", "feature"]) is None
    True
    """
    sample: tuple[Any, ...] = tuple(name for name in ("chain", "draw") if name in dims)
    if not sample or sample == ("chain",):
        sample = ("sample",)
    rest = [name for name in dims if name not in sample]
    if len(rest) != 2 or not set(sample) <= set(dims):
        return None
    first, second = rest
    if str(first).lower() in FEATURE_NAMES or str(second).lower() in ITEM_NAMES:
        first, second = second, first
    if str(first).lower() in FEATURE_NAMES or str(second).lower() in ITEM_NAMES:
        return None
    return Dims(sample, first, second)


def item_labels(values: Any, n_items: int) -> tuple[str, ...] | None:
    """Labels from a coordinate; None if there is none, or if it only counts from 0."""
    if values is None or len(values) != n_items:
        return None
    array = np.asarray(values)
    if array.dtype.kind in "iu" and (array == np.arange(n_items)).all():
        return None
    return tuple(x.decode() if isinstance(x, bytes) else str(x) for x in array.tolist())
