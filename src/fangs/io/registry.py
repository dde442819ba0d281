"""The kinds of files that fangs reads and writes, by suffix.

A new kind is a module with its functions, and a line here for each of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from fangs.estimate import Estimate
from fangs.io import csv, json, npz
from fangs.io.atomic import check_writable, either
from fangs.samples import Samples

__all__ = ["check_samples_target", "check_target", "read", "write_estimate", "write_samples"]

SAMPLES_READERS: dict[str, Callable[[Path, str | None], Samples]] = {
    ".npz": npz.read_npz,
    ".npy": npz.read_npy,
}
"""Functions of the path and the name of the variable that holds the draws, or None."""

SAMPLES_WRITERS: dict[str, Callable[[Samples, Path], None]] = {
    ".npz": npz.write_samples,
}

ESTIMATE_WRITERS: dict[str, Callable[[Estimate, Path], None]] = {
    ".npz": npz.write_estimate,
    ".csv": csv.write_estimate,
    ".json": json.write_estimate,
}


def read(path: str | os.PathLike[str], *, variable: str | None = None) -> Samples:
    """Read draws from a file.

    Parameters
    ----------
    path
        An ``.npz`` file written by `Samples.save`; an ``.npz`` file with one (B, n, K) array, or
        with one (n, K) array per draw (as ``np.savez(path, *draws)`` writes it), and optionally
        arrays named ``items`` and ``chains``; or an ``.npy`` file with a (B, n, K) array.
    variable
        Which array of an ``.npz`` file holds the draws, where it has several.

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
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"there is no file {str(path)!r}")
    reader = SAMPLES_READERS.get(path.suffix.lower())
    if reader is None:
        raise ValueError(
            f"{str(path)!r} is of a kind that fangs does not read; give {either(SAMPLES_READERS)}"
        )
    return reader(path, variable)


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


def check_samples_target(path: str | os.PathLike[str]) -> None:
    """Refuse a path that no draws could be written to, before any long work for it."""
    check_writable(path, suffixes=SAMPLES_WRITERS)


def check_target(path: str | os.PathLike[str]) -> None:
    """Refuse a path that no estimate could be written to, before any long work for it.

    Examples
    --------
    >>> check_target("estimate.docx")
    Traceback (most recent call last):
    ValueError: cannot write 'estimate.docx': its name must end in .npz, .csv or .json
    """
    check_writable(path, suffixes=ESTIMATE_WRITERS)
