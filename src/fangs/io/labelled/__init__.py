"""netCDF files and Zarr stores: labelled arrays of xarray and ArviZ."""

from fangs.io.labelled.matrix import read_matrix_netcdf, read_matrix_zarr
from fangs.io.labelled.reading import (
    describe_netcdf,
    describe_zarr,
    read_netcdf,
    read_zarr,
)
from fangs.io.labelled.writing import (
    write_estimate_netcdf,
    write_estimate_zarr,
    write_samples_netcdf,
    write_samples_zarr,
)

__all__ = [
    "describe_netcdf",
    "describe_zarr",
    "read_matrix_netcdf",
    "read_matrix_zarr",
    "read_netcdf",
    "read_zarr",
    "write_estimate_netcdf",
    "write_estimate_zarr",
    "write_samples_netcdf",
    "write_samples_zarr",
]
