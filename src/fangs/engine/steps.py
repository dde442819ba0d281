"""What is done to one shard of the draws in a round, wherever the shard is.

A step takes the engine of a shard and returns a `Part`. Parts of all shards are combined: sums are
added, rows are put one after the other. Both are exact, so the number of shards never matters.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix, IntArray
from fangs.engine.threaded import ThreadedEngine, ThreadedNeighbourhood

__all__ = ["PackedMatrix", "Part", "combine"]

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Part:
    """What a step found for one or more shards."""

    sums: tuple[Array, ...] = ()
    rows: tuple[Array, ...] = ()

    @classmethod
    def of(cls, sums: Sequence[Array] = (), rows: Sequence[Array] = ()) -> Part:
        """Numbers in the smallest type that holds them, so that little is moved."""
        return cls(tuple(map(_smallest, sums)), tuple(map(_smallest, rows)))


def combine(parts: Sequence[Part]) -> Part:
    """Add the sums and join the rows of several parts, in order."""
    if len(parts) == 1:
        return parts[0]
    sums = [sum(same[1:], start=same[0].astype(np.int64)) for same in _transposed(parts, "sums")]
    rows = [np.concatenate(same) for same in _transposed(parts, "rows")]
    return Part.of(sums, rows)


def _transposed(parts: Sequence[Part], name: str) -> list[tuple[Array, ...]]:
    return list(zip(*(getattr(part, name) for part in parts), strict=True))


def _smallest(array: Array) -> Array:
    if array.dtype.kind not in "iu" or array.size == 0:
        return array
    low, high = int(array.min()), int(array.max())
    for kind in (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32):
        limits = np.iinfo(kind)
        if limits.min <= low and high <= limits.max:
            return array.astype(kind)
    return array


@dataclass(frozen=True, eq=False)
class PackedMatrix:
    """A matrix on its way to a shard, a bit per entry."""

    bits: npt.NDArray[np.uint8]
    shape: tuple[int, int]

    @classmethod
    def of(cls, matrix: BinaryMatrix) -> PackedMatrix:
        """Pack a matrix of 0 and 1."""
        n_items, n_features = matrix.shape
        return cls(np.packbits(matrix), (n_items, n_features))

    def unpack(self) -> BinaryMatrix:
        """The matrix."""
        n_items, n_features = self.shape
        entries = np.unpackbits(self.bits, count=n_items * n_features)
        return entries.reshape(n_items, n_features)


def describe(engine: ThreadedEngine, _: None) -> Any:
    """Sizes and labels of the shard's draws."""
    return engine.samples_info.with_hashes()


def overlaps(engine: ThreadedEngine, matrix: PackedMatrix) -> Part:
    """Total overlap of the matrix with each draw."""
    return Part.of(rows=[engine.overlaps(matrix.unpack())])


def align(engine: ThreadedEngine, matrix: PackedMatrix) -> Part:
    """Counts, and overlaps by draw."""
    aligned = engine.align(matrix.unpack())
    return Part.of([aligned.counts], [aligned.overlaps])


def place(engine: ThreadedEngine, matrix: PackedMatrix, n_columns: int) -> Part:
    """Counts with every feature placed."""
    return Part.of([engine.place(matrix.unpack(), n_columns)])


def evaluate(engine: ThreadedEngine, matrix: PackedMatrix) -> Part:
    """Counts, flip support and birth support, and overlaps by draw."""
    found = engine.evaluate(matrix.unpack())
    sums = [found.aligned.counts, found.flip_support, found.birth_support]
    return Part.of(sums, [found.aligned.overlaps])


def count_chains(
    engine: ThreadedEngine, codes: Array, matrix: PackedMatrix, first: int, n_chains: int
) -> Part:
    """(n_chains, n, K): counts of the draws of some chains, from the one with code `first` on."""
    wanted = matrix.unpack()
    orders, _ = engine.permutations(wanted)
    counts: IntArray = np.zeros((n_chains, *wanted.shape), dtype=np.int64)
    for chain in range(n_chains):
        draws = np.flatnonzero((codes == first + chain) & _counting(engine))
        if len(draws):
            counts[chain] = engine.select(draws).count_aligned(orders[draws])
    return Part.of([counts])


