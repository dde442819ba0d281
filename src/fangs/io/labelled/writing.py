"""Draws and estimates as netCDF files and Zarr stores, written whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from fangs._extras import require
from fangs.io.atomic import whole_folder
from fangs.io.image import whole_hdf5
from fangs.io.labelled.opening import BLOCK_BYTES, quiet
from fangs.io.padded import Padded, attributes, coordinates
from fangs.samples import Samples

if TYPE_CHECKING:
    from fangs.estimate import Estimate


def write_samples_netcdf(samples: Samples, path: Path) -> None:
    """Write draws as one padded variable Z, whole or not at all, a block at a time."""
    netcdf = require("h5netcdf", extra="files")
    require("h5py", extra="files")
    padded = Padded(samples, BLOCK_BYTES)
    with whole_hdf5(path) as inside, netcdf.File(inside, "w") as file:
        file.dimensions = dict(zip(padded.dims, padded.shape, strict=True))
        for name, (dims, values) in coordinates(padded).items():
            if values.dtype.kind == "O":
                values = _as_bytes(values)
                text = require("h5py", extra="files").string_dtype()
                file.create_variable(name, dims, dtype=text)[...] = values
            else:
                sealed = {"fletcher32": True} if values.size else {}  # with a checksum
                file.create_variable(name, dims, dtype=values.dtype, **sealed)[...] = values
        file.attrs.update(attributes(samples))
        if 0 in padded.shape:
            file.create_variable("Z", padded.dims, dtype="u1")
            return
        z = file.create_variable(
            "Z", padded.dims, dtype="u1", chunks=padded.chunks, compression="gzip",
            compression_opts=4,
        )  # fmt: skip
        for here, block in padded.blocks():
            z[here] = block


def write_samples_zarr(samples: Samples, path: Path) -> None:
    """Write draws as one padded variable Z, whole or not at all, a block at a time."""
    xarray = require("xarray", extra="files")
    require("zarr", extra="files")
    padded = Padded(samples, BLOCK_BYTES)
    along = padded.dims.index("draw" if "draw" in padded.dims else "sample")
    with whole_folder(path) as temporary, quiet():
        for i, (here, block) in enumerate(padded.blocks()):
            coords = {
                name: (dims, values[here[along]] if dims == (padded.dims[along],) else values)
                for name, (dims, values) in coordinates(padded).items()
            }
            coords = {name: (dims, _as_text(values)) for name, (dims, values) in coords.items()}
            dataset = xarray.Dataset({"Z": (padded.dims, block)}, coords=coords)
            if i == 0:
                dataset.attrs.update(attributes(samples))
                encoding = {} if 0 in padded.shape else {"Z": {"chunks": padded.chunks}}
                options = {"mode": "w", "encoding": encoding, "zarr_format": 2}
            else:
                options = {"append_dim": padded.dims[along]}
                dataset = dataset.drop_vars(
                    [name for name, (dims, _) in coords.items() if padded.dims[along] not in dims]
                )
            dataset.to_zarr(str(temporary), consolidated=False, **options)


def write_estimate_netcdf(estimate: Estimate, path: Path) -> None:
    """Write matrix, proportions and losses as a Dataset, whole or not at all."""
    netcdf = require("h5netcdf", extra="files")
    store = require("xarray", extra="files").backends.H5NetCDFStore
    refuse_half_characters(estimate.items)
    refuse_half_characters(estimate.feature_names)
    with whole_hdf5(path) as inside, netcdf.File(inside, "w") as file:
        estimate.to_xarray().dump_to_store(store(file))


def write_estimate_zarr(estimate: Estimate, path: Path) -> None:
    """Write matrix, proportions and losses as a Dataset, whole or not at all."""
    require("zarr", extra="files")
    refuse_half_characters(estimate.items)
    refuse_half_characters(estimate.feature_names)
    with whole_folder(path) as temporary, quiet():
        estimate.to_xarray().to_zarr(str(temporary), mode="w", consolidated=False, zarr_format=2)


def _as_bytes(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    refuse_half_characters(values)
    return values


def _as_text(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if values.dtype.kind != "O":
        return values
    refuse_half_characters(values)
    return values.astype(str)


def refuse_half_characters(labels: Any) -> None:
    """Refuse labels with lone surrogates, which UTF-8 cannot hold."""
    for label in () if labels is None else labels:
        if isinstance(label, str) and not label.isascii():
            try:
                label.encode()
            except UnicodeError:
                raise ValueError(
                    f"the label {label!r} is no proper text; .npz, .csv and .json take any label"
                ) from None
