"""What a file from outside may do to us: fail with one line that names it, and nothing else."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._extras import MissingExtraError
from fangs.check.text import visible

__all__ = [
    "MAX_BYTES",
    "MAX_DRAWS",
    "MAX_LABEL_BYTES",
    "MAX_PIECE_BYTES",
    "Budget",
    "DamagedError",
    "check_draws",
    "check_piece",
    "check_text",
    "naming",
    "sniff",
]

MAX_BYTES = 2**33
"""Bytes that a file may always unpack to; larger files may unpack to more, see `Budget`."""

MAX_PIECE_BYTES = 2**30
"""Largest piece of a file that is unpacked at once, such as one draw; checked before it is."""

MAX_LABEL_BYTES = 2**28
"""Largest array of labels, chains or weights."""

MAX_DRAWS = 20_000_000
"""Most draws that a file may claim to have."""


class DamagedError(ValueError):
    """The bytes are not what the program writes that the file should come from."""


class Budget:
    """Counts the bytes that a file unpacks to, before they are unpacked; too many are refused.

    A file of a few kilobytes can claim to hold anything. The limit is `MAX_BYTES`, or what gzip
    could at most have packed into a file of this size.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     Budget(Path(file.name)).spend(2**40)
    Traceback (most recent call last):
    ValueError: it claims to unpack to 1099511627776 bytes, out of a file of 0; it is damaged
    """

    def __init__(self, path: Path) -> None:
        inside = path.rglob("*") if path.is_dir() else [path]
        self._size = sum(file.stat().st_size for file in inside if file.is_file())
        self._limit = max(MAX_BYTES, 1100 * self._size)
        self._spent = 0

    def spend(self, n_bytes: int) -> None:
        """Refuse so many bytes more, if that is too much."""
        self._spent += n_bytes
        if self._spent > self._limit:
            raise ValueError(
                f"it claims to unpack to {self._spent} bytes, out of a file of {self._size}; it is "
                "damaged"
            )


@contextmanager
def naming(path: Path, what: str = "draws") -> Iterator[None]:
    """Turn every complaint about the content of a file into a ValueError of one line.

    The libraries that read files raise anything at all when a file is damaged, so anything is
    caught; the cause stays attached.

    Examples
    --------
    >>> with naming(Path("x.nc")):
    ...     raise KeyError("no such group")
    Traceback (most recent call last):
    ValueError: 'x.nc' holds no draws that fangs can read: the file is damaged (KeyError: ...)
    """
    refusal = f"{str(path)!r} holds no {what} that fangs can read"
    try:
        yield
    except (MissingExtraError, FileNotFoundError, PermissionError, IsADirectoryError):
        raise
    except MemoryError as error:
        raise MemoryError(f"there is not enough memory to read {str(path)!r}") from error
    except (TypeError, ValueError) as error:
        if isinstance(error, UnicodeError):
            raise ValueError(f"{refusal}: it is not text in UTF-8") from error
        if repr(str(path)) in str(error):  # it names the file itself, and may list candidates
            lines = map(visible, str(error).split("\n"))
            raise ValueError("\n".join(lines)) from error
        message = _one_line(error)
        raise ValueError(f"{refusal}: {message}") from error
    except Exception as error:
        reason = f"{type(error).__name__}: {_one_line(error)}"
        raise ValueError(f"{refusal}: the file is damaged ({reason})") from error


def check_piece(n_bytes: int, *, name: str, limit: int = MAX_PIECE_BYTES) -> None:
    """Refuse a piece that is too large to unpack at once.

    Examples
    --------
    >>> check_piece(2**40, name="array 'items'")
    Traceback (most recent call last):
    ValueError: array 'items' claims 1099511627776 bytes, more than the 1073741824 that it may have
    """
    if n_bytes > limit:
        raise ValueError(f"{name} claims {n_bytes} bytes, more than the {limit} that it may have")


def check_draws(shape: tuple[int, ...], *, name: str) -> None:
    """Refuse an array of more draws, (B, n, K) or (chain, draw, n, K), than a file may have."""
    if len(shape) in (3, 4) and math.prod(shape[:-2]) > MAX_DRAWS:
        raise ValueError(
            f"{name} claims {math.prod(shape[:-2])} draws, more than the {MAX_DRAWS} it may have"
        )


def check_text(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array, unless it is text with characters that do not exist, which Python cannot bear.

    Examples
    --------
    >>> check_text(np.array([0x110000], dtype=np.uint32).view("U1"))
    Traceback (most recent call last):
    ValueError: the file is damaged: it has text with characters that do not exist
    """
    if array.dtype.kind == "U" and array.size:
        native = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("="), copy=False))
        if int(native.reshape(-1).view(np.uint32).max()) > sys.maxunicode:
            raise ValueError("the file is damaged: it has text with characters that do not exist")
    return array


