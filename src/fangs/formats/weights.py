"""Weights of draws in a file of their own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.formats.guard import MAX_LABEL_BYTES, check_piece, file_errors
from fangs.formats.npy import read_array

__all__ = ["read_weights"]


def read_weights(path: str | os.PathLike[str]) -> npt.NDArray[Any]:
    """Read one weight per draw.

    Parameters
    ----------
    path
        An ``.npy`` file with one array, or text with numbers between spaces, commas or line ends.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "weights.txt")
    ...     path.write_text("0.5, 0.25, 0.25") and read_weights(path)
    array([0.5 , 0.25, 0.25])
    """
    path = Path(path)
    if path.suffix.lower() == ".npy":
        with file_errors(path, "weights"):
            return read_array(path)
    try:
        check_piece(path.stat().st_size, name="the file", limit=MAX_LABEL_BYTES)
        words = path.read_text("utf-8-sig").replace(",", " ").split()
        return np.array([int(word) if word.isdigit() else float(word) for word in words])
    except ValueError as error:
        raise ValueError(
            f"weights: {str(path)!r} is no text with numbers ({error}); give an .npy file, or "
            "numbers between spaces, commas or line ends"
        ) from error
