"""At which penalties an allocation is best: exact breakpoints in `a`.

For a fixed allocation the expected loss is a straight line in `a`, whose slope is its number of
ones less the draws' mean number; one alignment of the draws gives the whole line.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fangs._frozen import Frozen
from fangs._typing import BinaryMatrix
from fangs.allocation import without_empty
from fangs.draws.matrices import matched_allocation
from fangs.engine import as_engine

__all__ = ["Interval", "Segment", "flip_optimal_interval"]


@dataclass(frozen=True)
class Interval:
    """Penalties from `low` to `high`, ends included; none at all where `low` exceeds `high`.

    Attributes
    ----------
    low
        Lower end, as an exact fraction.
    high
        Upper end, as an exact fraction.
    """

    low: Fraction
    high: Fraction

    @property
    def is_empty(self) -> bool:
        """Whether there is no such penalty."""
        return self.low > self.high

    def __contains__(self, a: float) -> bool:
        return self.low <= Fraction(repr(float(a))) <= self.high

    def __str__(self) -> str:
        return "never" if self.is_empty else f"{float(self.low):.4g} to {float(self.high):.4g}"


@dataclass(frozen=True, eq=False)
class Line(Frozen):
    """An allocation, without empty columns, and its expected loss as a line in `a`."""

    matrix: BinaryMatrix
    n_ones: int
    overlap: int

    @property
    def n_features(self) -> int:
        """How many features it has."""
        return int(self.matrix.shape[1])


@dataclass(frozen=True, eq=False, repr=False)
class Segment(Line):
    """An allocation that no other one found beats between two penalties.

    Attributes
    ----------
    matrix
        (n, K) of 0/1, without empty columns.
    n_ones
        Number of its ones.
    overlap
        Its total overlap with the draws, by weight.
    interval
        The penalties at which it is the best allocation found.
    """

    interval: Interval

    def __repr__(self) -> str:
        return (
            f"<Segment: {self.n_features} features, {self.n_ones} ones, "
            f"best at a from {self.interval}>"
        )


def flip_optimal_interval(estimate: Any, samples: Any, *, n_threads: int | None = None) -> Interval:
    """Return the penalties at which no single flip lowers the estimate's expected loss.

    Switching an entry on pays when more than a share a/2 of the draws gain by it, switching it off
    when fewer than that lose; so the interval ends at the largest such share of a zero and at the
    smallest of a one. The birth of a feature counts as a flip.

    Examples
    --------
    >>> draws = [[[1], [1], [0]], [[1], [1], [0]], [[1], [1], [1]], [[1], [0], [0]]]
    >>> flip_optimal_interval([[1], [1], [0]], draws)
    Interval(low=Fraction(1, 2), high=Fraction(3, 2))
    """
    engine = as_engine(samples, n_threads)
    info = engine.samples_info
    matrix = matched_allocation(estimate, name="estimate", n_items=info.n_items, items=info.items)
    found = engine.evaluate(without_empty(matrix))
    is_one = found.matrix == 1
    on = max(found.flip_support[~is_one].max(initial=0), found.birth_support.max(initial=0))
    off = found.flip_support[is_one]
    return Interval(
        low=Fraction(2 * int(on), info.total_weight),
        high=Fraction(2 * int(off.min()), info.total_weight) if len(off) else Fraction(2),
    )


def lower_envelope(lines: Iterable[Line], total_weight: int) -> tuple[Segment, ...]:
    """Which of the lines is lowest, for `a` from 0 to 2; of equal lines the first counts."""
    # Steep lines are lowest at small a. Of parallel ones only the lowest ever is.
    steepest_first = sorted(lines, key=lambda line: (-line.n_ones, -line.overlap))
    kept: list[tuple[Fraction, Line]] = []
    for line in steepest_first:
        if kept and kept[-1][1].n_ones == line.n_ones:
            continue
        begin = Fraction(0)
        while kept:
            begin = _crossing(kept[-1][1], line, total_weight)
            if begin > kept[-1][0]:
                break
            kept.pop()
            begin = Fraction(0)
        if begin < 2:
            kept.append((max(begin, Fraction(0)), line))
    ends = [begin for begin, _ in kept[1:]] + [Fraction(2)]
    return tuple(
        Segment(line.matrix, line.n_ones, line.overlap, Interval(begin, end))
        for (begin, line), end in zip(kept, ends, strict=True)
    )


def _crossing(steep: Line, flat: Line, total_weight: int) -> Fraction:
    """Where the flatter line becomes the lower one."""
    gained = 2 * (steep.overlap - flat.overlap)
    return Fraction(gained, total_weight * (steep.n_ones - flat.n_ones))
