"""What is done to one shard of the draws in a round, wherever the shard is.

A step takes the engine of a shard and returns a `Part`. Parts of all shards are combined: sums are
added, rows are put one after the other. Both are exact, so the number of shards never matters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix, IntArray
from fangs.distributed.shard_engine import ShardEngine
from fangs.engine import OutOfTimeError

__all__ = ["PackedMatrix", "Part", "combine", "run_in_time", "run_on_shard"]

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Part:
    """What a step found for one or more shards, each number in the smallest type that holds it."""

    sums: tuple[Array, ...] = ()
    by_shard: dict[int, tuple[Array, ...]] = field(default_factory=dict)
    """Rows of each shard, by its number."""
    is_late: bool = False
    """Whether the time was over before everything was found."""

    @classmethod
    def of(cls, sums: Sequence[Array] = (), rows: Sequence[Array] = ()) -> Part:
        """What was found for one shard."""
        return cls(tuple(map(_narrowed, sums)), {0: tuple(map(_narrowed, rows))})

    def of_shard(self, number: int) -> Part:
        """The same for the shard with this number."""
        (rows,) = self.by_shard.values()
        return Part(self.sums, {number: rows})

    @property
    def rows(self) -> tuple[Array, ...]:
        """The rows of all shards, one after the other."""
        ordered = (rows for _, rows in sorted(self.by_shard.items()))
        return tuple(np.concatenate(same) for same in zip(*ordered, strict=True))

    @property
    def n_bytes(self) -> int:
        """Size of its arrays."""
        rows = (array for rows in self.by_shard.values() for array in rows)
        return sum(array.nbytes for array in (*self.sums, *rows))

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.n_bytes  # Dask combines parts where most of them are


def run_on_shard(
    step: Callable[..., Part],
    number: int,
    seconds: float | None,
    engine: ShardEngine,
    *arguments: Any,
) -> Part:
    """Run a step on the shard with this number, for at most these seconds."""
    limited = engine if seconds is None else engine.limited(seconds)
    return step(limited, *arguments).of_shard(number)


def run_in_time(*arguments: Any) -> Part:
    """`run_on_shard`, without an error where time is over: workers would log it."""
    try:
        return run_on_shard(*arguments)
    except OutOfTimeError:
        return Part(is_late=True)


def combine(parts: Sequence[Part]) -> Part:
    """Add the sums and collect the rows of several parts. Their order does not matter."""
    if len(parts) == 1:
        return parts[0]
    if any(part.is_late for part in parts):
        return Part(is_late=True)
    sums = zip(*(part.sums for part in parts), strict=True)
    rows = {number: rows for part in parts for number, rows in part.by_shard.items()}
    return Part(tuple(_added(same) for same in sums), rows)


def _added(arrays: Sequence[Array]) -> Array:
    """Sum of arrays of whole numbers, in a type that surely holds it."""
    limits = [_limits(array) for array in arrays]
    kind = _smallest(sum(low for low, _ in limits), sum(high for _, high in limits))
    total: Array = np.zeros(arrays[0].shape, dtype=kind)
    for array in arrays:
        np.add(total, array, out=total, dtype=kind, casting="unsafe")
    return total


def _narrowed(array: Array) -> Array:
    return array.astype(_smallest(*_limits(array)), copy=False)


def _limits(array: Array) -> tuple[int, int]:
    return (int(array.min()), int(array.max())) if array.size else (0, 0)


def _smallest(low: int, high: int) -> Any:
    """The smallest type that holds whole numbers between two."""
    for kind in (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32):
        limits = np.iinfo(kind)
        if limits.min <= low and high <= limits.max:
            return kind
    return np.int64


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

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.bits.nbytes


def describe(engine: ShardEngine, _: None) -> Any:
    """Sizes and labels of the shard's draws."""
    return engine.samples_info.with_hashes()


def overlaps(engine: ShardEngine, matrix: PackedMatrix) -> Part:
    """Total overlap of the matrix with each draw."""
    return Part.of(rows=[engine.overlaps(matrix.unpack())])


def align(engine: ShardEngine, matrix: PackedMatrix) -> Part:
    """Counts, and overlaps by draw."""
    aligned = engine.align(matrix.unpack())
    return Part.of([aligned.counts], [aligned.overlaps])


def place(engine: ShardEngine, matrix: PackedMatrix, n_columns: int) -> Part:
    """Counts with every feature placed."""
    return Part.of([engine.place(matrix.unpack(), n_columns)])


def evaluate(engine: ShardEngine, matrix: PackedMatrix) -> Part:
    """Counts, flip support and birth support, and overlaps by draw."""
    found = engine.evaluate(matrix.unpack())
    sums = [found.aligned.counts, found.flip_support, found.birth_support]
    return Part.of(sums, [found.aligned.overlaps])


def permutations(engine: ShardEngine, matrix: PackedMatrix) -> Part:
    """Counts; permutations and overlaps by draw."""
    orders, aligned = engine.permutations(matrix.unpack())
    return Part.of([aligned.counts], [orders, aligned.overlaps])


def measure(engine: ShardEngine, orders: Array, matrix: PackedMatrix) -> Part:
    """Shared items and sizes of aligned features, by draw."""
    return Part.of(rows=engine.measure(matrix.unpack(), _as_orders(orders)))


def relabel(engine: ShardEngine, span: tuple[int, Array]) -> Part:
    """Some draws with their features in another order."""
    first, orders = span
    return Part.of(rows=[engine.relabel(_as_orders(orders), first)])


def item_counts(engine: ShardEngine) -> Part:
    """Features with each item."""
    return Part.of([engine.item_counts()])


def gains_near(
    engine: ShardEngine, own: tuple[Array, IntArray], columns: PackedMatrix, scale: int
) -> Part:
    """What sets near the columns gain."""
    labels, prices = own
    return Part.of([engine.gains_near(columns.unpack(), _as_orders(labels), prices, scale)])


def gains_far(
    engine: ShardEngine,
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


def fetch(engine: ShardEngine, numbers: IntArray | None) -> Any:
    """Some draws of the shard as `Samples`; None if none are wanted."""
    if numbers is None or len(numbers) == 0:
        return None
    return engine.samples._part(numbers)


def select(engine: ShardEngine, numbers: IntArray, weights: IntArray | None) -> ShardEngine:
    """An engine over some draws of the shard, which may all be of weight 0."""
    return ShardEngine(engine.samples._part(numbers, weights), engine.n_threads)


def visit(
    engine: ShardEngine, key: str, matrix: PackedMatrix, with_support: bool, state_bytes: int
) -> Part:
    """Total overlap and flip support of a matrix near the one that was asked for before.

    The matchings of the matrix before stay with the engine, up to `state_bytes`, and flips bring
    them up to date. What is not here any more, on a worker that took over for example, is matched
    again: the result is the same.
    """
    wanted = matrix.unpack()
    nearby = engine.neighbourhoods.take(key)
    if nearby is None or nearby.matrix.shape != wanted.shape:
        nearby = engine.neighbourhood(wanted)
    else:
        items, features = np.nonzero(nearby.matrix != wanted)
        nearby.flip(items, features, with_support=with_support)
    sums: list[Array] = [np.array([nearby.total_overlap], dtype=np.int64)]
    if with_support:
        sums.append(nearby.flip_support())
    engine.neighbourhoods.put(key, nearby, state_bytes)
    return Part.of(sums)


def _as_orders(orders: Array) -> npt.NDArray[np.int32]:
    return np.ascontiguousarray(orders, dtype=np.int32)
