"""CSV and TSV files, also packed: draws as tables, CmdStan's output, the matrix of an estimate.

A spreadsheet runs a label that starts with =, +, - or @ as a formula, unless it is a number. Such a
cell gets an apostrophe in front, and so does text that would be read as a number or as no value;
reading takes it away again.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from fangs.check.names import feature_labels
from fangs.draws.form import Form
from fangs.draws.forms.table import TableForm
from fangs.draws.forms.table.columns import NOTHING, Label, Table, is_whole, without_point
from fangs.draws.forms.table.rows import long_blocks
from fangs.draws.labels import first_number
from fangs.formats.format import Format
from fangs.formats.whole import whole_file

if TYPE_CHECKING:
    from fangs.draws.samples import Samples
    from fangs.estimate import Estimate

__all__ = ["FORMAT", "CsvFile", "as_csv"]

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
            self._delimiter = _delimiter(line, _usual_delimiter(path))
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
        places = {name: i for i, name in enumerate(self.names)}
        at = [places[name] for name in names]
        step = min(20_000, 2**20 // len(self.names) + 1)
        with self._opened() as file:
            _, line = _start(file)
            lines: Iterator[str] = chain([line], file)
            if self._has_header:
                next(self._rows(lines))
            while len(names) > _MANY and (block := list(islice(lines, step))):
                yield from self._numbers(block, names, at) or self._cells(block, names, at, step)
            yield from self._cells(lines, names, at, step)

    def _numbers(
        self, lines: Sequence[str], names: Sequence[str], at: Sequence[int]
    ) -> list[Mapping[str, Any]]:
        """Lines of nothing but numbers, which NumPy reads faster; an empty list for others."""
        sign, filled = self._delimiter, [line for line in self._data(lines) if line.strip()]
        if {line.count(sign) + 1 for line in filled} != {len(self.names)}:
            return []
        try:
            cells = np.loadtxt(filled, delimiter=sign, usecols=at, ndmin=2, comments=None)
        except ValueError:
            return []
        return [dict(zip(names, cells.T, strict=True))]

    def _cells(
        self, lines: Iterable[str], names: Sequence[str], at: Sequence[int], step: int
    ) -> Iterator[Mapping[str, Any]]:
        rows = filter(None, self._rows(lines))
        while block := list(islice(rows, step)):
            if set(map(len, block)) != {len(self.names)}:
                row = next(row for row in block if len(row) != len(self.names))
                raise ValueError(
                    f"the row {','.join(row)[:60]!r} has {len(row)} cells, but there are "
                    f"{len(self.names)} columns"
                )
            columns = list(zip(*block, strict=True))
            yield {name: self._read(columns[i]) for name, i in zip(names, at, strict=True)}

    def _opened(self) -> IO[str]:
        """The text; what Python writes for half a character is read back as such."""
        opened: Any = gzip.open if self._path.suffix.lower() == ".gz" else open
        file: IO[str] = opened(
            self._path, "rt", encoding="utf-8-sig", errors="surrogatepass", newline=""
        )
        return file

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


def _usual_delimiter(path: Path) -> str:
    return "\t" if ".tsv" in path.name.lower() else ","


def _restored(cell: str) -> str:
    """The label that a cell stands for: without the apostrophe that was put in front of it."""
    is_guarded = cell.startswith("'") and (
        _is_unsafe(cell[1:]) or is_whole(without_point(cell[1:]))
    )
    return Label(cell[1:]) if is_guarded else cell


def _is_unsafe(label: str) -> bool:
    """Whether a cell with this label would be run, or be read as something else."""
    if label in NOTHING or label.startswith(("'", "\t", "\r")):
        return True
    return label.startswith(("=", "+", "-", "@")) and not _NUMBER.fullmatch(label)


def _guarded(labels: Iterable[Any], *, are_text: bool = False) -> dict[Any, Any]:
    """What is written for each label; numbers that are text are guarded if that must be kept."""

    def is_guarded(label: Any) -> bool:
        is_number = are_text and isinstance(label, str) and is_whole(without_point(label))
        return isinstance(label, str) and (_is_unsafe(label) or is_number)

    return {label: f"'{label}" if is_guarded(label) else label for label in labels}


def _would_be_sorted(labels: Sequence[str]) -> bool:
    """Whether all labels would be read as numbers, and these in another order or form."""
    texts = list(map(without_point, labels))
    return all(map(is_whole, texts)) and list(map(str, sorted(map(int, texts)))) != list(labels)


def _writer(text: IO[str], delimiter: str, labels: Iterable[Any]) -> Any:
    # Python before 3.13 does not quote a cell for a carriage return in it.
    has_return = any("\r" in str(label) for label in labels)
    options: dict[str, Any] = {"quoting": csv.QUOTE_NONNUMERIC} if has_return else {}
    return csv.writer(text, lineterminator="\n", delimiter=delimiter, **options)


@contextmanager
def _text(path: Path) -> Iterator[IO[str]]:
    """A file to write text to, which appears whole or not at all."""
    with whole_file(path) as binary:
        is_packed = path.suffix.lower() == ".gz"
        file = gzip.GzipFile(fileobj=binary, mode="wb", mtime=0) if is_packed else binary
        yield (text := io.TextIOWrapper(file, "utf-8", errors="surrogatepass", newline=""))
        text.detach()
        if is_packed:
            file.close()


def write_samples(samples: Samples, path: Path) -> None:
    """Write draws as a long table, whole or not at all."""
    items, chains = samples.items or (), samples.info.chain_names
    cells = {
        "item": _guarded(items, are_text=_would_be_sorted(items)),
        "chain": _guarded(chains, are_text=True),
    }
    with _text(path) as text:
        table = _writer(text, _usual_delimiter(path), [*items, *chains])
        for i, block in enumerate(long_blocks(samples)):
            if i == 0:
                table.writerow(block)
            block["feature"] = block["feature"].astype(object).filled("")
            for name in cells.keys() & block.keys():
                block[name] = list(map(cells[name].get, block[name].tolist(), block[name].tolist()))
            table.writerows(zip(*block.values(), strict=True))


def write_estimate(estimate: Estimate, path: Path) -> None:
    """Write the matrix of an estimate as a table, whole or not at all."""
    with _text(path) as text:
        text.write(as_csv(estimate, delimiter=_usual_delimiter(path)))


def as_csv(estimate: Estimate, *, delimiter: str = ",") -> str:
    """The matrix as comma-separated text: a row for each item, a column for each feature."""
    text = io.StringIO()
    names, items = feature_labels(estimate.feature_names), estimate.item_names
    table = _writer(text, delimiter, [*names, *items])
    heads, cells = _guarded(names), _guarded(items)
    table.writerow(["item", *(heads[name] for name in names)])
    for label, row in zip(items, estimate.matrix.tolist(), strict=True):
        table.writerow([cells[label], *row])
    return text.getvalue()


FORMAT = Format(_open, write_samples=write_samples, write_estimate=write_estimate)
