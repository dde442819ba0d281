"""DrawSource: draws to come, read by position when they are wanted, and what is known before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs import _core
from fangs._typing import BinaryMatrix, IntArray
from fangs.check.labels import as_chains
from fangs.draws.labels import first_number, matched_order, same_order, text_of
from fangs.draws.request import Request
from fangs.draws.sparse import rows_at
from fangs.draws.variables import Variable
from fangs.draws.weights import as_weights

__all__ = ["DrawSource", "Labels", "joined", "numbered"]


def numbered(name: str) -> Callable[[int], str]:
    """Call draw 3 ``name[3]``."""
    return lambda b: f"{name}[{b}]"


_OF_DRAWS = numbered("draws")


@dataclass(frozen=True, eq=False)
class Labels:
    """What is known of draws beside the matrices themselves."""

    items: tuple[str, ...] | None = None
    first_item: int = 1
    """What the source calls its first item, 0 or 1, where it only counts them."""
    chains: npt.NDArray[Any] | None = None
    """(B,): the label of each draw's chain, or None."""
    weights: npt.NDArray[Any] | None = None
    """(B,): how much each draw counts, or None."""
    weights_error: float = 0.0
    """What the weights have lost when they became whole numbers, as `Samples.weights_error`."""

    def select(self, draws: npt.NDArray[Any]) -> Labels:
        """The labels of some of the draws."""
        chains = None if self.chains is None else self.chains[draws]
        weights = None if self.weights is None else self.weights[draws]
        return Labels(self.items, self.first_item, chains, weights, self.weights_error)


@dataclass(frozen=True, eq=False, kw_only=True)
class DrawSource(Labels):
    """Draws that are read when they are wanted, with their labels.

    Examples
    --------
    >>> stack, chains = np.ones((6, 3, 2)), np.array([1, 1, 1, 2, 2, 2])
    >>> source = DrawSource(n_draws=6, read=lambda at: stack[at], chains=chains)
    >>> source.chosen(Request.of(burn_in=1, keep_chains=[2])).n_draws
    2
    """

    n_draws: int
    read: Callable[[IntArray], Iterable[Any]]
    """Gives the draws at positions, ascending: each an (n, K) array or `SparseColumns`."""
    name: Callable[[int], str] = _OF_DRAWS
    """What complaints call the draw at a position."""
    n_warm_up: int = 0
    """Draws at the start of each chain that the source itself says are no draws of the posterior.
    """
    over_items: Callable[[tuple[str, ...]], DrawSource] | None = None
    """Gives the same draws over other items, where the source knows more than `items` says."""
    held: _core.Draws | None = None
    """The draws, where they are packed already."""
    n_features: int = 0
    """Features of all draws together, to make room for; 0 if that is not known."""
    n_ones: IntArray | None = None
    """(n_draws,): ones of each draw, compared with what is read; None if that is not known."""
    chosen_from: IntArray | None = None
    """(n_draws,): the positions of these draws among all that there are; None if these are all."""

    @classmethod
    def of_packed(cls, packed: _core.Draws, **known: Any) -> DrawSource:
        """Draws that are packed already; `known` are further attributes."""
        return cls(n_draws=len(packed), read=lambda at: _unpacked(packed, at), held=packed, **known)

    @property
    def labels(self) -> Labels:
        """The labels alone, without a way to the draws."""
        return Labels(self.items, self.first_item, self.chains, self.weights, self.weights_error)

    @property
    def positions(self) -> IntArray:
        """(n_draws,): the positions of these draws among all that there are."""
        return np.arange(self.n_draws) if self.chosen_from is None else self.chosen_from

    def all(self) -> Iterator[Any]:
        """Every draw, one by one."""
        yield from self.read(np.arange(self.n_draws))

    def describe(self, name: str, what: str, n_items: int, widths: Iterable[int]) -> Variable:
        """What is said of these draws; `widths` are the numbers of columns of some or all."""
        every = list(widths) or [0]
        chains = None if self.chains is None else len(np.unique(self.chains))
        n_features = int(min(every)), int(max(every))
        return Variable(name, what, self.n_draws, n_items, n_features, chains, self.items)

    def chosen(self, request: Request) -> DrawSource:
        """The draws that a request asks for, with the labels and whole weights that it wants."""
        source = self if request.items is None else self._over(request.items)
        if request.chains is not None:
            source = replace(source, chains=as_chains(request.chains, n_draws=self.n_draws))
        if request.weights is not None:
            weights = _one_each(request.weights, n_draws=self.n_draws)
            source = replace(source, weights=weights, weights_error=0.0)
        if (wanted := source._wanted(request)) is not None:
            source = source.part(wanted)
        if source.weights is None:
            return source
        whole, error = as_weights(source.weights, n_draws=source.n_draws)
        return replace(source, weights=whole, weights_error=max(error, source.weights_error))

    def part(self, positions: slice | IntArray) -> DrawSource:
        """Some of the draws, with the weights that they have among all."""
        draws = np.arange(self.n_draws)[positions]
        if len(draws) == self.n_draws:
            return self
        return replace(
            self,
            **vars(self.labels.select(draws)),
            n_draws=len(draws),
            read=lambda at: self.read(draws[at]),
            name=lambda b: self.name(int(draws[b])),
            held=None if self.held is None else self.held.select(draws, 1),
            n_features=self.n_features * len(draws) // max(self.n_draws, 1),
            n_ones=None if self.n_ones is None else self.n_ones[draws],
            over_items=None,
            chosen_from=self.positions[draws],
        )

    def counted(self, n_ones: IntArray | None) -> DrawSource:
        """The same draws, each of which must have so many ones; None where nobody has counted."""
        if n_ones is not None and len(n_ones) != self.n_draws:
            raise ValueError(
                f"it has {self.n_draws} draws, but says itself (n_ones) that it has {len(n_ones)}: "
                "it is damaged, or was changed without its counts"
            )
        return replace(self, n_ones=n_ones)

    def labelled(self, labels: Sequence[Any] | None, first_item: int = 1) -> DrawSource:
        """The same draws with these labels of items; None if they have none.

        Labels that only count are none, but draws are still put into an order of such numbers.
        """
        names = None if labels is None else tuple(map(text_of, labels))
        first = None if names is None else first_number(names)
        if names is None or first is None:
            return replace(self, items=names, first_item=first_item, over_items=None)

        def over_items(items: tuple[str, ...]) -> DrawSource:
            known = set(items) == set(names)
            return self._matched(names, items) if known else replace(self, items=items)

        return replace(self, items=None, first_item=first, over_items=over_items)

    def reordered(self, order: IntArray, items: tuple[str, ...] | None) -> DrawSource:
        """The same draws with row ``order[i]`` in place i."""
        return replace(
            self,
            read=lambda at: (rows_at(draw, order) for draw in self.read(at)),
            items=items,
            held=None,
            over_items=None,
        )

    def _over(self, items: tuple[str, ...]) -> DrawSource:
        """The same draws with these labels, in this order."""
        if self.over_items is not None:
            return replace(self.over_items(items), n_ones=self.n_ones)
        if self.items is None or self.items == items:
            return replace(self, items=items)
        return self._matched(self.items, items)

    def _matched(self, names: tuple[str, ...], items: tuple[str, ...]) -> DrawSource:
        return self.reordered(matched_order(names, items, name="draws", other="items"), items)

    def _wanted(self, request: Request) -> IntArray | None:
        """Positions of the draws that burn_in, thin and keep_chains leave; None for all."""
        burn_in, thin = request.burn_in, request.thin
        if burn_in < self.n_warm_up:
            raise ValueError(
                f"the first {self.n_warm_up} draws of each chain are its warm-up; leave them out "
                f"with burn_in={self.n_warm_up}"
            )
        if burn_in == 0 and thin == 1 and request.keep_chains is None:
            return None
        labels = np.zeros(self.n_draws, int) if self.chains is None else self.chains
        wanted = np.unique(labels)
        if request.keep_chains is not None:
            if self.chains is None:
                raise ValueError("keep_chains: there are no chains to choose from; leave it out")
            wanted = _chosen_chains(request.keep_chains, wanted)
        is_wanted = np.zeros(self.n_draws, dtype=bool)
        for label in wanted:
            of_chain = np.flatnonzero(labels == label)
            if len(of_chain) <= burn_in:
                there = "there are" if self.chains is None else f"chain {label} has"
                raise ValueError(
                    f"burn_in = {burn_in} leaves no draw: {there} {len(of_chain)} draws"
                )
            is_wanted[of_chain[burn_in::thin]] = True
        return np.flatnonzero(is_wanted)


