"""The engine: all passes over the draws, and nothing else that looks at them."""

from __future__ import annotations

from typing import Any

from fangs._core import OutOfTimeError
from fangs.engine.cost import matching_cost, pass_seconds
from fangs.engine.deadline import Deadline
from fangs.engine.matching import match
from fangs.engine.protocol import Aligned, Engine, Evaluation, LocalEngine, Neighbourhood
from fangs.engine.threaded import ThreadedEngine

__all__ = [
    "Aligned",
    "Deadline",
    "Engine",
    "Evaluation",
    "LocalEngine",
    "Neighbourhood",
    "OutOfTimeError",
    "ThreadedEngine",
    "as_engine",
    "is_engine",
    "match",
    "matching_cost",
    "pass_seconds",
]


def as_engine(samples: Any, n_threads: int | None = None) -> Engine:
    """The engine for whatever a user gives as samples: the one place where engines are chosen.

    An engine is taken as it comes, whoever wrote it.
    """
    return samples if is_engine(samples) else ThreadedEngine(samples, n_threads)


def is_engine(value: Any) -> bool:
    """Whether something has the passes of an `Engine`."""
    return hasattr(value, "samples_info") and hasattr(value, "neighbourhood")
