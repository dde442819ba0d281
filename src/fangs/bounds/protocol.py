"""What the dual bound asks of an engine, beyond the passes that all others use."""

from __future__ import annotations

from typing import Protocol, cast

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix, IntArray
from fangs.bounds.columns.protocol import PricingEngine
from fangs.engine import Engine


class BoundsEngine(PricingEngine, Protocol):
    """An engine that bounds can be computed with."""

    def gains_near(
        self,
        columns: BinaryMatrix,
        labels: npt.NDArray[np.int32],
        prices: IntArray,
        scale: int,
    ) -> IntArray:
        """(K, n + 1): most that a set near each labelled column can exceed the prices by."""

    def gains_far(
        self,
        columns: BinaryMatrix,
        labels: npt.NDArray[np.int32],
        prices: IntArray,
        scale: int,
        *,
        half_penalty: int,
        apart: int,
    ) -> IntArray:
        """(n + 1,): most that a set far from all labelled columns can exceed the prices by."""


def as_bounds_engine(engine: Engine) -> BoundsEngine:
    """The engine, if it has the passes of the dual bound and of column generation."""
    for name in ("gains_near", "gains_far", "pricing"):
        if not hasattr(engine, name):
            raise TypeError(
                f"the engine {type(engine).__name__} has no pass {name!r}; give method='pairs', "
                "which does without"
            )
    return cast(BoundsEngine, engine)
