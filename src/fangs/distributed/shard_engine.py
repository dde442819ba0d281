"""The engine of a shard: matchings stay with its draws from one round to the next."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

from fangs.engine.threaded import ThreadedEngine
from fangs.engine.threaded_neighbourhood import ThreadedNeighbourhood

__all__ = ["NeighbourhoodCache", "ShardEngine"]


class NeighbourhoodCache:
    """The last neighbourhoods of an engine, by key. One that is in use is not in here."""

    def __init__(self) -> None:
        self._by_key: OrderedDict[str, ThreadedNeighbourhood] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._by_key)

    def take(self, key: str) -> ThreadedNeighbourhood | None:
        """The neighbourhood that was put here under this key; None if it is not here any more."""
        with self._lock:
            return self._by_key.pop(key, None)

    def put(self, key: str, nearby: ThreadedNeighbourhood, most_bytes: int) -> None:
        """Keep a neighbourhood; the oldest go where all together take more than `most_bytes`."""
        with self._lock:
            self._by_key[key] = nearby
            while self._by_key and self._n_bytes > most_bytes:
                self._by_key.popitem(last=False)

    @property
    def _n_bytes(self) -> int:
        return sum(one.n_bytes for one in self._by_key.values())


class ShardEngine(ThreadedEngine):
    """An engine over the draws of a shard, which keeps the last neighbourhoods."""

    def __init__(self, samples: Any, n_threads: int | None = None) -> None:
        super().__init__(samples, n_threads)
        self.neighbourhoods = NeighbourhoodCache()

    def __reduce__(self) -> tuple[Any, ...]:
        return ShardEngine, (self.samples, self.n_threads)
