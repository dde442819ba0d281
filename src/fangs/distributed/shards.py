"""Shards: parts of the draws, each loaded where it is needed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from fangs._typing import IntArray
from fangs.distributed.shard_engine import ShardEngine
from fangs.draws.open import open_draws
from fangs.draws.request import Request
from fangs.draws.samples import Labels, Samples

__all__ = ["FileShard", "HeldShard", "LazyShard", "SelectedShard", "Shard", "load_engine"]


class Shard(Protocol):
    """Some of the draws. It can be sent to another process, which then loads them."""

    @property
    def name(self) -> str:
        """What messages call it."""

    def load(self) -> Samples:
        """The draws."""


@dataclass(frozen=True, eq=False)
class HeldShard:
    """Draws that are in memory already."""

    samples: Samples
    name: str

    def load(self) -> Samples:
        """The draws."""
        return self.samples


@dataclass(frozen=True, eq=False)
class FileShard:
    """Draws in a file that the loading process can read, or some of them."""

    path: str
    request: Request
    part: slice = field(default_factory=lambda: slice(None))
    chain: int | None = None
    """The label of the chain that all its draws belong to, for one of several files."""

    @property
    def name(self) -> str:
        """The path of the file, and which draws."""
        if self.part == slice(None):
            return self.path
        return f"{self.path}, draws {self.part.start} to {self.part.stop - 1}"

    def load(self) -> Samples:
        """Read the draws of this shard, and no others."""
        with open_draws(self.path, self.request) as source:
            samples = Samples._of_source(source.part(self.part))
        if self.chain is None:
            return samples
        return Samples(samples, chains=[self.chain] * len(samples))


@dataclass(frozen=True, eq=False)
class LazyShard:
    """A piece of an array that is computed, or read, when it is wanted."""

    array: Any
    """(draw, item, feature), or (chain, draw, item, feature) with these names."""
    name: str
    draws: IntArray
    """Which draws of the piece are wanted."""
    labels: Labels
    """What the wanted draws are labelled with; their items may be in another order."""

    def load(self) -> Samples:
        """Compute the piece in this thread, not on the cluster that has this task, and pack it."""
        with open_draws(self.array.compute(scheduler="synchronous")) as source:
            ordered = source.chosen(Request(items=self.labels.items))
            wanted = replace(ordered.part(self.draws), **vars(self.labels))
            return Samples._of_source(wanted)


@dataclass(frozen=True, eq=False)
class SelectedShard:
    """Some draws of another shard."""

    shard: Shard
    chosen: IntArray
    weights: IntArray | None
    loaded: Mapping[Shard, ShardEngine]
    """Shards that are in memory, where the other one may be."""

    @property
    def name(self) -> str:
        """The name of the shard that they are from."""
        return self.shard.name

    def load(self) -> Samples:
        """Choose from the shard; load it first if it is not in memory."""
        engine = self.loaded.get(self.shard)
        samples = self.shard.load() if engine is None else engine.samples
        return samples._part(self.chosen, self.weights)


def load_engine(shard: Shard, n_threads: int) -> ShardEngine:
    """Load a shard, ready for passes; an error names it."""
    try:
        return ShardEngine(shard.load(), n_threads)
    except (OSError, ValueError, TypeError) as error:
        raise ValueError(
            f"cannot load the shard {shard.name} (process {os.getpid()}): {error}"
        ) from error
