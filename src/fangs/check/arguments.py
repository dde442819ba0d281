"""Checks arguments, and words every complaint: the argument, the value, the remedy."""

from __future__ import annotations

import math
import numbers
import os
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix


def as_array(value: Any, *, name: str) -> npt.NDArray[Any]:
    """Anything that NumPy can read, also by way of DLPack, as an array."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise ValueError(f"{name} has masked values; fill them with 0 or 1 before passing them")
    if hasattr(value, "todense") and not isinstance(value, np.ndarray):
        value = value.todense()  # scipy.sparse and pydata sparse
    value = plain_tensor(value)
    try:
        if hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
            return np.from_dlpack(value)
        return np.asarray(value)
    except (BufferError, NotImplementedError, RuntimeError, TypeError) as error:
        if isinstance(value, list | tuple):
            raise
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise TypeError(
            f"{name} is of type {type(value).__name__}, which NumPy cannot read ({reason[:150]}); "
            "convert it to an array of 0 and 1 in memory first"
        ) from error


def plain_tensor(value: Any) -> Any:
    """A tensor of torch without its gradient, and with its zeros; anything else as it is."""
    if getattr(value, "is_sparse", False) is True and hasattr(value, "to_dense"):
        value = value.to_dense()
    return value.detach() if getattr(value, "requires_grad", False) is True else value


def as_matrix(value: Any, *, name: str) -> npt.NDArray[Any]:
    """A two-dimensional array of numbers or booleans; its values are not looked at."""
    if (remedy := _not_a_matrix(value)) is not None:
        raise TypeError(f"{name} is {remedy}")
    try:
        array = as_array(value, name=name)
    except ValueError as error:
        if "masked" in str(error):
            raise
        raise ValueError(f"{name} has rows of different lengths; give an (n, K) array") from error
    if array.dtype == object or array.dtype.kind not in "biuf":
        raise TypeError(
            f"{name} holds values of type {array.dtype}; give an (n, K) array of 0 and 1"
        )
    if array.ndim != 2:
        raise ValueError(
            f"{name} has {array.ndim} dimension(s) and shape {array.shape}; "
            "give an (n, K) array with one row per item and one column per feature"
        )
    return array


def _not_a_matrix(value: Any) -> str | None:
    """What is given in the place of a matrix, and how to get one from it; None if it may be one."""
    if isinstance(value, str | os.PathLike):
        return (
            f"the path {os.fspath(value)!r}, where a matrix is wanted; read it first: "
            "fangs.load(path) for a saved estimate, fangs.read(path)[0] for a draw"
        )
    return holds_estimates(value)


def holds_estimates(value: Any) -> str | None:
    """What a result of fangs that holds estimates is, and how to get at one; else None."""
    kind = type(value).__name__
    if not type(value).__module__.startswith("fangs."):
        return None
    if hasattr(value, "estimates"):
        return f"of type {kind}; give one of its estimates, such as .estimates[0]"
    return f"of type {kind}; give its .estimate" if hasattr(value, "estimate") else None


def holds_draws(value: Any) -> str | None:
    """What a result of fangs is that was given in the place of draws, and the remedy; else None."""
    kind = type(value).__name__
    if not type(value).__module__.startswith("fangs."):
        return None
    if isinstance(getattr(value, "draws", None), list):
        return f"of type {kind}; give its .{'samples()' if hasattr(value, 'samples') else 'draws'}"
    return f"of type {kind}, where the posterior draws are wanted; give the draws themselves"


def not_binary(
    value: Any, *, name: str, item: int, feature: int, padded: tuple[int, int] | None = None
) -> ValueError:
    """The complaint about a value other than 0 and 1.

    `padded` says in how many of how many items the feature has such a value, where the value is one
    that absent features are padded with.
    """
    remedy = "recode the values before passing them"
    if 0 < value < 1:
        remedy = "if these are probabilities, draw each entry as 0 or 1 with its probability"
    if padded is not None:
        remedy = (
            f"{value!s} in all items of a feature means that the feature is absent, but here "
            f"{padded[0]} of {padded[1]} items have it"
        )
    return ValueError(
        f"{name} has the value {value!s} at item {item}, feature {feature}; an allocation holds "
        f"only 0 and 1: {remedy}"
    )


def as_allocation(matrix: Any, *, name: str, n_items: int | None = None) -> BinaryMatrix:
    """A 0/1 matrix in C order, empty columns included; `n_items` rows where that is given."""
    array = as_matrix(matrix, name=name)
    bad = (array != 0) & (array != 1)
    if bad.any():
        item, feature = (int(x) for x in np.argwhere(bad)[0])
        raise not_binary(array[item, feature], name=name, item=item, feature=feature)
    if n_items is not None and array.shape[0] != n_items:
        raise ValueError(
            f"{name} has {array.shape[0]} items, but the draws have {n_items}; "
            "both need one row per item, in the same order"
        )
    return np.ascontiguousarray(array, dtype=np.uint8)


def as_penalty(a: Any) -> float:
    """The penalty `a`, strictly between 0 and 2."""
    if isinstance(a, bool) or not isinstance(a, numbers.Real):
        several = isinstance(a, Iterable) and not isinstance(a, str | bytes)
        remedy = "; for several penalties call fangs.sparsity_path(samples, a=[...])"
        raise TypeError(f"a must be a number between 0 and 2, not {a!r}{remedy if several else ''}")
    if not 0.0 < _float(a) < 2.0:
        raise ValueError(
            f"a = {a} is outside (0, 2); it is the price of a one that the estimate has and a draw "
            "lacks, and 2 - a is that of the opposite: a=1 weighs both alike"
        )
    return float(a)


def as_penalty_for(estimate: Any, a: Any) -> float:
    """The penalty `a` where it is given, else that of the estimate, else 1."""
    own = getattr(estimate, "a", None)  # a table may have a column of that name
    return as_penalty((own if isinstance(own, float) else 1.0) if a is None else a)


def as_level(level: Any, *, name: str = "level") -> float:
    """A share of the draws, more than 0 and at most 1."""
    if isinstance(level, bool) or not isinstance(level, numbers.Real):
        raise TypeError(f"{name} must be a number between 0 and 1, not {level!r}")
    if not 0.0 < _float(level) <= 1.0:
        raise ValueError(f"{name} = {level} is outside (0, 1]; give 0.95 for 95 per cent, say")
    return float(level)


def as_rate(value: Any, *, name: str) -> float:
    """An error rate, at least 0 and below 1."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number such as 0.05, not {value!r}")
    if not 0.0 <= _float(value) < 1.0:
        raise ValueError(f"{name} = {value} is outside [0, 1); give 0.05 for 5 per cent, say")
    return float(value)


