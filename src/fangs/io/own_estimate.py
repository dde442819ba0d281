"""Estimates out of our own archives, checked as if they came from anywhere."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._labels import as_chains, as_labels
from fangs._validate import as_allocation, as_penalty
from fangs.estimate import Estimate, Search, Start
from fangs.feature_names import as_feature_names
from fangs.io.archive import read_archive
from fangs.io.guard import naming
from fangs.samples_info import SamplesInfo
from fangs.weights import MAX_TOTAL

__all__ = ["estimate_fields"]

Check = Callable[[Any], bool]
Arrays = dict[str, npt.NDArray[Any]]


def estimate_fields(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read the fields of an estimate that was saved; what no estimate can have is refused."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(
            f"path is of type {type(path).__name__}; give the .npz file of a saved estimate"
        )
    if not os.path.exists(path):
        raise FileNotFoundError(f"there is no file {os.fspath(path)!r}")
    record, arrays = read_archive(path, kind="estimate")
    with naming(Path(path), "estimate"):
        matrix = as_allocation(_array(arrays, "matrix", 2), name="matrix")
        n_items, n_features = matrix.shape
        if not matrix.any(axis=0).all():
            raise ValueError("its matrix has a feature without any item")
        losses = _numbers(arrays, "losses", (_array(arrays, "losses", 1).shape[0],))
        n_draws = len(losses)
        if not n_draws:
            raise ValueError("it has the loss of no draw")
        found = _record(record, Estimate, EXPECTED)
        items = _items(found["items"], n_items)
        weights = _whole(arrays, "weights", n_draws)
        if weights is not None and not 0 < sum(weights.tolist()) <= MAX_TOTAL:
            raise ValueError("its weights are all 0, or add up to more than 2^53")
        info = _info(arrays, n_items, n_draws, items, weights)
        _check_losses(found, losses, weights)
        return found | {
            "matrix": matrix,
            "proportions": _numbers(arrays, "proportions", (n_items, n_features), most=1.0),
            "losses": losses,
            "a": as_penalty(found["a"]),
            "items": items,
            "feature_names": _feature_names(found.get("feature_names"), n_features),
            "weights": weights,
            "search": _search(found.get("search")),
            "samples_info": info,
        }


def _info(
    arrays: Arrays,
    n_items: int,
    n_draws: int,
    items: tuple[str, ...] | None,
    weights: npt.NDArray[Any] | None,
) -> SamplesInfo | None:
    n_features, n_ones = (_whole(arrays, f"draw_{name}", n_draws) for name in ("features", "ones"))
    if n_features is None or n_ones is None:
        return None
    chains = as_chains(arrays.get("draw_chains"), n_draws=n_draws)
    return SamplesInfo(n_items, n_features, n_ones, items, chains, weights)


def _check_losses(
    found: dict[str, Any], losses: npt.NDArray[Any], weights: npt.NDArray[Any] | None
) -> None:
    """The expected loss is the mean of the losses, and nothing is below the lower bound."""
    mean = float(np.average(losses.astype(np.float64), weights=weights))
    loss, bound = found["expected_loss"], found.get("lower_bound")
    if not math.isclose(loss, mean, rel_tol=1e-6, abs_tol=1e-6):
        raise ValueError(f"its expected loss is {loss!r}, but its losses have the mean {mean!r}")
    if bound is not None and bound > loss * (1 + 1e-6) + 1e-6:
        raise ValueError(f"its expected loss of {loss!r} is below its lower bound of {bound!r}")


def _items(labels: list[Any] | None, n_items: int) -> tuple[str, ...] | None:
    if labels is None:
        return None
    as_labels(labels, n_items=n_items)
    return tuple(labels)


def _feature_names(names: list[str] | None, n_features: int) -> tuple[str, ...]:
    if not names:
        return ()
    return as_feature_names(names, n_features=n_features, name="feature_names")


def _search(record: Any) -> Search | None:
    if record is None:
        return None
    found = _record(record, Search, EXPECTED_SEARCH)
    starts = [Start(**_record(start, Start, EXPECTED_START)) for start in found["starts"]]
    return Search(**found | {"starts": tuple(starts)})


def _array(arrays: Arrays, name: str, n_dims: int) -> npt.NDArray[Any]:
    if name not in arrays:
        raise ValueError(f"it has no array {name!r}")
    array = arrays[name]
    if array.ndim != n_dims or array.dtype.kind not in "biuf":
        raise ValueError(f"array {name!r} has the shape {array.shape} and type {array.dtype}")
    return array


def _numbers(
    arrays: Arrays, name: str, shape: tuple[int, ...], most: float = math.inf
) -> npt.NDArray[Any]:
    """Numbers from 0 to `most`."""
    array = _array(arrays, name, len(shape))
    if array.shape != shape:
        raise ValueError(f"array {name!r} has the shape {array.shape}, not {shape}")
    if not (np.isfinite(array) & (array >= 0) & (array <= most)).all():
        raise ValueError(f"array {name!r} has a value that is none")
    return array


def _whole(arrays: Arrays, name: str, n_draws: int) -> npt.NDArray[Any] | None:
    if name not in arrays:
        return None
    if arrays[name].dtype.kind not in "iu":
        raise ValueError(
            f"array {name!r} is of type {arrays[name].dtype}; whole numbers are needed"
        )
    return _numbers(arrays, name, (n_draws,), most=MAX_TOTAL).astype(np.int64)


def _record(given: Any, kind: type, expected: Mapping[str, Check]) -> dict[str, Any]:
    """The fields of a frozen class, if their values are of the kind they should be."""
    known = {field.name: field for field in fields(kind)}
    if not isinstance(given, dict) or not given.keys() <= known.keys():
        raise ValueError(f"its record of the {kind.__name__.lower()} is damaged")
    for name, is_right in expected.items():
        field = known[name]
        if name not in given and field.default is MISSING and field.default_factory is MISSING:
            raise ValueError(f"its record has no {name}")
        if name in given and not is_right(given[name]):
            raise ValueError(f"its record has {str(given[name])[:40]!r} for {name}")
    return {field.name: given[field.name] for field in fields(kind) if field.name in given}


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_label(value: Any) -> bool:
    return type(value) in (str, int, float)


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _is_time(value: Any) -> bool:
    # Infinity is a limit; larger whole numbers are no floats.
    return type(value) in (int, float) and (0 <= value < 2**63 or value == math.inf)


def _or_none(is_right: Check) -> Check:
    return lambda value: value is None or is_right(value)


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


EXPECTED: dict[str, Check] = {
    "a": _is_number,
    "expected_loss": lambda value: _is_number(value) and value >= 0,
    "items": _or_none(lambda value: _is_list(value) and all(map(_is_label, value))),
    "feature_names": lambda value: _is_list(value) and all(map(_is_text, value)),
    "is_flip_optimal": lambda value: isinstance(value, bool),
    "n_ties": _is_count,
    "lower_bound": _or_none(_is_number),
    "between_chains": _or_none(_is_number),
    "search": _or_none(lambda value: isinstance(value, dict)),
    "fingerprint": _or_none(_is_text),
    "note": _is_text,
}
EXPECTED_SEARCH: dict[str, Check] = {
    "seed": _or_none(_is_count),
    "n_init": _is_count,
    "n_sweet": _is_count,
    "n_iter": _or_none(_is_count),
    "max_seconds": _or_none(_is_time),
    "starts": _is_list,
    "flips": _is_count,
    "stopped_because": _is_text,
    "seconds": lambda value: isinstance(value, dict) and all(map(_is_time, value.values())),
}
EXPECTED_START: dict[str, Check] = {
    "method": _is_text,
    "draw": _or_none(_is_count),
    "initial_loss": _is_number,
    "loss": _or_none(_is_number),
    "flips": _is_count,
    "n_features": _is_count,
    "n_draws": _is_count,
}
"""What the values of a record must be."""
