"""Files that are written whole or not at all, and checked before any long work for them."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

__all__ = ["check_writable", "either", "whole_file"]


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
    target = Path(path).resolve()  # a link stays a link: what it points to is replaced
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with open(temporary, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def check_writable(path: str | os.PathLike[str], *, suffixes: Collection[str]) -> None:
    """Refuse a path that has none of the suffixes, or could not be written to.

    Examples
    --------
    >>> check_writable("estimate.docx", suffixes=[".csv", ".json"])
    Traceback (most recent call last):
    ValueError: cannot write 'estimate.docx': its name must end in .csv or .json
    """
    target = Path(path)
    if target.suffix.lower() not in suffixes:
        raise ValueError(f"cannot write {str(target)!r}: its name must end in {either(suffixes)}")
    if target.is_dir():
        raise ValueError(f"cannot write {str(target)!r}: it is a directory")
    folder = target.resolve().parent
    if not folder.is_dir():
        raise ValueError(f"cannot write {str(target)!r}: there is no directory {str(folder)!r}")
    if not os.access(folder, os.W_OK):
        raise ValueError(f"cannot write {str(target)!r}: {str(folder)!r} is not writable")


def either(words: Collection[str]) -> str:
    """List words for a choice.

    Examples
    --------
    >>> either([".npz", ".csv", ".json"]), either([".npz"])
    ('.npz, .csv or .json', '.npz')
    """
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
