"""The engine: all passes over the draws, and nothing else that looks at them."""

from __future__ import annotations

from typing import Any

from fangs._core import OutOfTimeError
from fangs.engine.cost import pass_seconds
from fangs.engine.matching import match
from fangs.engine.protocol import Aligned, Engine, Evaluation, LocalEngine, Neighbourhood, Pricing
from fangs.engine.sharded import ShardedEngine
from fangs.engine.threaded import ThreadedEngine

__all__ = [
    "Aligned",
    "Engine",
    "Evaluation",
    "LocalEngine",
    "Neighbourhood",
    "OutOfTimeError",
    "Pricing",
    "ShardedEngine",
    "ThreadedEngine",
    "as_engine",
    "match",
    "pass_seconds",
]


def as_engine(samples: Any, n_threads: int | None = None) -> Engine:
    """The engine for whatever a user gives as samples: the one place where engines are chosen.

    An engine is taken as it comes.
    """
    if isinstance(samples, ThreadedEngine | ShardedEngine):
        return samples
    return ThreadedEngine(samples, n_threads)
