"""Our own .npz archives: arrays together with one JSON record."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fangs.io.atomic import whole_file
from fangs.io.json import plain

__all__ = ["RECORD", "read_archive", "write_archive"]

VERSION = 1
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
    document = json.dumps({"kind": kind, "version": VERSION, **record}, default=plain)
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
    try:
        # Opened here, because np.load leaves a file that it refuses open.
        with open(path, "rb") as stream, np.load(stream, allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
    except (zipfile.BadZipFile, EOFError, ValueError, AttributeError, TypeError) as error:
        raise ValueError(f"{refusal}: it is not a complete .npz file") from error
    if RECORD not in arrays:
        raise ValueError(f"{refusal}: it is an .npz file from elsewhere")
    record: dict[str, Any] = json.loads(str(arrays.pop(RECORD)))
    found, version = record.pop("kind"), record.pop("version")
    if found != kind:
        raise ValueError(f"{refusal}: it holds a fangs {found}")
    if version > VERSION:
        raise ValueError(f"{name!r} was written by a newer fangs: upgrade to read it")
    return record, arrays
