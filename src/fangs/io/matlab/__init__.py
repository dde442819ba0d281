"""MATLAB files up to version 7: arrays, cells and structs as nested values."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy.typing as npt

from fangs.io.guard import DamagedError
from fangs.io.inspect import Variable
from fangs.io.matlab.variables import variables
from fangs.io.nested import MATLAB, List, Text, Value, described, samples_in, values_in
from fangs.samples import Samples

__all__ = ["describe", "load", "read_mat", "read_values"]

_HDF5 = b"\x89HDF\r\n\x1a\n"


def read_mat(path: Path, variable: str | None) -> Samples:
    """Read draws; `variable` is a place in MATLAB's own syntax."""
    with _naming(path):
        return samples_in(load(path), variable, MATLAB)


def read_values(path: Path, variable: str) -> list[npt.NDArray[Any]]:
    """Read any numbers or names at a place."""
    with _naming(path):
        return values_in(load(path), variable, MATLAB)


def describe(path: Path) -> list[Variable]:
    """What the file holds."""
    with _naming(path):
        return described(load(path), MATLAB, str(path))


def load(path: Path) -> Value:
    """The variables of a file as a list with names."""
    with open(path, "rb") as file:
        head = file.read(520)
        if head[:8] == _HDF5 or head[512:] == _HDF5:
            raise ValueError(
                "it is a MATLAB file of version 7.3; save it in MATLAB with save(..., '-v7')"
            )
    if 0 in head[:4]:
        raise ValueError(
            "it is a MATLAB file of version 4, which holds no lists; save it with save(..., '-v7')"
        )
    try:
        named = variables(path)
    except DamagedError as error:
        raise ValueError(f"the file is damaged or not from MATLAB: {error}") from error
    return List(list(named.values()), {"names": Text(list(named))})


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise ValueError(f"cannot read {str(path)!r}: {error}") from error
