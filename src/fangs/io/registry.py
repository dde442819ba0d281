"""The kinds of files that fangs reads and writes, by suffix.

A new kind is a module with its functions, and a line here for each of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._validate import as_count
from fangs.estimate import Estimate
from fangs.io import csv, hdf5, json, labelled, matlab, npz, own, parquet, r
from fangs.io.atomic import check_writable, either
from fangs.io.guard import naming, sniff
from fangs.io.inspect import Variable
from fangs.io.source import DrawSource, given_labels
from fangs.io.weights import read_weights
from fangs.samples import Samples, as_samples

__all__ = [
    "check_samples_target",
    "check_target",
    "convert",
    "read",
    "read_values",
    "write_estimate",
    "write_samples",
]

SAMPLES_READERS: dict[str, Callable[[Path, str | None], Samples | DrawSource]] = {
    ".npz": npz.read_npz,
    ".npy": npz.read_npy,
    ".csv": csv.read,
    ".tsv": csv.read,
    ".parquet": parquet.read,
    ".pq": parquet.read,
    ".json": json.read,
    ".nc": labelled.read_netcdf,
    ".nc4": labelled.read_netcdf,
    ".zarr": labelled.read_zarr,
    ".h5": hdf5.read,
    ".hdf5": hdf5.read,
    ".rds": r.read_r,
    ".rdata": r.read_r,
    ".rda": r.read_r,
    ".mat": matlab.read_mat,
}
"""Functions of the path and the name of the variable that holds the draws, or None.

