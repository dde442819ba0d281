"""Zip archives of .npy arrays, read member by member without NumPy's detours.

``np.load`` parses the header of each member with Python's own parser, which takes most of the time
for an archive with thousands of small arrays. Here equal headers are parsed once. Nothing is
unpacked before its size is checked, and no pickle is ever loaded.
"""

from __future__ import annotations

import ast
import math
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from fangs.io.guard import MAX_DRAWS, Budget, check_piece, check_text

__all__ = ["Archive", "Header", "draws_of_stack", "read_array", "read_header"]

_MAGIC = b"\x93NUMPY"
_MAX_HEADER = 10_000
_COMMON_HEADER = 128


@dataclass(frozen=True)
class Header:
    """What an .npy file says before its data."""

    shape: tuple[int, ...]
    is_fortran: bool
    dtype: np.dtype[Any]
    n_bytes: int
    """Length of the header itself."""

    @property
    def data_bytes(self) -> int:
        """Length of the data."""
        return math.prod(self.shape) * self.dtype.itemsize

    @property
    def is_stack(self) -> bool:
        """Whether it is a (B, n, K) array, or a (chain, draw, n, K) array."""
        return len(self.shape) in (3, 4)

    @property
    def n_draws(self) -> int:
        """Number of draws of a stack."""
        return math.prod(self.shape[:-2])

    @property
    def chains(self) -> npt.NDArray[np.int64] | None:
        """(B,): the chain of each draw of a (chain, draw, n, K) array; None for others."""
        if len(self.shape) != 4:
            return None
        return np.repeat(np.arange(self.shape[0]), self.shape[1])


class Archive:
    """An .npz file that is open for reading; arrays are named without ``.npy``."""

    def __init__(self, path: Path) -> None:
        if path.exists() and not path.is_file():  # a pipe would wait for ever
            raise ValueError("it is a folder, a device or a pipe")
        self._stream = open(path, "rb")  # noqa: SIM115 (closed by close)
        self._headers: dict[bytes, Header] = {}
        self._budget = Budget(path)
        try:
            self._zip = zipfile.ZipFile(self._stream)
            self._members: dict[str, zipfile.ZipInfo] = {}
            n_bytes = path.stat().st_size
            for member in self._zip.infolist():
                name = member.filename.removesuffix(".npy")
                if name in self._members:
                    raise ValueError(f"it has two arrays {name!r}")
                # Deflate shrinks by 1032 at the most, and storing not at all.
                most = 1 if member.compress_type == zipfile.ZIP_STORED else 1100
                if member.compress_size > n_bytes or member.file_size > most * n_bytes:
                    raise ValueError(f"the file is damaged: array {name!r} is longer than the file")
                self._members[name] = member
        except BaseException:
            self._stream.close()
            raise

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    @property
    def names(self) -> list[str]:
        """Names of the arrays, in the order of the file."""
        return list(self._members)

    def header(self, name: str) -> Header:
        """The header of an array; only the first bytes of the member are unpacked."""
        start = self._unpack(self._members[name], limit=_COMMON_HEADER)
        if _header_length(start) > _COMMON_HEADER:
            start = self._unpack(self._members[name], limit=_MAX_HEADER + 12)
        return self._checked(name, self._parsed(start))

    def array(self, name: str, *, limit: int | None = None) -> npt.NDArray[Any]:
        """An array of at most ``limit`` bytes, or as large as the budget of the file allows."""
        member = self._members[name]
        if limit is not None:
            check_piece(member.file_size, name=f"array {name!r}", limit=limit + _MAX_HEADER)
        self._budget.spend(member.file_size)
        data = self._unpack(member, limit=member.file_size)
        if len(data) != member.file_size or zlib.crc32(data) != member.CRC:
            raise ValueError(f"the file is damaged: the checksum of array {name!r} does not fit")
        header = self._checked(name, self._parsed(data))
        flat = np.frombuffer(data, dtype=header.dtype, offset=header.n_bytes)
        return check_text(flat.reshape(header.shape, order="F" if header.is_fortran else "C"))

    def stream(self, name: str) -> IO[bytes]:
        """The bytes of an array, header included, for reading in order."""
        self._budget.spend(self._members[name].file_size)
        return self._zip.open(self._members[name])

    def _checked(self, name: str, header: Header) -> Header:
        if header.n_bytes + header.data_bytes != self._members[name].file_size:
            raise ValueError(
                f"the file is damaged: array {name!r} claims the shape {header.shape}, which does "
                "not fit its length"
            )
        return header

    def _parsed(self, start: bytes) -> Header:
        length = _header_length(start)
        key = start[:length]
        if key not in self._headers:
            self._headers[key] = _parse(key)
        return self._headers[key]

    def _unpack(self, member: zipfile.ZipInfo, *, limit: int) -> bytes:
        """The first ``limit`` bytes of a member."""
        if member.flag_bits & 0x1:
            raise ValueError("it is encrypted")
        self._stream.seek(member.header_offset)
        local = self._stream.read(30)
        if len(local) < 30 or local[:4] != b"PK\x03\x04":
            raise ValueError(f"the file is damaged: {member.filename!r} is not where it should be")
        name_length, extra_length = struct.unpack("<HH", local[26:30])
        name = self._stream.read(name_length)
        if name.decode("utf-8", "replace") != member.orig_filename and name.isascii():
            raise ValueError(f"the file is damaged: it has two names for {member.filename!r}")
        self._stream.seek(extra_length, 1)
        if member.compress_type == zipfile.ZIP_STORED:
            return self._stream.read(min(limit, member.file_size))
        if member.compress_type == zipfile.ZIP_DEFLATED:
            wanted = member.compress_size if limit >= member.file_size else 4 * limit + 256
            packed = self._stream.read(min(member.compress_size, wanted))
            return zlib.decompressobj(-15).decompress(packed, max(limit, 1))
        with self._zip.open(member) as stream:
            return stream.read(limit)


