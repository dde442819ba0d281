"""Files and folders that are written whole or not at all, and checked before any long work."""

from __future__ import annotations

import ctypes
import itertools
import os
import re
import shutil
import stat
import time
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from platform import node
from typing import IO

__all__ = ["check_writable", "either", "whole_file", "whole_folder", "whole_path"]

_numbers = itertools.count()
_TEMPORARY = re.compile(r"\.fangs-([0-9a-f]{8})-(\d+)-([0-9a-f]{8})-\d+\.part")
_ERRNO = re.compile(r"\berrno(?: =)? (\d{1,3})\b")
_PROGRAM = os.urandom(4).hex()
"""Tells this process from an earlier one of the same number, as in containers."""


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open ``path`` for binary writing so that it appears complete or stays as it was.

    The bytes go to a temporary file in the same directory. It replaces ``path`` when the block
    ends, and is removed when the block fails.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name, "note.txt")
    >>> with whole_file(path) as file:
    ...     _ = file.write(b"complete")
    >>> path.read_text()
    'complete'
    >>> folder.cleanup()
    """
    with whole_path(path) as temporary, open(temporary, "wb") as file:
        yield file


@contextmanager
def whole_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Like `whole_file`, for libraries that open a file themselves: gives the temporary path."""
    with _replacing(path) as (temporary, target):
        os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        yield temporary
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            os.chmod(temporary, stat.S_IMODE(target.stat().st_mode))
        os.replace(temporary, target)


