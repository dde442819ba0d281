"""From what a user has to shards: files, stores, arrays, draws in memory."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fangs.distributed.shards import FileShard, HeldShard, Shard
from fangs.engine import steps
from fangs.engine.sharded import ShardExecutor
from fangs.samples import Samples, as_samples
from fangs.samples_info import SamplesInfo

__all__ = ["as_shards", "gather_info"]


def as_shards(
    source: Any,
    *,
    variable: str | None,
    n_shards: int | None,
    shard_bytes: int,
    settings: dict[str, Any],
) -> list[Shard]:
    """The shards of a source."""
    given = settings if variable is None else settings | {"variable": variable}
    if _is_paths(source):
        return [FileShard(os.fspath(path), given) for path in source]
    if isinstance(source, str | os.PathLike):
        return [FileShard(os.fspath(source), given)]
    samples = as_samples(source)
    return list(_pieces(samples, n_shards, shard_bytes))


def gather_info(executor: ShardExecutor, names: Sequence[str]) -> tuple[list[int], SamplesInfo]:
    """Sizes of the shards, and sizes and labels of all draws together."""
    infos: list[SamplesInfo] = executor.run_each(steps.describe, [None] * executor.n_shards)
    for name, info in zip(names, infos, strict=True):
        if info.n_items != infos[0].n_items:
            raise ValueError(
                f"shard {name} has {info.n_items} items, but {names[0]} has {infos[0].n_items}; "
                "every shard needs the same items"
            )
        if info.items != infos[0].items:
            raise ValueError(f"shard {name} names its items in another way than {names[0]}")
    return [info.n_draws for info in infos], SamplesInfo.concatenate(infos)


def _pieces(samples: Samples, n_shards: int | None, shard_bytes: int) -> Sequence[HeldShard]:
    total = len(samples)
    if n_shards is None:
        unpacked = samples.n_items * int(samples.n_features.sum())
        n_shards = max(1, -(-unpacked // shard_bytes))
    ends = np.linspace(0, total, min(n_shards, total) + 1).astype(np.int64)
    return [
        HeldShard(samples.select(np.arange(begin, end)), f"of draws {begin} to {end - 1}")
        for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
    ]


def _is_paths(source: Any) -> bool:
    return (
        isinstance(source, Sequence)
        and not isinstance(source, str | bytes)
        and len(source) > 0
        and all(isinstance(one, str | Path) for one in source)
    )
