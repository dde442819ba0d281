"""What is read is not written over: refused before any work is done."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fangs.draws.open import is_path
from fangs.formats.registry import is_list_of_files

__all__ = ["check_not_read"]


def check_not_read(target: str | os.PathLike[str], *sources: Any) -> None:
    """Refuse to write a file that is also read, or that would be read with the others of a folder.

    Parameters
    ----------
    target
        The file to write.
    sources
        What is read: files, or lists and dicts of files. Anything else is no file, and passes.

    Examples
    --------
    >>> check_not_read("estimate.npz", "draws.npz", None)
    >>> check_not_read(os.devnull, ["draws.npz", os.devnull])
    Traceback (most recent call last):
    ValueError: cannot write '/dev/null': it is one of the files to read; give another name
    """
    written = Path(target).resolve()
    for path in (path for source in sources for path in _paths(source)):
        problem = None
        if written == path.resolve() or written in path.resolve().parents or _same(written, path):
            problem = "it is one of the files to read; give another name"
        elif is_list_of_files(path) and written.parent == path.resolve():
            problem = f"the next time, it would be read with the files in {str(path)!r}"
        if problem is not None:
            raise ValueError(f"cannot write {os.fspath(target)!r}: {problem}")


def _paths(source: Any) -> Iterator[Path]:
    """The files that something names."""
    values = source.values() if isinstance(source, Mapping) else source
    several = isinstance(values, list | tuple) or values is not source
    return (Path(one) for one in (values if several else [source]) if is_path(one))


def _same(one: Path, other: Path) -> bool:
    return os.path.exists(one) and os.path.exists(other) and os.path.samefile(one, other)
