"""One matrix of 0 and 1 in a file: somebody's estimate, or a truth."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix
from fangs._validate import as_allocation
from fangs.estimate import load
from fangs.io.atomic import check_writable, either, whole_file
from fangs.io.csv import restored
from fangs.io.guard import check_piece, naming, sniff
from fangs.io.members import read_array

__all__ = ["NamedMatrix", "check_matrix_target", "read_matrix", "write_matrix"]

READ = (".csv", ".npz", ".npy", ".json")
WRITTEN = (".csv",)


@dataclass(frozen=True, eq=False)
class NamedMatrix:
    """A matrix (n, K) of 0 and 1, and the names of its rows if the file has some."""

    matrix: BinaryMatrix
    items: tuple[str, ...] | None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is None:  # which np.array takes from NumPy 2 on
            return np.asarray(self.matrix, dtype=dtype)
        return np.array(self.matrix, dtype=dtype, copy=copy)


def read_matrix(path: str | os.PathLike[str], *, items: Sequence[str] | None = None) -> NamedMatrix:
    r"""Read one matrix, items in rows.

    Parameters
    ----------
    path
        An .npz file from `Estimate.save`; a .json file from it; an .npy file; or a .csv file such
        as `Estimate.save` writes: a row per item, the first column with names, a line of headings.
        Headings and names may be missing.
    items
        The items in the order that is wanted; rows that have names are put into it.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "mine.csv")
    ...     _ = path.write_text("item,1,2\nann,1,0\nbob,1,1\n")
    ...     read_matrix(path, items=["bob", "ann"]).matrix
    array([[1, 1],
           [1, 0]], dtype=uint8)
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"there is no file {str(path)!r}")
    readers = {".csv": _read_csv, ".npz": _read_npz, ".npy": _read_npy, ".json": _read_json}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise ValueError(f"{str(path)!r} is no matrix that fangs reads; give {either(READ)}")
    sniff(path)
    with naming(path, "matrix"):
        check_piece(path.stat().st_size, name="the file")
        values, names = reader(path)
        found = NamedMatrix(as_allocation(values, name=repr(str(path))), names)
    return found if items is None or names is None else _in_order(found, items, path)


def write_matrix(matrix: Any, path: str | os.PathLike[str]) -> None:
    """Write a matrix as a .csv file that `read_matrix` reads."""
    check_matrix_target(path)
    allocation = as_allocation(matrix, name="matrix")
    head = ["item", *(str(j + 1) for j in range(allocation.shape[1]))]
    rows = [[str(i + 1), *map(str, row)] for i, row in enumerate(allocation.tolist())]
    with whole_file(path) as file:
        file.write("".join(",".join(row) + "\n" for row in [head, *rows]).encode())


def check_matrix_target(path: str | os.PathLike[str]) -> None:
    """Refuse a path that no matrix could be written to."""
    check_writable(path, suffixes=WRITTEN)


def _in_order(found: NamedMatrix, items: Sequence[str], path: Path) -> NamedMatrix:
    position = {name: i for i, name in enumerate(found.items or ())}
    if len(position) != len(found.matrix) or sorted(position) != sorted(items):
        unknown = [name for name in position if name not in set(items)]
        missing = [name for name in items if name not in position]
        wrong = f"has {unknown[0]!r}" if unknown else f"lacks {missing[0]!r}"
        raise ValueError(
            f"{str(path)!r} {wrong}; its rows must be named as the items of the draws are"
        )
    order = [position[name] for name in items]
    return NamedMatrix(np.ascontiguousarray(found.matrix[order]), tuple(items))


def _read_npz(path: Path) -> tuple[Any, tuple[str, ...] | None]:
    estimate = load(path)
    return estimate.matrix, estimate.items


def _read_npy(path: Path) -> tuple[Any, tuple[str, ...] | None]:
    return read_array(path), None


def _read_json(path: Path) -> tuple[Any, tuple[str, ...] | None]:
    document = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(document, dict) or "matrix" not in document:
        raise ValueError('it has no "matrix"; give a file from Estimate.save')
    items = document.get("items")
    if items is not None and not isinstance(items, list):
        raise ValueError('its "items" are no list of labels')
    return document["matrix"], None if items is None else tuple(map(str, items))


def _read_csv(path: Path) -> tuple[Any, tuple[str, ...] | None]:
    with open(path, newline="", encoding="utf-8-sig", errors="surrogatepass") as file:
        rows = [row for row in csv.reader(file, strict=True) if row]
    if not rows:
        raise ValueError("there is no row in it")
    widths = {len(row) for row in rows}
    if len(widths) > 1:
        raise ValueError(f"it has rows of {min(widths)} to {max(widths)} cells")
    has_head = not all(_is_number(cell) for cell in rows[0][1:]) or rows[0][0] == "item"
    body = rows[1:] if has_head else rows
    has_names = (has_head and rows[0][0] in {"item", ""}) or not all(
        _is_number(row[0]) for row in body
    )
    names = tuple(restored(row[0]) for row in body) if has_names else None
    try:
        values = [[float(cell) for cell in row[has_names:]] for row in body]
    except ValueError as error:
        raise ValueError(f"it is no table of 0 and 1: {error}") from None
    if has_names and all(row[0] == str(i + 1) for i, row in enumerate(body)):
        names = None  # our own numbering of items without names
    return np.array(values).reshape(len(body), len(rows[0]) - has_names), names


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
