"""Draws in labelled arrays of xarray and ArviZ, read a block at a time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs.io.dims import Dims, find_dims, item_labels
from fangs.io.fitting import fitting, one_fitting, unfit
from fangs.io.guard import MAX_DRAWS, Budget, Unchanged, check_piece
from fangs.io.inspect import Variable
from fangs.io.interrupts import held_interrupts
from fangs.io.labelled.opening import (
    BLOCK_BYTES,
    coordinate,
    netcdf_options,
    opened,
    zarr_options,
)
from fangs.io.source import DrawSource

GROUPS = (None, "posterior")
"""Groups that are searched for draws, in this order; ArviZ has them in posterior."""


@held_interrupts()
def read_netcdf(path: Path, variable: str | None) -> DrawSource:
    """Read draws from a netCDF file."""
    return _read(path, variable, netcdf_options(path))


@held_interrupts()
def read_zarr(path: Path, variable: str | None) -> DrawSource:
    """Read draws from a Zarr store."""
    return _read(path, variable, zarr_options(path))


def describe_netcdf(path: Path) -> list[Variable]:
    """What a netCDF file holds."""
    return _describe(path, netcdf_options(path))


def describe_zarr(path: Path) -> list[Variable]:
    """What a Zarr store holds."""
    return _describe(path, zarr_options(path))


def _read(path: Path, variable: str | None, options: dict[str, Any]) -> DrawSource:
    unchanged = Unchanged(path)
    group, name, dims = _choose(path, variable, options)
    with opened(path, options, group) as dataset:
        array = dataset[name]
        shape = dict(zip(array.dims, array.shape, strict=True))
        step = _block_length(array, dims, Budget(path))
        labels = item_labels(coordinate(dataset, dims.item), shape[dims.item])
        chains = _chains(dataset, dims, shape)
        weights = coordinate(dataset, "weight", over=dims.sample)
    n_draws = math.prod(shape[dim] for dim in dims.sample)

    @held_interrupts()
    def block_at(here: dict[str, Any]) -> npt.NDArray[Any]:
        with opened(path, options, group) as dataset:
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
        with opened(path, options, group) as dataset:
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
        with opened(path, options, group) as dataset:
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
        labels = coordinate(dataset, dims.sample[0])
        return np.repeat(np.arange(n_chains) if labels is None else labels, n_along)
    return coordinate(dataset, "chain", over=dims.sample)
