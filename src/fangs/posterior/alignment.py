"""Alignment: every draw's features matched to those of a reference allocation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fangs._extras import frame
from fangs._frozen import Frozen, read_only
from fangs._typing import BinaryMatrix, FloatArray, IntArray
from fangs.allocation import left_order
from fangs.check.arguments import as_level, as_penalty
from fangs.check.names import feature_labels, feature_numbers
from fangs.draws.matrices import column_names, matched_allocation
from fangs.draws.samples import Samples
from fangs.engine import Engine, as_engine
from fangs.loss import draw_losses
from fangs.posterior.by_chain import FeaturesByChain
from fangs.posterior.parameter_forms import as_parameters
from fangs.posterior.parameters import ParameterTable
from fangs.posterior.relabel import Unmatched, local_samples, reordered

if TYPE_CHECKING:
    import pandas as pd

# Relabelled draws are made in blocks of about this many bytes.
_BLOCK = 1 << 24


@dataclass(frozen=True, eq=False, repr=False)
class Alignment(Frozen):
    """All draws aligned to a reference so that they overlap with it as much as possible.

    Made by `fangs.align`; its arrays are read-only. The alignment does not depend on the penalty
    ``a``, so one pass over the draws serves every ``a``. `fangs.summary`, `fangs.credible_ball` and
    `fangs.typicality` take the alignment to their estimate instead of draws, so that the draws are
    not aligned again.

    A feature of a draw is matched to a column of the reference only if the two share an item. All
    other features of the draw are `unmatched`.

    Attributes
    ----------
    reference
        (n, K): the allocation that the draws are aligned to.
    engine
        What passes over the draws. Later passes use it too, with the same threads.
    permutations
        (B, K): the feature of draw b that is matched to column j, or -1 if there is none.
    counts
        (n, K): weight of the draws whose aligned feature has the item.
    overlaps
        (B,): total overlap of each draw with the reference.
    feature_names
        A name for each feature of the reference; "1", "2", ... where it has none.
    """

    reference: BinaryMatrix
    engine: Engine
    permutations: npt.NDArray[np.int32]
    counts: IntArray
    overlaps: IntArray
    feature_names: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, engine: Engine, matrix: BinaryMatrix, feature_names: tuple[str, ...] = ()
    ) -> Alignment:
        """Align every draw of an engine to a matrix, in one pass."""
        reference = matrix.copy()
        permutations, aligned = engine.permutations(reference)
        found = (permutations, aligned.counts, aligned.overlaps)
        return cls(reference, engine, *found, feature_names)

    def __post_init__(self) -> None:
        super().__post_init__()
        names = self.feature_names or feature_numbers(self.reference.shape[1])
        object.__setattr__(self, "feature_names", names)

    @property
    def samples(self) -> Samples:
        """The draws, where the engine holds them in this process."""
        return local_samples(self.engine)

    @property
    def n_draws(self) -> int:
        """Number of draws."""
        return len(self.overlaps)

    @property
    def proportions(self) -> FloatArray:
        """(n, K): share of draws, by weight, whose aligned feature has the item."""
        return read_only(self.counts / self.engine.samples_info.total_weight)

    def losses(self, a: float = 1.0) -> FloatArray:
        """(B,): FARO loss of the reference to each draw."""
        draw_ones = self.engine.samples_info.n_ones
        return draw_losses(as_penalty(a), int(self.reference.sum()), draw_ones, self.overlaps)

    @property
    def matched(self) -> npt.NDArray[np.bool_]:
        """(B, K): whether a feature of draw b is matched to column j; they share an item."""
        return read_only(self.permutations >= 0)

    @property
    def present(self) -> npt.NDArray[np.bool_]:
        """(B, K): whether column j is present in draw b: its match has a Jaccard index >= 1/2."""
        shared, size = self.feature_overlaps, self.reference.sum(axis=0, dtype=np.int64)
        either = np.maximum(size + self.feature_sizes - shared, 1)  # an empty column is in no draw
        return read_only(2 * shared >= either)

    def by_chain(self) -> FeaturesByChain:
        """The share of each chain's draws in which each feature is present.

        It shows which features the chains disagree about; `fangs.plot.by_chain` draws it.

        Examples
        --------
        >>> import fangs
        >>> draws = fangs.datasets.example()
        >>> print(align(fangs.estimate(draws, seed=1), draws).by_chain())
        Feature  Chain 0  Chain 1  Chain 2  Chain 3
              1    100 %    100 %    100 %    100 %
              2    100 %    100 %    100 %     38 %
              3    100 %    100 %    100 %     80 %
              4    100 %    100 %    100 %    100 %
        Share of the chain's draws that have the feature
        """
        return FeaturesByChain.of(self.engine.samples_info, self.present, self.feature_names)

    @property
    def feature_overlaps(self) -> npt.NDArray[np.int32]:
        """(B, K): number of items that column j shares with the feature matched to it."""
        return self._measured[0]

    @property
    def feature_sizes(self) -> npt.NDArray[np.int32]:
        """(B, K): number of items of the feature matched to column j; 0 if there is none."""
        return self._measured[1]

    def apply(
        self,
        parameters: Any,
        *,
        fill: Any = np.nan,
        masked: bool = False,
        variable: str | None = None,
        feature_dim: str | None = None,
    ) -> Any:
        """Put feature-level parameters into the order of the reference's features.

        Parameters
        ----------
        parameters
            One value, or array of values, per feature and draw: a list of (K_b, ...) arrays; a
            padded (B, K_max, ...) or (chain, draw, K_max, ...) array; a list or dict of chains of
            these; an xarray or ArviZ object, whose chains are matched by name. Rows belong to the
            columns of the draws as they were given to `Samples`, empty columns included. The arrays
            of a list may instead leave out the rows of empty columns. An array whose features could
            be on another axis is refused.
        fill
            Value to put where a draw has no such feature. The default, NaN, turns whole numbers
            into floats.
        masked
            Return a masked array of the parameters' own type instead, masked where a draw has no
            such feature.
        variable, feature_dim
            Which variable of an xarray or ArviZ object to take, and which dimension is that of the
            features, where names do not tell.

        Returns
        -------
        array
            (B, K, ...): row j of draw b belongs to the feature aligned to column j of the
            reference. ``unmatched.apply`` gives the parameters of all other features.

        Examples
        --------
        >>> found = align([[1, 0], [1, 1]], [[[0, 1], [1, 1]], [[1], [1]]])
        >>> found.apply([[2.5, 7.0], [7.5]])
        array([[7. , 2.5],
               [7.5, nan]])
        >>> np.nanmean(found.apply([[2.5, 7.0], [7.5]]), axis=0)
        array([7.25, 2.5 ])
        """
        samples = self.samples
        values = reordered(
            as_parameters(parameters, samples.info, variable=variable, feature_dim=feature_dim),
            samples,
            np.repeat(np.arange(self.n_draws), self.reference.shape[1]),
            self.permutations.ravel(),
            fill=None if masked else fill,
        )
        values = values.reshape(*self.permutations.shape, *values.shape[1:])
        if not masked:
            return values
        absent = ~self.matched.reshape(*self.matched.shape, *(1,) * (values.ndim - 2))
        return np.ma.MaskedArray(values, mask=np.broadcast_to(absent, values.shape))

    def table(
        self,
        parameters: Any,
        *,
        level: float = 0.95,
        variable: str | None = None,
        feature_dim: str | None = None,
    ) -> ParameterTable:
        """Mean, spread and interval of parameters, by feature of the reference and coordinate.

        Parameters
        ----------
        parameters, variable, feature_dim
            As for `apply`. Draws in which a feature has no match are left out; the column
            ``matched`` is the share of the others.
        level
            Share of the draws that the intervals hold.

        Examples
        --------
        >>> found = align([[1, 0], [1, 1]], [[[0, 1], [1, 1]], [[1], [1]]])
        >>> print(found.table([[2.5, 7.0], [7.5]]))
        feature  mean      sd  2.5 %  97.5 %  matched
              1  7.25  0.3536      7     7.5    100 %
              2   2.5     nan    2.5     2.5     50 %
        """
        info = self.samples.info
        found = as_parameters(parameters, info, variable=variable, feature_dim=feature_dim)
        weights = np.ones(info.n_draws, dtype=np.int64) if info.weights is None else info.weights
        values, features = self.apply(found), feature_labels(self.feature_names)
        return ParameterTable.of(found, values, self.matched, as_level(level), weights, features)

    def to_xarray(self, parameters: Mapping[str, Any] | None = None) -> Any:
        """The relabelled draws as an xarray Dataset that ArviZ understands; needs xarray.

        ``Z`` (chain, draw, item, feature) holds the draws in the order of the reference's features
        and ``matched`` (chain, draw, feature) whether a feature has a match in a draw. Chains of
        different lengths give the dimension sample instead, with the coordinate ``chain``.

        Parameters
        ----------
        parameters
            Parameters by name, each in a form that `apply` takes. They become variables
            (chain, draw, feature, ...), NaN where a draw has no such feature.
        """
        from fangs.draws.to_xarray import alignment_to_xarray

        info, applied = self.engine.samples_info, {}
        for name, values in (parameters or {}).items():
            found = as_parameters(values, info)
            applied[name] = self.apply(found), found
        features = feature_labels(self.feature_names)
        return alignment_to_xarray(info, self.draws(), self.matched, applied, features)

    def draws(self) -> BinaryMatrix:
        """All draws relabelled, (B, n, K): one byte per entry, zeros where a feature is absent.

        Their mean, by weight, is `proportions`. Features that are matched to no column are in
        `unmatched`.

        Examples
        --------
        >>> align([[1, 0], [1, 1]], [[[0, 1], [1, 1]], [[1], [1]]]).draws()[1]
        array([[1, 0],
               [1, 0]], dtype=uint8)
        """
        return self.engine.relabel(self.permutations)

    def iter_draws(self) -> Iterator[BinaryMatrix]:
        """Yield the relabelled draws one by one, (n, K) each, without holding all of them."""
        block = max(1, _BLOCK // max(1, self.reference.size))
        for first in range(0, self.n_draws, block):
            some = np.ascontiguousarray(self.permutations[first : first + block])
            yield from self.engine.relabel(some, first)

    @cached_property
    def unmatched(self) -> Unmatched:
        """The features of the draws that are matched to no column of the reference.

        Examples
        --------
        >>> rest = align([[1], [0]], [[[1, 0], [0, 1]], [[1], [0]]]).unmatched
        >>> rest.draw.tolist(), rest.feature.tolist(), rest.matrix.tolist()
        ([0], [1], [[0], [1]])
        """
        return Unmatched.of(self.engine, self.permutations)

    @property
    def matched_shares(self) -> FloatArray:
        """(K,): share of draws, by weight, in which a feature is matched to column j."""
        info = self.engine.samples_info
        weights = [info.weigh(column) for column in self.matched.astype(np.int64).T]
        return read_only(np.array(weights, dtype=np.float64) / info.total_weight)

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with one row per feature of the reference; needs pandas.

        `fangs.summary` tells more about each feature.

        Examples
        --------
        >>> align([[1, 0], [1, 1]], [[[0, 1], [1, 1]], [[1], [1]]]).to_frame()["matched"].tolist()
        [1.0, 0.5]
        """
        sizes = self.reference.sum(axis=0, dtype=np.int64)
        columns = {"items": sizes, "matched": self.matched_shares}
        names = feature_labels(self.feature_names)
        return frame(columns, index=names, name="feature")

    def _repr_html_(self) -> str:
        from fangs.report.views import alignment_html

        return alignment_html(self)

    def __repr__(self) -> str:
        n_items, n_features = self.reference.shape
        return (
            f"<Alignment: {self.n_draws} draws to {n_features} features over {n_items} "
            f"items, {len(self.unmatched)} features of draws unmatched>"
        )

    @cached_property
    def _measured(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        overlaps, sizes = self.engine.measure(self.reference, self.permutations)
        return read_only(overlaps), read_only(sizes)


def align(reference: Any, samples: Any, *, n_threads: int | None = None) -> Alignment:
    """Align every draw to a reference, for example an estimate.

    If several alignments are best, a fixed rule chooses one. It is the same on every machine and
    for any number of threads.

    Parameters
    ----------
    reference
        A 0/1 matrix, or an `Estimate`.
    samples
        The posterior draws: `Samples`, or anything it accepts. An `Alignment` to the same reference
        is given back.
    n_threads
        Threads to use, also by later passes of the alignment; None means all cores.

    Examples
    --------
    >>> found = align([[1, 0], [1, 1]], [[[0, 1], [1, 1]], [[1], [1]]])
    >>> found.permutations
    array([[ 1,  0],
           [ 0, -1]], dtype=int32)
    >>> found.proportions
    array([[1. , 0. ],
           [1. , 0.5]])
    >>> found.losses(a=0.5)
    array([0. , 0.5])
    """
    return as_alignment(reference, samples, n_threads, name="reference")


def as_alignment(
    reference: Any, samples: Any, n_threads: int | None = None, *, name: str = "estimate"
) -> Alignment:
    """The alignment of samples to a reference, or the one that is given in the place of samples.

    `name` is what complaints call the reference. An alignment that is given keeps its engine; its
    columns are put into the order of the reference, and take its names.
    """
    names = column_names(reference, name=name)
    if not isinstance(samples, Alignment):
        engine = as_engine(samples, n_threads)
        return Alignment.of(engine, _matched(reference, engine, name), names)
    matrix = _matched(reference, samples.engine, name)
    if not np.array_equal(matrix, samples.reference):
        return replace(_in_order_of(matrix, samples, name), feature_names=names)
    is_named = names and names != samples.feature_names
    return replace(samples, feature_names=names) if is_named else samples


def _matched(reference: Any, engine: Engine, name: str) -> BinaryMatrix:
    info = engine.samples_info
    return matched_allocation(reference, name=name, n_items=info.n_items, items=info.items)


def _in_order_of(matrix: BinaryMatrix, alignment: Alignment, name: str) -> Alignment:
    """An alignment with its columns in the order of a matrix that is the same allocation."""
    ours, theirs = left_order(matrix), left_order(alignment.reference)
    if not np.array_equal(matrix[:, ours], alignment.reference[:, theirs]):
        raise ValueError(
            f"samples is an Alignment to another allocation than {name}; give the draws "
            f"themselves, or fangs.align({name}, draws)"
        )
    permutations = np.full((alignment.n_draws, matrix.shape[1]), -1, dtype=np.int32)
    permutations[:, ours] = alignment.permutations[:, theirs]
    counts = np.zeros(matrix.shape, dtype=np.int64)
    counts[:, ours] = alignment.counts[:, theirs]
    return replace(alignment, reference=matrix.copy(), permutations=permutations, counts=counts)
