"""Shards in the memory of a Dask cluster.

Every shard is a future that loads it, so a worker that takes over can load it again. Every round is
a set of tasks without state. Correctness depends on neither.
"""

from __future__ import annotations

import copy
import math
import uuid
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from math import inf
from time import monotonic, sleep
from typing import Any
from weakref import WeakSet

from fangs._extras import require
from fangs._typing import IntArray
from fangs.distributed import steps
from fangs.distributed.shards import Shard, load_engine
from fangs.distributed.steps import PackedMatrix, Part, combine, run_in_time
from fangs.engine import OutOfTimeError

__all__ = ["ClusterError", "DaskShards"]

FAN_IN = 16
"""Parts that are combined by one task, where there are more than this."""
LARGE = 1 << 22
"""Entries returned by all shards from which on a round is worth two more hops: the matrix goes to
the cluster once, and what the shards of a worker return is added there."""
STATE_SHARE = 0.25
"""Share of a worker's memory that matchings may take."""
UNKNOWN_MEMORY = 4 << 30
"""What a worker without a memory limit is taken to have."""
ROUNDS = 3
"""Times that a round is tried when workers take its results down with them."""
READS = 3
"""Times that a worker tries to read a shard."""
POLL = 0.2
"""Seconds between looks at the state of the cluster."""


class ClusterError(RuntimeError):
    """The cluster does not answer."""


