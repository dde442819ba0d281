"""Equal draws merged into one of their total weight, so that a pass matches each draw once.

Draws are merged only if they have the same features in the same order. How a draw is matched
depends on the draw and the matrix alone, so equal draws are matched alike, and sums over draws are
sums of whole numbers: no result changes by a bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from fangs import _core
from fangs._typing import IntArray

Array = TypeVar("Array", bound=npt.NDArray[Any])


@dataclass(frozen=True, eq=False)
class DistinctDraws:
    """What passes go over: the distinct draws, or all where more than half are distinct."""

    draws: _core.Draws
    weights: IntArray | None
    """How much each of these draws counts; None if each counts once."""
    place: IntArray | None
    """(B,): where each draw is among these; None if nothing was merged."""

    @classmethod
    def of(
        cls,
        draws: _core.Draws,
        weights: IntArray | None,
        threads: _core.Threads | int = 1,
        *,
        merges: bool = True,
    ) -> DistinctDraws:
        """Merge equal draws if that at least halves the work."""
        if not merges or len(draws) == 1:
            return cls(draws, weights, None)
        first = _core.first_identical(draws, threads)
        if len(first) == 0:  # too many are distinct
            return cls(draws, weights, None)
        chosen, place = np.unique(first, return_inverse=True)
        total: IntArray = np.zeros(len(chosen), dtype=np.int64)
        np.add.at(total, place, 1 if weights is None else weights)
        return cls(draws.select(chosen, threads), total, place)

    def expand(self, results: Array) -> Array:
        """One result per draw, from one per merged draw."""
        return results if self.place is None else results[self.place]  # type: ignore[return-value]
