"""Samples: the posterior draws, checked once and held bit-packed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs import _core
from fangs._fingerprint import HashArray, fingerprint, hash_sum
from fangs._typing import BinaryMatrix, IntArray
from fangs._validate import as_count, as_labels, as_matrix, not_binary
from fangs.weights import as_weights, effective_number

# Types that the core reads; other numeric types (half, long double) are converted first.
_NATIVE = frozenset(np.dtype(t) for t in "?bBhHiIlLqQfd")


@dataclass(frozen=True, eq=False)
class SamplesInfo:
    """Sizes and labels of the draws, without the draws themselves."""

    n_items: int
    n_features: IntArray
    """(B,): number of features of each draw, empty ones not counted."""
    n_ones: IntArray
    """(B,): number of ones of each draw."""
    items: tuple[str, ...] | None
    chains: IntArray | None
    find_hashes: Callable[[], HashArray]
    """Computes `hashes`, which not every use of the draws needs."""
    weights: IntArray | None = None
    """(B,): how much each draw counts, 0 or more; None if each counts once."""

    @cached_property
    def hashes(self) -> HashArray:
        """(B,): a hash of each draw; the order of its columns plays no part."""
        return self.find_hashes()

    @cached_property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that identify the draws, whatever their order and form."""
        weights = np.ones(self.n_draws, dtype=np.int64) if self.weights is None else self.weights
        return fingerprint(self.n_items, self.total_weight, hash_sum(self.hashes, weights))

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
        return np.arange(self.n_draws) if self.weights is None else np.flatnonzero(self.weights)

    def weigh(self, numbers: npt.NDArray[np.integer[Any]]) -> int:
        """Sum of one whole number per draw, each times its draw's weight."""
        if self.weights is None:
            return int(numbers.sum(dtype=np.int64))
        return int(numbers.astype(np.int64, copy=False) @ self.weights)