def _counting(engine: ThreadedEngine) -> Array:
    weights = engine.samples_info.weights
    return np.ones(engine.samples_info.n_draws, dtype=bool) if weights is None else weights > 0


def permutations(engine: ThreadedEngine, matrix: PackedMatrix) -> Part:
    """Counts; permutations and overlaps by draw."""
    orders, aligned = engine.permutations(matrix.unpack())
    return Part.of([aligned.counts], [orders, aligned.overlaps])


def measure(engine: ThreadedEngine, orders: Array, matrix: PackedMatrix) -> Part:
    """Shared items and sizes of aligned features, by draw."""
    return Part.of(rows=engine.measure(matrix.unpack(), _as_orders(orders)))


def relabel(engine: ThreadedEngine, span: tuple[int, Array]) -> Part:
    """Some draws with their features in another order."""
    first, orders = span
    return Part.of(rows=[engine.relabel(_as_orders(orders), first)])


def item_counts(engine: ThreadedEngine) -> Part:
    """Features with each item."""
    return Part.of([engine.item_counts()])


def gains_near(
    engine: ThreadedEngine, own: tuple[Array, IntArray], columns: PackedMatrix, scale: int
) -> Part:
    """What sets near the columns gain."""
    labels, prices = own
    return Part.of([engine.gains_near(columns.unpack(), _as_orders(labels), prices, scale)])


def gains_far(
    engine: ThreadedEngine,
    own: tuple[Array, IntArray],
    columns: PackedMatrix,
    scale: int,
    half_penalty: int,
    apart: int,
) -> Part:
    """What sets far from the columns gain."""
    labels, prices = own
    found = engine.gains_far(
        columns.unpack(),
        _as_orders(labels),
        prices,
        scale,
        half_penalty=half_penalty,
        apart=apart,
    )
    return Part.of([found])


def fetch(engine: ThreadedEngine, numbers: IntArray | None) -> Any:
    """Some draws of the shard as `Samples`; None if none are wanted."""
    if numbers is None or len(numbers) == 0:
        return None
    return engine.samples.select(numbers)


def visit(
    engine: ThreadedEngine, key: str, matrix: PackedMatrix, with_support: bool, keep: bool
) -> Part:
    """Total overlap and flip support of a matrix near the one that was asked for before.

    The matchings of the matrix before are kept here where there is room, and flips bring them up to
    date. What is not here any more, on a worker that took over for example, is matched again: the
    result is the same.
    """
    wanted = matrix.unpack()
    nearby = _KEPT.take(key) if keep else None
    if nearby is None or nearby.matrix.shape != wanted.shape:
        nearby = engine.neighbourhood(wanted)
    else:
        items, features = np.nonzero(nearby.matrix != wanted)
        nearby.flip(items, features, with_support=with_support)
    sums: list[Array] = [np.array([nearby.total_overlap], dtype=np.int64)]
    if with_support:
        sums.append(nearby.flip_support())
    if keep:
        _KEPT.put(key, nearby)
    return Part.of(sums)


class _Kept:
    """The last neighbourhoods of this process; one that is in use is not in here."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._by_key: OrderedDict[str, ThreadedNeighbourhood] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, key: str) -> ThreadedNeighbourhood | None:
        with self._lock:
            return self._by_key.pop(key, None)

    def put(self, key: str, nearby: ThreadedNeighbourhood) -> None:
        with self._lock:
            self._by_key[key] = nearby
            while len(self._by_key) > self._most:
                self._by_key.popitem(last=False)


_KEPT = _Kept(most=64)


def _as_orders(orders: Array) -> npt.NDArray[np.int32]:
    return np.ascontiguousarray(orders, dtype=np.int32)
