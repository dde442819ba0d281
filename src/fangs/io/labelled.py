"""netCDF files and Zarr stores: labelled arrays of xarray and ArviZ, read a block at a time."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fangs._extras import require
from fangs._typing import IntArray
from fangs.io.atomic import whole_folder, whole_path
from fangs.io.dims import Dims, find_dims, item_labels
from fangs.io.fitting import fitting, one_fitting, unfit
from fangs.io.guard import (
    MAX_DRAWS,
    MAX_LABEL_BYTES,
    Budget,
    Unchanged,
    check_piece,
    check_text,
)
from fangs.io.inspect import Variable
from fangs.io.interrupts import held_interrupts
from fangs.io.links import refuse_links
from fangs.io.padded import Padded, attributes, coordinates
from fangs.io.source import DrawSource
from fangs.samples import Samples

if TYPE_CHECKING:
    from fangs.estimate import Estimate

__all__ = [
    "describe_netcdf",
    "describe_zarr",
    "read_netcdf",
    "read_zarr",
    "write_estimate_netcdf",
    "write_estimate_zarr",
    "write_samples_netcdf",
    "write_samples_zarr",
]

BLOCK_BYTES = 2**25
"""Unpacked draws that are held at a time while reading or writing."""

GROUPS = (None, "posterior")
"""Groups that are searched for draws, in this order; ArviZ has them in posterior."""


@held_interrupts()
def read_netcdf(path: Path, variable: str | None) -> DrawSource:
    """Read draws from a netCDF file."""
    return _read(path, variable, _netcdf_options(path))


@held_interrupts()
def read_zarr(path: Path, variable: str | None) -> DrawSource:
    """Read draws from a Zarr store."""
    return _read(path, variable, _zarr_options(path))


def describe_netcdf(path: Path) -> list[Variable]:
    """What a netCDF file holds."""
    return _describe(path, _netcdf_options(path))


def describe_zarr(path: Path) -> list[Variable]:
    """What a Zarr store holds."""
    return _describe(path, _zarr_options(path))


def write_samples_netcdf(samples: Samples, path: Path) -> None:
    """Write draws as one padded variable Z, whole or not at all, a block at a time."""
    netcdf = require("h5netcdf", extra="files")
    require("h5py", extra="files")
    padded = Padded(samples, BLOCK_BYTES)
    with whole_path(path) as temporary, netcdf.File(str(temporary), "w") as file:
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
    with whole_folder(path) as temporary, _quiet():
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
    require("h5netcdf", extra="files")
    refuse_half_characters(estimate.items)
    refuse_half_characters(estimate.feature_names)
    with whole_path(path) as temporary:
        estimate.to_xarray().to_netcdf(str(temporary), engine="h5netcdf")


def write_estimate_zarr(estimate: Estimate, path: Path) -> None:
    """Write matrix, proportions and losses as a Dataset, whole or not at all."""
    require("zarr", extra="files")
    refuse_half_characters(estimate.items)
    refuse_half_characters(estimate.feature_names)
    with whole_folder(path) as temporary, _quiet():
        estimate.to_xarray().to_zarr(str(temporary), mode="w", consolidated=False, zarr_format=2)


def _read(path: Path, variable: str | None, options: dict[str, Any]) -> DrawSource:
    unchanged = Unchanged(path)
    group, name, dims = _choose(path, variable, options)
    with _opened(path, options, group) as dataset:
        array = dataset[name]
        shape = dict(zip(array.dims, array.shape, strict=True))
        step = _block_length(array, dims, Budget(path))
        labels = item_labels(_values(dataset, dims.item), shape[dims.item])
        chains = _chains(dataset, dims, shape)
        weights = _values(dataset, "weight", over=dims.sample)
    n_draws = math.prod(shape[dim] for dim in dims.sample)

    @held_interrupts()
    def block_at(here: dict[str, Any]) -> npt.NDArray[Any]:
        with _opened(path, options, group) as dataset:
            part = dataset[name].isel(here).transpose(dims.sample[-1], dims.item, dims.feature)
            return np.asarray(part.values)

    def read(kept: IntArray) -> Iterator[npt.NDArray[Any]]:
        n_along = shape[dims.sample[-1]]
        with unchanged:
            # The draws of a chain lie together: block by block, chain by chain.
            blocks, first = np.unique(_block_of(kept, n_along, step), return_index=True)
            for block, wanted in zip(blocks, np.split(kept, first[1:]), strict=True):
                chain, start = divmod(int(block), -(-n_along // step))
                start *= step
                here: dict[str, Any] = {dims.sample[-1]: slice(start, start + step)}
                if len(dims.sample) == 2:
                    here[dims.sample[0]] = chain
                yield from block_at(here)[wanted - chain * n_along - start]

    return DrawSource(n_draws=n_draws, read=read, items=labels, chains=chains, weights=weights)


def _block_of(kept: IntArray, n_along: int, step: int) -> IntArray:
    """Number of the block in which each wanted draw lies."""
    chain, draw = np.divmod(kept, max(n_along, 1))
    numbers: IntArray = chain * -(-n_along // step) + draw // step
    return numbers


def _block_length(array: Any, dims: Dims, budget: Budget) -> int:
    """How many draws to read at a time: whole chunks, and about BLOCK_BYTES."""
    shape = dict(zip(array.dims, array.shape, strict=True))
    if array.dtype.kind not in "biuf":
        raise ValueError(f"variable {array.name!r} holds values of type {array.dtype}")
    if math.prod(shape[dim] for dim in dims.sample) > MAX_DRAWS:
        raise ValueError(f"variable {array.name!r} claims more than {MAX_DRAWS} draws")
    n_bytes = shape[dims.item] * shape[dims.feature] * array.dtype.itemsize
    check_piece(n_bytes, name=f"a draw of variable {array.name!r}")
    budget.spend(array.size * array.dtype.itemsize)
    sizes = array.encoding.get("preferred_chunks") or {}
    chunk_bytes = math.prod(int(size) for size in sizes.values()) * array.dtype.itemsize
    check_piece(chunk_bytes, name=f"a chunk of variable {array.name!r}")
    along = array.dims.index(dims.sample[-1])
    chunks = array.encoding.get("preferred_chunks") or {}
    if dims.sample[-1] in chunks:
        chunk = int(chunks[dims.sample[-1]])
    else:
        chunk = int((array.encoding.get("chunksizes") or {along: 1})[along])
    chunk = int(min(max(chunk, 1), max(shape[dims.sample[-1]], 1)))
    n_chunks: int = BLOCK_BYTES // max(n_bytes * chunk, 1)
    return chunk * max(1, n_chunks)


def _choose(
    path: Path, variable: str | None, options: dict[str, Any]
) -> tuple[str | None, str, Dims]:
    """Group, name and dimensions of the variable with the draws."""
    found: list[tuple[str | None, str, Dims]] = []
    names: list[str] = []
    wanted_group, _, wanted = (variable or "").rpartition("/")
    groups = GROUPS[:1] if options["engine"] == "scipy" else GROUPS  # classic files have no groups
    for group in groups if not wanted_group else (wanted_group,):
        with _opened(path, options, group) as dataset:
            for name, array in ({} if dataset is None else dataset.data_vars).items():
                names.append(str(name))
                if wanted and name != wanted:
                    continue
                dims = find_dims(array.dims)
                if dims is None and wanted:
                    there = ", ".join(map(str, array.dims))
                    raise ValueError(
                        f"variable {wanted!r} has the dimensions {there}; "
                        "it needs draw (and chain) or sample, one for items and one for features"
                    )
                if dims is not None:
                    found.append((group, str(name), dims))
        if found:
            break
    if not found:
        what = f"no variable {variable!r}" if variable else "no variable with draws"
        raise ValueError(f"it has {what}; it has {', '.join(names[:8]) or 'none'}")
    if len(found) > 1:
        by_name = {_full_name(group, name): (group, name, dims) for group, name, dims in found}
        return by_name[one_fitting(by_name, lambda name: _read(path, name, options))]
    return found[0]


def _full_name(group: str | None, name: str) -> str:
    return f"{group}/{name}" if group else name


def _describe(path: Path, options: dict[str, Any]) -> list[Variable]:
    rows = []
    for group in GROUPS[:1] if options["engine"] == "scipy" else GROUPS:
        with _opened(path, options, group) as dataset:
            for name, array in ({} if dataset is None else dataset.data_vars).items():
                if (dims := find_dims(array.dims)) is None:
                    continue
                sizes = dict(zip(array.dims, array.shape, strict=True))
                n_draws = math.prod(sizes[dim] for dim in dims.sample)
                n_chains = sizes[dims.sample[0]] if len(dims.sample) == 2 else None
                full = _full_name(group, str(name))
                call = f"fangs.read({str(path)!r}, variable={full!r})"
                k = sizes[dims.feature]
                what = f"{array.dtype} ({', '.join(map(str, array.dims))})"
                if n_draws and not fitting([full], lambda one: _read(path, one, options)):
                    rows.append(unfit(full, what))
                    continue
                rows.append(Variable(full, what, n_draws, sizes[dims.item], (k, k), n_chains, call))
    return rows


def _chains(dataset: Any, dims: Dims, shape: dict[Any, int]) -> npt.NDArray[Any] | None:
    if len(dims.sample) == 2:
        n_chains, n_along = (shape[dim] for dim in dims.sample)
        labels = _values(dataset, dims.sample[0])
        return np.repeat(np.arange(n_chains) if labels is None else labels, n_along)
    return _values(dataset, "chain", over=dims.sample)


def _values(
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


@contextmanager
def _opened(path: Path, options: dict[str, Any], group: str | None) -> Iterator[Any]:
    """A dataset whose values are read when asked for and not kept; None if there is none.

    It has no indexes: these would read whole coordinates before anything is known of their size.
    """
    xarray = require("xarray", extra="files")
    with _quiet():
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


def _netcdf_options(path: Path) -> dict[str, Any]:
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


def _zarr_options(path: Path) -> dict[str, Any]:
    require("zarr", extra="files")
    if not any((path / name).exists() for name in ("zarr.json", ".zgroup", ".zmetadata")):
        raise ValueError("it is a folder, but no Zarr group: it has neither zarr.json nor .zgroup")
    # What lies in the folder counts, not what a list of its content claims.
    is_listed_only = not any((path / name).exists() for name in ("zarr.json", ".zgroup"))
    return {"engine": "zarr", "consolidated": is_listed_only}


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the warnings that libraries give each other."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _as_bytes(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    refuse_half_characters(values)
    return values


def _as_text(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if values.dtype.kind != "O":
        return values
    refuse_half_characters(values)
    return values.astype(str)


def refuse_half_characters(labels: Any) -> None:
    for label in () if labels is None else labels:
        if isinstance(label, str) and not label.isascii():
            try:
                label.encode()
            except UnicodeError:
                raise ValueError(
                    f"the label {label!r} is no proper text; .npz, .csv and .json take any label"
                ) from None
