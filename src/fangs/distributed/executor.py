"""What a `ShardedEngine` asks of the place where its shards are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from fangs._typing import IntArray
from fangs.distributed.steps import Part

__all__ = ["ShardExecutor"]


class ShardExecutor(Protocol):
    """Runs steps on shards, wherever they are."""

    def run(
        self, step: Callable[..., Part], *shared: Any, own: Sequence[Any] | None = None
    ) -> Part:
        """Run ``step(engine, [own[s],] *shared)`` on every shard s; combine what they return."""

    def run_each(self, step: Callable[..., Any], own: Sequence[Any]) -> list[Any]:
        """Run ``step(engine, own[s])`` on every shard s; return the results in order."""

    def select(
        self, chosen: Sequence[IntArray], weights: Sequence[IntArray] | None = None
    ) -> ShardExecutor:
        """Shards with these of their draws; those without any are left out.

        `weights` take the place of the draws' own.
        """

    def limited(self, seconds: float) -> ShardExecutor:
        """The same shards, on which steps raise `OutOfTimeError` once these seconds are over."""

    def close(self) -> None:
        """Let go of the draws."""

    @property
    def n_shards(self) -> int:
        """Number of shards."""

    @property
    def state_bytes(self) -> int:
        """Memory that matchings may take with each shard from one round to the next; 0: none."""
