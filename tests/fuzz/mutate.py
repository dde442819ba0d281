"""Damage to files: bytes changed, removed, repeated and cut off, outside and inside containers."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable

import numpy as np

__all__ = ["mutated"]

NUMBERS = (0, 1, -1, 2, 127, 255, 1 << 15, 1 << 16, 1 << 30, (1 << 31) - 1, -(1 << 31), 10**9)
NUMBERS_OF_R = (21, 238, 244, 254, 19 + 512, 2 + 1024)
"""Types of lists, of recipes and of values with attributes."""
WORDS = (b"nan", b"-1", b"1e308", b'"', b"'", b"\0", b"9" * 30, b"\n", b",", b"[", b"{", b"null")


def mutated(content: bytes, rng: np.random.Generator, *, is_sealed: bool = False) -> bytes:
    """The content with a few changes; half of the time inside what is compressed.

    What is sealed is not packed again with checksums that fit.
    """
    if not is_sealed and rng.integers(2):
        if content[:2] == b"PK":
            return _inside_zip(content, rng)
        for magic, unpack, pack in CONTAINERS:
            if content.startswith(magic):
                return pack(_changed(unpack(content), rng))
    return _changed(content, rng)


CONTAINERS: tuple[tuple[bytes, Callable[[bytes], bytes], Callable[[bytes], bytes]], ...] = (
    (b"\x1f\x8b", gzip.decompress, gzip.compress),
    (b"BZh", bz2.decompress, bz2.compress),
    (b"\xfd7zXZ", lzma.decompress, lzma.compress),
)


def _changed(content: bytes, rng: np.random.Generator) -> bytes:
    data = bytearray(content)
    for _ in range(int(rng.choice([1, 1, 1, 2, 4]))):
        # Headers are short and matter most.
        end = len(data) if rng.integers(3) else min(len(data), 400)
        at = int(rng.integers(end)) if end else 0
        length = int(rng.choice([1, 1, 2, 4, 8, 30]))
        kind = rng.integers(8)
        if kind == 0:
            data[at : at + length] = rng.bytes(length)
        elif kind == 1:
            del data[at : at + length]
        elif kind == 2:
            data[at:at] = data[at : at + length]
        elif kind == 3:
            del data[at:]
        elif kind == 4:
            data[at : at + length] = bytes([int(rng.choice([0, 255, 127]))]) * length
        elif kind == 5:
            size = int(rng.choice([2, 4, 8]))
            order = "big" if rng.integers(2) else "little"
            number = int(rng.choice(NUMBERS + NUMBERS_OF_R)) % (1 << (8 * size))
            data[at : at + size] = number.to_bytes(size, order)
        elif kind == 6:
            data[at : at + 1] = WORDS[int(rng.integers(len(WORDS)))]
        else:
            data[at : at + 1] = bytes([(data[at] if data else 0) ^ (1 << int(rng.integers(8)))])
    return bytes(data)


def _inside_zip(content: bytes, rng: np.random.Generator) -> bytes:
    """One member changed, and all checksums of the archive as they should be."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w") as new:
        names = old.namelist()
        victim = names[int(rng.integers(len(names)))]
        for name in names:
            data = old.read(name)
            new.writestr(name, _changed(data, rng) if name == victim else data)
    return made.getvalue()
