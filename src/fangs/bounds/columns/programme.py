"""The linear programme of estimation over given columns.

Columns S with multiplicities x_S are packed with the features of the draws; its dual puts a price
on every feature. docs/theory-bounds.md has both. Floating point is enough here, because prices are
rounded up and checked in whole numbers later.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix, FloatArray, IntArray

if TYPE_CHECKING:
    from fangs.bounds.columns.protocol import Pricing


@dataclass(frozen=True, eq=False)
class Solved:
    """Multiplicities and prices, both feasible for the columns given."""

    multiplicities: FloatArray
    """(C,)"""
    prices: FloatArray
    """(all features,)"""
    value: float
    """The total of the prices less what fixed columns cost: above the programme's optimum."""
    gap: float
    """By how much at most."""

    @classmethod
    def nothing(cls, n_features: int) -> Solved:
        """The solution without columns."""
        return cls(np.zeros(0), np.zeros(n_features), 0.0, 0.0)


def solve(
    pricing: Pricing,
    columns: BinaryMatrix,
    *,
    tolerance: float,
    enough: float = -math.inf,
    seconds: float = math.inf,
    least: IntArray | None = None,
    is_fixed: npt.NDArray[np.bool_] | None = None,
) -> Solved:
    """Maximise sum_b w_b M_b(x) - t sum_S |S| x_S over real x; M_b is the best fractional matching.

    Column S is used at least `least[S]` times, and exactly that often where `is_fixed`. Ends when
    the gap is at most `tolerance`, the value at most `enough`, or the time over.
    """
    if columns.shape[1] == 0:
        return Solved.nothing(pricing.n_features)
    none = np.zeros(columns.shape[1], dtype=np.int64)
    return Solved(
        *pricing.solve(
            columns,
            least=none if least is None else least,
            is_fixed=none if is_fixed is None else is_fixed.astype(np.int64),
            tolerance=tolerance,
            enough=enough,
            seconds=seconds,
        )
    )
