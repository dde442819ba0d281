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


def read_only_copy(array: Any, dtype: Any) -> npt.NDArray[Any]:
    """A read-only array of this type that no caller can change.

    What is read-only already is not copied: the arrays of a large estimate take half a second.

    Examples
    --------
    >>> given = np.zeros(3)
    >>> kept = read_only_copy(given, float)
    >>> np.shares_memory(given, kept), np.shares_memory(kept, read_only_copy(kept, float))
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


class FrozenDict(dict[str, Any]):
    """A dict that cannot be changed; ``dict(it)`` is one that can.

    Examples
    --------
    >>> FrozenDict(a=1)["a"] = 2
    Traceback (most recent call last):
    TypeError: a result does not support item assignment; change a copy, dict(...)
    """

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise TypeError("a result does not support item assignment; change a copy, dict(...)")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


class Frozen:
    """Base of the results: every array and dict that one holds is read-only."""

    def __post_init__(self) -> None:
        _freeze(self.__dict__.values())
        for name, value in self.__dict__.items():
            if isinstance(value, dict):
                object.__setattr__(self, name, FrozenDict(value))

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
