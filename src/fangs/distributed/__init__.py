"""Draws that do not fit into one process: shards on disk or on a Dask cluster.

`shard` returns an object that can be given wherever draws are expected, as in
`fangs.estimate(shard(...))`. The result is the same, to the last bit, as for all draws in one
process.
"""

from fangs.distributed.api import ShardedSamples, shard
from fangs.distributed.cluster import ClusterError

__all__ = ["ClusterError", "ShardedSamples", "shard"]
