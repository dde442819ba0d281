"""Files that R saved: .rds with one value, .RData and .rda with variables."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy.typing as npt

from fangs.io.guard import DamagedError
from fangs.io.inspect import Variable
from fangs.io.nested import R, Value, described, samples_in, values_in
from fangs.io.r.containers import opened
from fangs.io.r.serialization import unserialize
from fangs.samples import Samples

__all__ = ["describe", "load", "read_r", "read_values"]

_WORKSPACES = (b"RDX2\n", b"RDX3\n", b"RDA2\n", b"RDA3\n", b"RDB2\n", b"RDB3\n")


def read_r(path: Path, variable: str | None) -> Samples:
    """Read draws; `variable` is a place in R's own syntax."""
    with _naming(path), _collection_paused():
        return samples_in(load(path), variable, R)


def read_values(path: Path, variable: str) -> list[npt.NDArray[Any]]:
    """Read any numbers or names at a place."""
    with _naming(path), _collection_paused():
        return values_in(load(path), variable, R)


def describe(path: Path) -> list[Variable]:
    """What the file holds."""
    with _naming(path), _collection_paused():
        return described(load(path), R, str(path))


def load(path: Path) -> Value:
    """The value of an .rds file, or the variables of a workspace as a list with names."""
    try:
        with opened(path) as file:
            if file.peek(5)[:5] in _WORKSPACES:
                file.read(5)
            return unserialize(file)
    except DamagedError as error:
        raise ValueError(f"the file is damaged or not from R: {error}") from error
    except (RecursionError, MemoryError) as error:
        raise ValueError("the file is too large or too deeply nested") from error


@contextmanager
def _collection_paused() -> Iterator[None]:
    """Nested values are many and have no cycles: looking for cycles doubles the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise ValueError(f"cannot read {str(path)!r}: {error}") from error
