"""The kinds of files that fangs reads and writes, by suffix.

A new kind is a module with its functions, and a line here for each of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from fangs.estimate import Estimate
from fangs.io import csv, json, matlab, npz, r
from fangs.io.atomic import check_writable, either
from fangs.io.inspect import Variable
from fangs.samples import Samples

__all__ = ["check_target", "describe", "read", "read_values", "write_estimate", "write_samples"]

_Reader = TypeVar("_Reader")

SAMPLES_READERS: dict[str, Callable[[Path, str | None], Samples]] = {
    ".npz": npz.read_npz,
    ".npy": npz.read_npy,
    ".rds": r.read_r,
    ".rdata": r.read_r,
    ".rda": r.read_r,
    ".mat": matlab.read_mat,
}
"""Functions of the path and the name of the variable that holds the draws, or None."""

VALUES_READERS: dict[str, Callable[[Path, str], list[npt.NDArray[Any]]]] = {
    ".rds": r.read_values,
    ".rdata": r.read_values,
    ".rda": r.read_values,
    ".mat": matlab.read_values,
}
"""Functions of the path and the variable that read any arrays, such as parameters of features."""

DESCRIBERS: dict[str, Callable[[Path], list[Variable]]] = {
    ".rds": r.describe,
    ".rdata": r.describe,
    ".rda": r.describe,
    ".mat": matlab.describe,
}
"""Functions of the path that say what a file holds."""

SAMPLES_WRITERS: dict[str, Callable[[Samples, Path], None]] = {
    ".npz": npz.write_samples,
}

ESTIMATE_WRITERS: dict[str, Callable[[Estimate, Path], None]] = {
    ".npz": npz.write_estimate,
    ".csv": csv.write_estimate,
    ".json": json.write_estimate,
}


def read(
    path: str | os.PathLike[str], *, variable: str | None = None, weights: str | None = None
) -> Samples:
    """Read draws from a file.

    Parameters
    ----------
    path
        An ``.npz`` file written by `Samples.save`; an ``.npz`` file with one (B, n, K) array, or
        with one (n, K) array per draw (as ``np.savez(path, *draws)`` writes it), and optionally
        arrays named ``items`` and ``chains``; an ``.npy`` file with a (B, n, K) array; an ``.rds``,
        ``.RData`` or ``.rda`` file from R; or a ``.mat`` file from MATLAB, up to version 7.
    variable
        Which array of an ``.npz`` file holds the draws, where it has several. In files from R and
        MATLAB, the place of the draws in the syntax of that language, such as
        ``"post[[1]][[]]$Z"``, where ``[[]]`` means every element, or ``"chain.Z"``. It may be left
        out where only one place holds lists of 0/1 matrices.
    weights
        The variable with the weights of the draws, in files from R and MATLAB.

    Returns
    -------
    Samples

    Examples
    --------
    >>> import numpy as np, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "draws.npz"
    ...     np.savez(path, np.eye(3), np.ones((3, 1)), items=["a", "b", "c"])
    ...     read(path)
    Samples(2 draws, 3 items, 1 to 3 features)
    """
    file, reader = _reader(path, SAMPLES_READERS, "fangs does not read")
    samples = reader(file, variable)
    return samples if weights is None else _weighted(samples, path, weights)


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
    file, reader = _reader(path, VALUES_READERS, "values are not read from")
    return reader(file, variable)


def describe(path: str | os.PathLike[str]) -> list[Variable]:
    """Say what a file holds: places with draws first, each with the call that reads it."""
    file, describer = _reader(path, DESCRIBERS, "fangs cannot describe")
    return describer(file)


def _reader(
    path: str | os.PathLike[str], readers: dict[str, _Reader], what: str
) -> tuple[Path, _Reader]:
    file = Path(path)
    if not file.exists():
        raise FileNotFoundError(f"there is no file {str(file)!r}")
    if file.suffix.lower() not in readers:
        raise ValueError(f"{str(file)!r} is of a kind that {what}; give {either(readers)}")
    return file, readers[file.suffix.lower()]


def _weighted(samples: Samples, path: str | os.PathLike[str], variable: str) -> Samples:
    """Give the draws the weights that are stored with them."""
    found = [np.ravel(values) for values in read_values(path, variable=variable)]
    weights = np.concatenate(found) if found else np.zeros(0)
    if weights.dtype.kind not in "biuf" or weights.shape != (len(samples),):
        raise ValueError(
            f"weights={variable!r} has {len(weights)} values in {str(path)!r}, but there are "
            f"{len(samples)} draws; name a variable with one number per draw"
        )
    if np.isnan(weights).any() or (weights < 0).any() or not weights.any():
        raise ValueError(f"weights={variable!r} in {str(path)!r} must be at least 0, and not all 0")
    # weights: return Samples(samples, weights=weights) as soon as Samples takes them, and drop
    # this refusal. Until then only equal weights, which change nothing, can be read.
    if (weights != weights[0]).any():
        raise ValueError(f"weights={variable!r} differ between draws; this is not supported yet")
    return samples


def write_samples(samples: Samples, path: str | os.PathLike[str]) -> None:
    """Write draws in the form that the suffix of ``path`` names, whole or not at all.

    Parameters
    ----------
    samples
        What to write.
    path
        Ends in .npz; `read` gives the draws back.
    """
    check_writable(path, suffixes=SAMPLES_WRITERS)
    SAMPLES_WRITERS[Path(path).suffix.lower()](samples, Path(path))


def write_estimate(estimate: Estimate, path: str | os.PathLike[str]) -> None:
    """Write an estimate in the form that the suffix of ``path`` names, whole or not at all.

    Parameters
    ----------
    estimate
        What to write.
    path
        Ends in .npz (everything, for `fangs.load`), .csv (the matrix) or .json.
    """
    check_target(path)
    ESTIMATE_WRITERS[Path(path).suffix.lower()](estimate, Path(path))


def check_target(path: str | os.PathLike[str]) -> None:
    """Refuse a path that no estimate could be written to, before any long work for it.

    Examples
    --------
    >>> check_target("estimate.docx")
    Traceback (most recent call last):
    ValueError: cannot write 'estimate.docx': its name must end in .npz, .csv or .json
    """
    check_writable(path, suffixes=ESTIMATE_WRITERS)
