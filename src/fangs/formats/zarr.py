"""Zarr stores, which are folders: labelled arrays of xarray and ArviZ."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fangs._extras import require
from fangs.draws.form import Form
from fangs.draws.samples import Samples
from fangs.formats.datasets import DIMS, opened, quiet, samples_dataset, write_blocks
from fangs.formats.format import Format
from fangs.formats.interrupts import uninterrupted
from fangs.formats.whole import whole_folder

if TYPE_CHECKING:
    from fangs.estimate import Estimate

__all__ = ["FORMAT"]

# What is in the folder counts, and not what a list of its content says.
_PLAIN = {"consolidated": False}


def _open(path: Path) -> AbstractContextManager[Form]:
    require("zarr", extra="files")
    if not any((path / name).exists() for name in ("zarr.json", ".zgroup")):
        raise ValueError("it is a folder, but no Zarr group: it has neither zarr.json nor .zgroup")
    return opened(path, engine="zarr", **_PLAIN)


def _write_samples(samples: Samples, path: Path) -> None:
    zarr = require("zarr", extra="files")
    layout, labels = samples_dataset(samples)

    def create(shape: tuple[int, ...], chunks: tuple[int, ...]) -> Any:
        _put(labels, folder)
        return zarr.open_group(str(folder), mode="r+", use_consolidated=False).create_array(
            "Z", shape=shape, chunks=tuple(max(1, size) for size in chunks), dtype="u1",
            fill_value=None, attributes={"_ARRAY_DIMENSIONS": [*layout.dims, *DIMS]},
        )  # fmt: skip

    with whole_folder(path) as folder, quiet():
        write_blocks(samples, layout, create)


def _write_estimate(estimate: Estimate, path: Path) -> None:
    require("zarr", extra="files")
    with whole_folder(path) as folder, quiet():
        uninterrupted(_put)(estimate.to_xarray(), folder)


def _put(dataset: Any, folder: Path) -> None:
    dataset.to_zarr(str(folder), mode="w", zarr_format=2, **_PLAIN)


FORMAT = Format(_open, True, True, _write_samples, _write_estimate)
