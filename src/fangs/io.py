"""Draws from files and back."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from fangs.archive import read_archive, write_archive
from fangs.samples import Samples
from fangs.validate import BinaryMatrix


def read(path: str | os.PathLike[str], *, variable: str | None = None) -> Samples:
    """Read draws from a file.

    Parameters
    ----------
    path
        An ``.npz`` file written by `Samples.save`; an ``.npz`` file with one (B, n, K) array, or
        with one (n, K) array per draw (as ``np.savez(path, *draws)`` writes it), and optionally
        arrays named ``items`` and ``chains``; or an ``.npy`` file with a (B, n, K) array.
    variable
        Which array of an ``.npz`` file holds the draws, where it has several.

    Returns
    -------
    Samples

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "draws.npz"
    ...     np.savez(path, np.eye(3), np.ones((3, 1)), items=["a", "b", "c"])
    ...     read(path)
    Samples(2 draws, 3 items, 1 to 3 features)
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"there is no file {str(path)!r}")
    if path.suffix not in (".npy", ".npz"):
        raise ValueError(f"{str(path)!r} is of a kind that fangs does not read; give .npz or .npy")
    with _open(path) as file:
        if path.suffix == ".npz" and "fangs" in file.files:
            return _read_own(path)
        try:
            return Samples(_array(file)) if path.suffix == ".npy" else _read_foreign(file, variable)
        except (TypeError, ValueError) as error:
            raise type(error)(
                f"{str(path)!r} holds no draws that fangs can read: {error}"
            ) from error


def write_samples(samples: Samples, path: str | os.PathLike[str]) -> None:
    """Write draws to an .npz file, whole or not at all: one bit per entry, then compressed."""
    n_columns = samples.n_columns
    n_features = int(samples.n_features.sum())
    bits = np.empty((n_features, -(-samples.n_items // 8)), dtype=np.uint8)
    columns = np.empty(n_features, dtype=np.min_scalar_type(n_columns.max()))
    end = 0
    for b, draw in enumerate(samples):
        here = slice(end, end := end + draw.shape[1])
        bits[here] = np.packbits(draw.T, axis=1, bitorder="little")
        columns[here] = samples.columns(b)
    arrays: dict[str, npt.NDArray[Any]] = {
        "bits": bits,
        "n_features": samples.n_features,
        "columns": columns,
        "n_columns": n_columns,
    }
    if samples.chains is not None:
        arrays["chains"] = samples.chains
    record = {"n_items": samples.n_items, "items": samples.items}
    write_archive(path, kind="samples", record=record, arrays=arrays)


def _read_own(path: Path) -> Samples:
    record, arrays = read_archive(path, kind="samples")
    ends = np.cumsum(arrays["n_features"])

    def unpacked() -> Iterator[BinaryMatrix]:
        n_items = record["n_items"]
        for end, n_features, width in zip(
            ends, arrays["n_features"], arrays["n_columns"], strict=True
        ):
            here = slice(end - n_features, end)
            rows = np.unpackbits(arrays["bits"][here], axis=1, count=n_items, bitorder="little")
            matrix = np.zeros((n_items, width), dtype=np.uint8)
            matrix[:, arrays["columns"][here]] = rows.T
            yield matrix

    return Samples(unpacked(), items=record["items"], chains=arrays.get("chains"))


def _read_foreign(file: Any, variable: str | None) -> Samples:
    labels = {name: file[name] for name in ("items", "chains") if name in file.files}
    names = [name for name in file.files if name not in labels]
    if variable is not None:
        if variable not in names:
            raise ValueError(f"it has no array {variable!r}; it has {', '.join(names)}")
        names = [variable]
    if not names:
        raise ValueError("there is no array in it")
    wide = [name for name in names if _n_dims(file, name) == 3]
    if not wide:
        return Samples((file[name] for name in sorted(names, key=_by_number)), **labels)
    if len(names) > 1:
        raise ValueError(f"it has several arrays; say which has the draws: variable={wide[0]!r}")
    with _member(file, wide[0]) as stream:
        return Samples(_array(stream), **labels)


def _n_dims(file: Any, name: str) -> int:
    with _member(file, name) as stream:
        return len(_header(stream)[0])


def _member(file: Any, name: str) -> IO[bytes]:
    stored = f"{name}.npy"
    stream: IO[bytes] = file.zip.open(stored if stored in file.zip.namelist() else name)
    return stream


def _array(stream: IO[bytes]) -> npt.NDArray[Any] | Iterator[npt.NDArray[Any]]:
    """Give the array of an .npy file, (B, n, K) draw by draw so that it is never there as a whole.

    In Fortran's order a draw is scattered over all of the file, which is then read at once.
    """
    shape, is_fortran, dtype = _header(stream)
    if len(shape) == 3 and shape[0] > 0 and not is_fortran and not dtype.hasobject:
        return _parts(stream, shape, dtype)
    stream.seek(0)
    whole: npt.NDArray[Any] = npy.read_array(stream, allow_pickle=False)
    return whole


def _parts(
    stream: IO[bytes], shape: tuple[int, ...], dtype: np.dtype[Any]
) -> Iterator[npt.NDArray[Any]]:
    n_bytes = math.prod(shape[1:]) * dtype.itemsize
    for b in range(shape[0]):
        part = stream.read(n_bytes)
        if len(part) < n_bytes:
            raise ValueError(f"the file is damaged: it ends within draw {b} of {shape[0]}")
        yield np.ndarray(shape[1:], dtype, buffer=part)


def _header(stream: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Shape, whether columns come first, and type of the array that follows (.npy format)."""
    if npy.read_magic(stream) == (1, 0):
        return npy.read_array_header_1_0(stream)
    return npy.read_array_header_2_0(stream)


def _by_number(name: str) -> list[tuple[bool, int, str]]:
    """Sorts arr_2 before arr_10."""
    parts = re.split(r"(\d+)", name)
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts]


def _open(path: Path) -> Any:
    """Open an archive, or the stream of a single array."""
    if path.suffix == ".npy":
        return open(path, "rb")
    try:
        return np.load(path, allow_pickle=False)
    except (ValueError, OSError, EOFError) as error:
        raise ValueError(f"{str(path)!r} is damaged or not a NumPy file: {error}") from error
