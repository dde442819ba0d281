"""netCDF files and Zarr stores opened as datasets whose values are read when asked for."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._extras import require
from fangs.io.guard import MAX_LABEL_BYTES, check_piece, check_text
from fangs.io.links import refuse_links

BLOCK_BYTES = 2**25
"""Unpacked draws that are held at a time while reading or writing."""


@contextmanager
def opened(path: Path, options: dict[str, Any], group: str | None) -> Iterator[Any]:
    """A dataset whose values are read when asked for and not kept; None if there is none.

    It has no indexes: these would read whole coordinates before anything is known of their size.
    """
    xarray = require("xarray", extra="files")
    with quiet():
        try:
            dataset = xarray.open_dataset(
                str(path), group=group, chunks=None, cache=False, decode_times=False,
                mask_and_scale=False, create_default_indexes=False, **options,
            )  # fmt: skip
        except (OSError, KeyError, FileNotFoundError) as error:
            if group is None:
                raise ValueError(f"the file is damaged: {error}") from error
            dataset = None
        try:
            yield dataset
        finally:
            if dataset is not None:
                dataset.close()


def coordinate(
    dataset: Any, name: Any, over: tuple[Any, ...] | None = None
) -> npt.NDArray[Any] | None:
    """A coordinate, or a variable over these dimensions; None if there is none."""
    if name not in dataset.variables or (name in dataset.dims and name not in dataset.coords):
        return None
    array = dataset[name]
    if array.dims != ((name,) if over is None else over):
        return None
    check_piece(array.size * max(array.dtype.itemsize, 1), name=name, limit=MAX_LABEL_BYTES)
    return check_text(np.asarray(array.values).ravel())


def netcdf_options(path: Path) -> dict[str, Any]:
    """How to open a netCDF file, classic or HDF5; one that leads to other files is refused."""
    with open(path, "rb") as file:
        is_classic = file.read(3) == b"CDF"
    if is_classic:
        require("scipy", extra="files")
        return {"engine": "scipy"}
    require("h5py", extra="files")
    library = require("h5netcdf", extra="files")
    # Its files complain on stderr when they are given up half open, as damaged ones are.
    silent = type("File", (library.File,), {"__del__": lambda self: None})
    with require("h5py", extra="files").File(path, "r") as file:
        refuse_links(file)
    with silent(str(path), "r"):
        return {"engine": "h5netcdf"}


def zarr_options(path: Path) -> dict[str, Any]:
    """How to open a Zarr store."""
    require("zarr", extra="files")
    if not any((path / name).exists() for name in ("zarr.json", ".zgroup", ".zmetadata")):
        raise ValueError("it is a folder, but no Zarr group: it has neither zarr.json nor .zgroup")
    # What lies in the folder counts, not what a list of its content claims.
    is_listed_only = not any((path / name).exists() for name in ("zarr.json", ".zgroup"))
    return {"engine": "zarr", "consolidated": is_listed_only}


@contextmanager
def quiet() -> Iterator[None]:
    """Without the warnings that libraries give each other."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
