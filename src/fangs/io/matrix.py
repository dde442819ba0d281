"""One matrix of 0 and 1 in a file: somebody's estimate, or a truth."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix
from fangs._validate import as_allocation
from fangs.estimate import load
from fangs.feature_names import as_feature_names
from fangs.interop.matrix import names_or_none
from fangs.io import labelled, parquet
from fangs.io.atomic import check_writable, either, whole_file
from fangs.io.csv import restored
from fangs.io.guard import check_piece, naming, sniff
from fangs.io.members import read_array

__all__ = ["NamedMatrix", "check_matrix_target", "read_matrix", "write_matrix"]

WRITTEN = (".csv",)


@dataclass(frozen=True, eq=False)
class NamedMatrix:
    """A matrix (n, K) of 0 and 1, and the names of its rows and columns if the file has some."""

    matrix: BinaryMatrix
    items: tuple[str, ...] | None
    feature_names: tuple[str, ...] = ()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is None:  # which np.array takes from NumPy 2 on
            return np.asarray(self.matrix, dtype=dtype)
        return np.array(self.matrix, dtype=dtype, copy=copy)


def read_matrix(path: str | os.PathLike[str], *, items: Sequence[str] | None = None) -> NamedMatrix:
    r"""Read one matrix, items in rows.

    Parameters
    ----------
    path
        A file of any kind that `Estimate.save` writes, or an .npy file. A .csv or .tsv file has a
        row per item, the first column with names, a line of headings with the names of the
        features; headings and names may be missing. A .parquet table has such rows too, names in a
        column called item. An .nc file or .zarr store has a variable Z_hat, or a single one of two
        dimensions.
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
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise ValueError(f"{str(path)!r} is no matrix that fangs reads; give {either(READERS)}")
    sniff(path)
    with naming(path, "matrix"):
        check_piece(path.stat().st_size, name="the file")
        found = reader(path)
        held: Any = found.matrix  # text in a file is no path
        held = np.asarray(held) if isinstance(held, str) else held
        matrix = as_allocation(held, name=repr(str(path)))
        found = replace(found, matrix=matrix)
        if found.feature_names:
            as_feature_names(found.feature_names, n_features=matrix.shape[1], name="the header")
    is_numbered = found.items is not None and not names_or_none(found.items)
    if is_numbered and sorted(items or ()) != sorted(found.items or ()):
        found = replace(found, items=None)  # rows that are numbered, and no items of these names
    return found if items is None or found.items is None else _in_order(found, items, path)


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
    return replace(found, matrix=np.ascontiguousarray(found.matrix[order]), items=tuple(items))


def _read_npz(path: Path) -> NamedMatrix:
    estimate = load(path)
    return NamedMatrix(estimate.matrix, estimate.items, estimate.feature_names)


def _read_npy(path: Path) -> NamedMatrix:
    return NamedMatrix(read_array(path), None)


def _read_json(path: Path) -> NamedMatrix:
    document = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(document, dict) or "matrix" not in document:
        raise ValueError('it has no "matrix"; give a file from Estimate.save')
    labels = {name: document.get(name) for name in ("items", "feature_names")}
    for name, given in labels.items():
        if given is not None and not isinstance(given, list):
            raise ValueError(f'its "{name}" are no list of labels')
    items, features = labels["items"], labels["feature_names"] or ()
    rows = None if items is None else tuple(map(str, items))
    return NamedMatrix(document["matrix"], rows, names_or_none(features))


def _read_csv(path: Path) -> NamedMatrix:
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
    with open(path, newline="", encoding="utf-8-sig", errors="surrogatepass") as file:
        rows = [row for row in csv.reader(file, strict=True, delimiter=delimiter) if row]
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
    heads = [restored(cell) for cell in rows[0][has_names:]] if has_head else []
    try:
        values = [[float(cell) for cell in row[has_names:]] for row in body]
    except ValueError as error:
        raise ValueError(f"it is no table of 0 and 1: {error}") from None
    matrix = np.array(values).reshape(len(body), len(rows[0]) - has_names)
    return NamedMatrix(matrix, names, names_or_none(heads))


def _labelled(read: Callable[[Path], tuple[Any, Any, Any]]) -> Callable[[Path], NamedMatrix]:
    """A reader of matrices with labels of items, or None, and of features."""

    def named(path: Path) -> NamedMatrix:
        matrix, items, features = read(path)
        return NamedMatrix(matrix, items, names_or_none(features))

    return named


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


READERS: dict[str, Callable[[Path], NamedMatrix]] = {
    ".csv": _read_csv,
    ".tsv": _read_csv,
    ".npz": _read_npz,
    ".npy": _read_npy,
    ".json": _read_json,
    ".parquet": _labelled(parquet.read_matrix),
    ".pq": _labelled(parquet.read_matrix),
    ".nc": _labelled(labelled.read_matrix_netcdf),
    ".nc4": _labelled(labelled.read_matrix_netcdf),
    ".zarr": _labelled(labelled.read_matrix_zarr),
}
