"""Samples: the posterior draws, checked once and held bit-packed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from fangs import _core
from fangs._frozen import read_only
from fangs._typing import BinaryMatrix, IntArray
from fangs.check.arguments import as_count
from fangs.check.labels import as_chains, as_labels
from fangs.check.text import rounded
from fangs.draws.info import SamplesInfo
from fangs.draws.open import is_collection, open_draws
from fangs.draws.packing import PackedPieces, pack, restore
from fangs.draws.request import Request
from fangs.draws.source import DrawSource, Labels, joined
from fangs.draws.weights import check_sums, weights_by_chain

__all__ = ["Labels", "Samples", "as_samples"]


class Samples:
    """Posterior draws of a feature allocation: n items, and features whose number may vary.

    Parameters
    ----------
    draws
        A list (or any iterable) of (n, K_b) matrices of 0 and 1; one (B, n, K) or
        (chain, draw, n, K) array; a list or dict of chains; an xarray, ArviZ, pandas, polars or
        pyarrow object; or the path of a file that `fangs.read` reads. Arrays may be sparse, or of
        any library that NumPy can read. Columns of zeros mean nothing and are dropped, and so are
        columns of nothing but NaN or -1, with which arrays are padded; equal columns are kept. A
        draw may have no feature at all.
    variable
        Which variable, entry or place holds the draws, where several could. A list of variables is
        read as one chain each.
    dims
        What dimensions, or columns of a table, are called, where they have other names than those
        of the page "What is what in your file": ``{"item": "person"}``, for example. The roles are
        draw, chain, item, feature, weight and value.
    items
        One label per item, for printing and plotting. Draws that carry labels are put into this
        order.
    chains
        One label per draw, text or whole number: the Markov chain that it comes from; or the name
        of the variable or column with them.
    weights
        How much each draw counts: one number per draw, 0 or more. A weight of 3 means the same as
        three copies of the draw; a draw of weight 0 is kept, but counts nothing. They need not add
        up to 1. Whole numbers are kept unchanged; for others see `weights_error`. Or the name of
        the variable or column with them, or of an ``.npy`` or text file.
    burn_in
        Draws to leave out at the start of each chain. Labels and weights are those of all draws.
    thin
        Keep one draw in `thin` of each chain after that.
    keep_chains
        Labels of the chains to keep; None keeps all.

    Examples
    --------
    >>> samples = Samples([[[1, 0], [1, 1]], [[1], [1]]], items=["ann", "bob"])
    >>> samples
    Samples(2 draws, 2 items, 1 to 2 features)
    >>> samples[0]
    array([[1, 0],
           [1, 1]], dtype=uint8)
    >>> samples.n_features
    array([2, 1])
    """

    _fangs_depth = 3  # as many dimensions as a (B, n, K) array

    def __init__(
        self,
        draws: Any,
        *,
        variable: str | Sequence[str] | None = None,
        dims: Mapping[str, str] | None = None,
        items: Any = None,
        chains: Any = None,
        weights: Any = None,
        burn_in: int = 0,
        thin: int = 1,
        keep_chains: Any = None,
    ) -> None:
        request = Request.of(
            variable=variable,
            dims=dims,
            items=items,
            chains=chains,
            weights=weights,
            burn_in=burn_in,
            thin=thin,
            keep_chains=keep_chains,
        )
        with open_draws(draws, request) as source:
            self._hold(pack(source), source.labels)

    def _hold(self, packed: _core.Draws, labels: Labels, n_ones: IntArray | None = None) -> None:
        """Hold draws and their labels, whose weights are whole; `n_ones` where it is known."""
        items = as_labels(labels.items, n_items=packed.n_items)
        self._draws, self._labels = packed, replace(labels, items=items)
        if n_ones is not None:
            self.__dict__["n_ones"] = read_only(n_ones)
        for array in (self.chains, self.weights):
            if array is not None:
                read_only(array)
        if self.weights is not None:
            check_sums(self.weights, self.n_ones)

    @classmethod
    def _of(cls, packed: _core.Draws, labels: Labels, n_ones: IntArray | None = None) -> Samples:
        """Samples of packed draws: how all others build one."""
        made = cls.__new__(cls)
        made._hold(packed, labels, n_ones)
        return made

    @classmethod
    def _of_source(cls, source: DrawSource) -> Samples:
        """Read and pack the draws of a source that is open."""
        return cls._of(pack(source), source.labels)

    @classmethod
    def from_chains(cls, chains: Any, *, items: Any = None, weights: Any = None) -> Samples:
        """Make samples from Markov chains, each of them anything that `Samples` accepts.

        Parameters
        ----------
        chains
            A dict of chains, whose names are kept, or a list of chains, which are numbered from 0.
            Chains may differ in length. Items with labels are matched by name.
        items
            As for `Samples`.
        weights
            How much each draw counts: a dict or list with one array per chain, or one number per
            chain that all its draws share, as when chains are stacked.

        Examples
        --------
        >>> samples = Samples.from_chains({"warm": [[[1], [0]]], "cold": [[[1], [1]], [[0], [1]]]})
        >>> samples.chains
        array(['warm', 'cold', 'cold'], dtype='<U4')
        """
        if isinstance(chains, Samples):
            raise TypeError(
                "chains is Samples, which may hold several chains already; give a list of them, "
                "or say which chain each draw is from: fangs.Samples(draws, chains=labels)"
            )
        if not is_collection(chains):
            raise TypeError(f"chains is {chains!r}; give a dict or a list of chains")
        given = dict(chains if isinstance(chains, Mapping) else enumerate(chains))
        if not given:
            raise ValueError("chains is empty; at least one draw is needed")
        parts = [cls(part, items=items) for part in given.values()]
        names = [f"chains[{key!r}]" for key in given]
        made = cls._of_source(joined([part._source() for part in parts], names, list(given)))
        if weights is None:
            return made
        return cls(
            made, weights=weights_by_chain(weights, made.info.chain_names, made.info.chain_codes)
        )

    @classmethod
    def from_sets(
        cls,
        draws: Iterable[Iterable[Iterable[Any]]],
        n_items: int | None = None,
        *,
        items: Sequence[Any] | None = None,
        chains: Any = None,
        weights: Any = None,
    ) -> Samples:
        """Make samples from draws that are collections of item sets.

        Parameters
        ----------
        draws
            Each draw is a collection of features, and each feature a collection of items. Items are
            labels from `items`, or positions from 0 to n_items - 1; what can be read as both is a
            label.
        n_items
            Number of items; may be left out when `items` is given.
        items, chains, weights
            As for `Samples`.

        Examples
        --------
        >>> Samples.from_sets([[{0, 1}, {2}], [{0, 1, 2}]], 3)[0]
        array([[1, 0],
               [1, 0],
               [0, 1]], dtype=uint8)
        """
        from fangs.draws.forms.sets import SetsForm

        if n_items is None:
            if items is None:
                raise TypeError("from_sets needs n_items, or items with one label per item")
            n_items = len(items)
        n_items = as_count(n_items, name="n_items")
        if not is_collection(draws):
            raise TypeError(f"draws is {draws!r}; give a list of draws, each a list of item sets")
        labels = as_labels(items, n_items=n_items)
        form = SetsForm(draws, "draws", n_items=n_items, items=labels)
        request = Request.of(chains=chains, weights=weights)
        return cls._of_source(form.draws(None, request).chosen(request))

    @classmethod
    def concatenate(cls, samples: Iterable[Samples]) -> Samples:
        """Put samples one after the other; items that have labels are matched by name.

        Draws of equal chain labels belong to one chain. Weights are put together as the whole
        numbers that each part has; where parts were given decimal shares, `from_chains` with
        ``weights=`` weighs them against each other.

        Examples
        --------
        >>> some = Samples([[[1], [0]]], items=["ann", "bob"], chains=[0])
        >>> more = Samples([[[1], [0]]], items=["bob", "ann"], chains=[1])
        >>> both = Samples.concatenate([some, more])
        >>> both[1].tolist(), both.chains.tolist()
        ([[0], [1]], [0, 1])
        """
        parts = list(samples)
        for i, part in enumerate(parts):
            if not isinstance(part, Samples):
                raise TypeError(f"samples[{i}] is of type {type(part).__name__}; give Samples")
        if not parts:
            raise ValueError("samples is empty; give at least one")
        names = [f"samples[{i}]" for i in range(len(parts))]
        source = joined([part._source() for part in parts], names, None)
        without = [name for name, part in zip(names, parts, strict=True) if part.chains is None]
        if without and len(without) < len(parts):
            raise ValueError(f"{without[0]} has no chains, but others have; label all or none")
        chains = [label for part in parts if part.chains is not None for label in part.chains]
        labels = as_chains(chains or None, n_draws=source.n_draws)
        return cls._of_source(replace(source, chains=labels))

    def _source(self) -> DrawSource:
        """The draws as a source, for what is made of them."""
        return DrawSource.of_packed(self._draws, **vars(self._labels))

    @property
    def n_items(self) -> int:
        """Number of items."""
        return self._draws.n_items

    @property
    def items(self) -> tuple[str, ...] | None:
        """The labels of the items, or None."""
        return self._labels.items

    @property
    def item_names(self) -> tuple[str, ...]:
        """What people read: the labels of the items, or their numbers.

        Numbers count from 1, or from where the source itself counts.
        """
        return self.info.item_names

    @property
    def chains(self) -> npt.NDArray[Any] | None:
        """(B,): label of the chain of each draw as it was given, text or whole number, or None."""
        return self._labels.chains

    @property
    def weights(self) -> IntArray | None:
        """(B,): how much each draw counts, as whole numbers; None if each counts once."""
        return self._labels.weights

    @property
    def weights_error(self) -> float:
        """How far the whole weights are from those given; no share of the draws is off by more."""
        return self._labels.weights_error

    # Counted on first use: for tiny draws these numbers take more memory than the draws.
    @cached_property
    def n_features(self) -> IntArray:
        """(B,): number of features of each draw, empty ones not counted."""
        return read_only(self._draws.n_features().view(np.int64))

    @cached_property
    def n_ones(self) -> IntArray:
        """(B,): number of ones of each draw."""
        return read_only(self._draws.n_ones().view(np.int64))

    @cached_property
    def n_distinct(self) -> int:
        """Number of draws that are different allocations."""
        return len(np.unique(_core.first_equal(self._draws)))

    @cached_property
    def bare_items(self) -> IntArray:
        """Positions of the items that have no feature in any draw.

        Examples
        --------
        >>> Samples([[[1], [0]], [[1], [0]]], items=["ann", "bob"]).bare_items
        array([1])
        """
        return read_only(np.flatnonzero(_core.item_counts(self._draws, None) == 0))

    @property
    def note(self) -> str:
        """What a reader must know of the draws: items that have no feature in any of them.

        Examples
        --------
        >>> Samples([[[1], [0]], [[1], [0]]], items=["ann", "bob"]).note
        'no draw has a feature with this item: bob'
        """
        names = [self.item_names[i] for i in self.bare_items[:_MOST_NAMED]]
        more = len(self.bare_items) - len(names)
        which = ", ".join(names) + (f" and {more} more" if more else "")
        items = "this item" if len(self.bare_items) == 1 else "these items"
        return f"no draw has a feature with {items}: {which}" if names else ""

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that identify the draws.

        They do not depend on the order of the draws and their columns, on empty columns, or on the
        form in which the draws were given. Labels and chains play no part.

        Examples
        --------
        >>> one, other = [[1, 0], [1, 1]], [[1], [0]]
        >>> Samples([one, other]).fingerprint == Samples([other, [[0, 1], [1, 1]]]).fingerprint
        True
        >>> Samples([one, other]).fingerprint == Samples([one, one]).fingerprint
        False
        """
        return self.info.fingerprint or ""

    @property
    def effective_draws(self) -> float:
        """Kish's effective sample size of the weights; the number of draws without weights.

        Examples
        --------
        >>> Samples([[[1]], [[0]], [[1]]], weights=[2, 1, 1]).effective_draws
        2.66...
        """
        return self.info.effective_draws

    @cached_property
    def info(self) -> SamplesInfo:
        """Sizes and labels of the draws."""
        sizes = self.n_items, self.n_features, self.n_ones
        labels = self.items, self.chains, self.weights
        return SamplesInfo(*sizes, *labels, self._draws.hashes, self._labels.first_item)

    @property
    def n_bytes(self) -> int:
        """Memory that the packed draws take."""
        return self._draws.n_bytes

    def columns(self, draw: int) -> IntArray:
        """Position of each feature of a draw in the matrix that was given, empty columns counted.

        Examples
        --------
        >>> Samples([[[0, 1, 1], [0, 0, 1]]]).columns(0)
        array([1, 2])
        """
        return self._draws.columns(self._position(draw)).view(np.int64)

    @property
    def n_columns(self) -> IntArray:
        """(B,): number of columns of each draw as it was given, empty ones counted."""
        return self._draws.n_columns().view(np.int64)

    def select(self, draws: npt.ArrayLike) -> Samples:
        """Samples of these draws: their numbers, or one True or False per draw.

        A draw whose number comes twice counts twice. ``samples[draws]`` is the same.

        Examples
        --------
        >>> samples = Samples([[[1, 0], [1, 1]], [[1], [1]]])
        >>> samples.select([1, 1]).n_features
        array([1, 1])
        >>> len(samples[samples.n_features > 1])
        1
        """
        chosen = self._positions(draws)
        if self.weights is not None and not self.weights[chosen].any():
            raise ValueError("draws of weight 0 only were selected; select others")
        return self._part(chosen)

    def _part(
        self, draws: IntArray, weights: IntArray | None = None, threads: _core.Threads | int = 1
    ) -> Samples:
        """These draws, with these weights or their own, which may all be 0: others count too."""
        labels = self._labels.select(draws)
        if weights is not None:
            labels = replace(labels, weights=weights, weights_error=0.0)
        # Counting again means another look at all of the draws.
        n_ones = self.n_ones[draws] if "n_ones" in self.__dict__ else None
        return Samples._of(self._draws.select(draws, threads), labels, n_ones)

    def chain(self, name: str | int) -> Samples:
        """The draws of one chain.

        Examples
        --------
        >>> Samples([[[1], [0]], [[1], [1]]], chains=["warm", "cold"]).chain("cold")
        Samples(1 draw, 2 items, 1 feature, 1 chain)
        """
        if self.chains is None:
            raise ValueError("samples has no chains; label them: Samples(draws, chains=labels)")
        names = self.info.chain_names
        if isinstance(name, bool) or name not in names:
            known = ", ".join(map(repr, names[:20]))
            raise ValueError(f"there is no chain {name!r}; the chains are {known}")
        return self.select(np.flatnonzero(self.info.chain_codes == names.index(name)))

    def save(self, path: str | Path) -> None:
        """Write the draws in the form that the suffix names, such as .npz, for `fangs.read`."""
        from fangs.formats.registry import write_samples

        write_samples(self, path)

    def to_xarray(self) -> Any:
        """All draws as one xarray DataArray ``Z`` (chain, draw, item, feature); needs xarray.

        Narrower draws are padded with columns of 0, so it takes a byte per draw, item and column of
        the widest draw. Draws without chains become chain 0. Chains of different lengths give
        dimensions (sample, item, feature), with the coordinate ``chain``. `Samples` reads it back.
        """
        from fangs.draws.to_xarray import samples_to_xarray

        return samples_to_xarray(self)

    def __len__(self) -> int:
        return len(self._draws)

    @overload
    def __getitem__(self, draw: int | np.integer[Any]) -> BinaryMatrix: ...
    @overload
    def __getitem__(self, draw: slice | Sequence[Any] | npt.NDArray[Any]) -> Samples: ...
    def __getitem__(self, draw: Any) -> BinaryMatrix | Samples:
        if isinstance(draw, slice):
            return self.select(np.arange(len(self))[draw])
        if isinstance(draw, list | tuple) or np.ndim(draw):
            return self.select(draw)
        return self._draws.read(self._position(draw))

    def __iter__(self) -> Iterator[BinaryMatrix]:
        return (self._draws.read(b) for b in range(len(self)))

    def __eq__(self, other: object) -> bool:
        """Whether both hold the same draws in the same order, with the same labels and chains."""
        if not isinstance(other, Samples):
            return NotImplemented
        return (
            self.n_items == other.n_items
            and self.items == other.items
            and np.array_equal(self.chains, other.chains)  # type: ignore[arg-type]
            and np.array_equal(self.weights, other.weights)  # type: ignore[arg-type]
            and np.array_equal(self.n_features, other.n_features)
            and np.array_equal(self._draws.state()[0], other._draws.state()[0])
        )

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Samples:
        return Samples._of(self._draws, self._labels)

    def __reduce__(self) -> tuple[Any, ...]:
        pieces = PackedPieces(self._draws)
        return _restore, (pieces, pieces.sizes, self._labels)

    def __repr__(self) -> str:
        low, high = int(self.n_features.min()), int(self.n_features.max())
        parts = [
            _counted(len(self), "draw"),
            _counted(self.n_items, "item"),
            _counted(high, "feature") if low == high else f"{low} to {high} features",
        ]
        if self.chains is not None:
            parts.append(_counted(len(self.info.chain_names), "chain"))
        if self.weights is not None:
            effective = rounded(self.effective_draws, 4)
            parts[0] += f" of weight {self.info.total_weight:,}, {effective} effective"
        if self.n_bytes < _SMALL:
            if self.n_distinct < len(self):
                parts[0] += f" ({self.n_distinct} distinct)"
            if len(self.bare_items):
                parts[1] += f" ({len(self.bare_items)} without a feature)"
        return f"Samples({', '.join(parts)})"

    def _repr_html_(self) -> str:
        from fangs.report.views import samples_html

        return samples_html(self)

    def _position(self, draw: Any) -> int:
        if not isinstance(draw, int | np.integer) or isinstance(draw, bool):
            raise TypeError(f"a draw is chosen by its whole number, not by {draw!r}")
        if not -len(self) <= draw < len(self):
            raise IndexError(f"there is no draw {draw}; there are {len(self)}, counted from 0")
        return int(draw) % len(self)

    def _positions(self, draws: npt.ArrayLike) -> IntArray:
        chosen = np.asarray(draws)
        if chosen.dtype == np.bool_ and chosen.ndim == 1:
            if len(chosen) != len(self):
                raise IndexError(
                    f"draws is a mask of {len(chosen)} values, but there are {len(self)} draws; "
                    "give one True or False per draw"
                )
            chosen = np.flatnonzero(chosen)
        if chosen.ndim != 1 or (chosen.size and chosen.dtype.kind not in "iu"):
            raise TypeError(
                f"draws has shape {chosen.shape} and type {chosen.dtype}; give a list of draws' "
                "numbers, or one True or False per draw"
            )
        if chosen.size == 0:
            raise ValueError("draws chooses no draw; at least one is needed")
        for extreme in (chosen.min(), chosen.max()):
            self._position(extreme)
        return chosen.astype(np.int64) % len(self)


def as_samples(draws: Any) -> Samples:
    """Whatever `Samples` accepts, as Samples."""
    return draws if isinstance(draws, Samples) else Samples(draws)


_MOST_NAMED = 10
_SMALL = 1 << 22
"""Bytes of packed draws up to which printing looks at all of them."""


def _restore(pieces: list[int], sizes: tuple[Any, ...], labels: Labels) -> Samples:
    """Samples as they were pickled."""
    return Samples._of(restore(pieces, *sizes), labels)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
