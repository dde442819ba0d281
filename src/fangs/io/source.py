"""Draws that lie elsewhere, and the one place that decides which of them are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._labels import as_labels
from fangs._typing import IntArray
from fangs._validate import as_count
from fangs.samples import Samples
from fangs.weights import as_weights

__all__ = ["DrawSource", "given_labels"]


@dataclass(frozen=True, eq=False, kw_only=True)
class DrawSource:
    """Draws that are read when they are wanted, and what is known about each of them before.

    Attributes
    ----------
    n_draws
        Number of draws.
    read
        Takes the positions of the wanted draws, ascending, and gives one (n, K) matrix for each.
    items
        Item labels, or None.
    chains
        (n_draws,): the label of each draw's chain as the source has it, or None.
    weights
        (n_draws,): how much each draw counts, or None.
    weights_error
        What the weights have lost when they became whole numbers, as `Samples.weights_error`.
    n_warm_up
        Draws at the start of each chain that the source itself says are no draws of the posterior.
    over_items
        Gives the same draws over other items. Only sources that name the items of each feature
        have it: they may lack items without a feature.
    held
        The draws, where they are packed already.

    Examples
    --------
    >>> stack = np.ones((6, 3, 2))
    >>> source = DrawSource(
    ...     n_draws=6, read=lambda kept: stack[kept], chains=np.array([1, 1, 1, 2, 2, 2])
    ... )
    >>> source.samples(burn_in=1, chains=[2])
    Samples(2 draws (1 distinct), 3 items, 2 features, 1 chain)
    """

    n_draws: int
    read: Callable[[IntArray], Iterable[Any]]
    items: tuple[str, ...] | None = None
    chains: npt.NDArray[Any] | None = None
    weights: npt.NDArray[Any] | None = None
    weights_error: float = 0.0
    n_warm_up: int = 0
    over_items: Callable[[tuple[str, ...]], DrawSource] | None = None
    held: Samples | None = None

    @classmethod
    def of_samples(cls, samples: Samples, *, chains: Any = None, weights: Any = None) -> DrawSource:
        """Draws in memory; `chains` are their labels elsewhere, where these are known."""
        return cls(
            n_draws=len(samples),
            read=lambda kept: (samples[int(b)] for b in kept),
            items=samples.items,
            chains=samples.chains if chains is None else np.asarray(chains),
            weights=samples.weights if weights is None else np.asarray(weights),
            weights_error=samples.weights_error if weights is None else 0.0,
            held=samples,
        )

    @classmethod
    def one_chain_each(cls, sources: Sequence[DrawSource], names: Sequence[str]) -> DrawSource:
        """All draws of several sources, each a chain with its position (from 0) as label."""
        for source, name in zip(sources, names, strict=True):
            if source.chains is not None and len(np.unique(source.chains)) > 1:
                raise ValueError(f"{name!r} has several chains; in a list, give files of one each")
            if source.items != sources[0].items:
                raise ValueError(
                    f"{name!r} has other item labels than {names[0]!r}; every file needs the same "
                    "items, in the same order (items= names them where a file lacks some)"
                )
        sizes = [source.n_draws for source in sources]
        starts = np.cumsum([0, *sizes])

        def read(kept: IntArray) -> Iterator[Any]:
            for source, start, size in zip(sources, starts, sizes, strict=False):
                inside = kept[(kept >= start) & (kept < start + size)] - start
                if len(inside):
                    yield from source.read(inside)

        weights = None
        if any(source.weights is not None for source in sources):
            weights = np.concatenate(
                [np.ones(s.n_draws, int) if s.weights is None else s.weights for s in sources]
            )
        return cls(
            n_draws=sum(sizes),
            read=read,
            items=sources[0].items,
            chains=np.repeat(np.arange(len(sources)), sizes),
            weights=weights,
            n_warm_up=max(source.n_warm_up for source in sources),
        )

    def samples(
        self,
        *,
        burn_in: int = 0,
        thin: int = 1,
        chains: Any = None,
        items: Any = None,
        weights: Any = None,
        part: slice = slice(None),
    ) -> Samples:
        """Read the draws that are kept.

        Parameters
        ----------
        burn_in
            Draws to leave out at the start of each chain.
        thin
            Keep one draw in `thin` of each chain after that.
        chains
            Labels of the chains to keep; None keeps all.
        items
            One label per item. They must be those of the source, where it has any.
        weights
            How much each draw of the source counts, in the place of its own weights.
        part
            Which of the kept draws to read; all by default. Weights are those of all.
        """
        if items is not None and self.over_items is not None:
            return self.over_items(given_labels(items)).samples(
                burn_in=burn_in, thin=thin, chains=chains, weights=weights, part=part
            )
        if items is not None and self.items is not None and given_labels(items) != self.items:
            raise ValueError(
                "items= differs from the item labels that are there; leave it out, or give the "
                "same labels in the same order"
            )
        kept = self.kept(burn_in=burn_in, thin=thin, chains=chains)
        given = self.weights if weights is None else _one_each(weights, n_draws=self.n_draws)
        whole, error = None, self.weights_error if weights is None else 0.0
        if given is not None:
            whole, rounded = as_weights(given[kept], n_draws=len(kept))
            whole, error = whole[part], max(error, rounded)
        kept = kept[part]
        samples = Samples(
            self.read(kept) if self.held is None else self.held.select(kept),
            items=self.items if items is None else items,
            chains=None if self.chains is None else self.chains[kept],
        )
        return samples._weigh(whole, error)

    def kept(self, *, burn_in: int = 0, thin: int = 1, chains: Any = None) -> IntArray:
        """Positions of the draws that are kept, ascending."""
        burn_in = as_count(burn_in, name="burn_in", minimum=0)
        thin = min(as_count(thin, name="thin"), 2**62)
        if burn_in < self.n_warm_up:
            raise ValueError(
                f"the first {self.n_warm_up} draws of each chain are its warm-up; leave them out "
                f"with burn_in={self.n_warm_up}"
            )
        labels = np.zeros(self.n_draws, int) if self.chains is None else self.chains
        known, codes = np.unique(labels, return_inverse=True)
        wanted = np.ones(len(known), dtype=bool)
        if chains is not None:
            if self.chains is None:
                raise ValueError("there are no chains to choose from; leave out chains=")
            wanted = _chosen(chains, known)
        order = np.argsort(codes, kind="stable")
        sizes = np.bincount(codes, minlength=len(known))
        rank = np.empty(self.n_draws, dtype=np.int64)
        rank[order] = np.arange(self.n_draws) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        short = np.flatnonzero(wanted & (sizes <= burn_in))
        if self.n_draws and len(short):
            chain = "" if self.chains is None else f"chain {known[short[0]]} has "
            there = f"{chain or 'there are '}{sizes[short[0]]} draws"
            raise ValueError(f"burn_in = {burn_in} leaves no draw: {there}")
        kept = wanted[codes] & (rank >= burn_in) & ((rank - burn_in) % thin == 0)
        return np.flatnonzero(kept)


def given_labels(items: Any) -> tuple[str, ...]:
    """Item labels as they were given, if they differ from each other."""
    given = list(items) if hasattr(items, "__next__") else items
    return as_labels(given, n_items=len(given) if hasattr(given, "__len__") else 0) or ()


def _chosen(chains: Any, known: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    given = [chains] if np.ndim(chains) == 0 else list(chains)
    names = [str(label) for label in known]
    for chain in given:
        if str(chain) not in names:
            raise ValueError(f"there is no chain {chain!r}; there are {', '.join(names[:20])}")
    if not given:
        raise ValueError("chains= names no chain; leave it out to keep all")
    return np.isin(names, [str(chain) for chain in given])


def _one_each(weights: Any, *, n_draws: int) -> npt.NDArray[Any]:
    array = np.asarray(weights)
    if array.shape != (n_draws,):
        raise ValueError(
            f"weights has shape {array.shape}, but there are {n_draws} draws before burn_in and "
            "thin; give one each"
        )
    return array
