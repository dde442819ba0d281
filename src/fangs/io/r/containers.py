"""The outside of an R file: plain, gzip, bzip2 or xz, opened as one bounded stream of bytes."""

from __future__ import annotations

import bz2
import io
import lzma
import zlib
from pathlib import Path
from typing import Any

from fangs.io.guard import Budget, DamagedError

__all__ = ["opened"]

MAX_XZ_MEMORY = 1 << 28
"""Memory that the header of an .xz stream may ask for. R's own files need 65 MB."""

_CHUNK = 1 << 16
_ZSTD = b"\x28\xb5\x2f\xfd"


def opened(path: Path) -> io.BufferedReader:
    """Open a file that R saved, unpacked as it is read."""
    file = open(path, "rb")  # noqa: SIM115 - closed with the stream that is returned
    try:
        unpacker = _unpacker(file.read(6))
        file.seek(0)
        if unpacker is None:
            return file
        return io.BufferedReader(_Unpacked(file, unpacker, Budget(path)), _CHUNK)
    except BaseException:
        file.close()
        raise


def _unpacker(magic: bytes) -> Any:
    if magic.startswith(b"\x1f\x8b"):
        return _Gzip()
    if magic.startswith(b"BZh"):
        return bz2.BZ2Decompressor()
    if magic.startswith((b"\xfd7zXZ", b"\x5d\x00\x00")):
        return lzma.LZMADecompressor(memlimit=MAX_XZ_MEMORY)
    if magic.startswith(_ZSTD):
        raise ValueError("it is compressed with zstd; save it in R with compress = 'gzip'")
    return None


class _Gzip:
    """`zlib` with the interface of the other two: it keeps the input that it could not use yet."""

    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._inflate.eof

    @property
    def needs_input(self) -> bool:
        return not self._inflate.unconsumed_tail

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inflate.decompress(self._inflate.unconsumed_tail + data, max_length)


class _Unpacked(io.RawIOBase):
    """The unpacked bytes of a compressed file, and no more of them than its budget allows."""

    def __init__(self, file: io.BufferedReader, unpacker: Any, budget: Budget) -> None:
        self._file, self._unpacker, self._budget = file, unpacker, budget

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        part = b""
        while not part and not self._unpacker.eof:
            data = self._file.read(_CHUNK) if self._unpacker.needs_input else b""
            if not data and self._unpacker.needs_input:
                raise DamagedError("its compressed content is cut off")
            try:
                part = self._unpacker.decompress(data, len(buffer))
            except (zlib.error, lzma.LZMAError, OSError, MemoryError) as error:
                raise DamagedError(f"it cannot be unpacked: {error}") from error
        self._budget.spend(len(part))
        buffer[: len(part)] = part
        return len(part)

    def close(self) -> None:
        self._file.close()
        super().close()
