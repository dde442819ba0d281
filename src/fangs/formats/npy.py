"""NumPy's .npy files: one array, read draw by draw and without pickle."""

from __future__ import annotations

import ast
import io
import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs.check.arguments import not_binary
from fangs.draws.form import Form
from fangs.draws.forms.stack import StackForm
from fangs.formats.format import Format
from fangs.formats.guard import MAX_PIECE_BYTES, check_draws, check_piece, check_text

__all__ = ["FORMAT", "Header", "StoredArray", "read_array", "read_header"]

_MAGIC = b"\x93NUMPY"
_MAX_HEADER = 10_000


@dataclass(frozen=True)
class Header:
    """What an .npy file says before its data."""

    shape: tuple[int, ...]
    is_fortran: bool
    dtype: np.dtype[Any]
    n_bytes: int
    """Length of the header and the data together."""

    def array(self, data: bytes) -> npt.NDArray[Any]:
        """The array, out of the bytes after the header."""
        flat = np.frombuffer(data, dtype=self.dtype)
        return check_text(flat.reshape(self.shape, order="F" if self.is_fortran else "C"))


def read_header(stream: IO[bytes], known: dict[bytes, Header] | None = None) -> Header:
    """Read the header of an .npy file; the data follow in the stream.

    `known` keeps what was parsed: archives have thousands of equal headers, and NumPy's way with
    them takes most of the time.
    """
    start = stream.read(12)
    if not start.startswith(_MAGIC) or len(start) < 12 or start[6] not in (1, 2, 3):
        raise ValueError("it is not in NumPy's format")
    skipped = 10 if start[6] == 1 else 12
    length = int.from_bytes(start[8:skipped], "little")
    if not 2 < length <= _MAX_HEADER:
        raise ValueError("its header is not in NumPy's format")
    start += stream.read(length + skipped - 12)
    known = {} if known is None else known
    if start not in known:
        known[start] = _parsed(start, start[skipped:])
    return known[start]


class StoredArray:
    """An array of a file, whose draws are read in order.

    Parameters
    ----------
    header
        What the file says about it.
    opened
        Opens the bytes of the array, header included.
    name
        What complaints call it.
    """

    def __init__(
        self, header: Header, opened: Callable[[], AbstractContextManager[IO[bytes]]], name: str
    ) -> None:
        self.shape, self.dtype = header.shape, header.dtype
        self._header, self._opened, self._name = header, opened, name
        check_draws(self.shape, name=name)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        check_piece(self._header.n_bytes, name=self._name, limit=MAX_PIECE_BYTES + _MAX_HEADER)
        with self._opened() as stream:
            read_header(stream)
            found = self._header.array(stream.read())
        return found if dtype is None else found.astype(dtype)

    def matrices(self, positions: IntArray) -> Iterator[npt.NDArray[Any]]:
        """The draws of a (B, n, K) or (chain, draw, n, K) array at ascending positions."""
        check_piece(
            math.prod(self.shape[-2:]) * self.dtype.itemsize, name=f"a draw of {self._name}"
        )
        with self._opened() as stream:
            read_header(stream)
            if self._header.is_fortran and math.prod(self.shape[-2:]) > 0:
                yield from _in_fortran_order(stream, self._header, positions)
            else:
                yield from _in_order(stream, self._header, positions)


def read_array(path: Path) -> npt.NDArray[Any]:
    """The array of a file that is not large."""
    return np.asarray(_stored(path))


@contextmanager
def _open(path: Path) -> Iterator[Form]:
    yield StackForm(_stored(path), "draws")


def _stored(path: Path) -> StoredArray:
    with open(path, "rb") as stream:
        header = read_header(stream)
    if header.n_bytes != path.stat().st_size:
        raise ValueError(f"the file is damaged: its shape {header.shape} does not fit its length")
    return StoredArray(header, lambda: open(path, "rb"), "the array")


def _parsed(start: bytes, text: bytes) -> Header:
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
    return Header(shape, is_fortran, dtype, len(start) + math.prod(shape) * dtype.itemsize)


def _in_order(stream: IO[bytes], header: Header, positions: IntArray) -> Iterator[npt.NDArray[Any]]:
    shape, size = header.shape[-2:], math.prod(header.shape[-2:]) * header.dtype.itemsize
    following = 0
    for b in positions.tolist():
        _skip(stream, (b - following) * size)
        following = b + 1
        yield np.ndarray(shape, header.dtype, buffer=_exactly(stream, size))


def _in_fortran_order(
    stream: IO[bytes], header: Header, positions: IntArray
) -> Iterator[npt.NDArray[Any]]:
    """Every draw is scattered over the file: all wanted ones are held, a bit or two per entry."""
    *lead, n_items, n_features = header.shape
    size = math.prod(lead) * header.dtype.itemsize
    check_piece(size, name="an entry of all draws")
    wanted = np.ravel_multi_index(np.unravel_index(positions, lead), lead, order="F")
    ones = np.zeros((n_features, n_items, -(-len(positions) // 8)), dtype=np.uint8)
    padding = None
    for k in range(n_features):
        for i in range(n_items):
            values = np.frombuffer(_exactly(stream, size), header.dtype)[wanted]
            is_one = values == 1
            others = (values != 0) & ~is_one
            ones[k, i] = np.packbits(is_one)
            if others.any():
                bad = np.flatnonzero(others & (values != -1) & (values == values))
                if len(bad):
                    name = f"draws[{positions[bad[0]]}]"
                    raise not_binary(values[bad[0]], name=name, item=i, feature=k)
                padding = np.zeros_like(ones) if padding is None else padding
                padding[k, i] = np.packbits(others)
    for first in range(0, len(positions), 8):
        byte = slice(first // 8, first // 8 + 1)
        eight = np.unpackbits(ones[:, :, byte], axis=2).astype(np.int8)
        if padding is not None:
            eight -= np.unpackbits(padding[:, :, byte], axis=2).astype(np.int8)
        for b in range(min(8, len(positions) - first)):
            yield np.ascontiguousarray(eight[:, :, b].T)


def _exactly(stream: IO[bytes], n_bytes: int) -> bytes:
    data = stream.read(n_bytes)
    if len(data) < n_bytes:
        raise ValueError("the file is damaged: it ends too early")
    return data


def _skip(stream: IO[bytes], n_bytes: int) -> None:
    """Go on; in an archive by reading, so that its checksum still counts."""
    if isinstance(stream, io.BufferedReader):
        stream.seek(n_bytes, io.SEEK_CUR)
        return
    while n_bytes > 0:
        n_bytes -= len(_exactly(stream, min(n_bytes, 2**20)))


FORMAT = Format(open=_open, is_divisible=True)
