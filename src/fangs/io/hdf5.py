"""HDF5 files: stacks of draws, a dataset per draw, or ragged rows.

Ragged rows are what we write: the features of all draws as rows of one (features, items) dataset,
and n_features, the number of rows of each draw.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._extras import require
from fangs._typing import IntArray
from fangs.io.fitting import fitting, one_fitting, unfit
from fangs.io.guard import MAX_DRAWS, MAX_LABEL_BYTES, Budget, Unchanged, check_piece
from fangs.io.image import whole_hdf5
from fangs.io.inspect import Variable
from fangs.io.interrupts import held_interrupts, held_steps
from fangs.io.labelled.opening import BLOCK_BYTES
from fangs.io.labelled.writing import refuse_half_characters
from fangs.io.links import is_inside
from fangs.io.npz import by_number
from fangs.io.source import DrawSource
from fangs.samples import Samples

__all__ = ["describe", "read", "write_samples"]

LABELS = ("items", "chains", "weights", "n_features", "columns", "n_columns")
"""Datasets that say something about the draws."""


@held_interrupts()
def read(path: Path, variable: str | None) -> DrawSource:
    """Read draws: (B, n, K) or (chain, draw, n, K), a group of (n, K), or ragged rows."""
    unchanged = Unchanged(path)
    with _opened(path) as file:
        name, form = _choose(file, variable)
        labels = {key: _label(file, key) for key in LABELS if _is_dataset(file, key)}
        shape = file[name].shape if form != "group" else ()
        n_draws, chains = _sizes(file, name, form, labels)
        if form in ("stack", "chains"):
            check_piece(math.prod(shape[-2:]) * file[name].dtype.itemsize, name="a draw")
        _check_size(file, name, Budget(path))
        items = labels.get("items")
        if "chains" in labels and labels["chains"].dtype.kind in "OS":
            labels["chains"] = np.array([_text(label) for label in labels["chains"].tolist()])
    if n_draws > MAX_DRAWS:
        raise ValueError(f"{name!r} claims {n_draws} draws, more than the {MAX_DRAWS} it may have")
    for key in ("chains", "weights"):
        if key in labels and len(labels[key]) != n_draws:
            raise ValueError(f"{key!r} has {len(labels[key])} values for {n_draws} draws")

    def matrices(kept: IntArray) -> Iterator[npt.NDArray[Any]]:
        with unchanged, _opened(path) as file:
            yield from FORMS[form](file, name, kept, labels)

    return DrawSource(
        n_draws=n_draws,
        read=lambda kept: held_steps(matrices(kept)),
        items=None if items is None else tuple(_text(label) for label in items.tolist()),
        chains=labels.get("chains", chains),
        weights=labels.get("weights"),
    )


def describe(path: Path) -> list[Variable]:
    """What a file holds."""
    rows = []
    with _opened(path) as file:
        for name, form in _candidates(file).items():
            labels = {key: _label(file, key) for key in LABELS if _is_dataset(file, key)}
            n_draws, chains = _sizes(file, name, form, labels)
            chains = labels.get("chains", chains)
            n_chains = None if chains is None else len(np.unique(chains))
            call = f"fangs.read({str(path)!r}, variable={name!r})"
            sizes, n_items = _widths(file, name, form, labels)
            if n_draws and not fitting([name], lambda one: read(path, one)):
                rows.append(unfit(name, form))
                continue
            rows.append(Variable(name, form, n_draws, n_items, sizes, n_chains, call))
    return rows


def write_samples(samples: Samples, path: Path) -> None:
    """Write draws as ragged rows, whole or not at all, a block of draws at a time."""
    h5py = require("h5py", extra="files")
    n_rows, n = int(samples.n_features.sum()), samples.n_items
    with whole_hdf5(path) as file:
        options = {} if not n_rows else {"chunks": (min(n_rows, max(1, 2**20 // n)), n)}
        packing = {"compression": "gzip", "compression_opts": 4} if n_rows else {}
        rows = file.create_dataset("Z", (n_rows, n), "u1", **options, **packing)
        _write_numbers(file, n_features=samples.n_features, n_columns=samples.n_columns)
        columns = np.empty(n_rows, dtype=np.min_scalar_type(samples.n_columns.max()))
        if samples.items is not None:
            refuse_half_characters(samples.items)
            file.create_dataset("items", data=list(samples.items), dtype=h5py.string_dtype())
        if samples.chains is not None:
            if samples.chains.dtype.kind == "U":
                labels = samples.chains.tolist()
                file.create_dataset("chains", data=labels, dtype=h5py.string_dtype())
            else:
                _write_numbers(file, chains=samples.chains)
        if samples.weights is not None:
            _write_numbers(file, weights=samples.weights)
        ends = np.cumsum(samples.n_features)
        for first, last in _runs(samples.n_features * n):
            start = int(ends[first] - samples.n_features[first])
            block = [samples[b].T for b in range(first, last)]
            for b in range(first, last):
                columns[ends[b] - samples.n_features[b] : ends[b]] = samples.columns(b)
            if ends[last - 1] > start:
                rows[start : ends[last - 1]] = np.concatenate(block)
        _write_numbers(file, columns=columns)


def _write_numbers(file: Any, **arrays: npt.NDArray[Any]) -> None:
    """Write arrays with checksums; the draws have those of gzip."""
    for name, array in arrays.items():
        file.create_dataset(name, data=array, fletcher32=bool(array.size))


def _opened(path: Path) -> Any:
    return require("h5py", extra="files").File(path, "r")


def _is_dataset(file: Any, name: str) -> bool:
    # Links to other files are not followed.
    h5py = require("h5py", extra="files")
    is_here = isinstance(file.get(name, getlink=True), h5py.HardLink)
    return is_here and isinstance(file[name], h5py.Dataset) and is_inside(file[name])


def _check_size(file: Any, name: str, budget: Budget) -> None:
    """Refuse what would unpack to too much, on the whole or in a chunk."""
    data = [file[name]] if hasattr(file[name], "dtype") else list(file[name].values())
    for one in data:
        budget.spend(one.size * one.dtype.itemsize)
        check_piece(math.prod(one.chunks or ()) * one.dtype.itemsize, name="a chunk")


def _candidates(file: Any) -> dict[str, str]:
    """Names of what could be draws, with their form."""
    h5py = require("h5py", extra="files")
    found = {}
    for name in file:
        if not isinstance(file.get(name, getlink=True), h5py.HardLink) or name in LABELS:
            continue
        entry = file[name]
        if isinstance(entry, h5py.Group):
            if len(entry) and all(_is_dataset(entry, k) and entry[k].ndim == 2 for k in entry):
                found[name] = "group"
        elif _is_dataset(file, name) and entry.dtype.kind in "biuf" and entry.ndim in (2, 3, 4):
            form = {2: "rows", 3: "stack", 4: "chains"}[entry.ndim]
            if form != "rows" or _is_dataset(file, "n_features"):
                found[name] = form
    return found


def _choose(file: Any, variable: str | None) -> tuple[str, str]:
    found = _candidates(file)
    if variable is not None:
        if variable not in found:
            raise ValueError(
                f"{variable!r} is no dataset or group with draws; {', '.join(found) or 'none'} is"
            )
        return variable, found[variable]
    if not found:
        raise ValueError(
            "it has no (B, n, K) dataset, no group of (n, K) datasets, and no (features, items) "
            f"dataset with n_features; it has {', '.join(list(file)[:8]) or 'nothing'}"
        )
    if len(found) > 1:
        chosen = one_fitting(found, lambda name: read(Path(file.filename), name))
        return chosen, found[chosen]
    return next(iter(found.items()))


def _sizes(
    file: Any, name: str, form: str, labels: dict[str, npt.NDArray[Any]]
) -> tuple[int, npt.NDArray[Any] | None]:
    """Number of draws, and their chains where the shape tells them."""
    if form == "group":
        return len(file[name]), None
    shape = file[name].shape
    if form == "chains":
        if shape[0] * shape[1] > MAX_DRAWS:
            raise ValueError(f"{name!r} claims more than {MAX_DRAWS} draws")
        return shape[0] * shape[1], np.repeat(np.arange(shape[0]), shape[1])
    if form == "rows":
        sizes = labels["n_features"]
        if sizes.dtype.kind not in "iu" or (sizes < 0).any():
            raise ValueError("'n_features' has values other than numbers of features")
        if int(sizes.sum()) != shape[0]:
            raise ValueError(
                f"{name!r} has {shape[0]} rows, but n_features adds up to {int(sizes.sum())}; "
                "there must be a row for each feature"
            )
        return len(sizes), None
    return shape[0], None


def _widths(
    file: Any, name: str, form: str, labels: dict[str, npt.NDArray[Any]]
) -> tuple[tuple[int, int], int]:
    if form == "group":
        shapes = [entry.shape for entry in file[name].values()]
        widths = [shape[1] for shape in shapes]
        return (min(widths), max(widths)), shapes[0][0]
    if form == "rows":
        sizes = labels["n_features"]
        low, high = (int(sizes.min()), int(sizes.max())) if len(sizes) else (0, 0)
        return (low, high), file[name].shape[1]
    return (file[name].shape[-1],) * 2, file[name].shape[-2]


def _label(file: Any, name: str) -> npt.NDArray[Any]:
    data = file[name]
    if data.ndim != 1:
        raise ValueError(f"{name!r} has {data.ndim} dimensions, not one")
    check_piece(data.size * data.dtype.itemsize, name=repr(name), limit=MAX_LABEL_BYTES)
    return np.asarray(data[()])


def _text(label: Any) -> str:
    return label.decode("utf-8") if isinstance(label, bytes) else str(label)


def _runs(n_bytes: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Runs of draws whose unpacked size is about that of a block."""
    first = size = last = 0
    for last, one in enumerate(n_bytes, start=1):
        size += int(one)
        if size >= BLOCK_BYTES or last - first >= 4096:
            yield first, last
            first, size = last, 0
    if last > first:
        yield first, last