class Samples:
    """Posterior draws of a feature allocation: n items, and features whose number may vary.

    Parameters
    ----------
    draws
        A list (or any iterable) of (n, K_b) matrices of 0 and 1, or one (B, n, K) array. The
        matrices may have any numeric or boolean type, and may be scipy sparse. Columns of zeros
        mean nothing and are dropped; equal columns are kept. A draw may have no feature at all.
    items
        One label per item, for printing and plotting.
    chains
        One label per draw: the Markov chain that it comes from.
    weights
        How much each draw counts: one number per draw, 0 or more. A weight of 3 means the same as
        three copies of the draw; a draw of weight 0 is kept, but counts nothing. They need not add
        up to 1. Whole numbers are taken as they are; for others see `weights_error`.

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

    def __init__(
        self, draws: Any, *, items: Any = None, chains: Any = None, weights: Any = None
    ) -> None:
        self._draws: _core.Draws
        given = weights
        if isinstance(draws, Samples):
            self._draws = draws._draws
            items = draws.items if items is None else items
            chains = draws.chains if chains is None else chains
            given = draws.weights if weights is None else weights
        elif isinstance(draws, _core.Draws):
            self._draws = draws
        else:
            self._draws = _pack(draws)
        self.items: tuple[str, ...] | None = as_labels(items, n_items=self.n_items)
        self.chains: IntArray | None = _as_chains(chains, n_draws=len(self))
        self.weights: IntArray | None = None
        self.weights_error = 0.0
        """How far the whole weights are from those given; no share of the draws is off by more."""
        if given is not None:
            self.weights, self.weights_error = as_weights(given, n_draws=len(self))
            _check_sums(self.weights, self.n_ones)
            _frozen(self.weights)
        if isinstance(draws, Samples) and weights is None:
            self.weights_error = draws.weights_error

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
        if n_items is None:
            if items is None:
                raise TypeError("from_sets needs n_items, or items with one label per item")
            n_items = len(items)
        n_items = as_count(n_items, name="n_items")
        if not _is_collection(draws):
            raise TypeError(f"draws is {draws!r}; give a list of draws, each a list of item sets")
        labels = as_labels(items, n_items=n_items)
        position = {label: i for i, label in enumerate(labels or ())}
        matrices = (
            _matrix_of_sets(draw, n_items, position, name=f"draws[{b}]")
            for b, draw in enumerate(draws)
        )
        return cls(matrices, items=labels, chains=chains, weights=weights)

    @property
    def n_items(self) -> int:
        """Number of items."""
        return self._draws.n_items

    # Counted on first use: for tiny draws these numbers take more memory than the draws.
    @cached_property
    def n_features(self) -> IntArray:
        """(B,): number of features of each draw, empty ones not counted."""
        return _frozen(self._draws.n_features().view(np.int64))

    @cached_property
    def n_ones(self) -> IntArray:
        """(B,): number of ones of each draw."""
        return _frozen(self._draws.n_ones().view(np.int64))

    @cached_property
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
        return self.info.fingerprint

    @property
    def info(self) -> SamplesInfo:
        """Sizes and labels of the draws."""
        return SamplesInfo(
            self.n_items,
            self.n_features,
            self.n_ones,
            self.items,
            self.chains,
            find_hashes=self._draws.hashes,
            weights=self.weights,
        )

    @property
    def effective_draws(self) -> float:
        """Kish's effective sample size of the weights; the number of draws without weights.

        Examples
        --------
        >>> Samples([[[1]], [[0]], [[1]]], weights=[2, 1, 1]).effective_draws
        2.66...
        """
        return len(self) * 1.0 if self.weights is None else effective_number(self.weights)

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
        """Samples of these draws, given by their numbers; a draw named twice counts twice.

        Examples
        --------
        >>> samples = Samples([[[1, 0], [1, 1]], [[1], [1]]])
        >>> samples.select([1, 1]).n_features
        array([1, 1])
        """
        chosen = np.asarray(draws)
        if chosen.size == 0 or chosen.ndim != 1 or chosen.dtype.kind not in "iu":
            raise TypeError(f"draws must be a list of at least one draw's number, not {draws!r}")
        for extreme in (chosen.min(), chosen.max()):
            self._position(extreme)
        chosen = np.ascontiguousarray(chosen % len(self), dtype=np.int64)
        selected = Samples(self._draws.select(chosen), items=self.items)
        if self.chains is not None:
            selected.chains = _frozen(self.chains[chosen])
        if self.weights is not None:
            if not self.weights[chosen].any():
                raise ValueError(f"draws of weight 0 only were selected: {draws!r}; select others")
            selected.weights = _frozen(self.weights[chosen])
            selected.weights_error = self.weights_error
        return selected

    def save(self, path: str | Path) -> None:
        """Write the draws, whole or not at all; `fangs.read` reads them back.

        Parameters
        ----------
        path
            Its suffix names the form: .npz (smallest and fastest), .csv, .tsv or .parquet (a row
            per one), .json (sets of items), .nc or .zarr (padded with zeros), .h5 (ragged rows).
        """
        from fangs.io import write_samples

        write_samples(self, path)

    def __len__(self) -> int:
        return len(self._draws)

    def __getitem__(self, draw: int) -> BinaryMatrix:
        return self._draws.read(self._position(draw))

    def __iter__(self) -> Iterator[BinaryMatrix]:
        return (self._draws.read(b) for b in range(len(self)))

    def __repr__(self) -> str:
        low, high = int(self.n_features.min()), int(self.n_features.max())
        features = f"{low}" if low == high else f"{low} to {high}"
        chains = "" if self.chains is None else f", {len(np.unique(self.chains))} chains"
        draws = "1 draw" if len(self) == 1 else f"{len(self)} draws"
        if self.weights is not None:
            draws += f" of weight {self.info.total_weight:,}, {self.effective_draws:.4g} effective"
        return f"Samples({draws}, {self.n_items} items, {features} features{chains})"

    def _repr_html_(self) -> str:
        from fangs.report.notebook import samples_html

        return samples_html(self)

    def _position(self, draw: int) -> int:
        if not isinstance(draw, int | np.integer) or isinstance(draw, bool):
            raise TypeError(f"a draw is chosen by its whole number, not by {draw!r}")
        if not -len(self) <= draw < len(self):
            raise IndexError(f"there is no draw {draw}; there are {len(self)}, counted from 0")
        return int(draw) % len(self)


def as_samples(draws: Any) -> Samples:
    """Whatever `Samples` accepts, as Samples."""
    return draws if isinstance(draws, Samples) else Samples(draws)


def _pack(draws: Any) -> _core.Draws:
    if isinstance(draws, np.ndarray) and draws.dtype != object and draws.ndim != 3:
        raise ValueError(
            f"draws is one array of shape {draws.shape}; give a (B, n, K) array, or a list of "
            "(n, K) matrices: [matrix] for a single draw"
        )
    if not _is_collection(draws) or hasattr(draws, "tocsr"):
        raise TypeError(
            f"draws is of type {type(draws).__name__}; give a list of (n, K) matrices of 0 and 1, "
            "or a (B, n, K) array"
        )
    packed: _core.Draws | None = None
    for b, draw in enumerate(draws):
        name = f"draws[{b}]"
        given = draw if type(draw) is np.ndarray and draw.ndim == 2 else as_matrix(draw, name=name)
        matrix = given if given.dtype in _NATIVE else _to_native(as_matrix(given, name=name))
        if not matrix.flags.aligned or any(step % matrix.itemsize for step in matrix.strides):
            matrix = matrix.copy()  # for example a field of records
        if packed is None:
            if matrix.shape[0] == 0:
                raise ValueError(f"{name} has no rows; an allocation needs at least one item")
            packed = _core.Draws(matrix.shape[0])
            packed.reserve(*_expected_size(draws, matrix.shape[1]))
        elif matrix.shape[0] != packed.n_items:
            raise ValueError(
                f"{name} has {matrix.shape[0]} rows, but draws[0] has {packed.n_items}; every draw "
                "needs one row per item, in the same order"
            )
        bad = packed.append(matrix)
        if bad >= 0:
            item, feature = divmod(bad, matrix.shape[1])
            raise not_binary(given[item, feature], name=name, item=item, feature=feature)
    if packed is None:
        raise ValueError("draws is empty; at least one draw is needed")
    packed.shrink_to_fit()
    return packed


def _is_collection(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes)


def _to_native(matrix: npt.NDArray[Any]) -> npt.NDArray[Any]:
    wanted = matrix.dtype.newbyteorder("=") if matrix.dtype.itemsize <= 8 else np.dtype(np.float64)
    if wanted not in _NATIVE:
        wanted = np.dtype(np.float32)
    with np.errstate(over="ignore"):
        converted = matrix.astype(wanted)
    # 1 + 1e-19 must not become 1 in the conversion.
    changed = (converted != matrix) & (matrix == matrix)
    if changed.any():
        converted[changed] = np.nan
    return converted


def _expected_size(draws: Any, first_width: int) -> tuple[int, int]:
    """Numbers of draws and features to make room for; 0 if they cannot be known in advance."""
    if isinstance(draws, np.ndarray) and draws.ndim == 3:
        return draws.shape[0], draws.shape[0] * draws.shape[2]
    if isinstance(draws, list | tuple):
        shapes = (getattr(draw, "shape", (0, first_width)) for draw in draws)
        return len(draws), sum(shape[1] if len(shape) == 2 else 0 for shape in shapes)
    return 0, 0


def _matrix_of_sets(
    draw: Iterable[Iterable[Any]], n_items: int, position: dict[str, int], *, name: str
) -> BinaryMatrix:
    if not _is_collection(draw):
        raise TypeError(f"{name} is {draw!r}; give a collection of item sets")
    columns = []
    for k, feature in enumerate(draw):
        if not _is_collection(feature):
            raise TypeError(f"{name}, feature {k} is {feature!r}; give a set of items")
        column = np.zeros(n_items, dtype=np.uint8)
        for item in feature:
            is_number = isinstance(item, int | np.integer) and not isinstance(item, bool)
            at = position.get(str(item), int(item) if is_number else -1)
            if not 0 <= at < n_items:
                known = f"0 to {n_items - 1}" + (", or one of the labels" if position else "")
                raise ValueError(f"{name}, feature {k} names the item {item!r}; it must be {known}")
            column[at] = 1
        columns.append(column)
    return np.stack(columns, axis=1) if columns else np.zeros((n_items, 0), dtype=np.uint8)


def _as_chains(chains: Any, *, n_draws: int) -> IntArray | None:
    if chains is None:
        return None
    labels = np.asarray(chains)
    if labels.shape != (n_draws,):
        raise ValueError(
            f"chains has shape {labels.shape}, but there are {n_draws} draws; give one label each"
        )
    return _frozen(np.unique(labels, return_inverse=True)[1].astype(np.int64))


def _check_sums(weights: IntArray, n_ones: IntArray) -> None:
    """Refuse weights with which a sum over all draws might not fit into 64 bits.

    Sums are of ones, or of twice as many quarters of a one (the bounds of `alternatives.draws`).
    """
    total, ones = int(weights.sum()), int(n_ones.max())
    if total * max(ones, 1) >= 2**59:
        raise ValueError(
            f"weights add up to {total}, too much for draws of up to {ones} ones; divide them by "
            "a common factor, or give shares as decimal numbers"
        )


def _frozen(array: IntArray) -> IntArray:
    array.setflags(write=False)
    return array
