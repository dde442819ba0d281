"""Files that R saved: .rds with one value, .RData and .rda with variables."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fangs.draws.form import Form
from fangs.draws.forms.nested import WORKSPACE, List, NestedForm, R, Text, Value
from fangs.formats.format import Format
from fangs.formats.packed import open_unpacked
from fangs.formats.r.serialization import unserialize

__all__ = ["FORMAT", "load"]

_WORKSPACES = (b"RDX2\n", b"RDX3\n", b"RDA2\n", b"RDA3\n", b"RDB2\n", b"RDB3\n")


@contextmanager
def _open(path: Path) -> Iterator[Form]:
    with _collection_paused():
        yield NestedForm(load(path), R, repr(str(path)))


def load(path: Path) -> Value:
    """The value of an .rds file, or the variables of a workspace as a list with names."""
    with open_unpacked(path) as file:
        start = file.peek(5)
        if start.startswith(b"\x28\xb5\x2f\xfd"):
            raise ValueError("it is compressed with zstd; save it in R with compress = 'gzip'")
        is_workspace = start[:5] in _WORKSPACES
        if is_workspace:
            file.read(5)
        value = unserialize(file)
    if is_workspace and isinstance(value, List):
        value.attributes = {**value.attributes, "class": Text([WORKSPACE])}
    return value


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