def _stack(
    file: Any, name: str, kept: IntArray, labels: dict[str, npt.NDArray[Any]]
) -> Iterator[npt.NDArray[Any]]:
    data = file[name]
    *lead, n, k = data.shape
    n_along = lead[-1]
    chunk = data.chunks[len(lead) - 1] if data.chunks else 1
    step = chunk * max(1, BLOCK_BYTES // max(n * k * data.dtype.itemsize * chunk, 1))
    held: tuple[int, int] | None = None
    block: npt.NDArray[Any] = np.empty(0)
    for position in kept.tolist():
        chain, draw = divmod(position, n_along)
        if held != (chain, draw // step):
            held = (chain, draw // step)
            here = slice(held[1] * step, min((held[1] + 1) * step, n_along))
            block = data[chain, here] if len(lead) == 2 else data[here]
        yield block[draw % step]


def _group(
    file: Any, name: str, kept: IntArray, labels: dict[str, npt.NDArray[Any]]
) -> Iterator[npt.NDArray[Any]]:
    names = sorted(file[name], key=by_number)
    for b in kept:
        data = file[name][names[b]]
        check_piece(data.size * data.dtype.itemsize, name=f"dataset {names[b]!r}")
        yield data[()]


def _rows(
    file: Any, name: str, kept: IntArray, labels: dict[str, npt.NDArray[Any]]
) -> Iterator[npt.NDArray[Any]]:
    data, sizes = file[name], labels["n_features"].astype(np.int64)
    ends = np.cumsum(sizes)
    widths, columns = _columns(labels, sizes, int(data.shape[1]))
    for first, last in _runs(sizes[kept] * data.shape[1] * data.dtype.itemsize):
        here = kept[first:last]
        start = int(ends[here[0]] - sizes[here[0]])
        check_piece(int(sizes[here].max()) * data.shape[1], name="a draw")
        # A run without gaps is read at once.
        at_once = here[-1] - here[0] + 1 == len(here)
        block = data[start : ends[here[-1]]] if at_once else None
        for b in here:
            rows = slice(ends[b] - sizes[b], ends[b])
            part = data[rows] if block is None else block[rows.start - start : rows.stop - start]
            if columns is None:
                yield part.T
            else:
                matrix = np.zeros((data.shape[1], widths[b]), dtype=part.dtype)
                matrix[:, columns[rows]] = part.T
                yield matrix


def _columns(
    labels: dict[str, npt.NDArray[Any]], sizes: IntArray, n_items: int
) -> tuple[IntArray, IntArray | None]:
    """Number of columns of each draw, and the column of each feature, where the file has them."""
    if "columns" not in labels or "n_columns" not in labels:
        return sizes, None
    columns, widths = labels["columns"], labels["n_columns"].astype(np.int64)
    fits = len(columns) == sizes.sum() and len(widths) == len(sizes)
    fits = fits and columns.dtype.kind in "iu" and not (columns < 0).any()
    # The columns of a draw ascend, so its last one is its largest.
    ends = np.cumsum(sizes)
    last = columns[ends[sizes > 0] - 1] if fits else columns
    if not fits or (last >= widths[sizes > 0]).any():
        raise ValueError("'columns' and 'n_columns' do not fit 'n_features'")
    check_piece(n_items * int(widths.max(initial=0)), name="a draw")
    return widths, columns


FORMS: dict[str, Callable[..., Iterator[npt.NDArray[Any]]]] = {
    "stack": _stack,
    "chains": _stack,
    "group": _group,
    "rows": _rows,
}
"""How the draws of each form are read."""
