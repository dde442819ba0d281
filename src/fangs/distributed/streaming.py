"""Shards streamed from disk in this process, as many held at a time as memory allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from fangs._typing import IntArray
from fangs._validate import as_threads
from fangs.distributed.shards import SelectedShard, Shard, load_engine
from fangs.engine import ThreadedEngine
from fangs.engine.steps import Part, combine, run_on_shard

__all__ = ["StreamedShards"]


class StreamedShards:
    """A `ShardExecutor` in this process: one shard after the other, each over all threads.

    As many shards as there is room for stay loaded; the others are read again in every round.
    """

    def __init__(
        self, shards: Sequence[Shard], *, memory_limit: int, n_threads: int | None = None
    ) -> None:
        self._shards = list(shards)
        self._memory_limit = memory_limit
        self._n_threads = as_threads(n_threads)
        self._held: dict[int, ThreadedEngine] = {}

    @property
    def n_shards(self) -> int:
        """Number of shards."""
        return len(self._shards)

    @property
    def state_bytes(self) -> int:
        """Memory that matchings may take with each shard: what all shards leave of the limit."""
        if len(self._held) < self.n_shards:
            return 0
        return max(0, self._memory_limit - self._n_bytes) // self.n_shards

    def run(
        self, step: Callable[..., Part], *shared: Any, own: Sequence[Any] | None = None
    ) -> Part:
        """Run a step on every shard; combine what they return."""
        found: Part | None = None
        for s, engine in self._engines():
            part = run_on_shard(step, s, engine, *(() if own is None else (own[s],)), *shared)
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
        """Every shard loaded in turn."""
        for s in range(self.n_shards) if wanted is None else wanted:
            yield s, self._engine(s)

    def _engine(self, s: int) -> ThreadedEngine:
        engine = self._held.get(s)
        if engine is None:
            engine = self._held[s] = load_engine(self._shards[s], self._n_threads)
            # Rounds go through the shards in order. So the shard before is the one that will be
            # wanted last; were the oldest to go, none would be here when its turn comes again.
            others = [one for one in self._held if one != s]
            while others and self._n_bytes > self._memory_limit:
                del self._held[others.pop()]
        return engine

    @property
    def _n_bytes(self) -> int:
        return sum(engine.samples.n_bytes for engine in self._held.values())
