"""When work must end: made once at the door of a long function, and handed down to its passes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from time import perf_counter
from typing import TypeVar

from fangs._core import OutOfTimeError
from fangs.engine.protocol import Engine

Part = TypeVar("Part")
AnyEngine = TypeVar("AnyEngine", bound=Engine)


class Deadline:
    """The time granted, which runs from when this is made; None for no limit.

    What was found is summed up by a pass over all draws that no limit ends; `reserved` is the time
    that is kept for it.
    """

    def __init__(self, max_seconds: float | None = None) -> None:
        self.max_seconds = inf if max_seconds is None else max_seconds
        self.reserved = 0.0
        self._began = perf_counter()

    @property
    def elapsed(self) -> float:
        """Seconds since the work began."""
        return perf_counter() - self._began

    @property
    def left(self) -> float:
        """Seconds that are left; infinite without a limit."""
        return max(0.0, self.max_seconds - self.reserved - self.elapsed)

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return self.left == 0.0

    def check(self) -> None:
        """Raise `OutOfTimeError` if no time is left."""
        if self.is_over:
            raise OutOfTimeError

    def over(self, parts: Iterable[Part]) -> Iterator[Part]:
        """Go over parts of the work; `OutOfTimeError` once no time is left for the next."""
        for part in parts:
            self.check()
            yield part

    def limit(self, engine: AnyEngine) -> AnyEngine:
        """The engine, whose passes raise `OutOfTimeError` once no time is left."""
        return engine if self.max_seconds == inf else engine.limited(self.left)  # type: ignore[return-value]
