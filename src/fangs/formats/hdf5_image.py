"""HDF5 files that are made in memory and then written at once.

Where the disk is full, HDF5 fails while it closes the file, and crashes the process later: it goes
on using what it could not write. So it never writes to a disk here. A file takes about the space of
its compressed draws in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from fangs._extras import require
from fangs.formats.interrupts import uninterrupted
from fangs.formats.whole import whole_file

__all__ = ["whole_hdf5"]


@contextmanager
def whole_hdf5(path: Path) -> Iterator[Any]:
    """An open file of h5py, which appears at ``path`` when the block ends, or not at all."""
    h5py = require("h5py", extra="files")
    image = BytesIO()
    file = uninterrupted(h5py.File)(image, "w")
    try:
        yield file
    finally:
        uninterrupted(file.close)()
    with whole_file(path) as target:
        target.write(image.getbuffer())
