"""Datasets of xarray in files: opened without reading their values, and written chunk by chunk."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._extras import require
from fangs.draws.forms.labelled import N_ONES, LabelledForm, computed, counted_of
from fangs.draws.layout import Layout, item_coord
from fangs.draws.samples import Samples
from fangs.formats.guard import WRITTEN, Budget, check_distinct, check_piece, check_written
from fangs.formats.interrupts import uninterrupted

__all__ = ["CHUNK_BYTES", "opened", "quiet", "samples_dataset", "write_blocks"]

CHUNK_BYTES = 2**22
"""Unpacked draws in a chunk: a few hundred usually. Smaller ones would be many files."""

DIMS = ("item", "feature")
"""The dimensions of the draws after those of `Layout`."""


@contextmanager
def opened(path: Path, **options: Any) -> Iterator[LabelledForm]:
    """The form of all groups of a file, whose values are read when they are asked for."""
    datasets: dict[str, Any] = {}
    try:
        uninterrupted(_open)(path, options, datasets)
        root = datasets.get("")
        if root is not None and WRITTEN in root.attrs:
            check_written(root.variables, root.attrs[WRITTEN])
            chains = root.variables.get("chain")
            if chains is not None and chains.dims == ("chain",):  # a chunk that is not there is 0
                check_distinct(_read(chains), name="chain")
        yield LabelledForm(datasets, load=_read)
    finally:
        with quiet():
            for dataset in datasets.values():
                uninterrupted(dataset.close)()


def _open(path: Path, options: dict[str, Any], datasets: dict[str, Any]) -> None:
    xarray = require("xarray", extra="files")
    # Indexes would read whole coordinates, whatever size these claim.
    options |= {"chunks": None, "cache": False, "create_default_indexes": False}
    budget = Budget(path)
    with quiet():
        if options["engine"] == "scipy":  # classic files have no groups
            raw = {"/": xarray.open_dataset(str(path), decode_cf=False, **options)}
        else:
            raw = xarray.open_groups(str(path), decode_cf=False, **options)
        try:
            for group, plain in raw.items():
                masked = {}
                for name, array in plain.variables.items():
                    budget.spend(max(array.size, *array.shape, 0) * array.dtype.itemsize)
                    # Zarr fills what is not written with 0, which is no missing value.
                    masked[name] = array.attrs.get("_FillValue") not in (0, 1)
                datasets[group.strip("/")] = xarray.open_dataset(
                    str(path), group=None if group == "/" else group, mask_and_scale=masked,
                    decode_timedelta=False, **options,
                )  # fmt: skip
        finally:  # a file that is given up half open complains later, on stderr
            for plain in raw.values():
                plain.close()


@uninterrupted
def _read(array: Any) -> npt.NDArray[Any]:
    """The values of a variable, or of a part of it."""
    chunk = array.encoding.get("preferred_chunks") or {}
    n_entries = max(array.size, math.prod(int(np.max(size)) for size in chunk.values()))
    check_piece(n_entries * array.dtype.itemsize, name="a piece of an array")
    with quiet():
        return computed(array)


def samples_dataset(samples: Samples) -> tuple[Layout, Any]:
    """How draws are laid out, and a Dataset of their labels: chains, items and weights."""
    xarray = require("xarray", extra="files")
    layout = Layout.of_info(samples.info, exact=True)
    items = item_coord(samples.items, samples.n_items, samples.info.first_item)
    about = {"description": "draws of a feature allocation; columns of zeros are no features"}
    of = counted_of("Z", samples.n_items, int(samples.n_columns.max()))
    coords = {**layout.coords, **items, N_ONES: (layout.dims, layout.put(samples.n_ones), of)}
    return layout, xarray.Dataset(coords=coords, attrs={**about, WRITTEN: " ".join(["Z", *coords])})


def write_blocks(
    samples: Samples, layout: Layout, create: Callable[[tuple[int, ...], tuple[int, ...]], Any]
) -> None:
    """Write the draws into an array of a file that is created with a shape and with chunks."""
    entries = samples.n_items, int(samples.n_columns.max())
    chunks = layout.chunks(math.prod(entries), CHUNK_BYTES)
    array = uninterrupted(create)((*layout.order.shape, *entries), (*chunks, *entries))
    if entries[1]:
        for here, block in layout.blocks(samples, chunks):
            uninterrupted(array.__setitem__)(here, block)


@contextmanager
def quiet() -> Iterator[None]:
    """Without the warnings that libraries give each other."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