def as_max_rhat(value: Any) -> float:
    """A largest R-hat, at least 1."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"max_rhat must be a number such as 1.05, not {value!r}")
    if not _float(value) >= 1.0:
        raise ValueError(f"max_rhat = {value} is below 1, where R-hat ends; give 1.01 or 1.05, say")
    return _float(value)


def as_count(value: Any, *, name: str, minimum: int = 1) -> int:
    """A whole number of at least `minimum`."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    if value < minimum:
        raise ValueError(f"{name} = {value} is too small; it must be at least {minimum}")
    return int(value)


def as_seconds(value: Any, *, name: str) -> float | None:
    """A positive length of time, or None for no limit."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number of seconds or None, not {value!r}")
    if math.isnan(_float(value)) or _float(value) <= 0.0:
        raise ValueError(f"{name} = {value} is no length of time; give more than 0, or None")
    return _float(value)


def as_seed(seed: Any) -> int:
    """A non-negative whole number; None draws a fresh one from the operating system."""
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    return as_count(seed, name="seed", minimum=0)


_MOST_THREADS = 2**31
"""More than any machine has; larger numbers mean the same."""


def _float(value: Any) -> float:
    """A real number as a float; one that is too large for a float is infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def as_threads(n_threads: Any) -> int:
    """A number of threads; None means every core this process may use."""
    if n_threads is None:
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
    return min(as_count(n_threads, name="n_threads"), _MOST_THREADS)
