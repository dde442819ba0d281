"""Shards: parts of the draws, each loaded where it is needed."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Protocol

from fangs._typing import IntArray
from fangs.engine import ThreadedEngine
from fangs.io import read
from fangs.samples import Samples

__all__ = ["FileShard", "HeldShard", "SelectedShard", "Shard", "load_engine"]


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
    """Draws in a file that the loading process can read."""

    path: str
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The path of the file."""
        return self.path

    def load(self) -> Samples:
        """Read the file."""
        return read(self.path, **self.settings)


@dataclass(frozen=True, eq=False)
class SelectedShard:
    """Some draws of another shard."""

    shard: Shard
    chosen: IntArray
    weights: IntArray | None = None

    @property
    def name(self) -> str:
        """The name of the shard that they are from."""
        return self.shard.name

    def load(self) -> Samples:
        """Load the shard and choose."""
        samples = self.shard.load().select(self.chosen)
        return samples if self.weights is None else Samples(samples, weights=self.weights)


def load_engine(shard: Shard, n_threads: int) -> ThreadedEngine:
    """Load a shard, ready for passes; an error names it."""
    try:
        return ThreadedEngine(shard.load(), n_threads)
    except (OSError, ValueError, TypeError) as error:
        raise ValueError(
            f"cannot load the shard {shard.name} (process {os.getpid()}): {error}"
        ) from error
