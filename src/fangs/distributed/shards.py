"""Shards: parts of the draws, each loaded where it is needed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from fangs._typing import IntArray
from fangs.engine import ThreadedEngine, as_engine
from fangs.io.guard import naming
from fangs.io.registry import source_of
from fangs.samples import Samples

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
    variable: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    chain: int | None = None
    """The label of the chain that all its draws belong to, for one of several files."""
    part: slice = field(default_factory=lambda: slice(None))

    @property
    def name(self) -> str:
        """The path of the file, and which draws."""
        if self.part == slice(None):
            return self.path
        return f"{self.path}, draws {self.part.start} to {self.part.stop - 1}"

    def load(self) -> Samples:
        """Read the draws of this shard, and no others."""
        path = Path(self.path)
        with naming(path):
            source = source_of(path, self.variable)
            samples = source.samples(part=self.part, **self.settings)
        if self.chain is None:
            return samples
        return Samples(samples, chains=[self.chain] * len(samples))


@dataclass(frozen=True, eq=False)
class LazyShard:
    """A piece of an array that is computed, or read, when it is wanted."""

    array: Any
    name: str
    settings: dict[str, Any] = field(default_factory=dict)
    weights: tuple[IntArray | None, float] = (None, 0.0)
    """Whole weights of its draws, and how far all are from those given; `as_weights`."""

    def load(self) -> Samples:
        """Compute the piece in this thread, not on the cluster that has this task, and pack it."""
        samples = Samples(self.array.compute(scheduler="synchronous"), **self.settings)
        return samples if self.weights[0] is None else samples._weigh(*self.weights)


@dataclass(frozen=True, eq=False)
class SelectedShard:
    """Some draws of another shard."""

    shard: Shard
    chosen: IntArray
    weights: IntArray | None
    loaded: Mapping[Shard, ThreadedEngine]
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


def load_engine(shard: Shard, n_threads: int) -> ThreadedEngine:
    """Load a shard, ready for passes; an error names it."""
    try:
        engine = as_engine(shard.load(), n_threads)
    except (OSError, ValueError, TypeError) as error:
        raise ValueError(
            f"cannot load the shard {shard.name} (process {os.getpid()}): {error}"
        ) from error
    assert isinstance(engine, ThreadedEngine)
    return engine
