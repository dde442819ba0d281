"""MATLAB files of versions 4 to 7.3, told apart by how they begin."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fangs.draws.form import Form
from fangs.draws.forms.nested import MATLAB, WORKSPACE, List, NestedForm, Text
from fangs.formats.format import Format
from fangs.formats.guard import Budget
from fangs.formats.matlab.version4 import version4
from fangs.formats.matlab.version5 import version5
from fangs.formats.matlab.version73 import open_version73

__all__ = ["FORMAT", "load"]

_HDF5 = b"\x89HDF\r\n\x1a\n"


@contextmanager
def _open(path: Path) -> Iterator[Form]:
    with open(path, "rb") as file:
        head = file.read(520)
    if _HDF5 in (head[:8], head[512:]):
        with open_version73(path) as form:
            yield form
    else:
        yield NestedForm(load(path), MATLAB, repr(str(path)))


def load(path: Path) -> List:
    """The variables of a file up to version 7, as a list with names."""
    content = memoryview(path.read_bytes())
    read = version4 if 0 in bytes(content[:4]) else version5
    found = read(content, Budget(path))
    return List(list(found.values()), {"names": Text(list(found)), "class": Text([WORKSPACE])})


FORMAT = Format(_open)
