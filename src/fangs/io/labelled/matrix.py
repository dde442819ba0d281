"""One allocation in a netCDF file or a Zarr store, such as an estimate that was saved there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.io.dims import find_dims, item_labels
from fangs.io.guard import check_piece
from fangs.io.interrupts import held_interrupts
from fangs.io.labelled.opening import coordinate, netcdf_options, opened, zarr_options

Labelled = tuple[npt.NDArray[Any], tuple[str, ...] | None, tuple[Any, ...]]

ESTIMATE = "Z_hat"
"""What `Estimate.to_xarray` calls the matrix."""


@held_interrupts()
def read_matrix_netcdf(path: Path) -> Labelled:
    """The matrix of a netCDF file, labels of its items or None, and labels of its features."""
    return _read(path, netcdf_options(path))


@held_interrupts()
def read_matrix_zarr(path: Path) -> Labelled:
    """The matrix of a Zarr store, labels of its items or None, and labels of its features."""
    return _read(path, zarr_options(path))


def _read(path: Path, options: dict[str, Any]) -> Labelled:
    with opened(path, options, None) as dataset:
        array = dataset[_choose(dataset)]
        dims = find_dims(("draw", *array.dims))
        if dims is None:
            there = ", ".join(map(str, array.dims))
            raise ValueError(
                f"variable {array.name!r} has the dimensions {there}; call them item and feature"
            )
        check_piece(array.size * array.dtype.itemsize, name=f"variable {array.name!r}")
        matrix = np.asarray(array.transpose(dims.item, dims.feature).values)
        items = item_labels(coordinate(dataset, dims.item), len(matrix))
        features = coordinate(dataset, dims.feature)
    return matrix, items, () if features is None else tuple(features.tolist())


def _choose(dataset: Any) -> str:
    """The variable with the matrix: that of an estimate, or the only one of two dimensions."""
    names = [str(name) for name, array in dataset.data_vars.items() if array.ndim == 2]
    if ESTIMATE in names:
        return ESTIMATE
    if len(names) != 1:
        there = ", ".join(names[:8]) or "none"
        raise ValueError(
            f"it needs a variable {ESTIMATE} (item, feature); of two dimensions: {there}"
        )
    return names[0]
