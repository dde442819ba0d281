"""Zip archives of .npy arrays, whose members are read when they are asked for."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from fangs.formats.guard import Budget
from fangs.formats.npy import Header, StoredArray, read_header

__all__ = ["ZipArrays"]


class ZipArrays:
    """An .npz file that is open for reading; arrays are named without ``.npy``."""

    def __init__(self, path: Path) -> None:
        self._zip = zipfile.ZipFile(path)
        self._budget, self._spent = Budget(path), set[str]()
        self._known: dict[bytes, Header] = {}
        self._members: dict[str, zipfile.ZipInfo] = {}
        for member in self._zip.infolist():
            name = member.filename.removesuffix(".npy")
            if name in self._members:
                self._zip.close()
                raise ValueError(f"it has two arrays {name!r}")
            if name != member.filename:  # other members are no arrays
                self._members[name] = member

    def __enter__(self) -> ZipArrays:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    @property
    def names(self) -> list[str]:
        """Names of the arrays, in the order of the file."""
        return list(self._members)

    def stored(self, name: str) -> StoredArray:
        """An array that is read when it is asked for; its header is read now."""
        member = self._members[name]
        with self._zip.open(member) as stream:
            header = read_header(stream, self._known)
        if header.n_bytes != member.file_size:
            raise ValueError(
                f"the file is damaged: array {name!r} claims the shape {header.shape}, which does "
                "not fit its length"
            )
        return StoredArray(header, lambda: self._stream(name), f"array {name!r}")

    def array(self, name: str) -> npt.NDArray[Any]:
        """An array, read now."""
        return np.asarray(self.stored(name))

    @contextmanager
    def _stream(self, name: str) -> Iterator[IO[bytes]]:
        """The bytes of an array, header included, for reading in order."""
        if name not in self._spent:
            self._budget.spend(self._members[name].file_size)
            self._spent.add(name)
        with self._zip.open(self._members[name]) as stream:
            yield stream
            while stream.read(2**18):  # the checksum is compared at the end
                pass
