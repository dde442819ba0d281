"""Read-only arrays, so that a result stays what was computed, also as a copy or from a pickle."""

from __future__ import annotations

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


def own(array: Any, dtype: Any) -> npt.NDArray[Any]:
    """A read-only array of this type that no caller can change.

    What is read-only already is not copied: the arrays of a large estimate take half a second.

    Examples
    --------
    >>> given = np.zeros(3)
    >>> kept = own(given, float)
    >>> np.shares_memory(given, kept), np.shares_memory(kept, own(kept, float))
    (False, True)
    """
    is_own = (
        isinstance(array, np.ndarray)
        and array.dtype == dtype
        and array.base is None
        and array.flags.c_contiguous
        and not array.flags.writeable
    )
    return array if is_own else read_only(np.array(array, dtype=dtype, order="C"))


class Frozen:
    """Base of the results: every array that one holds is read-only."""

    def __post_init__(self) -> None:
        _freeze(self.__dict__.values())

    def __setstate__(self, state: dict[str, Any]) -> None:
        # NumPy does not keep the flag in pickles and deep copies.
        self.__dict__.update(state)
        _freeze(state.values())


def _freeze(values: Any) -> None:
    for value in values:
        if isinstance(value, np.ndarray):
            read_only(value)
        elif isinstance(value, tuple):
            _freeze(value)
