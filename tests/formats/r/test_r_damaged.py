"""Damaged and hostile files of R: one line that names the file, and no memory for mere claims."""

from __future__ import annotations

import gzip
import lzma
import struct
import tracemalloc
from pathlib import Path

import pytest

import fangs
from fangs import inspect
from fangs.formats import guard, read_values

DATA = Path(__file__).parents[2] / "data" / "r"
HEADER = b"X\n" + struct.pack(">iii", 2, 0x40202, 0x20300)
NULL = struct.pack(">i", 254)


def ints(*values):
    return struct.pack(f">{len(values)}i", *values)


def doubles(*values):
    return struct.pack(f">{len(values)}d", *values)


def symbol(name):
    return ints(1, 9, len(name)) + name.encode()


def compact(name, *state):
    """A vector that R saves as a recipe."""
    info = ints(2) + symbol(name) + ints(2) + symbol("base") + ints(2, 13, 1, 13) + NULL
    return ints(238) + info + ints(14, len(state)) + doubles(*state) + NULL


def refused(path, content, words):
    path.write_bytes(content)
    for call in (fangs.read, inspect, lambda path: read_values(path, variable="[[1]]")):
        with pytest.raises(ValueError, match=words) as caught:
            call(path)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "does not begin|is empty"),
        (b"text of some kind", "does not begin"),
        (HEADER, "ends too early"),
        (b"X\n" + ints(9, 0, 0), "version 9"),
        (HEADER + ints(77), "unknown type 77"),
        (HEADER + ints(255 + 256 * 5), "refers to a value that it does not hold"),
        (HEADER + ints(14, 1 << 30), "ends too early"),
        (HEADER + ints(14, -1, 1 << 18, 0), "ends too early"),
        (HEADER + ints(14, -1, 1 << 22, 0), "a vector of"),
        (HEADER + ints(14, -5), "a vector of -5 values"),
        (HEADER + ints(19, 1 << 30), "ends too early"),
        (HEADER + ints(16, 1 << 30), "ends too early"),
        (HEADER + ints(16, 1, 13, 0), "strings with something else"),
        (HEADER + ints(16, 1, 9, 50) + b"abc", "ends too early"),
        (HEADER + ints(9, -7), "a string of -7 bytes"),
        (HEADER + compact("compact_intseq", 1.5, 1, 1), "compact sequence"),
        (HEADER + compact("compact_intseq", -4, 1, 1), "compact sequence"),
        (HEADER + compact("compact_intseq", float("nan"), 1, 1), "compact sequence"),
        (HEADER + compact("deferred_string", 1), "without the numbers"),
        (HEADER + compact("wrap_real", 1), "wrapper with nothing"),
        (HEADER + ints(19, 1) * 300, "nested more than"),
        (HEADER + ints(6) * 300, "nested more than"),
        (HEADER + ints(21, 1, 13, 0, 1) + ints(21, 13, 0, 1) * 300, "nested more than"),
        (HEADER + ints(21, 1, 13, 0, 1) + ints(6, 254) * 300, "nested more than"),
        (b"A\n2\n262656\n131840\n13\n2\n1\nx\n", "'x' in the place of an integer"),
        (b"A\n2\n262656\n131840\n14\n1\n1.5.2\n", "in the place of a number"),
        (b"A\n2\n262656\n131840\n16\n1\n9\n3\nab\n", "string of the wrong length"),
        (b"A\n2\n262656\n131840\n16\n1\n9\n-3\n", "strings with something else"),
        (b"A\n2\n262656\n131840\n13\n99999999999\n", "too large"),
        (b"\x28\xb5\x2f\xfd0000", "zstd.*compress = 'gzip'"),
        (gzip.compress(HEADER)[:-12], "end-of-stream"),
        (b"BZh9" + bytes(40), "damaged"),
    ],
    ids=lambda value: value if isinstance(value, str) else "bytes",  # gzip puts the time into them
)
def test_a_damaged_file_is_refused_in_one_line(tmp_path, content, words):
    refused(tmp_path / "draws.rds", content, words)


def test_attributes_without_a_name_or_of_nothing_are_passed_over(tmp_path):
    path, unnamed = tmp_path / "draws.rds", ints(2, 13, 1, 7) + NULL
    nothing, number = ints(254 + 512) + unnamed, ints(13 + 512, 1, 5) + unnamed
    path.write_bytes(HEADER + ints(19, 2) + nothing + number)
    assert read_values(path, variable="[[2]]")[0].tolist() == [5]


def test_claims_take_no_memory(tmp_path):
    path = tmp_path / "draws.rds"
    claims = [ints(14, 1 << 30), ints(19, 1 << 30), compact("compact_intseq", 2.0**51, 1, 1)]
    tracemalloc.start()
    try:
        for claim in claims:
            path.write_bytes(HEADER + claim)
            with pytest.raises(ValueError, match=r"draws\.rds"):
                fangs.read(path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()
    path.write_bytes(HEADER + ints(19, 1) + claims[2])
    with pytest.raises(ValueError, match="too long to be read"):
        read_values(path, variable="[[1]]")


def test_what_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(guard, "MAX_BYTES", 1 << 20)
    bomb = HEADER + ints(14, 1 << 19) + bytes(1 << 22)
    refused(tmp_path / "draws.rds", lzma.compress(bomb), "claims to unpack to")


def dimensions(*sizes):
    """Attributes of an array."""
    shape = ints(13, len(sizes), *sizes)
    return ints(2 + 1024) + symbol("dim") + shape + NULL


@pytest.mark.parametrize("sizes", [(), (3, 3), (-2, -1), (1 << 30, 1 << 30), (2,) * 40])
def test_dimensions_must_fit(tmp_path, sizes):
    path = tmp_path / "draws.rds"
    path.write_bytes(HEADER + ints(19, 1, 13 + 512, 2, 1, 0) + dimensions(*sizes))
    with pytest.raises(ValueError, match=r"draws\.rds.*dimensions that do not fit"):
        read_values(path, variable="[[1]]")
    with pytest.raises(ValueError, match=r"draws\.rds"):
        fangs.read(path)
