"""HDF5 files that are made in memory and then written at once.

Where the disk is full, HDF5 fails while it closes the file, and crashes the process later: it goes
on using what it could not write. So it never writes to a disk here. A file takes about the space of
its compressed draws in memory, twice while it is copied.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fangs._extras import require
from fangs.io.atomic import whole_file

__all__ = ["whole_hdf5"]


@contextmanager
def whole_hdf5(path: Path) -> Iterator[Any]:
    """An open file of h5py, which appears at ``path`` when the block ends, or not at all."""
    h5py = require("h5py", extra="files")
    options = {"driver": "core", "backing_store": False, "block_size": 2**20}
    with whole_file(path) as target:
        # HDF5 takes files of one name for the same file.
        with h5py.File(f"fangs-{uuid.uuid4().hex}", "w", **options) as file:
            yield file
            file.flush()
            image = file.id.get_file_image()
        target.write(image)
