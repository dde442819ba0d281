"""Files that R saved: .rds with one value, .RData and .rda with variables."""

from __future__ import annotations

import bz2
import gc
import gzip
import io
import lzma
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fangs.draws.form import Form
from fangs.draws.forms.nested import WORKSPACE, List, NestedForm, R, Text, Value
from fangs.formats.format import Format
from fangs.formats.guard import Budget, DamagedError
from fangs.formats.r.serialization import unserialize

__all__ = ["FORMAT", "load"]

_WORKSPACES = (b"RDX2\n", b"RDX3\n", b"RDA2\n", b"RDA3\n", b"RDB2\n", b"RDB3\n")
_UNPACKED: dict[bytes, Callable[[Path], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ": lzma.open,
    b"\x5d\x00\x00": lzma.open,
}


@contextmanager
def _open(path: Path) -> Iterator[Form]:
    with _collection_paused():
        yield NestedForm(load(path), R, repr(str(path)))


def load(path: Path) -> Value:
    """The value of an .rds file, or the variables of a workspace as a list with names."""
    try:
        with _opened(path) as file:
            is_workspace = file.peek(5)[:5] in _WORKSPACES
            if is_workspace:
                file.read(5)
            value = unserialize(file)
    except (RecursionError, MemoryError) as error:
        raise ValueError("the file is too large or too deeply nested") from error
    except DamagedError as error:
        raise ValueError(f"the file is damaged or not from R: {error}") from error
    if is_workspace and isinstance(value, List):
        value.attributes = {**value.attributes, "class": Text([WORKSPACE])}
    return value


def _opened(path: Path) -> io.BufferedReader:
    """The unpacked bytes of a file."""
    with open(path, "rb") as file:
        start = file.read(6)
    if start.startswith(b"\x28\xb5\x2f\xfd"):
        raise ValueError("it is compressed with zstd; save it in R with compress = 'gzip'")
    unpack = next((way for magic, way in _UNPACKED.items() if start.startswith(magic)), None)
    if unpack is None:
        return open(path, "rb")
    return io.BufferedReader(_Counted(unpack(path), Budget(path)), 1 << 16)


class _Counted(io.RawIOBase):
    """The bytes of a compressed file, and no more of them than its budget allows."""

    def __init__(self, file: Any, budget: Budget) -> None:
        self._file, self._budget = file, budget

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        n_bytes = int(self._file.readinto(buffer))
        self._budget.spend(n_bytes)
        return n_bytes

    def close(self) -> None:
        self._file.close()
        super().close()


@contextmanager
def _collection_paused() -> Iterator[None]:
    """Nested values are many and have no cycles: looking for cycles doubles the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():  # they grow old without being looked at
            gc.freeze()
            gc.unfreeze()
        if was_enabled:
            gc.enable()


FORMAT = Format(_open)