_GZIP, _BZIP2, _XZ = b"\x1f\x8b", b"BZh", b"\xfd7zXZ"
_MAGIC: tuple[tuple[bytes, str, tuple[str, ...]], ...] = (
    (b"PK", "a zip archive", (".npz",)),
    (b"\x93NUMPY", "a NumPy array", (".npy",)),
    (b"PAR1", "a Parquet table", (".parquet", ".pq")),
    (b"ARROW1", "an Arrow table", (".feather", ".arrow")),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", (".h5", ".hdf5", ".nc", ".nc4", ".mat")),
    (b"CDF", "a netCDF file", (".nc",)),
    (_GZIP, "gzip-compressed data", (".csv.gz", ".tsv.gz", ".json.gz", ".rds", ".rda", ".rdata")),
    (_BZIP2, "bzip2-compressed data", (".rds", ".rda", ".rdata")),
    (_XZ, "xz-compressed data", (".rds", ".rda", ".rdata")),
    (b"RDX", "R data", (".rda", ".rdata")),
    (b"MATLAB", "a MATLAB file", (".mat",)),
    (b"\x80\x03", "a pickle, which fangs never loads", ()),
    (b"\x80\x04", "a pickle, which fangs never loads", ()),
    (b"\x80\x05", "a pickle, which fangs never loads", ()),
)
"""How files begin, what they are then, and the suffixes that they may have."""

_BINARY = (".npz", ".npy", ".parquet", ".pq", ".feather", ".arrow", ".h5", ".hdf5", ".nc", ".nc4",
           ".csv.gz", ".tsv.gz", ".json.gz")  # fmt: skip
"""Suffixes of files that begin in one of these ways."""


def sniff(path: Path, suffix: str) -> None:
    """Refuse a file whose content is of another kind than its suffix says.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "x.csv").write_bytes(b"PAR1....")
    ...     sniff(Path(folder, "x.csv"), ".csv")
    Traceback (most recent call last):
    ValueError: '...x.csv' is not a .csv file: it holds a Parquet table; name it .parquet
    """
    if path.is_dir():
        if suffix != ".zarr":
            raise ValueError(f"{str(path)!r} is a folder, not a {suffix} file")
        return
    if suffix == ".zarr":
        raise ValueError(f"{str(path)!r} is a file, but a .zarr store is a folder")
    if not path.is_file():
        raise ValueError(f"{str(path)!r} is a device or a pipe; give a file")
    with open(path, "rb") as file:
        start = file.read(16)
    if not start:
        raise ValueError(f"{str(path)!r} is empty")
    for magic, kind, suffixes in _MAGIC:
        if start.startswith(magic) and suffix not in suffixes:
            advice = f"; name it {suffixes[0]}" if suffixes else ""
            raise ValueError(f"{str(path)!r} is not a {suffix} file: it holds {kind}{advice}")
    wanted = [magic for magic, _, suffixes in _MAGIC if suffix in suffixes]
    if suffix in _BINARY and not any(start.startswith(magic) for magic in wanted):
        raise ValueError(f"{str(path)!r} is damaged or not a {suffix} file: it starts differently")


def _one_line(error: BaseException) -> str:
    text = visible(" ".join(str(error).split()))
    return text if len(text) <= 300 else text[:297] + "..."
