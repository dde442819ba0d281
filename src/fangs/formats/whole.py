"""Files and folders that are written whole or not at all, and checked before any long work."""

from __future__ import annotations

import errno
import itertools
import os
import re
import shutil
import stat
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from fangs.check.text import join_words

__all__ = ["check_writable", "whole_file", "whole_folder", "whole_path"]

_numbers = itertools.count()
_PROGRAM = os.urandom(4).hex()
_ERRNO = re.compile(r"\berrno(?: =)? (\d{1,3})\b")


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open ``path`` for binary writing so that it appears complete or stays as it was.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "note.txt")
    ...     with whole_file(path) as file:
    ...         _ = file.write(b"complete")
    ...     path.read_text()
    'complete'
    """
    with whole_path(path) as temporary, open(temporary, "wb") as file:
        yield file


@contextmanager
def whole_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Like `whole_file`, for libraries that open a file themselves: gives the temporary path."""
    with _beside(path) as (temporary, target):
        yield temporary
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            shutil.copymode(target, temporary)
        os.replace(temporary, target)


@contextmanager
def whole_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Like `whole_path`, for a store that is a folder."""
    with _beside(path) as (temporary, target):
        temporary.mkdir()
        yield temporary
        _put(temporary, target)


def _put(folder: Path, target: Path) -> None:
    """Put a folder into its place; a folder with content is not replaced in one step."""
    while not _moved(folder, target):
        aside = _temporary_in(target.parent)
        with suppress(FileNotFoundError):  # another writer was faster
            os.replace(target, aside)
        try:
            if _moved(folder, target):
                return
        finally:
            if aside.exists() and not target.exists():
                _moved(aside, target)
            shutil.rmtree(aside, ignore_errors=True)


def _moved(folder: Path, target: Path) -> bool:
    """Whether a folder could be moved; not where another one with content is."""
    try:
        os.replace(folder, target)
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
            return False
        raise
    return True


def check_writable(path: Any, *, suffixes: Collection[str], folders: Collection[str] = ()) -> None:
    """Refuse a path that has none of the suffixes, or could not be written to.

    ``folders`` are those of the suffixes whose files are folders in truth.

    Examples
    --------
    >>> check_writable("estimate.docx", suffixes=[".csv", ".json"])
    Traceback (most recent call last):
    ValueError: cannot write 'estimate.docx': its name must end in .csv or .json
    """
    if not isinstance(path, str | os.PathLike):
        raise TypeError(
            f"path is of type {type(path).__name__}; give the name of the file to write, which "
            f"ends in {join_words(suffixes, 'or')}"
        )
    target = Path(path)
    refusal = f"cannot write {str(target)!r}"
    name = target.name.lower()
    if not any(name.endswith(suffix) for suffix in suffixes):
        raise ValueError(f"{refusal}: its name must end in {join_words(suffixes, 'or')}")
    try:
        real = target.resolve(strict=False)
        exists, is_folder = real.exists(), real.is_dir()
    except (OSError, RuntimeError, ValueError) as error:
        raise ValueError(f"{refusal}: {_reason(error)}") from error
    wants_folder = any(name.endswith(suffix) for suffix in folders)
    if not real.parent.is_dir():
        raise ValueError(f"{refusal}: there is no directory {str(real.parent)!r}")
    if exists and is_folder != wants_folder:
        raise ValueError(f"{refusal}: it is a {'directory' if is_folder else 'file, not a folder'}")
    if exists and not (is_folder or real.is_file()):
        raise ValueError(f"{refusal}: it is a device or a pipe, not a file")
    markers = ("zarr.json", ".zgroup", ".zattrs", ".zmetadata")
    if is_folder and any(real.iterdir()) and not any((real / one).exists() for one in markers):
        raise ValueError(f"{refusal}: it is a directory with other files in it")
    # The superuser may write to anything, but a file without any write permission is meant so.
    if exists and not (real.stat().st_mode & 0o222 and os.access(real, os.W_OK)):
        raise ValueError(f"{refusal}: it is read-only")
    if not os.access(real.parent, os.W_OK | os.X_OK):
        raise ValueError(f"{refusal}: {str(real.parent)!r} is not writable")


@contextmanager
def _beside(path: str | os.PathLike[str]) -> Iterator[tuple[Path, Path]]:
    """A temporary path beside the target, removed if the block fails; errors name the target."""
    target = Path(path).resolve()  # a link stays a link: what it points to is replaced
    with suppress(FileNotFoundError):
        mode = target.stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise ValueError(f"cannot write {str(path)!r}: it is a device or a pipe, not a file")
    temporary = _temporary_in(target.parent)
    try:
        yield temporary, target
    except BaseException as error:
        _remove(temporary)
        if _is_interrupted(error):  # a library that fails to clean up must not hide Ctrl-C
            raise KeyboardInterrupt from error
        # HDF5 tells of a full disk in many words.
        if isinstance(error, OSError | RuntimeError) and (found := _ERRNO.search(str(error))):
            code = int(found[1])
            raise OSError(code, os.strerror(code), os.fspath(path)) from error
        if isinstance(error, OSError):
            raise OSError(error.errno, _reason(error), os.fspath(path)) from error
        raise


def _remove(temporary: Path) -> None:
    """Remove what was written; Zarr goes on with its other files for a moment where one failed."""
    for wait in (0.0, 0.02, 0.1, 0.5):
        time.sleep(wait)
        if temporary.is_dir():
            shutil.rmtree(temporary, ignore_errors=True)
        else:
            temporary.unlink(missing_ok=True)
            if not wait:
                return


def _is_interrupted(error: BaseException | None) -> bool:
    """Whether another error was raised while Ctrl-C was being handled."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
        if isinstance(error, KeyboardInterrupt):
            return True
    return False


def _temporary_in(folder: Path) -> Path:
    """A name that no other thread or process uses."""
    return folder / f".fangs-{os.getpid()}-{_PROGRAM}-{next(_numbers)}.part"


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__
