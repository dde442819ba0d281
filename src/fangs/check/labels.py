"""Checks labels of items and chains: none is missing, and none becomes another one."""

from __future__ import annotations

import math
import numbers
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from typing import Any

import numpy as np
import numpy.typing as npt


def as_chains(chains: Any, *, n_draws: int) -> npt.NDArray[Any] | None:
    """One label per draw, all text or all whole numbers, as they were given; or None."""
    if chains is None:
        return None
    _refuse_masked(chains, name="chains")
    is_array = isinstance(chains, np.ndarray)
    labels = np.asarray(chains) if is_array else np.array(chains, dtype=object)
    if labels.shape != (n_draws,):
        raise ValueError(
            f"chains has shape {labels.shape}, but there are {n_draws} draws; give one label each"
        )
    if labels.dtype.kind in "iu" and labels.max(initial=0) < 2**63:
        return np.array(labels, dtype=np.int64)
    if labels.dtype.kind == "U":
        return np.array(labels)
    values = [_chain_label(label, b) for b, label in enumerate(labels)]
    kinds = {isinstance(value, str) for value in values}
    if len(kinds) > 1:
        other = next(
            b for b, v in enumerate(values) if isinstance(v, str) != isinstance(values[0], str)
        )
        raise TypeError(
            f"chains mixes text and numbers: {values[0]!r} for draw 0 and {values[other]!r} for "
            f"draw {other}; give labels of one kind"
        )
    return np.array(values, dtype=np.str_ if kinds == {True} else np.int64)


def _chain_label(label: Any, b: int) -> str | int:
    if isinstance(label, str):
        if label.endswith("\0"):  # NumPy drops it, and labels that differ would be one
            raise ValueError(
                f"chains has the label {label!r} for draw {b}; drop its last character"
            )
        return str(label)
    is_whole = isinstance(label, numbers.Real) and not isinstance(label, bool | np.bool_)
    if is_whole and math.isfinite(label) and label == int(label):
        if not -(2**63) <= label < 2**63:
            raise ValueError(
                f"chains has the label {label!r} for draw {b}, which is past 64 bits; give text or "
                "a smaller number"
            )
        return int(label)
    raise TypeError(
        f"chains has the label {label!r} for draw {b}; give text or a whole number for every draw"
    )


def _refuse_masked(labels: Any, *, name: str) -> None:
    if isinstance(labels, np.ma.MaskedArray) and np.ma.is_masked(labels):
        at = int(np.flatnonzero(np.ma.getmaskarray(labels))[0])
        raise ValueError(f"{name}[{at}] is masked; give every one a label")


def _is_missing(label: Any) -> bool:
    """Whether it is None, NaN, NaT or NA."""
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(label, float | np.floating | np.datetime64) and bool(label != label)


def as_labels(items: Any, *, n_items: int | None) -> tuple[str, ...] | None:
    """One distinct label per item, as strings, or None; `n_items` is None where it is not known."""
    if items is None:
        return None
    if isinstance(items, str | bytes | Set | Mapping) or not isinstance(items, Iterable):
        raise TypeError(
            f"items is of type {type(items).__name__}; give a list, one label per item in order"
        )
    _refuse_masked(items, name="items")
    if isinstance(items, np.ndarray) and items.ndim == 0:
        raise TypeError(f"items is a single {items.dtype} value; give a list, one label per item")
    given = list(items)
    labels = tuple(str(label) for label in given)
    for i, label in enumerate(given):
        if _is_missing(label):
            raise ValueError(f"items[{i}] is {label}; give every item a label")
    if n_items is not None and len(labels) != n_items:
        raise ValueError(
            f"items has {len(labels)} labels, but the draws have {n_items} items; give one each"
        )
    if len(set(labels)) != len(labels):
        twice = Counter(labels).most_common(1)[0][0]
        raise ValueError(f"items has the label {twice!r} more than once; labels must differ")
    return labels
