"""What a file from outside may do to us: fail with one line that names it, and nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy.typing as npt

from fangs._extras import MissingExtraError
from fangs.check.text import visible

__all__ = [
    "MAX_BYTES",
    "MAX_LABEL_BYTES",
    "MAX_PIECE_BYTES",
    "MOST_PACKED",
    "WRITTEN",
    "Budget",
    "DamagedError",
    "check_content",
    "check_distinct",
    "check_draws",
    "check_piece",
    "check_written",
    "file_errors",
]

MAX_BYTES = 2**33
"""Bytes that a file may always unpack to; larger files may unpack to more, see `Budget`."""

MOST_PACKED = 1100
"""How many bytes a byte of a file may unpack to: gzip packs nothing better."""

MAX_PIECE_BYTES = 2**30
"""Largest piece of a file that is unpacked at once, such as one draw; checked before it is."""

MAX_LABEL_BYTES = 2**28
"""Largest file of labels or weights."""

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
        self._size = self._spent = 0
        self.include(path)

    def include(self, path: Path) -> None:
        """Count a file or folder, which holds some of the content."""
        inside = path.rglob("*") if path.is_dir() else [path]
        self._size += sum(file.stat().st_size for file in inside if file.is_file())

    def spend(self, n_bytes: int) -> None:
        """Refuse so many bytes more, if that is too much."""
        self._spent += n_bytes
        if self._spent > max(MAX_BYTES, MOST_PACKED * self._size):
            raise ValueError(
                f"it claims to unpack to {self._spent} bytes, out of a file of {self._size}; it is "
                "damaged"
            )


_SMALL = 2**24
"""Bytes of a file that no memory is too small for."""


@contextmanager
def file_errors(path: Path, what: str = "draws") -> Iterator[None]:
    """Turn every complaint about the content of a file into a ValueError of one line.

    The libraries that read files raise anything at all when a file is damaged, so anything is
    caught; the cause stays attached.

    Examples
    --------
    >>> with file_errors(Path("x.nc")):
    ...     raise KeyError("no such group")
    Traceback (most recent call last):
    ValueError: 'x.nc' holds no draws that fangs can read: the file is damaged (KeyError: ...)
    """
    try:
        yield
    except (MissingExtraError, FileNotFoundError, PermissionError, IsADirectoryError):
        raise
    except MemoryError as error:
        if path.is_file() and path.stat().st_size < _SMALL:
            refusal = f"{str(path)!r} holds no {what} that fangs can read"
            raise ValueError(f"{refusal}: the file is damaged: it claims a huge size") from error
        raise MemoryError(f"there is not enough memory to read {str(path)!r}") from error
    except Exception as error:
        if isinstance(error, TypeError | ValueError) and repr(str(path)) in str(error):
            # It names the file itself, and may list candidates in lines.
            raise ValueError("\n".join(map(visible, str(error).split("\n")))) from error
        reason = visible(" ".join(str(error).split()))
        reason = reason if len(reason) <= 300 else reason[:297] + "..."
        if isinstance(error, UnicodeError):
            reason = "it is not text in UTF-8"
        elif isinstance(error, DamagedError):
            reason = f"the file is damaged or of another kind: {reason}"
        elif not isinstance(error, TypeError | ValueError):
            reason = f"the file is damaged ({type(error).__name__}: {reason})"
        refusal = f"{str(path)!r} holds no {what} that fangs can read"
        raise ValueError(f"{refusal}: {reason}") from error


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


WRITTEN = "fangs_wrote"
"""Attribute of our own files: the names of the arrays, or columns, that were written, as a text."""


def check_written(names: Iterable[str], written: Any) -> None:
    """Refuse one of our files that has lost a name that was written; others do not say.

    Examples
    --------
    >>> check_written(["Z"], "Z weight")
    Traceback (most recent call last):
    fangs.formats.guard.DamagedError: it says that it has 'weight', but that is not there
    """
    text = written.decode(errors="replace") if isinstance(written, bytes) else str(written or "")
    if lost := sorted(set(text.split()) - set(names)):
        raise DamagedError(f"it says that it has {lost[0]!r}, but that is not there")


def check_distinct(labels: npt.NDArray[Any], *, name: str) -> None:
    """Refuse labels of which two are equal, in a file of ours that had none such."""
    if len(set(labels.tolist())) < len(labels):
        raise DamagedError(f"it has the {name} {labels[0]!r} more than once")


def check_draws(shape: tuple[int, ...], *, name: str) -> None:
    """Refuse an array of more draws, (B, n, K) or (chain, draw, n, K), than a file may have."""
    if len(shape) in (3, 4) and math.prod(shape[:-2]) > MAX_DRAWS:
        raise ValueError(
            f"{name} claims {math.prod(shape[:-2])} draws, more than the {MAX_DRAWS} it may have"
        )


_R = (".rds", ".rda", ".rdata")
_KINDS: tuple[tuple[bytes, str, tuple[str, ...]], ...] = (
    (b"PK", "a zip archive", (".npz",)),
    (b"\x93NUMPY", "a NumPy array", (".npy",)),
    (b"PAR1", "a Parquet table", (".parquet", ".pq")),
    (b"ARROW1", "an Arrow table", (".feather", ".arrow")),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", (".h5", ".hdf5", ".nc", ".nc4", ".mat")),
    (b"CDF", "a netCDF file", (".nc",)),
    (b"\x1f\x8b", "gzip-compressed data", (".csv.gz", ".tsv.gz", ".json.gz", *_R)),
    (b"BZh", "bzip2-compressed data", _R),
    (b"\xfd7zXZ", "xz-compressed data", _R),
    (b"RDX", "R data", (".rda", ".rdata")),
    (b"MATLAB", "a MATLAB file", (".mat",)),
    *((b"\x80" + bytes([i]), "a pickle, which fangs never loads", ()) for i in (3, 4, 5)),
)
"""How files begin, what they are then, and the suffixes that they may have."""

_MAY_BEGIN_OTHERWISE = (*_R, ".mat")


def check_content(path: Path, suffix: str) -> None:
    """Refuse a file whose content is of another kind than its suffix says.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "x.csv").write_bytes(b"PAR1" + bytes(4))
    ...     check_content(Path(folder, "x.csv"), ".csv")
    Traceback (most recent call last):
    ValueError: '...x.csv' is not a .csv file: it holds a Parquet table; name it .parquet
    """
    name = repr(str(path))
    if path.is_dir() != (suffix == ".zarr"):
        is_a, wanted = ("folder", "file") if path.is_dir() else ("file", "store, which is a folder")
        raise ValueError(f"{name} is a {is_a}, not a {suffix} {wanted}")
    if path.is_dir():
        return
    if not path.is_file():
        raise ValueError(f"{name} is a device or a pipe; give a file")
    with open(path, "rb") as file:
        start = file.read(512)
    if not start:
        raise ValueError(f"{name} is empty")
    is_text = min(start) >= ord("\t")  # a table may begin with a gene called PAR1
    for magic, kind, suffixes in _KINDS:
        if start.startswith(magic) and suffix not in suffixes and not is_text:
            advice = f"; name it {suffixes[0]}" if suffixes else ""
            raise ValueError(f"{name} is not a {suffix} file: it holds {kind}{advice}")
    wanted_starts = tuple(magic for magic, _, suffixes in _KINDS if suffix in suffixes)
    if wanted_starts and suffix not in _MAY_BEGIN_OTHERWISE and not start.startswith(wanted_starts):
        raise ValueError(f"{name} is damaged or not a {suffix} file: it starts differently")
