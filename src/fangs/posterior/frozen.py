"""Read-only arrays, so that a result stays what was computed."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Array = TypeVar("Array", bound=npt.NDArray[Any])


def read_only(array: Array) -> Array:
    """The same array, which can no longer be written to.

    Examples
    --------
    >>> read_only(np.zeros(3)).flags.writeable
    False
    """
    array.setflags(write=False)
    return array


def freeze_arrays(result: Any) -> None:
    """Make every array among the fields of a dataclass read-only."""
    for field in fields(result):
        value = getattr(result, field.name)
        if isinstance(value, np.ndarray):
            read_only(value)
