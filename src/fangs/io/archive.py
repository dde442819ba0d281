"""Our own .npz archives: arrays together with one JSON record, and checksums of both."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fangs._visible import visible
from fangs.io.atomic import whole_file
from fangs.io.guard import naming
from fangs.io.json import plain
from fangs.io.members import Archive

__all__ = ["RECORD", "kind_of", "read_archive", "write_archive"]

VERSION = 3
"""Version 1 had no checksums, version 2 none of the record."""
RECORD = "fangs"
"""Name of the array with the record; only our archives have it."""


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
        What the file holds; reading checks it.
    record
        Everything that is not an array; must fit into JSON.
    arrays
        The arrays, by name.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "two.npz")
    >>> write_archive(path, kind="numbers", record={"a": 1.5}, arrays={"x": np.arange(3)})
    >>> read_archive(path, kind="numbers")
    ({'a': 1.5}, {'x': array([0, 1, 2])})
    >>> folder.cleanup()
    """
    sealed = {"kind": kind, "version": VERSION, **record}
    checksums = _checksums(sealed, arrays)
    document = json.dumps(sealed | {"checksums": checksums}, default=plain)
    members: dict[str, Any] = {RECORD: np.array(document), **arrays}
    with whole_file(path) as file:
        np.savez_compressed(file, **members)


def read_archive(
    path: str | os.PathLike[str], *, kind: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read a file that `write_archive` made.

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
    arrays: dict[str, Any] = {}
    try:
        with naming(Path(path)), Archive(Path(path)) as file:
            record = _record_of(file) if RECORD in file.names else None
            if record is not None and record.get("kind") == kind and _version(record) <= VERSION:
                for key in file.names:
                    if key != RECORD:
                        arrays[key] = file.array(key)
                _check(record, arrays)
    except ValueError as error:
        reason = str(error).partition(": ")[2]
        raise ValueError(f"{refusal}: it is not a complete .npz file ({reason})") from error
    if record is None:
        raise ValueError(f"{refusal}: it is an .npz file from elsewhere")
    found = record.pop("kind", None)
    if found != kind:
        if found == "samples":
            raise ValueError(f"{refusal}: it holds draws; fangs.read reads them")
        raise ValueError(f"{refusal}: it holds a fangs {visible(found)[:40]}")
    if record.pop("version") > VERSION:
        raise ValueError(f"{name!r} was written by a newer fangs: upgrade to read it")
    record.pop("checksums", None)
    return record, arrays


def kind_of(file: Archive) -> str | None:
    """What one of our archives holds; None for an archive from elsewhere."""
    return str(_record_of(file).get("kind")) if RECORD in file.names else None


def _record_of(file: Archive) -> dict[str, Any]:
    document = file.array(RECORD)
    record = json.loads(str(document)) if document.shape == () else None
    if not isinstance(record, dict):
        raise ValueError("its record is damaged")
    return record


def _version(record: Mapping[str, Any]) -> int:
    version = record.get("version")
    if type(version) is not int:
        raise ValueError("its record has no version")
    return version


def _check(record: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    if _version(record) < 2:
        return
    sealed = {key: value for key, value in record.items() if key != "checksums"}
    wanted = _checksums(sealed, arrays)
    if _version(record) == 2:
        del wanted[RECORD]
    if record.get("checksums") != wanted:
        raise ValueError("its checksums do not fit its content")


def _checksums(record: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> dict[str, int]:
    """CRC-32 of each array and of the record, which reads the same when it was read and written."""
    found = {name: _checksum(array) for name, array in arrays.items()}
    return found | {RECORD: zlib.crc32(json.dumps(record, default=plain).encode())}


def _checksum(array: NDArray[Any]) -> int:
    """CRC-32 of type, shape and values."""
    start = zlib.crc32(f"{array.dtype.str} {array.shape}".encode())
    return zlib.crc32(np.ascontiguousarray(array).tobytes(), start)
