"""Shards in the memory of a Dask cluster.

Every shard is a future that loads it, so a worker that takes over can load it again. Every round is
a set of tasks without state. Correctness depends on neither.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic, sleep
from typing import Any

from fangs._extras import require
from fangs._typing import IntArray
from fangs.distributed.shards import Shard, load_engine
from fangs.engine import ThreadedEngine
from fangs.engine.steps import Part, combine

__all__ = ["ClusterError", "DaskShards"]

FAN_IN = 16
"""Parts that are combined by one task, where there are more shards than this."""
ROUNDS = 3
"""Times that a round is tried when workers take its results down with them."""
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
        self._futures = self._load(shards) if futures is None else list(futures)

    @property
    def n_shards(self) -> int:
        """Number of shards."""
        return len(self._futures)

    @property
    def keeps_state(self) -> bool:
        """Matchings stay on the workers from round to round."""
        return True

    def run(
        self, step: Callable[..., Part], *shared: Any, own: Sequence[Any] | None = None
    ) -> Part:
        """Run a step on every shard; combine what they return."""

        def submit() -> list[Any]:
            parts = [
                self._submit(step, future, *(() if own is None else (own[s],)), *shared)
                for s, future in enumerate(self._futures)
            ]
            while len(parts) > FAN_IN:
                groups = [parts[i : i + FAN_IN] for i in range(0, len(parts), FAN_IN)]
                parts = [self._submit(combine, group) for group in groups]
            return parts

        return combine(self._round(submit))

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
        kept = [s for s, numbers in enumerate(chosen) if len(numbers)]
        futures = [
            self._submit(
                _select, self._futures[s], chosen[s], None if weights is None else weights[s]
            )
            for s in kept
        ]
        names = [self._names[s] for s in kept]
        return DaskShards(self._client, timeout=self._timeout, futures=futures, names=names)

    def close(self) -> None:
        """Let the workers forget the draws."""
        self._futures = []

    def _load(self, shards: Sequence[Shard]) -> list[Any]:
        # No worker is asked for by name: after the death of all workers that would wait forever.
        threads = sum(self._client.nthreads().values())
        each = max(1, threads // max(1, len(shards)))
        return [self._submit(load_engine, shard, each) for shard in shards]

    def _submit(self, step: Callable[..., Any], *arguments: Any) -> Any:
        key = f"fangs-{step.__name__.strip('_')}-{uuid.uuid4().hex}"
        return self._client.submit(step, *arguments, key=key, retries=2)

    def _round(self, submit: Callable[[], list[Any]]) -> list[Any]:
        """Submit a round and wait for its results, again if workers took some of them down."""
        for attempt in range(ROUNDS):
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
        raise AssertionError("a round returns or raises")

    def _gather(self, futures: list[Any]) -> list[Any]:
        """Wait, in short turns so that Ctrl-C and a cluster that is gone are noticed."""
        since, pending = monotonic(), len(futures)
        while True:
            left = [future for future in futures if not future.done()]
            if not left:
                return list(self._client.gather(futures))
            if len(left) < pending:
                since, pending = monotonic(), len(left)
            if monotonic() - since > self._timeout:
                raise ClusterError(
                    f"no shard was done for {self._timeout:g} s (timeout=); the cluster at "
                    f"{self._address} has {self._n_workers()} workers"
                )
            self._check_connection()
            with self._client.as_current(), suppress(TimeoutError):
                self._distributed.wait(left, timeout=POLL, return_when="FIRST_COMPLETED")

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

    def _n_workers(self) -> int:
        try:
            return len(self._client.scheduler_info(n_workers=-1)["workers"])
        except Exception:
            return 0


def _select(engine: ThreadedEngine, numbers: IntArray, weights: IntArray | None) -> ThreadedEngine:
    return engine.select(numbers, weights)
