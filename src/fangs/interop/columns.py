"""Columns of a table as codes: whole numbers, or labels, and where there is nothing."""

from __future__ import annotations

from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray

__all__ = ["Coder", "Label", "is_whole"]

NOTHING = frozenset(["", "NA", "nan", "NaN", "None", "<NA>"])
"""Cells that stand for no value where there are no types; an item may be called NA."""


class Label(str):
    """Text that is a label even where it reads like a number."""

    __slots__ = ()


class Coder:
    """A column that comes in blocks: each value as a code, each different value once.

    A list of text is taken as a column of a file without types: 7 may be a number there. An array
    of text is text.

    Examples
    --------
    >>> coder = Coder("item", is_label=True)
    >>> coder.add(["a", "b", "a"])
    >>> coder.codes(), coder.labels
    (array([0, 1, 0]), array(['a', 'b'], dtype=object))
    >>> coder = Coder("draw")
    >>> coder.add(np.array([3.0, 1.0]))
    >>> coder.add(["2"])
    >>> coder.values()
    array([3, 1, 2])
    """

    def __init__(
        self, name: str, *, is_label: bool = False, known: list[Any] | None = None
    ) -> None:
        self.name = name
        self.table, self.first_row = "the table", 1  # what complaints say
        self._is_label = is_label
        self._is_known = known is not None
        self._codes: list[IntArray] = []
        self._index: dict[str, int] = {_text(label): i for i, label in enumerate(known or ())}
        self.has_text = any(isinstance(label, str) for label in known or ())

    def add(self, values: Any) -> None:
        """Take the next block of the column."""
        if isinstance(values, list) and (types := set(map(type, values))) <= {str, Label}:
            self.has_text |= Label in types
            self._add_texts(values)
            return
        array = values if isinstance(values, np.ndarray) else np.array(values, dtype=object)
        if array.ndim != 1:
            raise ValueError(f"the column {self.name!r} has {array.ndim} dimensions, not one")
        if isinstance(array, np.ma.MaskedArray):
            hidden = np.ma.getmaskarray(array)
            self._add_distinct(np.where(hidden, 0, array.filled(0)), hidden)
        elif array.dtype.kind == "f":
            missing = np.isnan(array)
            self._add_distinct(np.where(missing, 0, array), missing)
        elif array.dtype.kind in "biu":
            self._add_distinct(array, np.zeros(len(array), dtype=bool))
        else:
            listed = array.tolist()
            self.has_text |= str in set(map(type, listed))
            self._add_texts([Label(x) if isinstance(x, str) else _text(x) for x in listed])
        self.__dict__.pop("_labels", None)

    def _add_texts(self, texts: list[str]) -> None:
        if not self._is_label:  # pandas writes 7.0 where a column of numbers has gaps
            texts = [_without_point(text) for text in texts]
        index = self._index
        nothing = {""} if self._is_label else NOTHING
        for text in dict.fromkeys(texts):  # in the order in which they occur
            if text not in nothing or type(text) is Label:
                index.setdefault(text, len(index))
        codes = map(index.get, texts, repeat(-1))
        self._codes.append(np.fromiter(codes, dtype=np.int64, count=len(texts)))
        self.__dict__.pop("_labels", None)

    def _add_distinct(self, array: npt.NDArray[Any], missing: npt.NDArray[np.bool_]) -> None:
        distinct, inverse = np.unique(array, return_inverse=True)
        texts = [_text(value) for value in distinct.tolist()]
        used = np.unique(inverse[~missing])
        table = np.full(len(texts), -1, dtype=np.int64)
        for at in used.tolist():
            table[at] = self._index.setdefault(texts[at], len(self._index))
        codes = table[inverse]
        codes[missing] = -1
        self._codes.append(codes)

    def codes(self) -> IntArray:
        """The code of each value, -1 where there is none."""
        self._codes = [np.concatenate(self._codes)] if self._codes else [np.zeros(0, np.int64)]
        return self._codes[0]

    def required(self) -> IntArray:
        """The codes of a column that must have a value in each row."""
        codes = self.codes()
        if not len(codes):
            raise ValueError(f"{self.table} has no rows")
        if (codes < 0).any():
            row = int(np.argmax(codes < 0)) + self.first_row
            raise ValueError(f"{self.table} has no {self.name} in row {row}; give one in every row")
        return codes

    @property
    def labels(self) -> npt.NDArray[Any]:
        """The different values by code: int64 if all are whole numbers, else text."""
        if "_labels" not in self.__dict__:
            texts = list(self._index)
            if all(is_whole(text) for text in texts):
                self._labels = np.array([int(text) for text in texts], dtype=np.int64)
            else:
                self._labels = np.array(texts, dtype=object)
        return self._labels

    def ranks(self) -> IntArray:
        """The codes, which must all be there, of values that are sorted if they are numbers."""
        ranks: IntArray = self.in_order()[0][self.required()]
        return ranks

    def in_order(self) -> tuple[IntArray, npt.NDArray[Any]]:
        """The rank of each code, and the labels by rank: numbers are sorted, text is not."""
        labels = self.labels
        if labels.dtype.kind != "i" or self.has_text or self._is_known:
            named = labels.astype(str).astype(object) if self.has_text else labels
            return np.arange(len(labels)), named
        order = np.argsort(labels)
        ranks = np.empty(len(order), dtype=np.int64)
        ranks[order] = np.arange(len(order))
        return ranks, labels[order]

    def code_of(self, label: str) -> int:
        """The code of a value."""
        return self._index[label]

    def values(self) -> npt.NDArray[Any]:
        """The values, which must all be there: int64 if all are whole numbers, else text."""
        labels = self.labels if self.labels.dtype.kind == "i" else self.labels.astype(str)
        found: npt.NDArray[Any] = labels[self.required()]
        return found

    def numbers(self) -> IntArray:
        """The values, which must all be whole numbers."""
        if self.labels.dtype.kind != "i":
            bad = next(text for text in self._index if not is_whole(text))
            row = int(np.argmax(self.codes() == self._index[bad])) + self.first_row
            raise ValueError(
                f"{self.table} has the {self.name} {bad} in row {row}; give whole numbers"
            )
        return self.values()


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if isinstance(value, bool):
        return str(int(value))
    return "" if (text := str(value)) in NOTHING else text


def _without_point(text: str) -> str:
    if not text.endswith(".0") or type(text) is Label:
        return text
    return whole if is_whole(whole := text.removesuffix(".0")) else text


def is_whole(text: str) -> bool:
    """Whether it is a number as Python writes it: 7 is, 007 and 7.0 are not."""
    digits = text.removeprefix("-")
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= 18
    return is_number and str(int(text)) == text
