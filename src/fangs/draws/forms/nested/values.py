"""Values as R and MATLAB nest them: arrays, text, lists, and what is of no use here.

A value is an `Array`, a `Text`, a `List`, an `Other`, or None for NULL. Attributes are kept; names,
dimensions and names of dimensions are among them, as in R.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["WORKSPACE", "Array", "List", "Other", "Text", "Value", "filled", "text_of"]

MAX_ENTRIES = 1 << 28
"""Entries of an array that a file only describes, such as 1:n or a sparse matrix."""
WORKSPACE = "variables of a file"
"""The class of a list whose elements are the variables of a file."""
NUMBERS = ("logical", "integer", "double")
"""Kinds of arrays that may be draws."""
NA_INTEGER = -(1 << 31)
NOTHING: Mapping[str, Value] = MappingProxyType({})
"""The attributes of most values."""


@dataclass(slots=True, eq=False)
class Array:
    """Numbers, as one flat vector in column-major order or as an array that has its shape.

    ``kind`` is logical, integer, double, complex or raw.
    """

    data: npt.NDArray[Any] | range
    kind: str
    attributes: Mapping[str, Value] = field(default_factory=lambda: NOTHING)

    @property
    def shape(self) -> tuple[int, ...]:
        """Its dimensions; vectors have one."""
        dim = self.attributes.get("dim")
        if not isinstance(dim, Array):
            return self.data.shape if isinstance(self.data, np.ndarray) else (len(self.data),)
        sizes = tuple(int(size) for size in dim.data if dim.kind in ("integer", "double"))
        if not sizes or min(sizes) < 0 or math.prod(sizes) != len(self.data) or len(sizes) > 32:
            raise ValueError(
                f"the file is damaged: an array of {len(self.data)} values has dimensions that do "
                "not fit"
            )
        return sizes

    def array(self) -> npt.NDArray[Any]:
        """Its values in their shape, NA as NaN."""
        if isinstance(self.data, range) and len(self.data) > MAX_ENTRIES:
            raise ValueError(f"a sequence of {len(self.data)} numbers is too long to be read")
        data = np.asarray(self.data)
        if self.kind in ("logical", "integer") and data.dtype == np.int32:
            missing = data == NA_INTEGER
            data = np.where(missing, np.nan, data) if missing.any() else data
        return data if data.shape == self.shape else data.reshape(self.shape, order="F")

    @property
    def n_dims(self) -> int:
        """The number of its dimensions, if these are numbers that may be draws; else 0."""
        if self.kind not in NUMBERS or "levels" in self.attributes:
            return 0
        dim = self.attributes.get("dim")
        return len(dim.data) if isinstance(dim, Array) else getattr(self.data, "ndim", 1)

    @property
    def labels(self) -> list[tuple[str, ...] | None]:
        """Names along each dimension, or None."""
        shape, names = self.shape, self.attributes.get("dimnames")
        given = names.items if isinstance(names, List) else []
        if len(given) != len(shape):
            return [None] * len(shape)
        found = zip(map(text_of, given), shape, strict=True)
        return [labels if labels and len(labels) == size else None for labels, size in found]

    @property
    def dimensions(self) -> tuple[str, ...]:
        """What the dimensions are called, "" where they are not."""
        for owner in (self.attributes.get("dimnames"), self.attributes.get("dim")):
            names = text_of(owner.attributes.get("names")) if owner is not None else ()
            if any(names) and len(names) == len(self.shape):
                return names
        return ("",) * len(self.shape)


@dataclass(slots=True, eq=False)
class Text:
    """A vector of strings; None is NA."""

    data: list[str | None]
    attributes: Mapping[str, Value] = field(default_factory=lambda: NOTHING)


@dataclass(slots=True, eq=False)
class List:
    """A list: R's list, data frame or pairlist; MATLAB's cell or struct."""

    items: list[Value]
    attributes: Mapping[str, Value] = field(default_factory=lambda: NOTHING)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of its elements; empty if it has none."""
        names = text_of(self.attributes.get("names"))
        return names if len(names) == len(self.items) else ()

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes that R says it has."""
        return text_of(self.attributes.get("class"))

    @property
    def is_record(self) -> bool:
        """Whether the elements are different things, each with its name, and not draw1, draw2."""
        names = self.names
        stems = {re.sub(r"\d+$", "", name) for name in names}
        return any(names) and (len(stems) > 1 or names[0] in stems or WORKSPACE in self.classes)


@dataclass(slots=True, eq=False)
class Other:
    """Something that holds no draws: a function, an environment. Objects keep their slots."""

    what: str
    attributes: Mapping[str, Value] = field(default_factory=lambda: NOTHING)


Value: TypeAlias = Array | Text | List | Other | None


def text_of(value: Value) -> tuple[str, ...]:
    """The strings of a text, NA as an empty one; nothing for another value."""
    return tuple([word or "" for word in value.data]) if isinstance(value, Text) else ()


def filled(
    rows: npt.NDArray[Any], starts: npt.NDArray[Any], values: Any, shape: tuple[int, ...]
) -> npt.NDArray[Any]:
    """A sparse matrix with its zeros, from the rows and values, and where each column starts.

    Examples
    --------
    >>> filled(np.array([0, 1]), np.array([0, 1, 2]), 1, (2, 2)).tolist()
    [[1, 0], [0, 1]]
    """
    is_whole = rows.dtype.kind in "iu" and starts.dtype.kind in "iu" and len(shape) == 2
    if not is_whole or min(shape) < 0 or math.prod(shape) > MAX_ENTRIES:
        raise ValueError("a sparse matrix has a size that does not fit")
    values = np.broadcast_to(values, len(rows))
    n_entries = int(starts[-1]) if len(starts) == shape[1] + 1 else -1
    rows, starts = rows[:n_entries].astype(np.int64), starts.astype(np.int64)
    lengths = starts[1:] - starts[:-1]
    is_sound = len(rows) == n_entries == lengths.sum() and (lengths >= 0).all()
    if not is_sound or ((rows < 0) | (rows >= shape[0])).any():
        raise ValueError("a sparse matrix has entries out of place")
    is_binary = np.isin(values[:n_entries], (0, 1)).all()
    out = np.zeros(shape, dtype=np.uint8 if is_binary else np.float64)
    out[rows, np.repeat(np.arange(shape[1]), lengths)] = values[:n_entries]
    return out
