"""Draws from files and back."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.archive import read_archive, write_archive
from fangs.samples import Samples
from fangs.validate import BinaryMatrix


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
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "draws.npz"
    ...     np.savez(path, np.eye(3), np.ones((3, 1)), items=["a", "b", "c"])
    ...     read(path)
    Samples(2 draws, 3 items, 1 to 3 features)
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"there is no file {str(path)!r}")
    if path.suffix == ".npy":
        return Samples(_load(path))
    if path.suffix != ".npz":
        raise ValueError(f"{str(path)!r} is of a kind that fangs does not read; give .npz or .npy")
    with _load(path) as file:
        if "fangs" in file.files:
            return _read_own(path)
        try:
            return _read_foreign(file, variable)
        except (TypeError, ValueError) as error:
            raise type(error)(
                f"{str(path)!r} holds no draws that fangs can read: {error}"
            ) from error


def write_samples(samples: Samples, path: str | os.PathLike[str]) -> None:
    """Write draws to an .npz file, whole or not at all: one bit per entry, then compressed."""
    bits = [np.packbits(draw.T, axis=1, bitorder="little") for draw in samples]
    arrays: dict[str, npt.NDArray[Any]] = {
        "bits": np.concatenate(bits),
        "n_features": samples.n_features,
        "columns": np.concatenate([samples.columns(b) for b in range(len(samples))]),
        "n_columns": samples.n_columns,
    }
    if samples.chains is not None:
        arrays["chains"] = samples.chains
    record = {"n_items": samples.n_items, "items": samples.items}
    write_archive(path, kind="samples", record=record, arrays=arrays)


def _read_own(path: Path) -> Samples:
    record, arrays = read_archive(path, kind="samples")
    ends = np.cumsum(arrays["n_features"])

    def unpacked() -> Iterator[BinaryMatrix]:
        n_items = record["n_items"]
        for end, n_features, width in zip(
            ends, arrays["n_features"], arrays["n_columns"], strict=True
        ):
            here = slice(end - n_features, end)
            rows = np.unpackbits(arrays["bits"][here], axis=1, count=n_items, bitorder="little")
            matrix = np.zeros((n_items, width), dtype=np.uint8)
            matrix[:, arrays["columns"][here]] = rows.T
            yield matrix

    return Samples(unpacked(), items=record["items"], chains=arrays.get("chains"))


def _read_foreign(file: Any, variable: str | None) -> Samples:
    labels = {name: file[name] for name in ("items", "chains") if name in file.files}
    names = [name for name in file.files if name not in labels]
    if variable is not None:
        if variable not in names:
            raise ValueError(f"it has no array {variable!r}; it has {', '.join(names)}")
        names = [variable]
    if len(names) == 1 and file[names[0]].ndim == 3:
        return Samples(file[names[0]], **labels)
    if not names:
        raise ValueError("there is no array in it")
    wide = [name for name in names if file[name].ndim == 3]
    if wide:
        raise ValueError(f"it has several arrays; say which has the draws: variable={wide[0]!r}")
    return Samples((file[name] for name in sorted(names, key=_by_number)), **labels)


def _by_number(name: str) -> list[tuple[bool, int, str]]:
    """Sorts arr_2 before arr_10."""
    parts = re.split(r"(\d+)", name)
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts]


def _load(path: Path) -> Any:
    try:
        return np.load(path, allow_pickle=False)
    except (ValueError, OSError, EOFError) as error:
        raise ValueError(f"{str(path)!r} is damaged or not a NumPy file: {error}") from error
