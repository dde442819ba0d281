"""netCDF files, classic ones and those of HDF5: labelled arrays of xarray and ArviZ."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fangs._extras import require
from fangs.draws.form import Form
from fangs.draws.samples import Samples
from fangs.formats.datasets import DIMS, opened, samples_dataset, write_blocks
from fangs.formats.format import Format
from fangs.formats.hdf5 import PACKED, refuse_null, whole_hdf5
from fangs.formats.interrupts import uninterrupted

if TYPE_CHECKING:
    from fangs.estimate import Estimate

__all__ = ["FORMAT"]


def _open(path: Path) -> AbstractContextManager[Form]:
    with open(path, "rb") as file:
        is_classic = file.read(3) == b"CDF"
    engine = "scipy" if is_classic else "h5netcdf"
    for library in (engine,) if is_classic else ("h5py", engine):
        require(library, extra="files")
    # Files of both libraries complain later, on stderr, when they are given up half open.
    if is_classic:
        return opened(path, engine=engine, mmap=path.stat().st_size > _SMALL)
    uninterrupted(_try)(path)
    return opened(path, engine=engine)


_SMALL = 2**24
"""Bytes up to which a classic file is read whole, and not mapped."""


def _try(path: Path) -> None:
    """Open a file and close it; a damaged one is refused here."""
    library = require("h5netcdf", extra="files")
    silent = type("File", (library.File,), {"__del__": lambda self: None})
    with silent(str(path), "r"):
        pass


def _write_samples(samples: Samples, path: Path) -> None:
    layout, labels = samples_dataset(samples)
    _refuse_null(labels, path)
    # Of fixed length: one damaged bit in a text of another length and HDF5 asks for gigabytes.
    labels.attrs = {name: np.bytes_(text.encode()) for name, text in labels.attrs.items()}
    for array in labels.variables.values():
        if array.dtype.kind in "iu":
            array.encoding["fletcher32"] = True  # a checksum

    with whole_hdf5(path) as inside, _netcdf(inside) as file:

        def create(shape: tuple[int, ...], chunks: tuple[int, ...]) -> Any:
            _put(labels, file)
            dims = (*layout.dims, *DIMS)
            for dim, size in zip(dims, shape, strict=True):
                if dim not in file.dimensions:
                    file.dimensions[dim] = size
            packed = {"chunks": chunks, **PACKED} if 0 not in shape else {}
            return file.create_variable("Z", dims, dtype="u1", **packed)

        write_blocks(samples, layout, create)


def _write_estimate(estimate: Estimate, path: Path) -> None:
    found = estimate.to_xarray()
    _refuse_null(found, path)
    with whole_hdf5(path) as inside, _netcdf(inside) as file:
        uninterrupted(_put)(found, file)


def _refuse_null(dataset: Any, path: Path) -> None:
    texts = [array for array in dataset.variables.values() if array.dtype.kind in "OU"]
    refuse_null([label for array in texts for label in np.unique(array.values)], path)


def _netcdf(inside: Any) -> Any:
    return require("h5netcdf", extra="files").File(inside, "w")


def _put(dataset: Any, file: Any) -> None:
    dataset.dump_to_store(require("xarray", extra="files").backends.H5NetCDFStore(file))


FORMAT = Format(_open, True, write_samples=_write_samples, write_estimate=_write_estimate)
