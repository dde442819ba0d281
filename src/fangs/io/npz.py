"""NumPy files: .npz archives of our own and of others, and .npy files with one array."""

from __future__ import annotations

import math
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from fangs._typing import BinaryMatrix
from fangs.io.archive import RECORD, read_archive, write_archive
from fangs.samples import Samples

if TYPE_CHECKING:
    from fangs.estimate import Estimate

__all__ = ["read_npy", "read_npz", "write_estimate", "write_samples"]

WEIGHTS = "weights"
"""Array of a foreign archive that holds the weights of the draws, if it has one number per draw."""

_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError)


def read_npz(path: Path, variable: str | None) -> Samples:
    """Read draws from an archive: one that `write_samples` made, or one from elsewhere."""
    with _opened(path) as file:
        if RECORD not in file.files:
            with _naming(path):
                return _read_foreign(file, variable)
    if variable is not None:
        raise ValueError(f"{str(path)!r} was written by Samples.save; leave out {variable=}")
    return _read_own(path)


def read_npy(path: Path, variable: str | None) -> Samples:
    """Read draws from a file with one (B, n, K) array, which has no name."""
    with _naming(path), open(path, "rb") as stream:
        if variable is not None:
            raise ValueError(f"it has a single array without a name; leave out {variable=}")
        return Samples(_array(stream))


def write_estimate(estimate: Estimate, path: Path) -> None:
    """Write everything about an estimate, whole or not at all."""
    estimate.save(path)


def write_samples(samples: Samples, path: Path) -> None:
    """Write draws, whole or not at all: one bit per entry, then compressed."""
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
    record: dict[str, Any] = {"n_items": samples.n_items, "items": samples.items}
    if samples.weights is not None:
        arrays["weights"] = samples.weights
        record["weights_error"] = samples.weights_error
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

    labels = {name: arrays.get(name) for name in ("chains", "weights")}
    samples = Samples(unpacked(), items=record["items"], **labels)
    samples.weights_error = record.get("weights_error", 0.0)
    return samples


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
    if _has_weights(file, [name for name in names if name != WEIGHTS], wide):
        labels[WEIGHTS] = file[WEIGHTS]
        names = [name for name in names if name != WEIGHTS]
    if not wide:
        return Samples((file[name] for name in sorted(names, key=_by_number)), **labels)
    if len(names) > 1:
        raise ValueError(f"it has several arrays; say which has the draws: variable={wide[0]!r}")
    with _member(file, wide[0]) as stream:
        return Samples(_array(stream), **labels)


def _has_weights(file: Any, names: list[str], wide: list[str]) -> bool:
    """Whether there is an array of that name with one number per draw; else it is another thing."""
    if WEIGHTS not in file.files or not names:
        return False
    n_draws = _shape(file, wide[0])[0] if wide else len(names)
    return _shape(file, WEIGHTS) == (n_draws,)


def _n_dims(file: Any, name: str) -> int:
    return len(_shape(file, name))


def _shape(file: Any, name: str) -> tuple[int, ...]:
    with _member(file, name) as stream:
        return _header(stream)[0]


def _member(file: Any, name: str) -> IO[bytes]:
    stored = f"{name}.npy"
    stream: IO[bytes] = file.zip.open(stored if stored in file.zip.namelist() else name)
    return stream


def _array(stream: IO[bytes]) -> npt.NDArray[Any] | Iterator[npt.NDArray[Any]]:
    """The array of an .npy file; (B, n, K) draw by draw, so that the whole is never in memory.

    In Fortran order each draw is scattered over the file, so the file is read at once.
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
    """Shape, whether it is in Fortran order, and type of the array that follows (.npy format)."""
    if npy.read_magic(stream) == (1, 0):
        return npy.read_array_header_1_0(stream)
    return npy.read_array_header_2_0(stream)


def _by_number(name: str) -> list[tuple[bool, int, str]]:
    """Key that sorts arr_2 before arr_10."""
    parts = re.split(r"(\d+)", name)
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts]


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """Open an archive."""
    # Opened here, because np.load leaves a file that it refuses open.
    with open(path, "rb") as stream:
        try:
            file = np.load(stream, allow_pickle=False)
        except (*_DAMAGED, ValueError) as error:
            raise ValueError(f"{str(path)!r} is damaged or not a NumPy file: {error}") from error
        if isinstance(file, np.ndarray):
            raise ValueError(f"{str(path)!r} is not an .npz file: it holds one array; name it .npy")
        with file:
            yield file


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Put the name of the file into a complaint about its content."""
    refusal = f"{str(path)!r} holds no draws that fangs can read"
    try:
        yield
    except _DAMAGED as error:
        raise ValueError(f"{refusal}: the file is damaged: {error}") from error
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{refusal}: {error}") from error
