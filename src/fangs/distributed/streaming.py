"""Shards streamed from disk in this process, as many held at a time as memory allows."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from math import inf
from time import perf_counter
from typing import Any
from weakref import WeakKeyDictionary

from fangs._typing import IntArray
from fangs.check.arguments import as_threads
from fangs.distributed.shard_engine import ShardEngine
from fangs.distributed.shards import SelectedShard, Shard, load_engine
from fangs.distributed.steps import Part, combine, run_on_shard
from fangs.engine import OutOfTimeError

__all__ = ["StreamedShards"]


class Loaded:
    """Shards in memory, up to a number of bytes; selections from them count too."""

    def __init__(self, memory_limit: int) -> None:
        self.memory_limit = memory_limit
        self.engines: WeakKeyDictionary[Shard, ShardEngine] = WeakKeyDictionary()

    @property
    def free_bytes(self) -> int:
        """What is left of the limit; negative if more is loaded."""
        return self.memory_limit - sum(one.samples.n_bytes for one in self.engines.values())

    def load(self, shard: Shard, among: Sequence[Shard], n_threads: int) -> ShardEngine:
        """The engine of a shard, one of those that a round goes through."""
        engine = self.engines.get(shard)
        if engine is None:
            engine = self.engines[shard] = load_engine(shard, n_threads)
            self._make_room(shard, set(among))
        return engine

    def _make_room(self, newest: Shard, among: set[Shard]) -> None:
        """Let go of shards until the limit is kept."""
        others = [shard for shard in self.engines if shard is not newest]
        # Shards of other selections go first. A round goes through its shards in order, so the one
        # before is the one that will be wanted last: were the oldest to go, none would be here when
        # its turn comes again.
        others.sort(key=lambda shard: shard not in among)
        while others and self.free_bytes < 0:
            del self.engines[others.pop()]


class StreamedShards:
    """A `ShardExecutor` in this process: one shard after the other, each over all threads.

    As many shards as there is room for stay loaded; the others are read again in every round.
    """

    def __init__(
        self, shards: Sequence[Shard], *, memory_limit: int, n_threads: int | None = None
    ) -> None:
        self._shards = list(shards)
        self._n_threads = as_threads(n_threads)
        self._loaded = Loaded(memory_limit)
        self._until = inf

    @property
    def n_shards(self) -> int:
        """Number of shards."""
        return len(self._shards)

    @property
    def state_bytes(self) -> int:
        """Memory that matchings may take with each shard: what all shards leave of the limit."""
        if any(shard not in self._loaded.engines for shard in self._shards):
            return 0
        return max(0, self._loaded.free_bytes) // self.n_shards

    def run(
        self, step: Callable[..., Part], *shared: Any, own: Sequence[Any] | None = None
    ) -> Part:
        """Run a step on every shard; combine what they return."""
        found: Part | None = None
        for s, engine in self._engines(range(self.n_shards)):
            seconds = None if self._until == inf else max(0.0, self._until - perf_counter())
            arguments = shared if own is None else (own[s], *shared)
            part = run_on_shard(step, s, seconds, engine, *arguments)
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
        selected = copy.copy(self)
        selected._shards = [
            SelectedShard(
                shard, chosen[s], None if weights is None else weights[s], self._loaded.engines
            )
            for s, shard in enumerate(self._shards)
            if len(chosen[s])
        ]
        return selected

    def limited(self, seconds: float) -> StreamedShards:
        """The same shards, on which steps raise `OutOfTimeError` once these seconds are over."""
        limited = copy.copy(self)
        limited._until = perf_counter() + seconds
        return limited

    def close(self) -> None:
        """Let go of the draws."""
        self._loaded.engines.clear()

    def _engines(self, wanted: Sequence[int]) -> Iterator[tuple[int, ShardEngine]]:
        """These shards loaded in turn, while there is time."""
        for s in wanted:
            if perf_counter() >= self._until:
                raise OutOfTimeError
            yield s, self._loaded.load(self._shards[s], self._shards, self._n_threads)
