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

__all__ = ["Array", "List", "Other", "Text", "Value", "text_of"]

MAX_ENTRIES = 1 << 28
"""Entries of an array that a file only describes, such as 1:n or a sparse matrix."""
NA_INTEGER = -(1 << 31)

NOTHING: Mapping[str, Value] = MappingProxyType({})
"""The attributes of most values."""

_MAX_DIMENSIONS = 32
_WHOLE = ("integer", "double")


@dataclass(slots=True, eq=False)
class Array:
    """Numbers, as one flat vector in column-major order or as an array that has its shape."""

    data: npt.NDArray[Any] | range
    kind: str
    """logical, integer, double, complex or raw."""
    attributes: Mapping[str, Value] = field(default_factory=lambda: NOTHING)

    @property
    def shape(self) -> tuple[int, ...]:
        """Its dimensions; vectors have one."""
        dim = self.attributes.get("dim")
        if not isinstance(dim, Array):
            return self.data.shape if isinstance(self.data, np.ndarray) else (len(self.data),)
        sizes = list(dim.data) if len(dim.data) <= _MAX_DIMENSIONS else []
        whole = [int(size) for size in sizes if dim.kind in _WHOLE and 0 <= size < 1 << 52]
        if not whole or len(whole) < len(sizes) or math.prod(whole) != len(self.data):
            raise ValueError(
                f"the file is damaged: an array of {len(self.data)} values has dimensions that do "
                "not fit"
            )
        return tuple(whole)

    def array(self) -> npt.NDArray[Any]:
        """Its values in their shape, NA as NaN."""
        if len(self.data) > MAX_ENTRIES and isinstance(self.data, range):
            raise ValueError(f"a sequence of {len(self.data)} numbers is too long to be read")
        data = np.asarray(self.data)
        if self.kind in ("logical", "integer") and data.dtype == np.int32:
            missing = data == NA_INTEGER
            if missing.any():
                data = np.where(missing, np.nan, data)
        shape = self.shape
        return data if data.shape == shape else data.reshape(shape, order="F")

    @property
    def labels(self) -> list[tuple[str, ...] | None]:
        """Names along each dimension, or None."""
        shape = self.shape
        names = self.attributes.get("dimnames")
        if not isinstance(names, List) or len(names.items) != len(shape):
            return [None] * len(shape)
        found = (text_of(given) for given in names.items)
        return [
            label if label and len(label) == n else None
            for n, label in zip(shape, found, strict=True)
        ]

    @property
    def dimensions(self) -> tuple[str, ...]:
        """What the dimensions themselves are called; empty if they are not."""
        names = self.attributes.get("dimnames")
        return text_of(names.attributes.get("names")) if isinstance(names, List) else ()


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
    def is_record(self) -> bool:
        """Whether the elements are different things, each with its name.

        Names such as draw1, draw2 only count the elements.
        """
        names = self.names
        if not any(names):
            return False
        stems = {re.sub(r"\d+$", "", name) for name in names}
        return len(stems) > 1 or names[0] in stems

    @property
    def is_frame(self) -> bool:
        """Whether it is a data frame."""
        return "data.frame" in text_of(self.attributes.get("class"))


@dataclass(slots=True, eq=False)
class Other:
    """Something that holds no draws: a function, an environment. Objects keep their slots."""

    what: str
    attributes: Mapping[str, Value] = field(default_factory=lambda: NOTHING)


Value: TypeAlias = Array | Text | List | Other | None


def text_of(value: Value) -> tuple[str, ...]:
    """The strings of a text, NA as an empty one; nothing for another value."""
    return tuple(word or "" for word in value.data) if isinstance(value, Text) else ()
