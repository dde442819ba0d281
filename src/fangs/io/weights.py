"""Weights of draws from a file of their own, or from the file with the draws."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.io.guard import MAX_LABEL_BYTES, check_piece, naming
from fangs.io.members import Archive, read_array

__all__ = ["read_weights"]


def read_weights(source: str, draws: str | os.PathLike[str]) -> npt.NDArray[Any]:
    """Read one weight per draw.

    Parameters
    ----------
    source
        A file: an ``.npy`` file with one array, or text with numbers between spaces, commas or line
        ends. Or the name of an array in the file with the draws.
    draws
        The file with the draws.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "weights.txt")
    ...     path.write_text("0.5, 0.25, 0.25") and read_weights(str(path), "draws.npz")
    array([0.5 , 0.25, 0.25])
    """
    path = Path(source)
    if path.is_file():
        return _of_file(path)
    found: list[str] = []
    if Path(draws).suffix.lower() == ".npz" and Path(draws).is_file():
        with naming(Path(draws), "weights"), Archive(Path(draws)) as file:
            if source in file.names:
                return file.array(source, limit=MAX_LABEL_BYTES)
            found = file.names[:8]
    has = f"; it has {', '.join(found)}" if found else ""
    raise ValueError(
        f"weights = {source!r} is neither a file nor an array in {os.fspath(draws)!r}{has}"
    )


def _of_file(path: Path) -> npt.NDArray[Any]:
    if path.suffix.lower() == ".npy":
        with naming(path, "weights"):
            return read_array(path)
    try:
        check_piece(path.stat().st_size, name="the file", limit=MAX_LABEL_BYTES)
        words = path.read_text("utf-8").replace(",", " ").split()
        return np.array([int(word) if word.isdigit() else float(word) for word in words])
    except ValueError as error:
        raise ValueError(
            f"weights: {str(path)!r} is no text with numbers ({error}); give an .npy file, or "
            "numbers between spaces, commas or line ends"
        ) from error