def read_header(stream: IO[bytes]) -> Header:
    """Read the header of an .npy file; the data follow in the stream."""
    start = stream.read(12)
    length = _header_length(start)
    if length <= len(start):
        raise ValueError("it is not in NumPy's format")
    return _parse(start + stream.read(length - len(start)))


def read_array(path: Path) -> npt.NDArray[Any]:
    """An .npy file that is not large."""
    size = path.stat().st_size
    check_piece(size, name="the file")
    with open(path, "rb") as stream:
        header = read_header(stream)
        if header.n_bytes + header.data_bytes != size:
            raise ValueError(
                f"the file is damaged: its shape {header.shape} does not fit its length"
            )
        flat = np.frombuffer(stream.read(), dtype=header.dtype)
    return check_text(flat.reshape(header.shape, order="F" if header.is_fortran else "C"))


def draws_of_stack(stream: IO[bytes], header: Header, name: str) -> Iterator[npt.NDArray[Any]]:
    """The draws of a (B, n, K) or (chain, draw, n, K) array whose data come next in the stream.

    Only one draw is unpacked at a time. In Fortran order every draw is scattered over the file;
    then all are held, with one bit per entry.
    """
    n_draws, (n_items, n_features) = header.n_draws, header.shape[-2:]
    check_stack(header, name)
    if header.is_fortran and n_items * n_features > 0:
        yield from _draws_of_fortran(stream, header)
        return
    n_bytes = n_items * n_features * header.dtype.itemsize
    for b in range(n_draws):
        part = stream.read(n_bytes)
        if len(part) < n_bytes:
            raise ValueError(f"the file is damaged: it ends within draw {b} of {n_draws}")
        yield np.ndarray((n_items, n_features), header.dtype, buffer=part)


def check_stack(header: Header, name: str) -> None:
    """Refuse an array that could not be read draw by draw."""
    if header.n_draws > MAX_DRAWS:
        raise ValueError(
            f"{name} claims {header.n_draws} draws, more than the {MAX_DRAWS} it may have"
        )
    if header.is_fortran and header.chains is not None:
        raise ValueError(f"{name} is in Fortran order; save np.ascontiguousarray of it")
    check_piece(math.prod(header.shape[-2:]) * header.dtype.itemsize, name=f"a draw of {name}")


def _draws_of_fortran(stream: IO[bytes], header: Header) -> Iterator[npt.NDArray[Any]]:
    n_draws, n_items, n_features = header.shape
    n_bytes = n_draws * header.dtype.itemsize
    check_piece(n_bytes, name="an entry of all draws")
    bits = np.empty((n_features, n_items, -(-n_draws // 8)), dtype=np.uint8)
    for k in range(n_features):
        for i in range(n_items):
            part = stream.read(n_bytes)
            if len(part) < n_bytes:
                raise ValueError("the file is damaged: it ends too early")
            values = np.frombuffer(part, header.dtype)
            if (bad := np.flatnonzero((values != 0) & (values != 1))).size:
                raise ValueError(
                    f"draws[{bad[0]}] has the value {values[bad[0]]} at item {i}, feature {k}; an "
                    "allocation holds only 0 and 1"
                )
            bits[k, i] = np.packbits(values != 0)
    for byte in range(bits.shape[2]):
        eight = np.unpackbits(bits[:, :, byte : byte + 1], axis=2)
        for b in range(min(8, n_draws - 8 * byte)):
            yield np.ascontiguousarray(eight[:, :, b].T)


def _header_length(start: bytes) -> int:
    if not start.startswith(_MAGIC) or len(start) < 12:
        raise ValueError("it is not in NumPy's format")
    length = 10 + int.from_bytes(start[8:10], "little")
    if start[6] != 1:
        length = 12 + int.from_bytes(start[8:12], "little")
    if start[6] not in (1, 2, 3) or not 12 < length <= _MAX_HEADER:
        raise ValueError("its header is not in NumPy's format")
    return length


def _parse(start: bytes) -> Header:
    fields = None
    try:
        fields = ast.literal_eval(start[10 if start[6] == 1 else 12 :].decode("utf-8"))
        shape, is_fortran = fields["shape"], fields["fortran_order"]
        dtype = np.dtype(fields["descr"])
    except Exception as error:
        raise ValueError("its header is not in NumPy's format") from error
    if not isinstance(shape, tuple) or not all(type(x) is int and x >= 0 for x in shape):
        raise ValueError(f"its header claims the shape {str(shape)[:60]}")
    if dtype.hasobject:
        raise ValueError("it holds Python objects, which need pickle; fangs never loads one")
    if len(shape) > 32 or dtype.kind not in "biufUS" or dtype.itemsize == 0:
        raise ValueError(f"it holds values of type {dtype} in {len(shape)} dimensions")
    return Header(shape, bool(is_fortran), dtype, len(start))