@contextmanager
def whole_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Like `whole_path`, for a store that is a folder."""
    with _replacing(path) as (temporary, target):
        temporary.mkdir()
        yield temporary
        try:
            os.replace(temporary, target)
        except OSError:  # a folder with content is not replaced in one step
            if not target.is_dir():
                raise
            _swap(temporary, target)
            shutil.rmtree(temporary, ignore_errors=True)


def check_writable(
    path: str | os.PathLike[str], *, suffixes: Collection[str], folders: Collection[str] = ()
) -> None:
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
            f"ends in {either(suffixes)}"
        )
    target = Path(path)
    refusal = f"cannot write {str(target)!r}"
    if target.suffix.lower() not in suffixes:
        raise ValueError(f"{refusal}: its name must end in {either(suffixes)}")
    try:
        real = _resolved(target)
        mode = real.stat().st_mode if real.exists() else None
        folder = real.parent
        if not folder.is_dir():
            raise ValueError(f"{refusal}: there is no directory {str(folder)!r}")
        longest = os.pathconf(folder, "PC_NAME_MAX") if hasattr(os, "pathconf") else 255
    except OSError as error:
        raise ValueError(f"{refusal}: {_reason(error)}") from error
    if len(os.fsencode(real.name)) > longest:
        raise ValueError(f"{refusal}: its name is longer than {longest} bytes")
    if mode is not None:
        _check_existing(real, mode, refusal, is_folder=target.suffix.lower() in folders)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ValueError(f"{refusal}: {str(folder)!r} is not writable")


def either(words: Collection[str]) -> str:
    """List words for a choice.

    Examples
    --------
    >>> either([".npz", ".csv", ".json"]), either([".npz"])
    ('.npz, .csv or .json', '.npz')
    """
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def _swap(one: Path, other: Path) -> None:
    """Exchange two folders."""
    if _exchange(one, other):
        return
    aside = _temporary_in(other.parent)
    os.replace(other, aside)
    try:
        os.replace(one, other)
    except BaseException:
        os.replace(aside, other)
        raise
    os.replace(aside, one)


def _exchange(one: Path, other: Path) -> bool:
    """Exchange in one step, so that no moment is without either; False where that is unknown."""
    try:
        rename = ctypes.CDLL(None).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    here, exchange = -100, 2
    failed = rename(here, os.fsencode(one), here, os.fsencode(other), exchange)
    return not failed


def _check_existing(real: Path, mode: int, refusal: str, *, is_folder: bool) -> None:
    if stat.S_ISDIR(mode):
        if not is_folder:
            raise ValueError(f"{refusal}: it is a directory")
        markers = ("zarr.json", ".zgroup", ".zattrs", ".zmetadata")
        if any(real.iterdir()) and not any((real / marker).exists() for marker in markers):
            raise ValueError(f"{refusal}: it is a directory with other files in it")
    elif is_folder:
        raise ValueError(f"{refusal}: it is a file, not a folder")
    elif not stat.S_ISREG(mode):
        raise ValueError(f"{refusal}: it is a device or a pipe, not a file")
    # The superuser may write to anything, but a file without any write permission is meant so.
    if not mode & 0o222 or not os.access(real, os.W_OK):
        raise ValueError(f"{refusal}: it is read-only")


@contextmanager
def _replacing(path: str | os.PathLike[str]) -> Iterator[tuple[Path, Path]]:
    """A temporary path beside the target, removed if the block fails; errors name the target."""
    target = _resolved(Path(path))  # a link stays a link: what it points to is replaced
    if target.exists() and not (target.is_file() or target.is_dir()):
        raise ValueError(f"cannot write {str(path)!r}: it is a device or a pipe, not a file")
    _sweep(target.parent)
    temporary = _temporary_in(target.parent)
    try:
        yield temporary, target
    except BaseException as error:
        _remove(temporary)
        if _is_interrupted(error):  # a library that fails to clean up must not hide Ctrl-C
            raise KeyboardInterrupt from error
        # HDF5 tells of a full disk in many words.
        if isinstance(error, OSError | RuntimeError) and (number := _ERRNO.search(str(error))):
            code = int(number[1])
            raise OSError(code, os.strerror(code), os.fspath(path)) from error
        if isinstance(error, OSError):
            raise OSError(error.errno, _reason(error), os.fspath(path)) from error
        raise


def _remove(temporary: Path) -> None:
    """Remove what was written; Zarr goes on with its other files for a moment where one failed."""
    with suppress(OSError):
        if not temporary.is_dir():
            temporary.unlink()
            return
    for wait in (0.02, 0.1, 0.5):
        shutil.rmtree(temporary, ignore_errors=True)
        time.sleep(wait)
        if not temporary.exists():
            return
    shutil.rmtree(temporary, ignore_errors=True)


def _is_interrupted(error: BaseException | None) -> bool:
    """Whether an error was raised while Ctrl-C was being handled."""
    if isinstance(error, KeyboardInterrupt):
        return False  # it is no other error
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def _resolved(path: Path) -> Path:
    """The path without links. A link to itself is refused."""
    try:
        real = path.resolve()
        real.is_symlink()  # a name that is too long fails here
        is_loop = real.is_symlink()
    except (OSError, RuntimeError, ValueError) as error:
        raise ValueError(f"cannot write {str(path)!r}: {_reason(error)}") from error
    if is_loop:
        raise ValueError(f"cannot write {str(path)!r}: the link leads back to itself")
    return real


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__


def _temporary_in(folder: Path) -> Path:
    """A name that no other thread, process or machine uses."""
    return folder / f".fangs-{_machine()}-{os.getpid()}-{_PROGRAM}-{next(_numbers)}.part"


def _sweep(folder: Path) -> None:
    """Remove what processes of this machine left behind when they died."""
    if os.name != "posix":  # elsewhere signal 0 ends a process
        return
    with suppress(OSError):
        for entry in os.scandir(folder):
            found = _TEMPORARY.fullmatch(entry.name)
            if found is None or found[1] != _machine() or _is_alive(int(found[2]), found[3]):
                continue
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                os.unlink(entry.path)


def _machine() -> str:
    """Where the numbers of processes mean the same: a machine, or a container on it."""
    name = node()
    with suppress(OSError):
        name += os.readlink("/proc/self/ns/pid")
    return f"{zlib.crc32(name.encode('utf-8', 'replace')):08x}"


def _is_alive(process: int, program: str) -> bool:
    if process == os.getpid():
        return program == _PROGRAM
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
