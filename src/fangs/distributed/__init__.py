"""Draws that do not fit into one process: shards on disk or on a Dask cluster.

`shard` returns an object that goes where draws go, `fangs.estimate(shard(...))` for example. The
result is the same, to the last bit, as for all draws in one process.
"""

from fangs.distributed.api import ShardedSamples, shard
from fangs.distributed.cluster import ClusterError

__all__ = ["ClusterError", "ShardedSamples", "shard"]
