"""R's serialisation, versions 2 and 3 (R Internals, section 1.8): bytes to nested values.

No code runs. Functions, calls, environments and bytecode are read past, because what follows them
may refer to what they hold.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fangs.draws.forms.nested import Array, List, Other, Text, Value
from fangs.formats.guard import DamagedError
from fangs.formats.r.altrep import expanded
from fangs.formats.r.streams import (
    ITEM,
    LATIN1,
    NA_INTEGER,
    BinaryStream,
    Stream,
    TextStream,
)

__all__ = ["unserialize"]

_MAX_DEPTH = 200
"""Lists within lists, calls within calls, environments within environments."""

_HAS_ATTRIBUTES, _HAS_TAG = 1 << 9, 1 << 10
_PAIRLIST = 2
_PAIRS = {2: "pairlist", 3: "function", 5: "promise", 6: "call", 17: "dots"}
_ENVIRONMENTS = (241, 242, 250, 253)  # base, empty, base namespace, global
_WITHOUT_ATTRIBUTES = (1, 4, 238, 255)  # or with attributes of their own
_SHRINK_FROM = 64


class Symbol(str):
    """A name in R code."""

    __slots__ = ()


def unserialize(file: Any) -> Value:
    """Read one serialised value, from its header on."""
    kind = file.read(2)
    if kind not in (b"X\n", b"B\n", b"A\n"):
        raise DamagedError("it does not begin as R's files do")
    is_text, order = kind == b"A\n", ">" if kind == b"X\n" else "<"
    stream: Stream = TextStream(file) if is_text else BinaryStream(file, order)
    version, _, _ = stream.integer(), stream.integer(), stream.integer()
    if version not in (2, 3):
        raise DamagedError(f"its serialisation is of version {version}; versions 2 and 3 are known")
    encoding = stream.string(_length(stream)).decode("latin-1") if version == 3 else "utf-8"
    return _as_value(Unserializer(stream, encoding).item(0))


class Unserializer:
    """Reads items one after another, with the table of what later items refer to."""

    def __init__(self, stream: Stream, encoding: str) -> None:
        self._stream = stream
        self._encoding = "latin-1" if "8859" in encoding or "1252" in encoding else "utf-8"
        self._known: list[Any] = []
        self._readers: dict[int, Callable[[int, int], Any]] = {
            1: self._symbol,
            4: self._environment,
            7: self._builtin,
            8: self._builtin,
            9: self._string,
            10: lambda flags, depth: self._vector("logical", self._stream.integers),
            13: lambda flags, depth: self._vector("integer", self._stream.integers),
            14: lambda flags, depth: self._vector("double", self._stream.doubles),
            15: self._complex,
            16: self._text,
            19: self._list,
            20: self._list,
            21: self._bytecode,
            22: self._pointer,
            23: lambda flags, depth: self._remember(Other("weak reference")),
            24: lambda flags, depth: self._vector("raw", self._stream.raw),
            25: lambda flags, depth: Other("object"),
            238: self._altrep,
            247: self._package,
            248: self._package,
            249: self._package,
            **dict.fromkeys(_ENVIRONMENTS, lambda flags, depth: Other("environment")),
            251: lambda flags, depth: Other("missing argument"),
            252: lambda flags, depth: Other("unbound value"),
            254: lambda flags, depth: None,
            255: self._reference,
        }

    def item(self, depth: int) -> Any:
        """Read the next item, with its attributes."""
        return self._item(self._stream.integer(), depth)

    def _item(self, flags: int, depth: int) -> Any:
        kind = flags & 255
        _check_depth(depth)
        if kind in _PAIRS:
            return self._pairs(flags, depth)
        reader = self._readers.get(kind)
        if reader is None:
            raise DamagedError(f"it has an item of the unknown type {kind}")
        value = reader(flags, depth)
        if flags & _HAS_ATTRIBUTES and kind not in _WITHOUT_ATTRIBUTES:
            attributes = self._read_attributes(depth)
            if isinstance(value, Array | List | Text | Other):
                value.attributes = attributes
        return value

    def _pairs(self, flags: int, depth: int) -> Value:
        """Pairlists and what has their form; along the list there is no recursion."""
        what = _PAIRS[flags & 255]
        names: list[str | None] = []
        values: list[Any] = []
        while flags & 255 in _PAIRS:
            if flags & _HAS_ATTRIBUTES:
                self.item(depth + 1)
            tag = self.item(depth + 1) if flags & _HAS_TAG else None
            names.append(str(tag) if isinstance(tag, Symbol) else None)
            values.append(_as_value(self.item(depth + 1)))
            flags = self._stream.integer()
        last = self._item(flags, depth)
        if last is not None:
            names.append(None)
            values.append(_as_value(last))
        return List(values, {"names": Text(names)}) if what == "pairlist" else Other(what)

    def _read_attributes(self, depth: int) -> dict[str, Value]:
        """The pairlist after a value, straight into a dictionary."""
        found: dict[str, Value] = {}
        flags = self._stream.integer()
        while flags & ITEM == _PAIRLIST:
            tag = self.item(depth + 1) if flags & _HAS_TAG else None
            value = self._item(self._stream.integer(), depth + 1)
            if tag.__class__ is Symbol:
                found[tag] = _as_value(value)
            flags = self._stream.integer()
        self._item(flags, depth)
        return found

    def _vector(self, kind: str, read: Callable[[int], Any]) -> Array:
        data = read(_length(self._stream))
        if kind != "raw" and len(data) >= _SHRINK_FROM and bool(((data == 0) | (data == 1)).all()):
            data = data.astype(np.uint8)  # draws are many: a byte will do until they are packed
        return Array(data, kind)

    def _complex(self, flags: int, depth: int) -> Array:
        return Array(self._stream.doubles(2 * _length(self._stream)).view(np.complex128), "complex")

    def _text(self, flags: int, depth: int) -> Text:
        return Text(self._stream.strings(_length(self._stream), self._encoding))

    def _list(self, flags: int, depth: int) -> List:
        values = []
        for _ in range(_length(self._stream)):  # no comprehension: fewer frames of Python
            values.append(_as_value(self._item(self._stream.integer(), depth + 1)))
        return List(values)

    def _string(self, flags: int, depth: int) -> str | None:
        length = self._stream.integer()
        if length < -1:
            raise DamagedError(f"it has a string of {length} bytes")
        if length < 0:
            return None
        code = "latin-1" if flags & LATIN1 else self._encoding
        return self._stream.string(length).decode(code, "replace")

    def _symbol(self, flags: int, depth: int) -> Any:
        name = self.item(depth + 1)
        return self._remember(Symbol(name if isinstance(name, str) else "NA"))

    def _environment(self, flags: int, depth: int) -> Any:
        self._stream.integer()  # whether it is locked
        environment = self._remember(Other("environment"))
        for _ in range(4):  # enclosure, frame, hash table, attributes
            self.item(depth + 1)
        return environment

    def _package(self, flags: int, depth: int) -> Any:
        self._stream.integer()
        self._text(flags, depth)
        return self._remember(Other("package"))

    def _builtin(self, flags: int, depth: int) -> Other:
        self._stream.string(_length(self._stream))
        return Other("function")

    def _pointer(self, flags: int, depth: int) -> Any:
        pointer = self._remember(Other("pointer"))
        self.item(depth + 1), self.item(depth + 1)
        return pointer

    def _altrep(self, flags: int, depth: int) -> Value:
        info, state, pairs = self.item(depth + 1), self.item(depth + 1), self.item(depth + 1)
        names, values = (pairs.names, pairs.items) if isinstance(pairs, List) else ((), [])
        return expanded(info, state, dict(zip(names, values, strict=False)))

    def _reference(self, flags: int, depth: int) -> Any:
        at = (flags >> 8) or self._stream.integer()
        if not 0 < at <= len(self._known):
            raise DamagedError("it refers to a value that it does not hold")
        return self._known[at - 1]

    def _remember(self, value: Any) -> Any:
        self._known.append(value)
        return value

    def _bytecode(self, flags: int, depth: int) -> Other:
        self._stream.integer()  # how many shared calls follow
        self._code(depth + 1)
        return Other("bytecode")

    def _code(self, depth: int) -> None:
        self.item(depth)
        for _ in range(_length(self._stream)):
            kind = self._stream.integer()
            if kind == 21:
                _check_depth(depth)
                self._code(depth + 1)
            else:
                self._call_of_code(kind, depth + 1)

    def _call_of_code(self, kind: int, depth: int) -> None:
        """A constant of bytecode: a call, whose parts may be shared, or any item."""
        _check_depth(depth)
        while True:
            if kind == 243:  # a call that was there before
                self._stream.integer()
                return
            if kind == 244:  # a call that will come again
                self._stream.integer()
                kind = self._stream.integer()
            if kind not in (2, 6, 239, 240):
                self.item(depth)
                return
            if kind in (239, 240):
                self.item(depth)  # attributes
            self.item(depth)  # tag
            self._call_of_code(self._stream.integer(), depth + 1)
            kind = self._stream.integer()


def _check_depth(depth: int) -> None:
    if depth > _MAX_DEPTH:
        raise DamagedError(f"it is nested more than {_MAX_DEPTH} levels deep")


def _length(stream: Stream) -> int:
    length = stream.integer()
    if length == -1:
        upper, lower = stream.integer(), stream.integer()
        length = (upper << 32) + (lower & 0xFFFFFFFF)
    if not 0 <= length < 1 << 52 or length == NA_INTEGER:
        raise DamagedError(f"it has a vector of {length} values")
    return length


def _as_value(item: Any) -> Value:
    """A symbol is text where it is a value and no name."""
    if isinstance(item, str):
        return Text([str(item)])
    value: Value = item
    return value
