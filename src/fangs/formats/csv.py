"""CSV and TSV files, also packed: draws as tables, CmdStan's output, the matrix of an estimate.

A spreadsheet runs a label that starts with =, +, - or @ as a formula, unless it is a number. Such a
cell gets an apostrophe in front, and so does text that would be read as a number or as no value;
reading takes it away again.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fangs.check.names import feature_labels
from fangs.draws.form import Form
from fangs.draws.forms.table import TableForm
from fangs.draws.forms.table.columns import NOTHING, Label, Table, is_whole, without_point
from fangs.draws.forms.table.rows import long_blocks
from fangs.draws.labels import first_number
from fangs.formats.format import Format
from fangs.formats.packed import open_unpacked
from fangs.formats.whole import whole_file

if TYPE_CHECKING:
    from fangs.draws.samples import Samples
    from fangs.estimate import Estimate

__all__ = ["FORMAT", "as_csv", "write_matrix"]

_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?")
_DECIMAL = re.compile(r"([+-]?\d+),(\d+)")
_MANY = 64
"""Columns of a table that may be nothing but numbers."""


@contextmanager
def _open(path: Path) -> Iterator[Form]:
    file = CsvFile(path)
    table = Table(file.names, file.blocks, "the table", first_row=1)
    yield TableForm(table, "draws", n_warm_up=file.n_warm_up)


class CsvFile:
    """A table of text, whose cells have no types; it is read anew for each use."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._opened() as file:
            settings, line = _start(file)
            self._has_comments = bool(settings)
            self._delimiter = _delimiter(line, _delimiter_of(path))
            names = [name.strip() for name in next(self._rows(chain([line], file)))]
        if broken := [name for name in names if re.fullmatch(r"[^\[\]]+\[\d+", name)]:
            raise ValueError(
                f"the name {broken[0]},... has a comma; put such names into quotes, or write Z.1.1"
            )
        numbers_alone = all(map(_NUMBER.fullmatch, names)) and first_number(names) is None
        self._has_header = not (numbers_alone or set(names) <= {"0", "1"})
        if not self._has_header:  # as `numpy.savetxt` writes them
            names = [str(j + 1) for j in range(len(names))]
        self.names = list(map(_restored, names))
        is_saved = settings.get("save_warmup", "0") not in ("0", "false")
        n_warm_up = int(settings.get("num_warmup", 0)) if is_saved else 0
        self.n_warm_up = -(-n_warm_up // max(int(settings.get("thin", 1)), 1))
        """Draws of the warm-up that CmdStan says the file has."""

    def blocks(self, names: Sequence[str]) -> Iterator[Mapping[str, Any]]:
        """Some of the columns, a block of rows at a time."""
        at = [self.names.index(name) for name in names]
        step = min(20_000, 2**20 // len(self.names) + 1)
        with self._opened() as file:
            lines = chain([_start(file)[1]], file)
            if self._has_header:
                next(self._rows(lines))
            while len(names) > _MANY and (block := list(islice(lines, step))):
                numbers = self._numbers(block, at)
                for columns in self._cells(block, at, step) if numbers is None else [numbers]:
                    yield dict(zip(names, columns, strict=True))
            for columns in self._cells(lines, at, step):
                yield dict(zip(names, columns, strict=True))

    def _numbers(self, lines: Sequence[str], at: Sequence[int]) -> npt.NDArray[Any] | None:
        """The columns of lines of nothing but numbers, which NumPy reads faster; else None."""
        filled = [line for line in self._data(lines) if line.strip()]
        if {line.count(self._delimiter) + 1 for line in filled} != {len(self.names)}:
            return None
        try:
            return np.loadtxt(
                filled, delimiter=self._delimiter, usecols=at, ndmin=2, comments=None
            ).T
        except ValueError:
            return None

    def _cells(self, lines: Iterable[str], at: Sequence[int], step: int) -> Iterator[Sequence[Any]]:
        """The columns of lines, a block of rows at a time."""
        rows = filter(None, self._rows(lines))
        while block := list(islice(rows, step)):
            for row in block:
                if len(row) != len(self.names):
                    raise ValueError(
                        f"the row {','.join(row)[:60]!r} has {len(row)} cells, but there are "
                        f"{len(self.names)} columns"
                    )
            columns = list(zip(*block, strict=True))
            yield [self._read(columns[i]) for i in at]

    def _opened(self) -> IO[str]:
        return io.TextIOWrapper(open_unpacked(self._path), "utf-8-sig", newline="")

    def _data(self, lines: Iterable[str]) -> Iterable[str]:
        """Lines without the comments of CmdStan, which start the file, too."""
        return (line for line in lines if line[0] != "#") if self._has_comments else lines

    def _rows(self, lines: Iterable[str]) -> Iterator[list[str]]:
        return csv.reader(self._data(lines), delimiter=self._delimiter, strict=True)

    def _read(self, column: Sequence[str]) -> Sequence[str]:
        """The cells of a column: decimals with a point, labels without their apostrophe."""
        table = {}
        for cell in set(column):
            if cell.startswith("'"):
                table[cell] = _restored(cell)
            elif self._delimiter == ";" and (decimal := _DECIMAL.fullmatch(cell)):
                table[cell] = f"{decimal[1]}.{decimal[2]}"
        return [table.get(cell, cell) for cell in column] if table else column


def _start(file: IO[str]) -> tuple[dict[str, str], str]:
    """What comments before the table say, and its first line."""
    settings: dict[str, str] = {}
    for line in file:
        if line.startswith("#"):
            settings.setdefault("", line)
            if found := re.fullmatch(r"#\s*(\w+)\s*=\s*(\S+).*", line.strip()):
                settings[found[1]] = found[2]
        elif line.strip():
            return settings, line
    raise ValueError("there is no row in it")


def _delimiter(line: str, usual: str) -> str:
    """What separates the columns of a line; a comma within Z[1,2] does not."""
    outside = re.sub(r'"[^"]*"|\[[^\]]*\]', "", line)
    found = next((sign for sign in (usual, ";", "\t", ",") if sign in outside), usual)
    if found not in (usual, ";"):
        suffix = ".tsv" if found == "\t" else ".csv"
        raise ValueError(f"its columns are separated by {found!r}; name it {suffix}")
    return found


def _delimiter_of(path: Path) -> str:
    return "\t" if ".tsv" in path.name.lower() else ","


def _restored(cell: str) -> str:
    """The label that a cell stands for: without the apostrophe that was put in front of it."""
    return Label(cell[1:]) if cell.startswith("'") and _is_misread(cell[1:]) else cell


def _is_misread(label: str, *, is_text: bool = True) -> bool:
    """Whether a cell with this label would be run, or not be read as such a label."""
    if label in NOTHING or label.startswith(("'", "\t", "\r")):
        return True
    if is_text and is_whole(without_point(label)):
        return True
    return label.startswith(("=", "+", "-", "@")) and not _NUMBER.fullmatch(label)


def _would_be_sorted(labels: Sequence[str]) -> bool:
    """Whether all labels would be read as numbers, and these in another order or form."""
    texts = list(map(without_point, labels))
    return all(map(is_whole, texts)) and list(map(str, sorted(map(int, texts)))) != list(labels)


def _cells(labels: Iterable[Any], delimiter: str, *, are_text: bool = False) -> dict[Any, str]:
    """What is written for each label; numbers that are text are guarded if that must be kept."""
    cells = {}
    for label in labels:
        is_misread = isinstance(label, str) and _is_misread(label, is_text=are_text)
        cell = f"'{label}" if is_misread else str(label)
        if {'"', "\n", "\r", delimiter} & set(cell):
            cell = '"{}"'.format(cell.replace('"', '""'))
        cells[label] = cell
    return cells


def _lines(rows: Iterable[Iterable[str]], delimiter: str) -> str:
    return "".join(f"{delimiter.join(row)}\n" for row in rows)


def write_samples(samples: Samples, path: Path) -> None:
    """Write draws as a long table, whole or not at all."""
    items, chains, delimiter = samples.items or (), samples.info.chain_names, _delimiter_of(path)
    cells = {
        "item": _cells(items, delimiter, are_text=_would_be_sorted(items)),
        "chain": _cells(chains, delimiter, are_text=True),
    }
    with whole_file(path) as file:
        for i, block in enumerate(long_blocks(samples)):
            if i == 0:
                file.write(_lines([block], delimiter).encode())
            block["feature"] = block["feature"].astype(object).filled("")
            columns = []
            for name, values in block.items():
                known = cells.get(name) or {value: str(value) for value in set(values.tolist())}
                columns.append(map(known.__getitem__, values.tolist()))
            file.write(_lines(zip(*columns, strict=True), delimiter).encode())


def write_estimate(estimate: Estimate, path: Path) -> None:
    """Write the matrix of an estimate as a table, whole or not at all."""
    with whole_file(path) as file:
        file.write(as_csv(estimate, delimiter=_delimiter_of(path)).encode())


def as_csv(estimate: Estimate, *, delimiter: str = ",") -> str:
    """The matrix as comma-separated text: a row for each item, a column for each feature."""
    names = feature_labels(estimate.feature_names)
    return _matrix(estimate.matrix, estimate.item_names, names, delimiter)


def write_matrix(matrix: Any, path: Path) -> None:
    """Write a matrix whose items and features have no names."""
    n_items, n_features = matrix.shape
    with whole_file(path) as file:
        text = _matrix(matrix, range(1, n_items + 1), range(1, n_features + 1), ",")
        file.write(text.encode())


def _matrix(matrix: Any, items: Sequence[Any], names: Sequence[Any], delimiter: str) -> str:
    heads, cells = _cells(names, delimiter), _cells(items, delimiter)
    rows = zip(items, matrix.tolist(), strict=True)
    lines = [["item", *map(heads.__getitem__, names)]]
    lines += [[cells[item], *map(str, row)] for item, row in rows]
    return _lines(lines, delimiter)


FORMAT = Format(_open, write_samples=write_samples, write_estimate=write_estimate)
