"""NumPy's .npy files: one array, read draw by draw and without pickle."""

from __future__ import annotations

import ast
import io
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs.check.arguments import not_binary
from fangs.draws.form import Form
from fangs.draws.forms.stack import StackForm
from fangs.formats.format import Format
from fangs.formats.guard import MAX_PIECE_BYTES, DamagedError, check_draws, check_piece

__all__ = ["FORMAT", "StoredArray", "read_array"]

_MAX_HEADER = 10_000


class StoredArray:
    """An array of a file, whose draws are read in order.

    Parameters
    ----------
    opened
        Opens the bytes of an .npy file.
    n_bytes
        How many there are.
    name
        What complaints call the array.
    """

    def __init__(
        self, opened: Callable[[], AbstractContextManager[IO[bytes]]], n_bytes: int, name: str
    ) -> None:
        with opened() as stream:
            header = _read_header(stream)
        self.shape, self.dtype, self.is_fortran = header.shape, header.dtype, header.is_fortran
        self._opened, self._n_bytes, self._name = opened, n_bytes, name
        if header.length + math.prod(self.shape) * self.dtype.itemsize != n_bytes:
            raise DamagedError(
                f"{name} claims the shape {self.shape}, which does not fit its length"
            )
        check_draws(self.shape, name=name)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        check_piece(self._n_bytes, name=self._name, limit=MAX_PIECE_BYTES + _MAX_HEADER)
        with self._opened() as stream:
            order: Any = "F" if _read_header(stream).is_fortran else "C"
            found = np.frombuffer(stream.read(), self.dtype).reshape(self.shape, order=order)
        return found if dtype is None else found.astype(dtype)

    def matrices(self, positions: IntArray) -> Iterator[npt.NDArray[Any]]:
        """The draws of a (B, n, K) or (chain, draw, n, K) array at ascending positions."""
        size = math.prod(self.shape[-2:]) * self.dtype.itemsize
        check_piece(size, name=f"a draw of {self._name}")
        with self._opened() as stream:
            header = _read_header(stream)
            if header.is_fortran and size > 0:
                yield from _in_fortran_order(stream, header, positions)
                return
            spans = (slice(b, b + 1) for b in positions.tolist())
            for data in _parts(stream, spans, size, math.prod(self.shape[:-2])):
                yield np.ndarray(self.shape[-2:], self.dtype, buffer=data)

    def spans(self, spans: Sequence[slice]) -> Iterator[npt.NDArray[Any]]:
        """Rows of an (n, K) array: those of each span, ascending."""
        if self.is_fortran:
            yield from map(np.asarray(self).__getitem__, spans)
            return
        n_rows, width = self.shape
        with self._opened() as stream:
            _read_header(stream)
            parts = _parts(stream, spans, width * self.dtype.itemsize, n_rows)
            for data, here in zip(parts, spans, strict=True):
                yield np.ndarray((here.stop - here.start, width), self.dtype, buffer=data)


def read_array(path: Path) -> npt.NDArray[Any]:
    """The array of a file that is not large."""
    return np.asarray(_stored(path))


@contextmanager
def _open(path: Path) -> Iterator[Form]:
    yield StackForm(_stored(path), "draws")


def _stored(path: Path) -> StoredArray:
    return StoredArray(lambda: open(path, "rb"), path.stat().st_size, "the array")


@dataclass(frozen=True)
class _Header:
    """What an .npy file says before its data, and how long that is."""

    shape: tuple[int, ...]
    is_fortran: bool
    dtype: np.dtype[Any]
    length: int


def _read_header(stream: IO[bytes]) -> _Header:
    """Read the header of an .npy file; the data follow in the stream."""
    start = stream.read(10)
    if not start.startswith(b"\x93NUMPY") or len(start) < 10 or start[6] not in (1, 2, 3):
        raise ValueError("it is not in NumPy's format")
    if start[6] > 1:
        start += stream.read(2)
    n_bytes = int.from_bytes(start[8:], "little")
    if n_bytes > _MAX_HEADER:
        raise ValueError("its header is not in NumPy's format")
    return _parsed(stream.read(n_bytes), len(start))


@lru_cache  # archives have thousands of equal headers
def _parsed(text: bytes, n_before: int) -> _Header:
    try:
        fields = ast.literal_eval(text.decode("utf-8"))
        shape, is_fortran = fields["shape"], bool(fields["fortran_order"])
        dtype = np.dtype(fields["descr"])
    except Exception as error:
        raise ValueError("its header is not in NumPy's format") from error
    if not isinstance(shape, tuple) or not all(type(x) is int and x >= 0 for x in shape):
        raise ValueError(f"its header claims the shape {str(shape)[:60]}")
    if dtype.hasobject:
        raise ValueError("it holds Python objects, which need pickle; fangs never loads one")
    if len(shape) > 32 or dtype.kind not in "biufUS" or dtype.itemsize == 0:
        raise ValueError(f"it holds values of type {dtype} in {len(shape)} dimensions")
    return _Header(shape, is_fortran, dtype, n_before + len(text))


def _in_fortran_order(
    stream: IO[bytes], header: _Header, positions: IntArray
) -> Iterator[npt.NDArray[Any]]:
    """Every draw is scattered over the file: all are held, in two bits per entry."""
    *lead, n_items, n_features = header.shape
    size = math.prod(lead) * header.dtype.itemsize
    check_piece(size, name="an entry of all draws")
    wanted = np.ravel_multi_index(np.unravel_index(positions, lead), lead, order="F")
    ones = np.zeros((n_features, n_items, -(-len(positions) // 8)), dtype=np.uint8)
    padding = np.zeros_like(ones)
    for k, i in np.ndindex(n_features, n_items):
        values = np.frombuffer(_exactly(stream, size), header.dtype)[wanted]
        is_one = values == 1
        is_padding = (values == -1) | (values != values)
        bad = np.flatnonzero(~(is_one | is_padding | (values == 0)))
        if len(bad):
            name = f"draws[{positions[bad[0]]}]"
            raise not_binary(values[bad[0]], name=name, item=i, feature=k)
        ones[k, i] = np.packbits(is_one)
        if is_padding.any():
            padding[k, i] = np.packbits(is_padding)
    for b in range(len(positions)):
        is_one, is_padding = (
            (bits[:, :, b // 8] >> (7 - b % 8) & 1).astype(np.int8) for bits in (ones, padding)
        )
        yield np.ascontiguousarray((is_one - is_padding).T)


def _parts(stream: IO[bytes], spans: Iterable[slice], size: int, n: int) -> Iterator[bytes]:
    """The bytes of some of n things of one size, ascending; the stream is read to its end."""
    following = 0
    for here in spans:
        _skip(stream, (here.start - following) * size)
        following = here.stop
        yield _exactly(stream, (here.stop - here.start) * size)
    _skip(stream, (n - following) * size)


def _exactly(stream: IO[bytes], n_bytes: int) -> bytes:
    data = stream.read(n_bytes)
    if len(data) < n_bytes:
        raise DamagedError("it ends too early")
    return data


def _skip(stream: IO[bytes], n_bytes: int) -> None:
    """Go on; in an archive by reading, so that its checksum still counts."""
    if isinstance(stream, io.BufferedReader):
        stream.seek(n_bytes, io.SEEK_CUR)
        return
    while n_bytes > 0:
        n_bytes -= len(_exactly(stream, min(n_bytes, 2**20)))


FORMAT = Format(open=_open, is_divisible=True)
