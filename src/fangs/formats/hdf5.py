"""HDF5 files: arrays, groups of matrices, or ragged rows, which is what we write.

Ragged rows are the features of all draws as rows of one (features, items) dataset, and n_features,
the number of rows of each draw.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fangs._extras import require
from fangs.draws.form import Form
from fangs.draws.forms.entries import EntriesForm, Other
from fangs.draws.forms.ragged import kept_columns, runs
from fangs.formats.format import Format
from fangs.formats.guard import WRITTEN, Budget, check_draws, check_piece, check_written
from fangs.formats.interrupts import uninterrupted
from fangs.formats.whole import whole_path

if TYPE_CHECKING:
    from fangs.draws.samples import Samples

__all__ = ["FORMAT", "PACKED", "H5Array", "opened", "refuse_null", "whole_hdf5"]

PACKED = {"compression": "gzip", "compression_opts": 4, "fletcher32": True}
"""How draws are stored; gzip's own checksum in HDF5 is so weak that it misses single bits."""

_CHUNK_BYTES = 2**20
"""Unpacked draws in a chunk, and those that are written at a time."""


class H5Array:
    """A dataset, read in pieces; HDF5 is called where Ctrl-C is not lost, and no object is kept.

    Parameters
    ----------
    data
        The dataset.
    budget
        Counts what the file unpacks to.
    """

    def __init__(self, data: Any, budget: Budget) -> None:
        self._file, self._place = data.file, data.name
        self.dtype, self.shape, self.chunks = data.dtype, data.shape, data.chunks
        is_stack = data.ndim in (3, 4)  # looking takes a while where there are many
        self.names = tuple(dim.label for dim in data.dims) if is_stack else ()
        self._budget, self._unspent = budget, math.prod(data.shape) * data.dtype.itemsize
        check_draws(self.shape, name=repr(data.name))
        if data.is_virtual:
            _include_sources(data, budget)

    def __getitem__(self, at: Any) -> npt.NDArray[Any]:
        return uninterrupted(self._read)(at)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        check_piece(math.prod(self.shape) * self.dtype.itemsize, name=repr(self._place))
        found = uninterrupted(self._read)(())
        return found if dtype is None else found.astype(dtype)

    def _read(self, at: Any) -> npt.NDArray[Any]:
        self._budget.spend(self._unspent)
        self._unspent, size = 0, self.dtype.itemsize
        check_piece(math.prod(self.chunks or ()) * size, name=f"a chunk of {self._place!r}")
        check_piece(math.prod(self.shape[-2:]) * size, name=f"a draw of {self._place!r}")
        return np.asarray(self._file[self._place][at])


def refuse_null(labels: Iterable[Any], path: Path) -> None:
    """Refuse a label that HDF5 cannot hold."""
    for label in labels:
        if "\0" in str(label):
            raise ValueError(
                f"cannot write {str(path)!r}: the label {str(label)!r} has a null character, which "
                "HDF5 cannot hold; change the label, or write .npz"
            )


def _include_sources(data: Any, budget: Budget) -> None:
    """Count the files that a virtual dataset is made of; what they lack would be read as zeros."""
    there, name = 0, f"{data.name!r} is a virtual dataset, made of other files"
    for source in data.virtual_sources():
        same = data.file.filename
        path = Path(same).parent / source.file_name if source.file_name != "." else Path(same)
        if not path.is_file():
            raise ValueError(f"{name}; put {source.file_name!r}, which is not there, beside it")
        with require("h5py", extra="files").File(path, "r") as file:
            found = file.get(source.dset_name)
            there += min(source.vspace.get_select_npoints(), getattr(found, "size", 0))
        budget.include(path)
    if there < data.size:
        raise ValueError(f"{name}, which have only {there} of its {data.size} entries")


class _UnfailingFile:
    """A file that goes on in memory where the disk fails, and keeps the `error`.

    HDF5 goes on using what it could not write, and crashes the process when that is closed.
    """

    def __init__(self, file: Any) -> None:
        self._file = file
        self.error: OSError | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, data: Any) -> None:
        """Write all of the data."""
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[self._file.write(rest) :]
            except OSError as error:
                self._fail(error)

    def truncate(self, size: int) -> None:
        """Give the file this size."""
        try:
            self._file.truncate(size)
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        self.error, at, memory = error, self._file.tell(), BytesIO()
        self._file.seek(0)
        shutil.copyfileobj(self._file, memory)
        memory.seek(at)
        self._file = memory


