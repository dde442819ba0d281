"""The clock of a search: the time it was granted, and how long each phase took."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from time import perf_counter

from fangs.engine import OutOfTimeError

__all__ = ["Clock", "OutOfTimeError"]


class Clock:
    """Starts when it is made."""

    def __init__(self, max_seconds: float | None = None) -> None:
        self.max_seconds = inf if max_seconds is None else max_seconds
        self.set_aside = 0.0
        """Seconds of the time granted that are kept for the end."""
        self.seconds: dict[str, float] = {}
        """Wall time by phase."""
        self._began = perf_counter()

    @property
    def elapsed(self) -> float:
        """Seconds since the clock was made."""
        return perf_counter() - self._began

    @property
    def left(self) -> float:
        """Seconds that are left to search; infinite without a limit."""
        return max(0.0, self.max_seconds - self.set_aside - self.elapsed)

    @property
    def is_over(self) -> bool:
        """Whether the time to search has passed."""
        return self.left == 0.0

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Note how long the block took."""
        since = perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + perf_counter() - since