class DaskShards:
    """A `ShardExecutor` on a cluster of `dask.distributed`."""

    def __init__(
        self,
        client: Any,
        shards: Sequence[Shard] = (),
        *,
        timeout: float = 300.0,
        futures: Sequence[Any] | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        self._distributed = require("distributed", extra="dask")
        self._client = client
        self._timeout = timeout
        self._names = [shard.name for shard in shards] if names is None else list(names)
        self._until = inf
        self._selected: WeakSet[DaskShards] = WeakSet()
        self._futures = self._load(shards) if futures is None else list(futures)

    @property
    def n_shards(self) -> int:
        """Number of shards."""
        return len(self._futures)

    @cached_property
    def state_bytes(self) -> int:
        """Memory that matchings may take with each shard from round to round."""
        workers = self._workers()
        limits = [worker["memory_limit"] or UNKNOWN_MEMORY for worker in workers.values()]
        per_worker = -(-self.n_shards // max(1, len(workers)))
        return int(STATE_SHARE * min(limits, default=UNKNOWN_MEMORY)) // max(1, per_worker)

    def run(
        self, step: Callable[..., Part], *shared: Any, own: Sequence[Any] | None = None
    ) -> Part:
        """Run a step on every shard; combine what they return."""
        sizes = [math.prod(one.shape) for one in shared if isinstance(one, PackedMatrix)]
        is_large = self.n_shards * max(sizes, default=0) >= LARGE

        def submit() -> list[Any]:
            given = [
                self._submit(_same, one) if is_large and isinstance(one, PackedMatrix) else one
                for one in shared
            ]
            seconds = None if self._until == inf else self._seconds_left
            parts = [
                self._submit(
                    run_in_time,
                    step,
                    s,
                    seconds,
                    future,
                    *(() if own is None else (own[s],)),
                    *given,
                    name=step.__name__,
                )
                for s, future in enumerate(self._futures)
            ]
            if is_large:
                parts = [self._submit(combine, group) for group in self._by_worker(parts)]
            while len(parts) > FAN_IN:
                groups = [parts[i : i + FAN_IN] for i in range(0, len(parts), FAN_IN)]
                parts = [self._submit(combine, group) for group in groups]
            return parts

        part = combine(self._round(submit))
        if part.is_late:
            raise OutOfTimeError
        return part

    def run_each(self, step: Callable[..., Any], own: Sequence[Any]) -> list[Any]:
        """Run a step on every shard that has something to do; return the results in order."""
        wanted = [s for s in range(self.n_shards) if own[s] is None or len(own[s])]
        results = self._round(
            lambda: [self._submit(step, self._futures[s], own[s]) for s in wanted]
        )
        found: list[Any] = [None] * self.n_shards
        for s, result in zip(wanted, results, strict=True):
            found[s] = result
        return found

    def select(
        self, chosen: Sequence[IntArray], weights: Sequence[IntArray] | None = None
    ) -> DaskShards:
        """Shards with these of their draws; those without any are left out."""
        self._check_open()
        kept = [s for s, numbers in enumerate(chosen) if len(numbers)]
        futures = [
            self._submit(
                steps.select, self._futures[s], chosen[s], None if weights is None else weights[s]
            )
            for s in kept
        ]
        names = [self._names[s] for s in kept]
        some = DaskShards(self._client, timeout=self._timeout, futures=futures, names=names)
        some._until = self._until
        self._selected.add(some)
        return some

    def limited(self, seconds: float) -> DaskShards:
        """The same shards, on which steps raise `OutOfTimeError` once these seconds are over."""
        limited = copy.copy(self)
        limited._until = monotonic() + seconds
        return limited

    def close(self) -> None:
        """Let the workers forget the draws, and the matchings and selections with them."""
        for some in self._selected:
            some.close()
        _release(self._futures)
        self._futures.clear()  # limited copies have the same list

    @property
    def _seconds_left(self) -> float:
        return max(0.0, self._until - monotonic())

    def _load(self, shards: Sequence[Shard]) -> list[Any]:
        # No worker is asked for by name: after the death of all workers that would wait forever.
        threads = sum(self._within(self._client.nthreads).values())
        each = max(1, threads // max(1, len(shards)))
        # Draws that are held here travel with their task, so that no death of a worker loses them.
        config = require("dask", extra="dask").config
        with config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
            return [self._submit(load_engine, shard, each, retries=READS - 1) for shard in shards]

    def _load_again(self) -> None:
        """Give shards another chance whose load has failed, or whose workers have died, since."""
        failed = [future for future in self._futures if future.status == "error"]
        if failed:
            self._within(self._client.retry, failed)

    def _by_worker(self, parts: Sequence[Any]) -> list[list[Any]]:
        """The parts, grouped by the worker that has their shard now. Only speed depends on it."""
        where = self._within(self._client.who_has, self._futures)
        groups: dict[Any, list[Any]] = defaultdict(list)
        for part, shard in zip(parts, self._futures, strict=True):
            groups[next(iter(where.get(shard.key, ())), None)].append(part)
        return list(groups.values())

    def _submit(
        self, step: Callable[..., Any], *arguments: Any, name: str | None = None, retries: int = 0
    ) -> Any:
        key = f"fangs-{(name or step.__name__).strip('_')}-{uuid.uuid4().hex}"
        return self._client.submit(step, *arguments, key=key, retries=retries)

    def _within(self, question: Callable[..., Any], *arguments: Any) -> Any:
        """Ask the scheduler; its silence is an error after the timeout."""
        try:
            return self._client.sync(question, *arguments, callback_timeout=self._timeout)
        except (TimeoutError, OSError) as error:
            raise ClusterError(
                f"the scheduler at {self._address} has not answered for {self._timeout:g} s "
                "(timeout=)"
            ) from error

    def _round(self, submit: Callable[[], list[Any]]) -> list[Any]:
        """Submit a round and wait for its results, again if workers took some of them down."""
        self._check_open()
        self._load_again()
        for attempt in range(ROUNDS):
            if self._seconds_left == 0:
                raise OutOfTimeError
            futures = submit()
            try:
                return self._gather(futures)
            except self._distributed.CancelledError as error:
                if attempt + 1 == ROUNDS:
                    raise ClusterError(f"workers lost the results of a round: {error}") from error
            except self._distributed.scheduler.KilledWorker as error:
                raise ClusterError(
                    "a step was given up because it was on several workers that died; do shards "
                    f"fit into their memory? {error}"
                ) from error
            except BaseException:
                self._client.cancel(futures)
                raise
            finally:
                _release(futures)
        raise AssertionError("a round returns or raises")

    def _gather(self, futures: list[Any]) -> list[Any]:
        """Wait, in short turns so that Ctrl-C and a cluster that is gone are noticed."""
        since, pending = monotonic(), len(futures)
        while True:
            left = [future for future in futures if not future.done()]
            if not left:
                return list(self._within(self._client.gather, futures))
            if len(left) < pending:
                since, pending = monotonic(), len(left)
            if monotonic() - since > self._timeout:
                raise ClusterError(
                    f"no shard was done for {self._timeout:g} s (timeout=); the cluster at "
                    f"{self._address} has {len(self._workers())} workers"
                )
            if self._seconds_left == 0:
                raise OutOfTimeError
            self._check_connection()
            poll = min(POLL, self._seconds_left)
            with self._client.as_current(), suppress(TimeoutError):
                self._distributed.wait(left, timeout=poll, return_when="FIRST_COMPLETED")

    def _check_open(self) -> None:
        if not self._futures:
            raise ValueError("these draws were closed; shard them again")

    def _check_connection(self) -> None:
        if self._client.status == "running":
            return
        since = monotonic()
        while self._client.status != "running":
            if self._client.status == "closed" or monotonic() - since > min(self._timeout, 30.0):
                raise ClusterError(f"the scheduler at {self._address} is gone")
            sleep(POLL)

    @property
    def _address(self) -> str:
        return str(getattr(self._client.scheduler, "address", "an unknown address"))

    def _workers(self) -> dict[str, Any]:
        identity = self._client.scheduler.identity
        return dict(self._within(partial(identity, n_workers=-1))["workers"])


def _release(futures: Sequence[Any]) -> None:
    """Tell the cluster that these are not wanted any more; garbage collection may be late."""
    for future in futures:
        future.release()


def _same(value: Any) -> Any:
    return value