@contextmanager
def whole_hdf5(path: Path) -> Iterator[Any]:
    """An open file of h5py, which appears at ``path`` when the block ends, or not at all."""
    library = require("h5py", extra="files")
    with whole_path(path) as temporary, open(temporary, "w+b", buffering=0) as raw:
        target = _UnfailingFile(raw)
        file = uninterrupted(library.File)(target, "w", rdcc_nbytes=4 * _CHUNK_BYTES)
        try:
            yield file
        finally:
            uninterrupted(file.close)()
        if target.error is not None:
            raise target.error


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """An open file of h5py."""
    file = uninterrupted(require("h5py", extra="files").File)(path, "r")
    try:
        yield file
    finally:
        uninterrupted(file.close)()


@contextmanager
def _open(path: Path) -> Iterator[Form]:
    with opened(path) as file:
        is_netcdf = uninterrupted(lambda: "_NCProperties" in file.attrs)()
        if not is_netcdf:
            entries = uninterrupted(_entries)(file, Budget(path))
            there = [name for name, entry in entries.items() if not isinstance(entry, Other)]
            check_written(there, uninterrupted(lambda: file.attrs.get(WRITTEN))())
            yield EntriesForm(entries, "draws")
            return
    from fangs.formats.netcdf import FORMAT as NETCDF

    with NETCDF.open(path) as form:  # its dimensions have names
        yield form


def _entries(group: Any, budget: Budget, above: tuple[Any, ...] = ()) -> dict[str, Any]:
    """Datasets, and groups as dicts of them; links are followed, but in no circle."""
    h5py = require("h5py", extra="files")
    found: dict[str, Any] = {}
    for name in group:
        try:
            entry = group[name]
        except KeyError:
            found[name] = Other("a link to nothing")
            continue
        if isinstance(entry, h5py.Dataset):
            found[name] = H5Array(entry, budget)
        elif isinstance(entry, h5py.Group) and entry not in (*above, group):
            found[name] = _entries(entry, budget, (*above, group))
    return found


def write_samples(samples: Samples, path: Path) -> None:
    """Write draws as ragged rows, whole or not at all, a block of draws at a time."""
    n, end = samples.n_items, 0
    refuse_null([*samples.item_names, *samples.info.chain_names], path)
    with whole_hdf5(path) as file:
        rows = uninterrupted(_write_all_but_draws)(file, samples)
        for first, last in runs(samples.n_features * n, _CHUNK_BYTES):
            ends = np.cumsum(samples.n_features[first:last])
            block = np.empty((int(ends[-1]), n), dtype=np.uint8)
            for b, part in zip(range(first, last), np.split(block, ends[:-1]), strict=True):
                part[:] = samples[b].T
            start, end = end, end + len(block)
            if len(block):
                uninterrupted(rows.__setitem__)(slice(start, end), block)


def _write_all_but_draws(file: Any, samples: Samples) -> Any:
    """Write what is beside the draws; the dataset for their rows."""
    n_rows, n = int(samples.n_features.sum()), samples.n_items
    options: dict[str, Any] = {}
    if n_rows:
        chunks = (min(n_rows, max(1, _CHUNK_BYTES // n)), n)
        options = {"chunks": chunks, **PACKED}
    rows = file.create_dataset("Z", (n_rows, n), "u1", **options)
    items: Any = samples.items
    if items is None and samples.info.first_item == 0:
        items = np.arange(n)
    beside = {
        "n_features": samples.n_features,
        "columns": kept_columns(samples),
        "n_columns": samples.n_columns,
        "n_ones": samples.n_ones,
        "items": items,
        "chains": samples.chains,
        "weights": samples.weights,
    }
    for name, values in beside.items():
        if values is not None:
            _write_labels(file, name, np.asarray(values))
    file.attrs[WRITTEN] = np.bytes_(" ".join(file))
    return rows


def _write_labels(file: Any, name: str, values: npt.NDArray[Any]) -> None:
    """Write an array with checksums.

    Texts are of one length: HDF5 has no checksum for others, and hangs where they are damaged.
    """
    packing = None
    if values.dtype.kind == "U":
        packing, values = "gzip", np.array([text.encode() for text in values.tolist()])
        kind = require("h5py", extra="files").string_dtype("utf-8", values.dtype.itemsize)
        values = values.astype(kind)
    file.create_dataset(name, data=values, compression=packing, fletcher32=bool(values.size))


FORMAT = Format(open=_open, is_divisible=True, write_samples=write_samples)