def joined(
    sources: Sequence[DrawSource],
    names: Sequence[str],
    chains: Sequence[Any] | None,
    items: tuple[str, ...] | None = None,
) -> DrawSource:
    """All draws of several sources, one after the other, items matched by name.

    `names` are what complaints call the sources, and `chains` their labels as chains, or None. If
    all sources name their items, each is put into the order of `items`, where that is given.
    """
    if items is not None and all(one.items or one.over_items for one in sources):
        sources = [one._over(items) for one in sources]
    first, parts = sources[0], []
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

    weights, labels = None, None
    if any(part.weights is not None for part in parts):
        weights = np.concatenate(
            [np.ones(p.n_draws, int) if p.weights is None else p.weights for p in parts]
        )
    if chains is not None:
        each = [label for label, size in zip(chains, sizes, strict=True) for _ in range(size)]
        labels = as_chains(each, n_draws=sum(sizes))
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


def _unpacked(packed: _core.Draws, at: IntArray) -> Iterator[BinaryMatrix]:
    """Packed draws, with their empty columns in their places."""
    n_columns = packed.n_columns()
    for b in at.tolist():
        matrix = np.zeros((packed.n_items, int(n_columns[b])), dtype=np.uint8)
        matrix[:, packed.columns(b)] = packed.read(b)
        yield matrix


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


def _chosen_chains(chains: Any, known: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Those of the known labels that are asked for, be it as text."""
    given = [str(chain) for chain in ([chains] if np.ndim(chains) == 0 else chains)]
    names = [str(label) for label in known]
    for chain in given:
        if chain not in names:
            raise ValueError(
                f"keep_chains: there is no chain {chain!r}; there are {', '.join(names[:20])}"
            )
    if not given:
        raise ValueError("keep_chains names no chain; leave it out to keep all")
    return known[np.isin(names, given)]


def _one_each(weights: Any, *, n_draws: int) -> npt.NDArray[Any]:
    array = np.asarray(weights)
    if np.ma.is_masked(weights):
        at = int(np.flatnonzero(np.ma.getmaskarray(weights))[0])
        raise ValueError(f"weights[{at}] is masked; give every draw a weight")
    if array.shape != (n_draws,):
        raise ValueError(
            f"weights has shape {array.shape}, but there are {n_draws} draws; give one weight "
            "each, also for those that burn_in and thin leave out"
        )
    return array
