"""Columns of tables, wherever they are: read in blocks of rows, as codes or as zeros and ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs.draws.labels import text_of

__all__ = ["NOTHING", "Coder", "Label", "Levels", "Table", "binary", "is_whole", "numbers",
           "of_arrow", "of_columns", "of_pandas", "of_polars", "typed",
           "without_point"]  # fmt: skip

NOTHING = frozenset(["", "NA", "N/A", "NULL", "null", "nan", "NaN", "None", "<NA>", "NaT"])
"""How programs write a cell without a value."""

BLOCK_CELLS = 2**21
"""Cells that are read at a time."""

_CELLS: dict[str, int] = dict.fromkeys([text.lower() for text in NOTHING], -1) | {
    "0": 0, "0.0": 0, "false": 0, "1": 1, "1.0": 1, "true": 1, "-1": -1, "-1.0": -1,
}  # fmt: skip


class Label(str):
    """A cell that is a label even where it reads like a number, or like no value."""

    __slots__ = ()


@dataclass(frozen=True, eq=False)
class Levels:
    """A column of categories: the place of each value among the labels, or -1."""

    codes: IntArray
    labels: Sequence[Any]

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: slice) -> Levels:
        return Levels(self.codes[rows], self.labels)

    def values(self) -> npt.NDArray[Any]:
        """The label of each row, or None."""
        return np.array([*self.labels, None], dtype=object)[self.codes]


@dataclass(frozen=True, eq=False)
class Table:
    """Named columns of equal length."""

    names: Sequence[str]
    blocks: Callable[[Sequence[str]], Iterator[Mapping[str, Any]]]
    """Reads columns, a block of rows at a time: arrays, `Levels`, or cells of text without type."""
    name: str
    first_row: int = 0
    """What complaints call its first row; `name` is what they call the table."""
    index: str | None = None
    row_labels: Sequence[Any] | None = None
    """The names of the rows, and the column that they are, too."""

    def __post_init__(self) -> None:
        if len(set(self.names)) < len(self.names):
            twice = next(name for i, name in enumerate(self.names) if name in self.names[:i])
            raise ValueError(f"{self.name} has two columns {twice!r}; give each a name of its own")


def of_columns(names: Sequence[str], get: Callable[[str], Any], name: str, **labels: Any) -> Table:
    """A table of columns in memory; `get` gives one by its name."""

    def blocks(names: Sequence[str]) -> Iterator[Mapping[str, Any]]:
        found = {name: get(name) for name in names}
        columns = {x: typed(one) if isinstance(one, list) else one for x, one in found.items()}
        if len(sizes := {len(column) for column in columns.values()}) > 1:
            raise ValueError(f"{name} has columns of different lengths: {sorted(sizes)}")
        step = max(1, BLOCK_CELLS // max(1, len(names)))
        for start in range(0, max(sizes, default=0), step):
            yield {name: column[start : start + step] for name, column in columns.items()}

    return Table(names, blocks, name, **labels)


def typed(values: Iterable[Any]) -> npt.NDArray[Any]:
    """Values that have types, unlike the cells of a file, as an array."""
    return np.array([*values, None], dtype=object)[:-1]


def of_pandas(value: Any, name: str) -> Table:
    """A frame or series of pandas; named levels of its index are columns, too."""
    frame = value if hasattr(value, "columns") else value.to_frame("value")
    index = frame.index
    levels = {str(level): i for i, level in enumerate(index.names) if level is not None}
    places = {str(column): i for i, column in enumerate(frame.columns)}

    def get(column: str) -> Any:
        if column in levels:
            return index.get_level_values(levels[column]).to_numpy()
        series = frame.iloc[:, places[column]]
        if hasattr(series.dtype, "categories"):
            return Levels(series.cat.codes.to_numpy(), series.cat.categories.tolist())
        return series.to_numpy()

    names = [*levels, *map(str, frame.columns)]
    rows = {"index": next(iter(levels), None), "row_labels": index} if index.nlevels == 1 else {}
    return of_columns(names, get, name, **rows)


def of_polars(value: Any, name: str) -> Table:
    """A frame, lazy frame or series of polars."""
    frame = value.collect() if hasattr(value, "collect") else value
    frame = frame if hasattr(frame, "columns") else frame.to_frame()

    def get(column: str) -> Any:
        series = frame[column]
        if type(series.dtype).__name__ != "Enum":
            return series.to_numpy()
        codes = series.to_physical().cast(int).fill_null(-1).to_numpy()
        return Levels(codes, series.dtype.categories.to_list())

    return of_columns(frame.columns, get, name)


def of_arrow(
    names: Sequence[str],
    batches: Callable[[list[str], int], Iterable[Any]],
    name: str,
    first_row: int = 0,
) -> Table:
    """A table of pyarrow; `batches` gives record batches of some columns and so many rows."""

    def blocks(names: Sequence[str]) -> Iterator[Mapping[str, Any]]:
        step = max(1, BLOCK_CELLS // max(1, len(names)))
        for batch in batches(list(names), step):
            for start in range(0, batch.num_rows, step):
                part = batch.slice(start, step)
                yield {name: _of_arrow(part.column(name)) for name in names}

    return Table(names, blocks, name, first_row)


def _of_arrow(column: Any) -> Any:
    if not hasattr(column, "dictionary"):
        return column.to_numpy(zero_copy_only=False)
    codes = column.indices.cast("int64").fill_null(-1).to_numpy()
    return Levels(codes, column.dictionary.to_pylist())


class Coder:
    """A column that comes in blocks: each value as a code, each different value once.

    Examples
    --------
    >>> coder = Coder("draw", of_columns([], {}.get, "draws"))
    >>> coder.add(np.array([3.0, 1.0]))
    >>> coder.add(("2",))
    >>> coder.codes, coder.labels
    (array([1, 0, 2]), array([1, 3, 2]))
    """

    def __init__(self, name: str, table: Table, *, is_label: bool = False) -> None:
        self.name, self._table, self._is_label = name, table, is_label
        self._blocks: list[IntArray] = []
        self._index: dict[str, int] = {}
        self._has_text = self._has_order = False

    def add(self, values: Any) -> None:
        """Take the next block of the column."""
        if isinstance(values, Levels):
            self._has_order = True
            self._blocks.append(np.append(self._coded(values.labels), -1)[values.codes])
        elif isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
            distinct, inverse = np.unique(values, return_inverse=True)
            self._blocks.append(self._coded(distinct.tolist())[inverse])
        else:
            has_types = isinstance(values, np.ndarray)
            self._blocks.append(self._coded(values.tolist() if has_types else values, has_types))

    def _coded(self, values: Sequence[Any], has_types: bool = True) -> IntArray:
        """Codes of values; text of a cell without types may stand for a number or for nothing."""
        codes: dict[Any, int] = {}
        for value in dict.fromkeys(values):
            is_text, is_marked = isinstance(value, str), type(value) is Label
            self._has_text |= is_marked or (is_text and has_types)
            text = text_of(value)
            if not self._is_label:  # pandas writes 7.0 where a column of numbers has gaps
                text = without_point(text)
            may_be_label = self._is_label and is_text and (has_types or text != "")
            is_absent = text in NOTHING and not (is_marked or may_be_label)
            codes[value] = -1 if is_absent else self._index.setdefault(text, len(self._index))
        return np.fromiter(map(codes.__getitem__, values), dtype=np.int64)

    @cached_property
    def codes(self) -> IntArray:
        """The code of each value, -1 where there is none; to be used after the last block."""
        return np.concatenate(self._blocks) if self._blocks else np.zeros(0, np.int64)

    @cached_property
    def labels(self) -> npt.NDArray[Any]:
        """The different values by code: int64 if all are whole numbers, else text."""
        texts = list(self._index if self._has_text else map(without_point, self._index))
        if all(map(is_whole, texts)) and len(set(texts)) == len(texts):
            return np.array(list(map(int, texts)), dtype=np.int64)
        return typed(self._index)

    def required(self) -> IntArray:
        """The codes of a column that must have a value in each row."""
        if not len(self.codes):
            raise ValueError(f"{self._table.name} has no row")
        if (missing := self.codes < 0).any():
            raise ValueError(
                f"{self._table.name} has no {self.name} in row {self.row(missing)}; give one in "
                "every row"
            )
        return self.codes

    def row(self, where: npt.NDArray[np.bool_]) -> int:
        """What complaints call the first of these rows."""
        return int(np.argmax(where)) + self._table.first_row

    def in_order(self) -> tuple[IntArray, npt.NDArray[Any]]:
        """The rank of each code, and the labels by rank: numbers are sorted, text is not."""
        if self.labels.dtype.kind != "i" or self._has_text or self._has_order:
            return np.arange(len(self.labels)), self.labels
        return np.argsort(np.argsort(self.labels)), np.sort(self.labels)

    def values(self) -> npt.NDArray[Any]:
        """The values, which must all be there: int64 if all are whole numbers, else text."""
        is_number = self.labels.dtype.kind == "i" and not self._has_text
        labels = self.labels if is_number else np.array(list(self._index), dtype=str)
        return np.asarray(labels[self.required()])

    def numbers(self) -> npt.NDArray[Any]:
        """The values, which must all be numbers."""
        values = self.values()
        try:
            return values if values.dtype.kind == "i" else values.astype(np.float64)
        except ValueError as error:
            raise ValueError(
                f"{self._table.name} has text in the column {self.name!r}: {error}"
            ) from None


def binary(values: Any) -> npt.NDArray[np.int8] | None:
    """A column as 1, 0 and -1 for an absent entry; None where it has anything else.

    Examples
    --------
    >>> binary(["TRUE", "0", "NA"]), binary(np.array([1, 2]))
    (array([ 1,  0, -1], dtype=int8), None)
    """
    if isinstance(values, Levels):
        codes = binary(values.labels)
        return None if codes is None else np.append(codes, np.int8(-1))[values.codes]
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        filled = np.where(np.isnan(values), -1, values) if values.dtype.kind == "f" else values
        is_known = (filled == 0) | (filled == 1) | (filled == -1)
        return filled.astype(np.int8) if is_known.all() else None
    cells = {value: _CELLS.get(str(value).strip().lower()) for value in set(values)}
    if None in cells.values():
        return None
    return np.array([cells[value] for value in values], dtype=np.int8)


def numbers(values: Any, column: str, table: Table) -> npt.NDArray[Any]:
    """A column as numbers; refused if it has text."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        return values
    if (found := binary(values)) is not None:
        return np.where(found < 0, np.nan, found) if (found < 0).any() else found
    cells = values.values() if isinstance(values, Levels) else values
    try:
        return np.array([np.nan if text_of(x) in NOTHING else float(x) for x in cells])
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{table.name} has text in the column {column!r} ({error}); drop it, or say that it "
            f'has the labels: dims={{"item": {column!r}}}'
        ) from None


def without_point(text: str) -> str:
    """A whole number that is written as 7.0 as 7; any other text as it is."""
    return whole if text.endswith(".0") and is_whole(whole := text[:-2]) else text


def is_whole(text: str) -> bool:
    """Whether it is a number as Python writes it: 7 is, 007 and 7.0 are not."""
    return re.fullmatch("0|-?[1-9][0-9]{0,17}", text) is not None
