"""Files written whole or not at all, and .npz archives of arrays with one JSON record."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["plain", "read_archive", "whole_file", "write_archive"]

VERSION = 1


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open ``path`` for binary writing so that it appears complete or stays as it was.

    The bytes go to a temporary file in the same directory, which takes the place of ``path``
    when the block ends and is removed when the block fails.

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


def write_archive(
    path: str | os.PathLike[str],
    *,
    kind: str,
    record: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
) -> None:
    """Write ``arrays`` and ``record`` to an .npz file, whole or not at all, without pickle.

    Parameters
    ----------
    path
        The file to write.
    kind
        What the file holds, checked again on reading.
    record
        Everything that is not an array; must fit into JSON.
    arrays
        The arrays, by name.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name, "two.npz")
    >>> write_archive(path, kind="numbers", record={"a": 1.5}, arrays={"x": np.arange(3)})
    >>> read_archive(path, kind="numbers")
    ({'a': 1.5}, {'x': array([0, 1, 2])})
    >>> folder.cleanup()
    """
    document = json.dumps({"kind": kind, "version": VERSION, **record}, default=plain)
    with whole_file(path) as file:
        members: dict[str, Any] = {"fangs": np.array(document), **arrays}
        np.savez_compressed(file, **members)


def read_archive(
    path: str | os.PathLike[str], *, kind: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read a file made by `write_archive`.

    Parameters
    ----------
    path
        The file to read.
    kind
        What it must hold.

    Returns
    -------
    record, arrays
        As they were given to `write_archive`.
    """
    name = os.fspath(path)
    refusal = f"{name!r} does not hold a fangs {kind}"
    try:
        # Opened here, because np.load leaves a file that it refuses open.
        with open(path, "rb") as stream, np.load(stream, allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
    except (zipfile.BadZipFile, EOFError, ValueError, AttributeError, TypeError) as error:
        raise ValueError(f"{refusal}: it is not a complete .npz file") from error
    if "fangs" not in arrays:
        raise ValueError(f"{refusal}: it is an .npz file from elsewhere")
    record: dict[str, Any] = json.loads(str(arrays.pop("fangs")))
    found, version = record.pop("kind"), record.pop("version")
    if found != kind:
        raise ValueError(f"{refusal}: it holds a fangs {found}")
    if version > VERSION:
        raise ValueError(f"{name!r} was written by a newer fangs: upgrade to read it")
    return record, arrays


def plain(value: object) -> object:
    """Turn a NumPy scalar into a Python one, for JSON; refuse anything else JSON does not know.

    Examples
    --------
    >>> json.dumps({"seed": np.int64(3)}, default=plain)
    '{"seed": 3}'
    """
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(
        f"cannot save {value!r}: labels and settings must be text or numbers "
        f"(got {type(value).__name__})"
    )
