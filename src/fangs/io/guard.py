"""What a file from outside may do to us: fail with one line that names it, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fangs._extras import MissingExtraError

__all__ = ["MAX_DRAWS", "MAX_LABEL_BYTES", "MAX_PIECE_BYTES", "check_piece", "naming", "sniff"]

MAX_PIECE_BYTES = 2**30
"""Largest piece of a file that is unpacked at once, such as one draw; checked before it is."""

MAX_LABEL_BYTES = 2**28
"""Largest array of labels, chains or weights."""

MAX_DRAWS = 20_000_000
"""Most draws that a file may claim to have."""


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
    except (TypeError, ValueError) as error:
        if isinstance(error, UnicodeError):
            raise ValueError(f"{refusal}: it is not text in UTF-8") from error
        if repr(str(path)) in str(error):  # it names the file itself, and may list candidates
            raise ValueError(str(error)) from error
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


_MAGIC: tuple[tuple[bytes, str, tuple[str, ...]], ...] = (
    (b"PK", "a zip archive", (".npz",)),
    (b"\x93NUMPY", "a NumPy array", (".npy",)),
    (b"PAR1", "a Parquet table", (".parquet", ".pq")),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", (".h5", ".hdf5", ".nc", ".nc4", ".mat")),
    (b"CDF", "a netCDF file", (".nc", ".nc3")),
    (b"\x1f\x8b", "gzip-compressed data", (".gz", ".rds", ".rda", ".rdata")),
    (b"BZh", "bzip2-compressed data", (".bz2", ".rds", ".rda", ".rdata")),
    (b"\xfd7zXZ", "xz-compressed data", (".xz", ".rds", ".rda", ".rdata")),
    (b"RDX", "R data", (".rda", ".rdata")),
    (b"MATLAB 5.0", "a MATLAB file", (".mat",)),
    (b"\x80\x04", "a pickle, which fangs never loads", ()),
    (b"\x80\x05", "a pickle, which fangs never loads", ()),
    (b"\x80\x03", "a pickle, which fangs never loads", ()),
)


def sniff(path: Path) -> None:
    """Refuse a file whose content is of another kind than its suffix says.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "x.csv").write_bytes(b"PAR1....")
    ...     sniff(Path(folder, "x.csv"))
    Traceback (most recent call last):
    ValueError: '...x.csv' is not a .csv file: it holds a Parquet table; name it .parquet
    """
    suffix = path.suffix.lower()
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
    binary = suffix in {".npz", ".npy", ".parquet", ".pq", ".h5", ".hdf5", ".nc", ".nc4"}
    if binary and not any(start.startswith(magic) for magic in wanted):
        raise ValueError(f"{str(path)!r} is damaged or not a {suffix} file: it starts differently")


def _one_line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= 300 else text[:297] + "..."
