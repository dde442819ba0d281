"""SamplesInfo: sizes and labels of the draws, which is all that most code needs to know of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._frozen import Frozen, read_only
from fangs._typing import IntArray
from fangs.draws.fingerprint import HashArray, fingerprint, hash_sum
from fangs.draws.labels import item_names
from fangs.draws.weights import effective_number


@dataclass(frozen=True, eq=False)
class SamplesInfo(Frozen):
    """Sizes and labels of the draws, without the draws themselves.

    Attributes
    ----------
    n_items
        Number of items.
    n_features
        (B,): number of features of each draw, empty ones not counted.
    n_ones
        (B,): number of ones of each draw.
    items
        The labels of the items, or None.
    chains
        (B,): label of the chain of each draw, text or whole number, or None.
    weights
        (B,): how much each draw counts, 0 or more; None if each counts once.
    find_hashes
        The `hashes`, or what computes them when they are needed; None if they are not known.
    first_item
        What the source calls its first item, where it only counts them.
    """

    n_items: int
    n_features: IntArray
    n_ones: IntArray
    items: tuple[str, ...] | None
    chains: npt.NDArray[Any] | None
    weights: IntArray | None = None
    find_hashes: HashArray | Callable[[], HashArray] | None = None
    first_item: int = 1

    @property
    def item_names(self) -> tuple[str, ...]:
        """What people read: the labels of the items, or their numbers."""
        return item_names(self.items, self.n_items, self.first_item)

    @property
    def n_draws(self) -> int:
        """Number of draws, whatever their weights."""
        return len(self.n_features)

    @cached_property
    def total_weight(self) -> int:
        """Weight of all draws together; their number where there are no weights."""
        return self.n_draws if self.weights is None else int(self.weights.sum())

    @cached_property
    def total_ones(self) -> int:
        """Number of ones of all draws together, by weight."""
        return self.weigh(self.n_ones)

    @cached_property
    def effective_draws(self) -> float:
        """Kish's effective sample size of the weights; the number of draws without weights."""
        return float(self.n_draws) if self.weights is None else effective_number(self.weights)

    @cached_property
    def counted(self) -> IntArray:
        """The draws whose weight is not 0."""
        if self.weights is None:
            return read_only(np.arange(self.n_draws))
        return read_only(np.flatnonzero(self.weights))

    def weigh(self, numbers: npt.NDArray[np.integer[Any]]) -> int:
        """Sum of one whole number per draw, each times its draw's weight."""
        if self.weights is None:
            return int(numbers.sum(dtype=np.int64))
        return int(numbers.astype(np.int64, copy=False) @ self.weights)

    @cached_property
    def hashes(self) -> HashArray | None:
        """(B,): a hash of each draw, in which the order of its columns plays no part."""
        found = self.find_hashes() if callable(self.find_hashes) else self.find_hashes
        return None if found is None else read_only(found)

    @cached_property
    def fingerprint(self) -> str | None:
        """16 hexadecimal digits that identify the draws, whatever their order and form."""
        if self.hashes is None:
            return None
        weights = np.ones(self.n_draws, np.int64) if self.weights is None else self.weights
        return fingerprint(self.n_items, self.total_weight, hash_sum(self.hashes, weights))

    @property
    def chain_names(self) -> tuple[str | int, ...]:
        """The labels of the chains: numbers in increasing order, text in that of the draws."""
        return self._coded_chains[0]

    @property
    def chain_codes(self) -> IntArray:
        """(B,): position of each draw's chain in `chain_names`."""
        return self._coded_chains[1]

    @cached_property
    def _coded_chains(self) -> tuple[tuple[str | int, ...], IntArray]:
        if self.chains is None:
            return (), np.zeros(0, dtype=np.int64)
        labels, first, codes = np.unique(self.chains, return_index=True, return_inverse=True)
        if labels.dtype.kind == "U":
            order = np.argsort(first)
            rank = np.argsort(order)
            labels, codes = labels[order], rank[codes]
        return tuple(labels.tolist()), read_only(codes.astype(np.int64))

    def alone(self) -> SamplesInfo:
        """The same without any way back to the draws, to be kept or sent elsewhere."""
        return replace(self, find_hashes=None)

    def with_hashes(self) -> SamplesInfo:
        """The same with the hashes themselves, to be sent to another process."""
        return replace(self, find_hashes=self.hashes)

    def select(self, draws: IntArray, weights: IntArray | None = None) -> SamplesInfo:
        """Sizes and labels of some of the draws; `weights` take the place of their own."""
        if weights is None and self.weights is not None:
            weights = self.weights[draws]
        return replace(
            self,
            n_features=self.n_features[draws],
            n_ones=self.n_ones[draws],
            chains=None if self.chains is None else self.chains[draws],
            weights=weights,
            find_hashes=None if self.hashes is None else self.hashes[draws],
        )

    @classmethod
    def concatenate(cls, parts: Sequence[SamplesInfo]) -> SamplesInfo:
        """Sizes and labels of draws one after the other."""
        weights = None
        if any(part.weights is not None for part in parts):
            weights = np.concatenate(
                [np.ones(p.n_draws, np.int64) if p.weights is None else p.weights for p in parts]
            )
        chains = [part.chains for part in parts if part.chains is not None]
        hashes = [part.hashes for part in parts if part.hashes is not None]
        return replace(
            parts[0],
            n_features=np.concatenate([part.n_features for part in parts]),
            n_ones=np.concatenate([part.n_ones for part in parts]),
            chains=np.concatenate(chains) if len(chains) == len(parts) else None,
            weights=weights,
            find_hashes=np.concatenate(hashes) if len(hashes) == len(parts) else None,
        )
