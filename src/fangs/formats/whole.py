"""Files and folders that are written whole or not at all, and checked before any long work."""

from __future__ import annotations

import errno
import gzip
import os
import shutil
import time
import uuid
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, cast

from fangs.check.text import join_words

__all__ = ["check_writable", "whole_file", "whole_folder", "whole_path"]


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open ``path`` for binary writing so that it appears complete or stays as it was.

    What is written is packed where the name ends in ``.gz``.

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
        if Path(path).suffix.lower() != ".gz":
            yield file
            return
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
            yield cast("IO[bytes]", packed)


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
        is_there = False
        while not is_there:  # a folder with content cannot be replaced in one step
            aside = _temporary_in(target.parent)
            try:
                with suppress(FileNotFoundError):
                    os.replace(target, aside)
                is_there = _moved(temporary, target)  # unless another writer was faster
            finally:
                if aside.exists() and (is_there or not _moved(aside, target)):
                    shutil.rmtree(aside, ignore_errors=True)


def _moved(folder: Path, target: Path) -> bool:
    """Move a folder, unless another one with content is there; whether it was moved."""
    try:
        os.replace(folder, target)
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
            return False
        raise
    return True


@contextmanager
def _beside(path: str | os.PathLike[str]) -> Iterator[tuple[Path, Path]]:
    """A temporary path beside the target, removed if the block fails; errors name the target."""
    target = Path(path).resolve()  # a link stays a link: what it points to is replaced
    temporary = _temporary_in(target.parent)
    try:
        yield temporary, target
    except BaseException as error:
        _remove(temporary)
        before = error.__context__
        while before is not None:  # a library that fails to clean up must not hide Ctrl-C
            if isinstance(before, KeyboardInterrupt):
                raise KeyboardInterrupt from error
            before = before.__context__
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror or str(error), os.fspath(path)) from error
        raise


def _remove(temporary: Path) -> None:
    """Remove what was written; Zarr goes on with its other files for a moment where one failed."""
    if not temporary.is_dir():
        temporary.unlink(missing_ok=True)
        return
    for wait in (0.0, 0.02, 0.1, 0.5):
        time.sleep(wait)
        shutil.rmtree(temporary, ignore_errors=True)


def _temporary_in(folder: Path) -> Path:
    return folder / f".fangs-{uuid.uuid4().hex}.part"


def check_writable(path: Any, *, suffixes: Collection[str], is_folder: bool = False) -> None:
    """Refuse a path that has none of the suffixes, or could not be written to.

    ``is_folder`` says that such files are folders in truth.

    Examples
    --------
    >>> check_writable("estimate.docx", suffixes=[".csv", ".json"])
    Traceback (most recent call last):
    ValueError: cannot write 'estimate.docx': its name must end in .csv or .json
    """
    endings = join_words(suffixes, "or")
    if not isinstance(path, str | os.PathLike):
        raise TypeError(
            f"path is of type {type(path).__name__}; give the name of the file to write, which "
            f"ends in {endings}"
        )
    name = Path(path).name.lower()
    problem: str | None = f"its name must end in {endings}"
    if name.endswith(tuple(suffixes)):
        try:
            problem = _problem(Path(path).resolve(), is_folder)
        except (OSError, RuntimeError, ValueError) as error:  # a name may be impossible
            problem = getattr(error, "strerror", None) or str(error)
    if problem is not None:
        raise ValueError(f"cannot write {os.fspath(path)!r}: {problem}")


def _problem(target: Path, is_store: bool) -> str | None:
    """Why a file, or a store that is a folder, cannot be written here; None if it can."""
    folder = target.parent
    if not folder.is_dir():
        return f"there is no directory {str(folder)!r}"
    if target.exists():
        if target.is_dir() != is_store:
            return "it is a file, not a folder" if is_store else "it is a directory"
        if not (is_store or target.is_file()):
            return "it is a device or a pipe, not a file"
        inside = {file.name for file in target.iterdir()} if is_store else set()
        if inside and not inside & {"zarr.json", ".zgroup", ".zattrs", ".zmetadata"}:
            return "it is a directory with other files in it"
        # The superuser may write to anything, but no write permission at all is meant so.
        if not (target.stat().st_mode & 0o222 and os.access(target, os.W_OK)):
            return "it is read-only"
    return None if os.access(folder, os.W_OK | os.X_OK) else f"{str(folder)!r} is not writable"
