"""CSV and TSV files: draws as long or wide tables, CmdStan's output, and the matrix of an estimate.

A label that starts with =, +, - or @ would be run as a formula by spreadsheets, and one that reads
like a number, or is empty, would be taken for something else. Such cells get an apostrophe in
front, which is taken away again on reading.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fangs.feature_names import feature_labels
from fangs.interop.columns import Label, is_whole
from fangs.io.atomic import whole_file
from fangs.io.inspect import Variable
from fangs.io.source import DrawSource
from fangs.io.tables import (
    draws_of_long,
    draws_of_wide,
    find_grid,
    find_grids,
    is_long,
    long_blocks,
    role_of,
)
from fangs.samples import Samples

if TYPE_CHECKING:
    from fangs.estimate import Estimate

__all__ = ["as_csv", "describe", "read", "restored", "write_estimate", "write_samples"]

FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")
"""How a cell starts that a spreadsheet does not show as it stands."""

_LONG_ROWS = 20_000
_WIDE_BYTES = 2**24


def read(path: Path, variable: str | None) -> DrawSource:
    """Read draws from a long or wide table, or from a file that CmdStan wrote."""
    with _opened(path) as file:
        names, warm_up = _header(file, path)
        if is_long(names):
            if variable is not None:
                raise ValueError(f"a long table has a single variable; leave out {variable=}")
            return draws_of_long(_long_columns(file, names, path))
        blocks = _wide_blocks(file, names, variable, path)
        return replace(draws_of_wide(names, blocks, variable=variable), n_warm_up=warm_up)


def describe(path: Path) -> list[Variable]:
    """What a table holds; its rows are counted, not read."""
    with _opened(path) as file:
        names, _ = _header(file, path)
        start = f"fangs.read({str(path)!r}"
        if is_long(names):
            return [Variable("", "long table", None, None, None, None, f"{start})")]
        n_rows = sum(1 for _ in _data_lines(file))
    grids = [find_grid(names, name) for name in find_grids(names)]
    calls = [f"{start}, variable={grid.variable!r})" for grid in grids]
    if len(grids) == 1:
        calls = [f"{start})"]
    return [
        Variable(
            grid.variable, "wide table", n_rows, grid.n_items, (grid.n_features,) * 2, None, call
        )
        for grid, call in zip(grids, calls, strict=True)
    ]


def write_samples(samples: Samples, path: Path) -> None:
    """Write draws as a long table, whole or not at all."""
    with whole_file(path) as binary, _encoded(binary) as text:
        chains = [] if samples.chains is None else set(map(str, samples.chains.tolist()))
        table = _writer(text, _delimiter(path), [*(samples.items or ()), *chains])
        for i, block in enumerate(long_blocks(samples)):
            if i == 0:
                table.writerow(block)
            block["feature"] = block["feature"].astype(object).filled("")
            columns = (_cells(name, column) for name, column in block.items())
            table.writerows(zip(*columns, strict=True))


def write_estimate(estimate: Estimate, path: Path) -> None:
    """Write the matrix of an estimate as a table, whole or not at all."""
    with whole_file(path) as file:
        text = as_csv(estimate, delimiter=_delimiter(path))
        file.write(text.encode("utf-8", "surrogatepass"))


def as_csv(estimate: Estimate, *, delimiter: str = ",") -> str:
    """Return the matrix as comma-separated text: a row per item, a column per feature."""
    text = io.StringIO()
    names = feature_labels(estimate.feature_names)
    table = _writer(text, delimiter, [*names, *estimate.labels])
    table.writerow(["item", *map(_guarded, names)])
    for label, row in zip(estimate.labels, estimate.matrix.tolist(), strict=True):
        table.writerow([_guarded(label), *row])
    return text.getvalue()


def _writer(text: IO[str], delimiter: str, labels: Iterable[Any]) -> Any:
    # Python before 3.13 does not quote a cell for a carriage return in it.
    has_return = any("\r" in str(label) for label in labels)
    options: dict[str, Any] = {"quoting": csv.QUOTE_NONNUMERIC} if has_return else {}
    return csv.writer(text, lineterminator="\n", delimiter=delimiter, **options)


def _cells(name: str, column: npt.NDArray[Any]) -> list[Any]:
    if name not in ("item", "chain") or column.dtype.kind in "iu":
        return list(column.tolist())
    guarded = {label: _guarded(label) for label in set(column.tolist())}
    return [guarded[label] for label in column.tolist()]


def _guarded(cell: Any) -> Any:
    return f"'{cell}" if isinstance(cell, str) and _is_guarded(cell) else cell


def _is_guarded(label: str) -> bool:
    return not label or label.startswith(FORMULA) or is_whole(label)


def restored(cell: str) -> str:
    """The label that a cell stands for: without the apostrophe that was put in front of it."""
    if not cell.startswith("'"):
        return cell
    return Label(cell[1:]) if _is_guarded(cell[1:]) else cell


def _delimiter(path: Path) -> str:
    return "\t" if path.suffix.lower() == ".tsv" else ","


def _opened(path: Path) -> IO[str]:
    # What Python writes for half a character is read back as such.
    return open(path, encoding="utf-8-sig", errors="surrogatepass", newline="")


def _encoded(binary: IO[bytes]) -> io.TextIOWrapper:
    class Wrapper(io.TextIOWrapper):
        def close(self) -> None:  # the file below is closed by its owner
            self.flush()

    return Wrapper(binary, encoding="utf-8", errors="surrogatepass", newline="")


def _header(file: IO[str], path: Path) -> tuple[list[str], int]:
    """Names of the columns, and how many draws of the warm-up CmdStan says the file has."""
    settings: dict[str, str] = {}
    for line in file:
        if line.startswith("#"):
            if found := re.fullmatch(r"#\s*(\w+)\s*=\s*(\S+).*", line.strip()):
                settings[found[1]] = found[2]
            continue
        if line.strip():
            break
    else:
        raise ValueError("there is no row in it")
    names = next(csv.reader([line], delimiter=_delimiter(path)))
    for other, suffix in ((";", None), ("\t", ".tsv"), (",", ".csv")):
        if len(names) == 1 and other in line and other != _delimiter(path):
            advice = f"name it {suffix}" if suffix else "write it with commas"
            raise ValueError(f"its columns are separated by {other!r}; {advice}")
    names = [name.strip() for name in names]
    if broken := [name for name in names if re.fullmatch(r"[^\[\]]+\[\d+", name)]:
        raise ValueError(
            f"the name {broken[0]},... has a comma; put such names into quotes, or write Z.1.1"
        )
    if len(set(names)) < len(names):
        twice = Counter(names).most_common(1)[0][0]
        raise ValueError(f"it has two columns {twice!r}")
    if settings.get("save_warmup", "0") in ("0", "false"):
        return names, 0
    warm_up, thin = (_count(settings.get(name)) for name in ("num_warmup", "thin"))
    return names, -(-warm_up // max(thin, 1))


def _count(text: str | None) -> int:
    return int(text) if text is not None and re.fullmatch("[0-9]{1,9}", text) else 0


def _data_lines(file: Iterable[str]) -> Iterator[str]:
    return (line for line in file if line.strip() and not line.startswith("#"))


def _long_columns(
    file: Iterable[str], names: list[str], path: Path
) -> Iterator[dict[str, list[str]]]:
    rows = csv.reader(file, delimiter=_delimiter(path), strict=True)
    wanted = list(enumerate(names))
    while block := [row for row in islice(rows, _LONG_ROWS) if row]:
        if set(map(len, block)) != {len(names)}:
            row = next(row for row in block if len(row) != len(names))
            raise ValueError(
                f"the row {','.join(row)[:60]!r} has {len(row)} cells, but there are {len(names)} "
                "columns"
            )
        columns = list(zip(*block, strict=True))
        yield {name: _restored_all(columns[at]) for at, name in wanted}


def _restored_all(cells: Sequence[str]) -> list[str]:
    if any(cell.startswith("'") for cell in set(cells)):
        return [restored(cell) for cell in cells]
    return list(cells)


def _wide_blocks(
    file: Iterable[str], names: list[str], variable: str | None, path: Path
) -> Iterator[tuple[npt.NDArray[Any], dict[str, Any]]]:
    grid = find_grid(names, variable)
    at = [names.index(name) for name in grid.names]
    others = {name: names.index(name) for name in role_of(names).values()}
    delimiter = _delimiter(path)
    n_rows = max(1, _WIDE_BYTES // (8 * len(names)))
    lines = _data_lines(file)
    while block := list(islice(lines, n_rows)):
        for line in block:
            if line.count(delimiter) + 1 != len(names) and '"' not in line:
                raise ValueError(
                    f"the row {line.strip()[:60]!r} has {line.count(delimiter) + 1} cells, but "
                    f"there are {len(names)} columns"
                )
        cells = np.loadtxt(
            block, delimiter=delimiter, usecols=at, ndmin=2, comments=None, quotechar='"'
        )
        texts = [row for row in csv.reader(block, delimiter=delimiter)] if others else []
        yield (
            cells,
            {name: [restored(row[column]) for row in texts] for name, column in others.items()},
        )
