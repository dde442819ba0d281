"""shard(): draws in shards, as an object that goes where draws go."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from fangs._typing import BinaryMatrix, IntArray
from fangs.check.arguments import as_count, as_seconds
from fangs.distributed.cluster import DaskShards
from fangs.distributed.sharded_engine import ShardedEngine
from fangs.distributed.sources import as_shards, gather_info
from fangs.distributed.streaming import StreamedShards
from fangs.draws.request import Request

__all__ = ["ShardedSamples", "shard"]

MEMORY_LIMIT = 1 << 30
SHARD_BYTES = 128 << 20


class ShardedSamples(ShardedEngine):
    """Draws in shards; made by `fangs.distributed.shard`. Give it wherever draws are wanted."""

    def __len__(self) -> int:
        return self.samples_info.n_draws

    def __getitem__(self, b: int) -> BinaryMatrix:
        return self.draw(range(len(self))[b])

    @property
    def n_items(self) -> int:
        """Number of items."""
        return self.samples_info.n_items

    @property
    def items(self) -> tuple[str, ...] | None:
        """Names of the items, or None."""
        return self.samples_info.items

    @property
    def n_features(self) -> IntArray:
        """(B,): number of features of each draw."""
        return self.samples_info.n_features

    @property
    def n_ones(self) -> IntArray:
        """(B,): number of ones of each draw."""
        return self.samples_info.n_ones

    @property
    def chains(self) -> npt.NDArray[Any] | None:
        """(B,): label of the chain of each draw, or None."""
        return self.samples_info.chains

    @property
    def weights(self) -> IntArray | None:
        """(B,): how much each draw counts; None if each counts once."""
        return self.samples_info.weights

    def __repr__(self) -> str:
        info = self.samples_info
        low, high = int(info.n_features.min()), int(info.n_features.max())
        features = f"{low}" if low == high else f"{low} to {high}"
        where = "on a cluster" if isinstance(self._executor, DaskShards) else "streamed"
        return (
            f"ShardedSamples({info.n_draws} draws, {info.n_items} items, {features} features, "
            f"{self.n_shards} shards {where})"
        )

    def __enter__(self) -> ShardedSamples:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the draws; on a cluster the workers forget them."""
        self._executor.close()


def shard(
    source: Any,
    *,
    client: Any = None,
    n_shards: int | None = None,
    shard_bytes: int = SHARD_BYTES,
    memory_limit: int = MEMORY_LIMIT,
    timeout: float = 300.0,
    n_threads: int | None = None,
    **request: Any,
) -> ShardedSamples:
    """Split draws into shards that lie on disk or on a cluster.

    Parameters
    ----------
    source
        A Zarr or netCDF store (each process reads its own part), a list of files (one shard each),
        an xarray or dask array, or `Samples` and anything it accepts.
    client
        A `dask.distributed.Client`. None works in this process: shards are read from disk in turn
        and stay in memory up to `memory_limit`.
    n_shards
        Number of shards; by default as many as `shard_bytes` asks for. A list of files has one
        shard per file.
    shard_bytes
        Size of a shard, unpacked. Few large shards are better than many small ones.
    memory_limit
        Bytes of packed draws that this process holds at a time, where there is no client.
    timeout
        Seconds after which a cluster on which nothing gets done is given up.
    n_threads
        Threads to use in this process; None means all cores.
    request
        ``variable``, ``dims``, ``items``, ``chains``, ``weights``, ``burn_in``, ``thin`` and
        ``keep_chains``, as for `Samples`.

    Returns
    -------
    ShardedSamples
        The draws. `fangs.estimate` and the others give the same bits as for all draws at once.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> sharded = shard(draws, n_shards=3)
    >>> fangs.estimate(sharded, seed=1).expected_loss == fangs.estimate(draws, seed=1).expected_loss
    True
    """
    limit = as_count(memory_limit, name="memory_limit")
    seconds = as_seconds(timeout, name="timeout")
    if n_shards is not None:
        n_shards = as_count(n_shards, name="n_shards")
    shards = as_shards(
        source,
        Request.of(**request),
        n_shards=n_shards,
        shard_bytes=as_count(shard_bytes, name="shard_bytes"),
    )
    executor: DaskShards | StreamedShards = (
        StreamedShards(shards, memory_limit=limit, n_threads=n_threads)
        if client is None
        else DaskShards(client, shards, timeout=300.0 if seconds is None else seconds)
    )
    try:
        sizes, info = gather_info(executor, [one.name for one in shards])
    except BaseException:
        executor.close()
        raise
    return ShardedSamples(executor, sizes, info, n_threads=n_threads)
