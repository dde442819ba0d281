"""Our own archives: .npz files of arrays and one JSON record, for draws and estimates."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fangs.check.text import visible
from fangs.formats.whole import whole_file
from fangs.formats.zip_arrays import ZipArrays

__all__ = ["kind_of", "read_archive", "write_archive"]

_RECORD = "fangs"
"""Name of the array with the record; only our archives have it."""
_VERSION = 1


def write_archive(
    path: Path, kind: str, record: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write arrays, and a record of what is no array, whole or not at all and without pickle.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "two.npz")
    ...     write_archive(path, "numbers", {"a": 1.5}, {"x": np.arange(3)})
    ...     with ZipArrays(path) as file:
    ...         kind_of(file), read_archive(file)
    ('numbers', ({'a': 1.5}, {'x': array([0, 1, 2])}))
    """
    head = {"kind": kind, "version": _VERSION, "arrays": list(arrays)}
    document = np.array(json.dumps(head | {"record": record}, default=_plain))
    members: dict[str, Any] = {_RECORD: document, **arrays}
    with whole_file(path) as file:
        np.savez_compressed(file, **members)


def kind_of(file: ZipArrays) -> str | None:
    """What one of our archives holds; None for an archive from elsewhere."""
    return visible(str(_head(file)["kind"]))[:40] if _RECORD in file.names else None


def read_archive(file: ZipArrays) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The record and the arrays, all of which must be there."""
    head = _head(file)
    if int(head["version"]) > _VERSION:
        raise ValueError("it was written by a newer fangs: upgrade to read it")
    if sorted(head["arrays"]) != sorted(set(file.names) - {_RECORD}):
        raise ValueError("the file is damaged: it has other arrays than it claims")
    return dict(head["record"]), {name: file.array(name) for name in head["arrays"]}


def _head(file: ZipArrays) -> dict[str, Any]:
    head = json.loads(str(file.array(_RECORD)))
    if not isinstance(head, dict) or not head.keys() >= {"kind", "version", "arrays", "record"}:
        raise ValueError("the file is damaged: it has no proper record")
    return head


def _plain(value: object) -> object:
    """A NumPy scalar as one of Python; anything else that JSON does not know is refused."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"cannot save {value!r}, which is of type {type(value).__name__}; give text or "
                    "numbers")  # fmt: skip
