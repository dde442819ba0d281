"""Shards streamed from disk in this process, as many held at a time as memory allows."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from fangs._typing import IntArray
from fangs._validate import as_threads
from fangs.distributed.shards import SelectedShard, Shard, load_engine
from fangs.engine import ThreadedEngine
from fangs.engine.steps import Part, combine

__all__ = ["StreamedShards"]


class StreamedShards:
    """A `ShardExecutor` in this process: one shard after the other, each over all threads.

    Shards stay loaded until those that came later need their room.
    """

    def __init__(
        self, shards: Sequence[Shard], *, memory_limit: int, n_threads: int | None = None
    ) -> None:
        self._shards = list(shards)
        self._memory_limit = memory_limit
        self._n_threads = as_threads(n_threads)
        self._held: OrderedDict[int, ThreadedEngine] = OrderedDict()
        self._is_all_held = False

    @property
    def n_shards(self) -> int:
        """Number of shards."""
        return len(self._shards)

    @property
    def keeps_state(self) -> bool:
        """Whether matchings may stay from round to round: where all shards do."""
        return self._is_all_held

    def run(
        self, step: Callable[..., Part], *shared: Any, own: Sequence[Any] | None = None
    ) -> Part:
        """Run a step on every shard; combine what they return."""
        found: Part | None = None
        for s, engine in self._engines():
            part = step(engine, *shared) if own is None else step(engine, own[s], *shared)
            found = part if found is None else combine([found, part])
        assert found is not None
        return found

    def run_each(self, step: Callable[..., Any], own: Sequence[Any]) -> list[Any]:
        """Run a step on every shard that has something to do; return the results in order."""
        found: list[Any] = [None] * self.n_shards
        wanted = [s for s in range(self.n_shards) if own[s] is None or len(own[s])]
        for s, engine in self._engines(wanted):
            found[s] = step(engine, own[s])
        return found

    def select(
        self, chosen: Sequence[IntArray], weights: Sequence[IntArray] | None = None
    ) -> StreamedShards:
        """Shards with these of their draws; those without any are left out."""
        shards = [
            SelectedShard(shard, chosen[s], None if weights is None else weights[s])
            for s, shard in enumerate(self._shards)
            if len(chosen[s])
        ]
        return StreamedShards(shards, memory_limit=self._memory_limit, n_threads=self._n_threads)

    def close(self) -> None:
        """Let go of the draws."""
        self._held.clear()

    def _engines(self, wanted: Sequence[int] | None = None) -> Iterator[tuple[int, ThreadedEngine]]:
        """Every shard loaded in turn; those that are loaded already come first."""
        numbers = range(self.n_shards) if wanted is None else wanted
        for s in numbers:
            yield s, self._engine(s)

    def _engine(self, s: int) -> ThreadedEngine:
        engine = self._held.pop(s, None)
        if engine is None:
            engine = load_engine(self._shards[s], self._n_threads)
        self._held[s] = engine
        while len(self._held) > 1 and self._n_bytes > self._memory_limit:
            self._held.popitem(last=False)
        self._is_all_held = len(self._held) == self.n_shards
        return engine

    @property
    def _n_bytes(self) -> int:
        return sum(engine.samples.n_bytes for engine in self._held.values())
