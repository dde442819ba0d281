"""DrawSource: draws to come, read by position when they are wanted, and what is known before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs import _core
from fangs._typing import IntArray
from fangs.check.labels import as_chains
from fangs.draws.labels import matched_order, same_order
from fangs.draws.request import Request
from fangs.draws.sparse import SparseColumns
from fangs.draws.weights import as_weights

__all__ = ["DrawSource", "joined", "numbered"]


def numbered(name: str) -> Callable[[int], str]:
    """Call draw 3 ``name[3]``."""
    return lambda b: f"{name}[{b}]"


_OF_DRAWS = numbered("draws")


@dataclass(frozen=True, eq=False, kw_only=True)
class DrawSource:
    """Draws that are read when they are wanted, and what is known about each of them before.

    Attributes
    ----------
    n_draws
        Number of draws.
    read
        Takes the positions of the wanted draws, ascending, and gives for each an (n, K) array or
        `SparseColumns`.
    name
        What complaints call the draw at a position.
    items
        Item labels, or None.
    first_item
        What the source calls its first item, 0 or 1, where it only counts them.
    chains
        (n_draws,): the label of each draw's chain, or None.
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
    n_features
        Features of all draws together, to make room for; 0 if that is not known.
    chosen_from
        (n_draws,): the positions of these draws among all that there are; None if these are all.

    Examples
    --------
    >>> stack = np.ones((6, 3, 2))
    >>> source = DrawSource(
    ...     n_draws=6, read=lambda at: stack[at], chains=np.array([1, 1, 1, 2, 2, 2])
    ... )
    >>> source.chosen(Request.of(burn_in=1, keep_chains=[2])).n_draws
    2
    """

    n_draws: int
    read: Callable[[IntArray], Iterable[Any]]
    name: Callable[[int], str] = _OF_DRAWS
    items: tuple[str, ...] | None = None
    first_item: int = 1
    chains: npt.NDArray[Any] | None = None
    weights: npt.NDArray[Any] | None = None
    weights_error: float = 0.0
    n_warm_up: int = 0
    over_items: Callable[[tuple[str, ...]], DrawSource] | None = None
    held: _core.Draws | None = None
    n_features: int = 0
    chosen_from: IntArray | None = None

    @property
    def positions(self) -> IntArray:
        """(n_draws,): the positions of these draws among all that there are."""
        return np.arange(self.n_draws) if self.chosen_from is None else self.chosen_from

    def all(self) -> Iterator[Any]:
        """Every draw, one by one."""
        yield from self.read(np.arange(self.n_draws))

    def chosen(self, request: Request) -> DrawSource:
        """The draws that a request asks for, with the labels and whole weights that it wants."""
        source = self if request.items is None else self._over(request.items)
        if request.chains is not None:
            source = replace(source, chains=as_chains(request.chains, n_draws=self.n_draws))
        if request.weights is not None:
            weights = _one_each(request.weights, n_draws=self.n_draws)
            source = replace(source, weights=weights, weights_error=0.0)
        kept = source._kept(request)
        source = source if kept is None else source._at(kept)
        whole, error = None, source.weights_error
        if source.weights is not None:
            whole, rounded = as_weights(source.weights, n_draws=source.n_draws)
            error = max(error, rounded)
        return replace(source, weights=whole, weights_error=error)

    def part(self, positions: slice | IntArray) -> DrawSource:
        """Some of the draws, with the weights that they have among all."""
        return self._at(np.arange(self.n_draws)[positions])

    def labelled(self, items: tuple[str, ...] | None, first_item: int = 1) -> DrawSource:
        """The same draws with these labels of items."""
        return replace(self, items=items, first_item=first_item)

    def _at(self, kept: IntArray) -> DrawSource:
        if len(kept) == self.n_draws:
            return self
        return replace(
            self,
            n_draws=len(kept),
            read=lambda at: self.read(kept[at]),
            name=lambda b: self.name(int(kept[b])),
            chains=None if self.chains is None else self.chains[kept],
            weights=None if self.weights is None else self.weights[kept],
            held=None if self.held is None else self.held.select(kept, 1),
            n_features=self.n_features * len(kept) // max(self.n_draws, 1),
            over_items=None,
            chosen_from=self.positions[kept],
        )

    def _over(self, items: tuple[str, ...]) -> DrawSource:
        """The same draws with these labels, in this order."""
        if self.over_items is not None:
            return self.over_items(items)
        if self.items is None or self.items == items:
            return replace(self, items=items)
        order = matched_order(self.items, items, name="draws", other="items")
        return self.reordered(order, items)

    def reordered(self, order: IntArray, items: tuple[str, ...] | None) -> DrawSource:
        """The same draws with row ``order[i]`` in place i."""

        def read(at: IntArray) -> Iterator[Any]:
            for draw in self.read(at):
                is_sparse = isinstance(draw, SparseColumns)
                yield draw.take_rows(order) if is_sparse else np.asarray(draw)[order]

        return replace(self, read=read, items=items, held=None, over_items=None)

    def _kept(self, request: Request) -> IntArray | None:
        """Positions of the draws that are kept, ascending; None for all."""
        burn_in, thin = request.burn_in, request.thin
        if burn_in < self.n_warm_up:
            raise ValueError(
                f"the first {self.n_warm_up} draws of each chain are its warm-up; leave them out "
                f"with burn_in={self.n_warm_up}"
            )
        if burn_in == 0 and thin == 1 and request.keep_chains is None:
            return None
        labels = np.zeros(self.n_draws, int) if self.chains is None else self.chains
        known, codes = np.unique(labels, return_inverse=True)
        wanted = np.ones(len(known), dtype=bool)
        if request.keep_chains is not None:
            if self.chains is None:
                raise ValueError("keep_chains: there are no chains to choose from; leave it out")
            wanted = _chosen(request.keep_chains, known)
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


def joined(
    sources: Sequence[DrawSource], names: Sequence[str], chains: Sequence[Any] | None
) -> DrawSource:
    """All draws of several sources, one after the other, items matched by name.

    Parameters
    ----------
    sources, names
        The sources, and what complaints call them.
    chains
        The label of each source, as a chain of its own; None where all are of one chain.
    """
    first = sources[0]
    parts = []
    for source, name in zip(sources, names, strict=True):
        if chains is not None and source.chains is not None and len(np.unique(source.chains)) > 1:
            raise ValueError(
                f"{name} has {len(np.unique(source.chains))} chains of its own; give one chain in "
                "each place, or only the draws that have the chains"
            )
        order = same_order(source.items, first.items, name=name, other=names[0])
        parts.append(source if order is None else source.reordered(order, first.items))
    sizes = [part.n_draws for part in parts]
    starts = np.cumsum([0, *sizes])

    def read(at: IntArray) -> Iterator[Any]:
        for part, start, size in zip(parts, starts, sizes, strict=False):
            inside = at[(at >= start) & (at < start + size)] - start
            if len(inside):
                yield from part.read(inside)

    def called(b: int) -> str:
        which = int(np.searchsorted(starts, b, side="right")) - 1
        inner = parts[which].name(b - int(starts[which]))
        return inner if inner.startswith(names[which]) else f"{names[which]}, {inner}"

    weights = None
    if any(part.weights is not None for part in parts):
        weights = np.concatenate(
            [np.ones(p.n_draws, int) if p.weights is None else p.weights for p in parts]
        )
    labels = None
    if chains is not None:
        labels = as_chains(
            [c for c, size in zip(chains, sizes, strict=True) for _ in range(size)],
            n_draws=sum(sizes),
        )
    return DrawSource(
        n_draws=sum(sizes),
        read=read,
        name=called,
        held=_held_together([part.held for part in parts]),
        items=first.items,
        first_item=first.first_item,
        chains=labels,
        weights=weights,
        weights_error=max(part.weights_error for part in parts),
        n_warm_up=max(part.n_warm_up for part in parts),
        n_features=sum(part.n_features for part in parts),
    )


def _held_together(packed: Sequence[_core.Draws | None]) -> _core.Draws | None:
    """Packed draws one after the other; None unless all are packed, over as many items."""
    parts = [one for one in packed if one is not None]
    if len(parts) < len(packed) or len({part.n_items for part in parts}) > 1:
        return None
    together = _core.Draws(parts[0].n_items)
    together.reserve(sum(map(len, parts)), sum(int(part.n_features().sum()) for part in parts))
    for part in parts:
        together.extend(part)
    together.shrink_to_fit()
    return together


def _chosen(chains: Any, known: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    given = [chains] if np.ndim(chains) == 0 else list(chains)
    names = [str(label) for label in known]
    for chain in given:
        if str(chain) not in names:
            raise ValueError(
                f"keep_chains: there is no chain {chain!r}; there are {', '.join(names[:20])}"
            )
    if not given:
        raise ValueError("keep_chains names no chain; leave it out to keep all")
    return np.isin(names, [str(chain) for chain in given])


def _one_each(weights: Any, *, n_draws: int) -> npt.NDArray[Any]:
    array = np.asarray(weights)
    if isinstance(weights, np.ma.MaskedArray) and np.ma.is_masked(weights):
        at = int(np.flatnonzero(np.ma.getmaskarray(weights))[0])
        raise ValueError(f"weights[{at}] is masked; give every draw a weight")
    if array.shape != (n_draws,):
        raise ValueError(
            f"weights has shape {array.shape}, but there are {n_draws} draws; give one weight "
            "each, also for those that burn_in and thin leave out"
        )
    return array
