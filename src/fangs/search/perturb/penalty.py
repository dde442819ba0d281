"""Penalty perturbation: descend at another penalty and come back."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from fangs.search.local_search import LocalSearch


@dataclass(frozen=True)
class PenaltyShift:
    """A descent at a smaller or larger penalty changes what nearly pays.

    It does so in many features at once, which pays where there are many.
    """

    factor: float

    def __call__(self, search: LocalSearch, rng: np.random.Generator) -> None:
        """Descend where the odds a : (2 - a) are `factor` times the search's own."""
        own = search.objective
        search.objective = replace(own, a=scale_odds(own.a, self.factor))
        try:
            search.descend()
        finally:
            search.objective = own


def scale_odds(a: float, factor: float) -> float:
    """The penalty whose odds a : (2 - a) are `factor` times those of `a`.

    Examples
    --------
    >>> scale_odds(1.0, 3.0)
    1.5
    """
    odds = factor * a / (2 - a)
    scaled = float(f"{2 * odds / (1 + odds):.6g}")  # few digits keep scores small
    return min(max(scaled, math.nextafter(0, 1)), math.nextafter(2, 0))
