"""Which entries fail in which draws: the problem behind a core, as packed bits.

An entry *fails* in a draw that differs from the estimate there. Items and features fail likewise;
all three are called units here. A set of units holds at once in the draws in which none of it
fails, so the largest set that holds in a share of the draws is the one whose failures lie in few
enough draws together (minimum k-union, or the largest frequent itemset). Draws and units that are
alike in all failures are merged and counted by their weight.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray

Bits = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

_BLOCK = 1 << 24
"""Bytes that unpacked bits take at a time."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Units and the draws in which they fail, with no two draws and no two units alike."""

    draws: Bits
    """(B, m / 8): for each draw the units that fail in it."""
    units: Bits
    """(m, B / 8): for each unit the draws in which it fails."""
    weights: IntArray
    """(B,): how much each draw counts."""
    sizes: IntArray
    """(m,): how many units each one stands for."""
    unit_of: IntArray
    """(all units,): the unit that stands for each; -1 for those that are left out."""

    @classmethod
    def of(cls, draws: Bits, n_units: int, weights: IntArray) -> Problem:
        """The problem of all units; draws of weight 0 are left out."""
        counted = weights > 0
        draws, weights, _ = _merged(draws[counted], weights[counted])
        ones: IntArray = np.ones(n_units, dtype=np.int64)
        units, sizes, unit_of = _merged(transposed(draws, n_units), ones)
        return cls(transposed(units, len(weights)), units, weights, sizes, unit_of)

    @property
    def n_units(self) -> int:
        """Number of units that are not alike."""
        return len(self.sizes)

    @property
    def n_draws(self) -> int:
        """Number of draws that are not alike."""
        return len(self.weights)

    def failing_weights(self) -> IntArray:
        """(m,): weight of the draws in which each unit fails."""
        return sum_rows(self.draws, self.weights, self.n_units)

    def only(self, units: Mask) -> Problem:
        """The problem of some of the units; draws that no longer differ are merged."""
        kept: IntArray = np.cumsum(units) - 1
        number = np.where(units, kept, -1)
        rows = transposed(self.units[units], self.n_draws)
        draws, weights, _ = _merged(rows, self.weights)
        unit_of = np.where(self.unit_of >= 0, number[self.unit_of], -1)
        columns = transposed(draws, int(units.sum()))
        return Problem(draws, columns, weights, self.sizes[units], unit_of)

    def expand(self, chosen: Mask) -> Mask:
        """(all units,): the units that the chosen ones stand for."""
        return (self.unit_of >= 0) & chosen[self.unit_of]


def holds_together(draws: Bits, units: Mask) -> Mask:
    """(B,): whether none of these units fails in a draw."""
    return np.asarray(~(draws & np.packbits(units)).any(axis=1), dtype=bool)


def sum_rows(rows: Bits, weights: IntArray, n_columns: int) -> IntArray:
    """(n_columns,): sum of packed rows, each counted by its weight."""
    total: IntArray = np.zeros(n_columns, dtype=np.int64)
    for some in _blocks(len(rows), n_columns):
        total += weights[some] @ unpacked(rows[some], n_columns)
    return total


def unpacked(rows: Bits, n_columns: int) -> Bits:
    """Packed rows with a byte for each bit."""
    return np.unpackbits(rows, axis=-1, count=n_columns)


def transposed(rows: Bits, n_columns: int) -> Bits:
    """Packed rows as packed columns, (n_columns, rows / 8)."""
    found = np.zeros((n_columns, -(-len(rows) // 8)), dtype=np.uint8)
    for some in _blocks(rows.shape[1], 8 * len(rows)):
        columns = np.packbits(np.unpackbits(rows[:, some], axis=1).T, axis=1)
        first = 8 * some.start
        found[first : first + len(columns)] = columns[: n_columns - first]
    return found


def _merged(rows: Bits, weights: IntArray) -> tuple[Bits, IntArray, IntArray]:
    """The different rows in a fixed order, the weight of each, and which of them each row is."""
    if not rows.size:  # all rows are alike: they are empty
        total = weights.sum(keepdims=True)[: len(rows)]
        return rows[:1], total, np.zeros(len(rows), dtype=np.int64)
    whole = np.ascontiguousarray(rows).view(f"V{rows.shape[1]}").ravel()
    _, first, number = np.unique(whole, return_index=True, return_inverse=True)
    total = np.zeros(len(first), dtype=np.int64)
    np.add.at(total, number, weights)
    return rows[first], total, number


def _blocks(n_rows: int, row_bytes: int) -> Iterator[slice]:
    step = max(1, _BLOCK // max(1, row_bytes))
    for first in range(0, n_rows, step):
        yield slice(first, min(first + step, n_rows))
