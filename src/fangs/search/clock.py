"""The clock of a search: the time it was granted, and how long each phase took."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter


class OutOfTimeError(Exception):
    """The time that the user granted is over."""


class Clock:
    """Starts when it is made."""

    def __init__(self, max_seconds: float | None = None) -> None:
        self.max_seconds = max_seconds
        self.seconds: dict[str, float] = {}
        """Wall time by phase."""
        self._began = perf_counter()

    @property
    def is_over(self) -> bool:
        """Whether the time granted has passed."""
        return self.max_seconds is not None and perf_counter() - self._began >= self.max_seconds

    @property
    def left(self) -> float:
        """Seconds that are left; infinite without a limit."""
        if self.max_seconds is None:
            return float("inf")
        return max(0.0, self.max_seconds - (perf_counter() - self._began))

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Note how long the block took."""
        since = perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + perf_counter() - since