They return `Samples`; or a `DrawSource`, which can skip draws and knows the labels of chains.
"""

SAMPLES_WRITERS: dict[str, Callable[[Samples, Path], None]] = {
    ".npz": own.write_samples,
    ".csv": csv.write_samples,
    ".tsv": csv.write_samples,
    ".parquet": parquet.write_samples,
    ".json": json.write_samples,
    ".nc": labelled.write_samples_netcdf,
    ".zarr": labelled.write_samples_zarr,
    ".h5": hdf5.write_samples,
}

ESTIMATE_WRITERS: dict[str, Callable[[Estimate, Path], None]] = {
    ".npz": own.write_estimate,
    ".csv": csv.write_estimate,
    ".tsv": csv.write_estimate,
    ".json": json.write_estimate,
    ".parquet": parquet.write_estimate,
    ".nc": labelled.write_estimate_netcdf,
    ".zarr": labelled.write_estimate_zarr,
}

DESCRIBERS: dict[str, Callable[[Path], Sequence[Variable]]] = {
    ".npz": npz.describe_npz,
    ".npy": npz.describe_npy,
    ".csv": csv.describe,
    ".tsv": csv.describe,
    ".parquet": parquet.describe,
    ".pq": parquet.describe,
    ".json": json.describe,
    ".nc": labelled.describe_netcdf,
    ".nc4": labelled.describe_netcdf,
    ".zarr": labelled.describe_zarr,
    ".h5": hdf5.describe,
    ".hdf5": hdf5.describe,
    ".rds": r.describe,
    ".rdata": r.describe,
    ".rda": r.describe,
    ".mat": matlab.describe,
}

VALUES_READERS: dict[str, Callable[[Path, str], list[npt.NDArray[Any]]]] = {
    ".rds": r.read_values,
    ".rdata": r.read_values,
    ".rda": r.read_values,
    ".mat": matlab.read_values,
}
"""Functions of the path and the variable that read any arrays, such as parameters of features."""

FOLDERS = (".zarr",)
"""Suffixes of folders."""


def read(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    variable: str | None = None,
    burn_in: int = 0,
    thin: int = 1,
    chains: Any = None,
    items: Any = None,
    weights: Any = None,
) -> Samples:
    """Read draws from a file, or from several files with one chain each.

    Parameters
    ----------
    path
        The file; its suffix says what kind it is. ``.npz``: from `Samples.save`, or with one
        (B, n, K) or (chain, draw, n, K) array, or with one (n, K) array per draw, and optionally
        arrays named items, chains and weights. ``.npy``: one such array. ``.csv``, ``.tsv`` and
        ``.parquet``: a table with a row per one (columns draw, item, feature) or with a row per
        draw (columns Z[1,1], Z[1,2], ...); CmdStan's files are such. ``.json``: sets of items.
        ``.nc`` and ``.zarr``: labelled arrays of xarray and ArviZ. ``.h5``: arrays, or ragged rows.
        ``.rds``, ``.RData`` and ``.rda``: from R. ``.mat``: from MATLAB, up to version 7. A list of
        files is read as one chain per file.
    variable
        Which variable of the file holds the draws, where it has several. In files from R and
        MATLAB, the place of the draws in the syntax of that language, such as
        ``"post[[1]][[]]$Z"``, where ``[[]]`` means every element, or ``"chain.Z"``.
    burn_in
        Draws to leave out at the start of each chain.
    thin
        Keep one draw in `thin` of each chain after that.
    chains
        Chains to keep, by their labels in the file; for a list of files, by position from 0.
    items
        One label per item, where the file has none.
    weights
        How much each draw of the file counts, before any is left out: one number each; or where
        they are, an ``.npy`` or text file, or a variable of the file.

    Returns
    -------
    Samples

    Examples
    --------
    >>> import numpy as np, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "draws.npz"
    ...     np.savez(path, np.eye(3), np.ones((3, 1)), items=["a", "b", "c"])
    ...     read(path), read([path, path]).chains
    (Samples(2 draws, 3 items, 1 to 3 features), array([0, 0, 1, 1]))
    """
    chosen = {
        "burn_in": as_count(burn_in, name="burn_in", minimum=0),
        "thin": as_count(thin, name="thin"),
        "chains": chains,
    }
    items = None if items is None else given_labels(items)
    if isinstance(weights, str):
        if not isinstance(path, str | os.PathLike) and not Path(weights).is_file():
            raise ValueError(f"weights = {weights!r} is no file; for several files give one file")
        weights = _named_weights(weights, path if isinstance(path, str | os.PathLike) else "")
    if isinstance(path, str | os.PathLike):
        with naming(Path(path)):
            return source_of(Path(path), variable).samples(items=items, weights=weights, **chosen)
    paths = _paths(path)
    if not paths:
        raise ValueError("path is an empty list; give at least one file")
    sources = []
    for one in paths:
        with naming(one):
            source = source_of(one, variable)
            if items is not None and source.over_items is not None:
                source = source.over_items(items)
            sources.append(source)
    joined = DrawSource.one_chain_each(sources, [str(one) for one in paths])
    return joined.samples(items=items, weights=weights, **chosen)


def _paths(given: Any) -> list[Path]:
    paths = []
    for one in given if isinstance(given, Iterable) else [given]:
        if not isinstance(one, str | os.PathLike):
            raise TypeError(
                f"path is of type {type(given).__name__}; give a file or a list of files. Draws "
                "that are no file go into fangs.Samples(draws), or into fangs.estimate(draws)"
            )
        paths.append(Path(one))
    return paths


def read_values(path: str | os.PathLike[str], *, variable: str) -> list[npt.NDArray[Any]]:
    """Read other arrays of a file with draws, such as parameters of the features.

    Parameters
    ----------
    path
        A file from R or MATLAB.
    variable
        The place of the values, as for `read`; ``@`` leads to an attribute, as in
        ``"samples[[]]@parameters"``.

    Returns
    -------
    list of arrays
        One for each value at that place, in the order of the draws. `Alignment.apply` takes them.
        Missing values are NaN.
    """
    file = Path(path)
    if not file.exists():
        raise FileNotFoundError(f"there is no file {str(file)!r}")
    if file.suffix.lower() not in VALUES_READERS:
        raise ValueError(
            f"values are not read from files such as {str(file)!r}; give {either(VALUES_READERS)}"
        )
    return VALUES_READERS[file.suffix.lower()](file, variable)


def _named_weights(name: str, path: str | os.PathLike[str]) -> npt.NDArray[Any]:
    """Weights from a file of their own, or from a variable of the file with the draws."""
    if Path(path).suffix.lower() in VALUES_READERS and not Path(name).is_file():
        found = [np.ravel(values) for values in read_values(path, variable=name)]
        return np.concatenate(found) if found else np.zeros(0)
    return read_weights(name, path)


def convert(
    source: Any,
    target: str | os.PathLike[str],
    *,
    variable: str | None = None,
    burn_in: int = 0,
    thin: int = 1,
    chains: Any = None,
    items: Any = None,
    weights: Any = None,
) -> None:
    """Write draws in another form, whole or not at all.

    Parameters
    ----------
    source
        A file or a list of files, as for `read`; or draws that `Samples` accepts.
    target
        The file to write; its suffix says the form.
    variable, burn_in, thin, chains, items, weights
        As for `read`.

    Examples
    --------
    >>> import numpy as np, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "draws.csv")
    ...     convert([np.eye(2), np.ones((2, 1))], path)
    ...     print(path.read_text())
    draw,item,feature
    1,1,1
    1,2,2
    2,1,1
    2,2,1
    <BLANKLINE>
    """
    check_target(target, writers=SAMPLES_WRITERS)
    chosen = {"burn_in": burn_in, "thin": thin, "chains": chains}
    is_paths = isinstance(source, str | os.PathLike) or (
        isinstance(source, list | tuple)
        and len(source) > 0
        and all(isinstance(one, str | os.PathLike) for one in source)
    )
    if is_paths:
        samples = read(source, variable=variable, items=items, weights=weights, **chosen)
    else:
        if variable is not None:
            raise ValueError(f"the draws are no file with variables; leave out {variable=}")
        given = DrawSource.of_samples(as_samples(source))
        samples = given.samples(items=items, weights=weights, **chosen)
    write_samples(samples, target)


def write_samples(samples: Samples, path: str | os.PathLike[str]) -> None:
    """Write draws in the form that the suffix of ``path`` names, whole or not at all.

    Parameters
    ----------
    samples
        What to write.
    path
        Ends in one of the suffixes of `SAMPLES_WRITERS`; `read` gives the draws back.
    """
    check_target(path, writers=SAMPLES_WRITERS)
    SAMPLES_WRITERS[Path(path).suffix.lower()](samples, Path(path))


def write_estimate(estimate: Estimate, path: str | os.PathLike[str]) -> None:
    """Write an estimate in the form that the suffix of ``path`` names, whole or not at all.

    Parameters
    ----------
    estimate
        What to write.
    path
        Ends in .npz (everything, for `fangs.load`), .json (all but the loss of each draw), .nc or
        .zarr (matrix, proportions and losses), .csv, .tsv or .parquet (the matrix).
    """
    check_target(path)
    ESTIMATE_WRITERS[Path(path).suffix.lower()](estimate, Path(path))


def check_samples_target(path: str | os.PathLike[str]) -> None:
    """Refuse a path that no draws could be written to, before any long work for it."""
    check_target(path, writers=SAMPLES_WRITERS)


def check_target(path: str | os.PathLike[str], *, writers: dict[str, Any] | None = None) -> None:
    """Refuse a path that could not be written to, before any long work for it.

    Parameters
    ----------
    path
        The file to write.
    writers
        The registry that knows its suffix; by default that for estimates.

    Examples
    --------
    >>> check_target("draws.docx", writers={".npz": ..., ".csv": ...})
    Traceback (most recent call last):
    ValueError: cannot write 'draws.docx': its name must end in .npz or .csv
    """
    known = ESTIMATE_WRITERS if writers is None else writers
    check_writable(path, suffixes=known, folders=FOLDERS)


def known_suffix(path: Path) -> str:
    """The suffix of a file that exists, if fangs reads its kind."""
    if not path.exists():
        raise FileNotFoundError(f"there is no file {str(path)!r}")
    suffix = path.suffix.lower()
    if suffix not in SAMPLES_READERS:
        raise ValueError(
            f"{str(path)!r} is of a kind that fangs does not read; give {either(SAMPLES_READERS)}"
        )
    return suffix


def source_of(path: Path, variable: str | None) -> DrawSource:
    """The draws of a file, before they are read."""
    suffix = known_suffix(path)
    sniff(path)
    found = SAMPLES_READERS[suffix](path, variable)
    return DrawSource.of_samples(found) if isinstance(found, Samples) else found
