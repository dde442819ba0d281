"""HDF5 files: arrays, groups of matrices, or ragged rows, which is what we write.

Ragged rows are the features of all draws as rows of one (features, items) dataset, and n_features,
the number of rows of each draw.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fangs._extras import require
from fangs.draws.form import Form
from fangs.draws.forms.entries import EntriesForm, Other
from fangs.draws.forms.ragged import runs
from fangs.formats.format import Format
from fangs.formats.guard import Budget, check_draws, check_piece
from fangs.formats.interrupts import uninterrupted
from fangs.formats.whole import whole_file

if TYPE_CHECKING:
    from fangs.draws.samples import Samples

__all__ = ["FORMAT", "H5Array", "opened", "whole_hdf5"]


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


@contextmanager
def whole_hdf5(path: Path) -> Iterator[Any]:
    """An open file of h5py, which appears at ``path`` when the block ends, or not at all.

    It is made in memory, in about the space of its compressed draws, and then written at once:
    where the disk is full, HDF5 fails while it closes the file, and crashes the process later.
    """
    image = BytesIO()
    file = uninterrupted(require("h5py", extra="files").File)(image, "w")
    try:
        yield file
    finally:
        uninterrupted(file.close)()
    with whole_file(path) as target:
        target.write(image.getbuffer())


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
            yield EntriesForm(uninterrupted(_entries)(file, Budget(path)), "draws")
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
    n = samples.n_items
    ends = np.cumsum(samples.n_features)
    starts = ends - samples.n_features
    columns = np.empty(int(ends[-1]), dtype=np.min_scalar_type(samples.n_columns.max()))
    with whole_hdf5(path) as file:
        rows = uninterrupted(_write_labels)(file, samples)
        for first, last in runs(samples.n_features * n):
            for b in range(first, last):
                columns[starts[b] : ends[b]] = samples.columns(b)
            block = np.concatenate([samples[b].T for b in range(first, last)])
            here = slice(int(starts[first]), int(ends[last - 1]))
            if len(block):
                uninterrupted(rows.__setitem__)(here, block)
        uninterrupted(_write_numbers)(file, columns=columns)


def _write_labels(file: Any, samples: Samples) -> Any:
    """Write all but the draws; the dataset for their rows."""
    n_rows, n = int(samples.n_features.sum()), samples.n_items
    options: dict[str, Any] = {}
    if n_rows:
        chunks = (min(n_rows, max(1, 2**20 // n)), n)
        options = {"chunks": chunks, "compression": "gzip", "compression_opts": 4}
    rows = file.create_dataset("Z", (n_rows, n), "u1", **options)
    _write_numbers(file, n_features=samples.n_features, n_columns=samples.n_columns)
    counted = np.arange(n) if samples.info.first_item == 0 else None
    labels = {
        "items": counted if samples.items is None else np.array(samples.items, dtype=object),
        "chains": samples.chains,
        "weights": samples.weights,
    }
    for name, values in labels.items():
        if values is not None and values.dtype.kind in "OU":
            text = require("h5py", extra="files").string_dtype()
            file.create_dataset(name, data=values.tolist(), dtype=text)
        elif values is not None:
            _write_numbers(file, **{name: values})
    return rows


def _write_numbers(file: Any, **arrays: npt.NDArray[Any]) -> None:
    """Write arrays with checksums; the draws have those of gzip."""
    for name, array in arrays.items():
        file.create_dataset(name, data=array, fletcher32=bool(array.size))


FORMAT = Format(open=_open, is_divisible=True, write_samples=write_samples)
