"""The estimate of a feature allocation, and the one table of what is known about it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from fangs._extras import frame_index, require
from fangs._frozen import Frozen, read_only, read_only_copy
from fangs._typing import BinaryMatrix
from fangs.allocation import left_ordered, order_as_given
from fangs.check.arguments import as_level, as_rate
from fangs.check.names import as_feature_names, feature_labels, feature_numbers
from fangs.check.text import (
    FEW_EFFECTIVE,
    count,
    count_effective,
    rounded,
    visible,
    with_error,
)
from fangs.draws.info import SamplesInfo
from fangs.draws.labels import item_names
from fangs.draws.weights import effective_number
from fangs.engine import Engine, Evaluation
from fangs.loss import Objective, draw_losses

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from fangs.modes import Modes
    from fangs.posterior.core.result import Core
    from fangs.posterior.diagnostics import MeanError
    from fangs.search.record import Search

__all__ = ["FIELDS", "Estimate", "Field", "load"]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Estimate(Frozen):
    """A point estimate of a feature allocation, with what is known about it.

    Made by `fangs.estimate`; its arrays are read-only. Wherever fangs takes a matrix,
    an ``Estimate`` will do.

    Attributes
    ----------
    matrix
        (n_items, n_features) of 0/1, uint8; no empty columns. Left-ordered, unless `ordered` has
        put the features into another order.
    expected_loss
        Mean FARO loss of the matrix over the draws, by their weights.
    a
        Price of a one that the estimate has and a draw lacks; ``2 - a`` is that of a missed one.
    proportions
        (n_items, n_features): share of draws, by weight, whose aligned feature has the item.
    losses
        (n_draws,): FARO loss of the matrix to each draw.
    weights
        (n_draws,): how much each draw counts, or None if each counts once.
    items
        Item labels, or None.
    is_flip_optimal
        Whether it is proved that no single flip lowers the expected loss.
    n_ties
        Number of entries that could be flipped at no cost.
    lower_bound
        A bound that no allocation's expected loss can undercut, or None.
    between_chains
        How far the two chains are apart that differ most: near 0 if their draws are as near to the
        other chain as to their own, 1 if each is nearer to its own. It is ``2 s - 1``, where s is
        the largest `separation` of `fangs.compare_chains`, of chains that are apart if any are.
        None without chains that are long enough.
    chains_apart
        Pairs of chains, by their labels, that are in different modes; those that differ most first.
        They are those that `fangs.compare_chains` calls apart.
    search
        How the estimate was found, or None if it was not searched for.
    fingerprint
        Identifies the draws that the numbers are about, as ``Samples.fingerprint`` does; None if
        they are not known.
    origin
        What a reader must know about where the numbers come from; mostly empty. Draws other than
        those of an estimate are named here, for example.
    samples_info
        Sizes and labels of the draws, or None if they are not known.
    feature_names
        A name for each feature; "1", "2", ... unless `named` has given them others.

    Examples
    --------
    >>> e = Estimate(
    ...     matrix=np.array([[1, 0], [1, 1]]), expected_loss=0.5, a=1.0,
    ...     proportions=np.array([[1.0, 0.25], [1.0, 0.75]]), losses=np.array([0.0, 1.0]),
    ...     items=("ann", "bob"), is_flip_optimal=True,
    ... )
    >>> e
    <fangs.Estimate: 2 features over 2 items, expected loss 0.5 at a=1>
    >>> e.features
    (('ann', 'bob'), ('bob',))
    >>> np.asarray(e).sum(axis=0).tolist()
    [2, 1]
    """

    matrix: NDArray[np.uint8]
    expected_loss: float
    a: float
    proportions: NDArray[np.float64]
    losses: NDArray[np.float64]
    items: tuple[str, ...] | None
    is_flip_optimal: bool
    n_ties: int = 0
    lower_bound: float | None = None
    between_chains: float | None = None
    chains_apart: tuple[tuple[str | int, str | int], ...] = ()
    search: Search | None = None
    weights: NDArray[np.int64] | None = None
    fingerprint: str | None = None
    origin: str = ""
    samples_info: SamplesInfo | None = None
    feature_names: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        engine: Engine,
        matrix: BinaryMatrix,
        a: float,
        *,
        evaluation: Evaluation | None = None,
        lower_bound: float | None = None,
        search: Search | None = None,
        origin: str = "",
    ) -> Estimate:
        """Evaluate an allocation over all draws of an engine: the only way estimates are made.

        `evaluation` saves a pass where the left-ordered allocation has been evaluated already.
        """
        matrix = left_ordered(matrix)
        if evaluation is None:
            evaluation = engine.evaluate(matrix)
        info, aligned, ones = engine.samples_info, evaluation.aligned, int(matrix.sum())
        chains = engine.chain_separation
        objective = Objective.of(info, a)
        is_optimal, n_ties = objective.judge_flips(matrix, evaluation.flip_support)
        best_birth = int(evaluation.birth_support.max(initial=0))
        return cls(
            matrix=read_only(matrix),
            expected_loss=objective.expected_loss(ones, aligned.total_overlap),
            a=objective.a,
            proportions=read_only(aligned.counts / info.total_weight),
            losses=draw_losses(objective.a, ones, info.n_ones, aligned.overlaps),
            items=info.items,
            is_flip_optimal=is_optimal and not objective.pays(best_birth),
            n_ties=n_ties,
            lower_bound=lower_bound,
            between_chains=None if chains is None else chains.between,
            chains_apart=() if chains is None else chains.apart,
            search=search,
            weights=info.weights,
            fingerprint=info.fingerprint,
            origin=origin,
            samples_info=info.alone(),
        )

    def __post_init__(self) -> None:
        dtypes = {"matrix": np.uint8, "proportions": np.float64, "losses": np.float64}
        if self.weights is not None:
            dtypes["weights"] = np.int64
        for name, dtype in dtypes.items():
            object.__setattr__(self, name, read_only_copy(getattr(self, name), dtype))
        object.__setattr__(self, "chains_apart", tuple(map(tuple, self.chains_apart)))
        names = self.feature_names or feature_numbers(self.n_features)
        names = as_feature_names(names, n_features=self.n_features, name="feature_names")
        object.__setattr__(self, "feature_names", names)

    def ordered(self, by: Any = "left") -> Estimate:
        """The same estimate with its features in another order, in all that is made from it.

        Names go along with their features. Features without names are numbered again.

        Parameters
        ----------
        by
            "left" for left-ordered form, which every new estimate has; "size" for the features with
            most items first; or another estimate or 0/1 matrix of the same items. Then the features
            that match its first, second, ... feature come first, all others last.

        Examples
        --------
        >>> import fangs
        >>> estimate = fangs.estimate(fangs.datasets.example(), seed=1)
        >>> estimate.matrix.sum(axis=0).tolist()
        [45, 56, 47, 48]
        >>> largest_first = estimate.ordered("size")
        >>> largest_first.matrix.sum(axis=0).tolist()
        [56, 48, 47, 45]
        >>> largest_first.expected_loss == estimate.expected_loss
        True
        """
        from fangs.posterior.feature_order import feature_order

        return self._rearranged(feature_order(self.matrix, by, items=self.items))

    def named(self, names: Any) -> Estimate:
        """The same estimate with a name for each of its features, in their order.

        Parameters
        ----------
        names
            A list of different names, one per feature.

        Examples
        --------
        >>> import fangs
        >>> estimate = fangs.estimate(fangs.datasets.example(), seed=1)
        >>> estimate.feature_names
        ('1', '2', '3', '4')
        >>> estimate.named(["box", "step", "cross", "corner"]).ordered("size").feature_names
        ('step', 'corner', 'cross', 'box')
        """
        return replace(self, feature_names=as_feature_names(names, n_features=self.n_features))

    def arranged_like(self, matrix: BinaryMatrix, names: Sequence[str] = ()) -> Estimate:
        """The same estimate with its features in the order of another matrix's columns.

        Parameters
        ----------
        matrix
            The same allocation; it may have empty columns, which are left out.
        names
            One for each column of the matrix, or none.
        """
        given = np.asarray(names, dtype=object)
        kept = tuple(given[matrix.any(axis=0)]) if len(names) else ()
        found = self.ordered()._rearranged(order_as_given(matrix))
        return replace(found, feature_names=kept)

    def _rearranged(self, order: NDArray[np.int64]) -> Estimate:
        names = self.feature_names
        is_numbered = names == feature_numbers(self.n_features)
        return replace(
            self,
            matrix=self.matrix[:, order],
            proportions=self.proportions[:, order],
            feature_names=() if is_numbered else tuple(names[j] for j in order),
        )

    def with_search(self, search: Search) -> Estimate:
        """The same estimate with the record of how it was found."""
        return replace(self, search=search)

    @property
    def n_items(self) -> int:
        """Number of items (rows)."""
        return len(self.matrix)

    @property
    def n_features(self) -> int:
        """Number of features (columns)."""
        return int(self.matrix.shape[1])

    @property
    def n_ones(self) -> int:
        """Number of ones in the matrix."""
        return int(np.count_nonzero(self.matrix))

    @property
    def n_draws(self) -> int:
        """Number of draws the estimate was made from."""
        return len(self.losses)

    @property
    def effective_draws(self) -> float:
        """Kish's effective sample size of the weights; the number of draws without weights."""
        return float(self.n_draws) if self.weights is None else effective_number(self.weights)

    @property
    def total_weight(self) -> int:
        """Total weight of the draws; their number without weights."""
        return self.n_draws if self.weights is None else int(self.weights.sum())

    @property
    def loss_error(self) -> float | None:
        """Monte Carlo standard error of the expected loss; None if too few draws can tell.

        It says how far the mean over an endless run of the same sampler may be, for this matrix:
        the standard deviation of the losses over the root of `loss_effective_draws`.

        Examples
        --------
        >>> import fangs
        >>> estimate = fangs.estimate(fangs.datasets.arrests(), seed=1)
        >>> round(estimate.expected_loss, 1), round(estimate.loss_error, 1)
        (28.2, 1.2)
        """
        return None if self._loss_mean is None else self._loss_mean.error

    @property
    def loss_effective_draws(self) -> float | None:
        """Number of independent draws of equal weight that would give the same `loss_error`.

        It counts both autocorrelation within chains and weights; `effective_draws` is about the
        weights alone.
        """
        return None if self._loss_mean is None else self._loss_mean.effective_draws

    @cached_property
    def _loss_mean(self) -> MeanError | None:
        from fangs.posterior.diagnostics import mean_error

        info = self.samples_info
        chains = None if info is None or info.chains is None else info.chain_codes
        return mean_error(self.losses, self.weights, chains)

    @property
    def note(self) -> str:
        """What a reader must know first: the `origin`, and that chains are in different modes."""
        chains = f"the chains are in different modes: {DO_NOT_POOL}" if self.chains_apart else ""
        return "; ".join(words for words in (self.origin, chains) if words)

    @property
    def first_item(self) -> int:
        """What people read as the number of the first item, where items have no labels."""
        return 1 if self.samples_info is None else self.samples_info.first_item

    @property
    def item_names(self) -> tuple[str, ...]:
        """What people read: the labels of the items, or their numbers.

        Numbers count from 1, or from where the source of the draws counts.
        """
        return item_names(self.items, self.n_items, self.first_item)

    @property
    def features(self) -> tuple[tuple[str | int, ...], ...]:
        """The items of each feature: labels, or positions from 0 where there are no labels."""
        names = range(self.n_items) if self.items is None else self.items
        return tuple(tuple(names[i] for i in np.flatnonzero(column)) for column in self.matrix.T)

    def at_least(self, share: float) -> NDArray[np.uint8]:
        """(n_items, n_features): 1 where at least a share of the draws has the entry.

        Columns are those of the estimate. At a high share these are its surest entries; a column
        is 0 if no entry of the feature is that certain. At a low share, entries that the estimate
        leaves out are there too.

        Examples
        --------
        >>> import fangs
        >>> estimate = fangs.estimate(fangs.datasets.example(), seed=1)
        >>> [int(estimate.at_least(share).sum()) for share in (0.2, 0.5, 0.9, 1.0)]
        [223, 196, 165, 95]
        """
        return (self.proportions >= as_level(share, name="share")).astype(np.uint8)

    def within_rate(self, rate: float) -> NDArray[np.uint8]:
        """(n_items, n_features): the most ones of which at most a share is expected to be wrong.

        The largest set of entries with a posterior expected false discovery rate of at most `rate`,
        in the columns of the estimate: those with the largest proportions v, as long as the mean of
        1 - v allows. Entries that the estimate leaves out may be there; entries that no draw has
        are not. Of equal proportions, the estimate's ones come first, then earlier items.

        Examples
        --------
        >>> import fangs
        >>> estimate = fangs.estimate(fangs.datasets.example(), seed=1)
        >>> [int(estimate.within_rate(rate).sum()) for rate in (0.0, 0.01, 0.05, 0.1)]
        [95, 156, 198, 212]
        """
        from fangs.posterior.error_rates import largest_within_rate

        rate = as_rate(rate, name="rate")
        return largest_within_rate(self.matrix, self.proportions, self.total_weight, rate)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if dtype is None or np.dtype(dtype) == self.matrix.dtype:
            return self.matrix.copy() if copy else self.matrix
        if copy is False:
            raise ValueError(f"the matrix is uint8: it cannot become {np.dtype(dtype)} uncopied")
        return self.matrix.astype(dtype)

    def __str__(self) -> str:
        from fangs.report.screen import screen

        return screen(self)

    def __repr__(self) -> str:
        return (
            f"<fangs.Estimate: {self.n_features} features over {self.n_items} items, "
            f"expected loss {rounded(self.expected_loss, 6)} at a={self.a:g}>"
        )

    def _repr_html_(self) -> str:
        from fangs.report.views import estimate_html

        return estimate_html(self)

    def plot(
        self,
        *,
        core: Core | None = None,
        order: Any = "left",
        colorbar: bool = True,
        labels: Sequence[Any] | None = None,
        figsize: tuple[float, float] | None = None,
        ax: Axes | None = None,
    ) -> Axes:
        """Draw the matrix, shaded by the share of draws; see `fangs.plot.allocation`."""
        from fangs.plot import allocation

        look: dict[str, Any] = {"order": order, "colorbar": colorbar, "labels": labels}
        return allocation(self, core=core, figsize=figsize, ax=ax, **look)

    def report(
        self,
        path: str | os.PathLike[str],
        samples: Any,
        *,
        title: str = "Feature allocation",
        level: float = 0.95,
        effort: str = "auto",
        n_threads: int | None = None,
    ) -> None:
        """Write one self-contained HTML page about the estimate, to be read in any browser.

        Parameters
        ----------
        path
            The file to write, such as ``report.html``.
        samples
            The posterior draws. If the estimate was made from others, it is assessed over these,
            and the page says so.
        title
            What the page is called.
        level
            Share of the draws that intervals and the credible ball hold.
        effort
            "full" also searches along `a`, compares chains, and looks for the best bound for a
            minute at most; "quick" does none of these, "auto" those that do not take long. The
            page says what is left out.
        n_threads
            Threads to use; None means all cores.
        """
        from fangs.report import write_report

        write_report(
            self, samples, path, title=title, level=level, effort=effort, n_threads=n_threads
        )

    def describe(
        self,
        samples: Any,
        *,
        modes: Modes | None = None,
        core: Core | None = None,
        n_threads: int | None = None,
    ) -> str:
        """Write a paragraph about the estimate for a paper.

        It has the method and what to cite for it, the draws, the expected loss with its Monte Carlo
        error, the expected share of wrong ones, what holds jointly, what is proved, and whether the
        chains agree. For a proof, give the estimate its bound first:
        ``certificate.attach(estimate)``.

        Parameters
        ----------
        samples
            The posterior draws. If the estimate was made from others, it is assessed over these,
            and the paragraph says so.
        modes
            What `fangs.modes` found; the paragraph speaks of modes only if it is given.
        core
            What `fangs.core` found. By default it is looked for, by entries at a level of 0.95.
        n_threads
            Threads to use; None means all cores.

        Examples
        --------
        >>> import fangs
        >>> draws = fangs.datasets.example()
        >>> words = fangs.estimate(draws, seed=1).describe(draws)
        >>> words.split(". ")[1]
        'The allocation has 4 features and 196 ones for 100 items'
        """
        from fangs.report.describe import describe

        return describe(self, samples, modes=modes, core=core, n_threads=n_threads)

    def to_frame(self) -> pd.DataFrame:
        """Return the matrix as a pandas DataFrame, items by features; needs pandas.

        Features without names are called 1, 2, ..., and items without labels by their
        `item_names`.
        """
        pandas = require("pandas", extra="all")
        first = self.first_item
        index = frame_index(self.items or range(first, first + self.n_items), name="item")
        columns = pandas.RangeIndex(1, self.n_features + 1, name="feature")
        if list(columns) != (labels := feature_labels(self.feature_names)):
            columns = frame_index(labels, name="feature")
        frame: pd.DataFrame = pandas.DataFrame(self.matrix.copy(), index=index, columns=columns)
        return frame

    def to_xarray(self) -> Any:
        """Return an xarray Dataset that ArviZ understands; needs xarray.

        ``Z_hat`` and ``probability`` (item, feature) are the matrix and the proportions; ``loss``,
        ``K`` and ``ones`` (chain, draw) the loss to each draw and the draw's numbers of features
        and ones, and ``weight`` its weight if draws have some. Single numbers are attributes.
        Draws without chains are chain 0. Chains of different lengths give the dimension sample
        instead, with the coordinate ``chain``.
        """
        from fangs.draws.to_xarray import estimate_to_xarray

        return estimate_to_xarray(
            self.matrix,
            self.proportions,
            self.losses,
            items=self.items,
            features=feature_labels(self.feature_names),
            info=self.samples_info,
            attrs={field.name: value for field in FIELDS if (value := field.attribute(self)) != ""},
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the estimate, whole or not at all, in the form that the suffix names.

        Parameters
        ----------
        path
            Ends in .npz (everything; `fangs.load` reads it back), .json (all but the loss of each
            draw), .nc or .zarr (matrix, proportions and losses), .csv, .tsv or .parquet (the
            matrix).
        """
        from fangs.formats.registry import write_estimate

        write_estimate(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Estimate:
        """Read an estimate that `save` wrote.

        Parameters
        ----------
        path
            The file to read.
        """
        from fangs.formats.npz_fangs import load_estimate

        return cls(**load_estimate(path))


@dataclass(frozen=True)
class Field:
    """Something known about an estimate, and what people read of it.

    Attributes
    ----------
    name
        An attribute of `Estimate`. Archives keep those that are fields of its class.
    words
        A sentence for people, in print and in notebooks; "" where there is nothing to say.
    is_by_draw
        Whether it has a value for each draw, which JSON documents leave out.
    """

    name: str
    words: Callable[[Estimate], str] = lambda estimate: ""
    is_by_draw: bool = False

    def of(self, estimate: Estimate) -> Any:
        """Its value."""
        return getattr(estimate, self.name)

    def attribute(self, estimate: Estimate) -> str | float | int:
        """What xarray keeps as an attribute, in which netCDF knows no bool: a number or text."""
        value = self.of(estimate)
        if isinstance(value, bool):
            return int(value)
        return value if isinstance(value, str | float | int) else ""


def _size_words(e: Estimate) -> str:
    by_weight = "" if e.weights is None else " with weights"
    return (
        f"Feature allocation: {count(e.n_features, 'feature')} over {count(e.n_items, 'item')}, "
        f"{count(e.n_ones, 'one')}, from {count(e.n_draws, 'draw')}{by_weight}"
    )


def _loss_words(e: Estimate) -> str:
    shown = with_error(e.expected_loss, e.loss_error)
    if e.loss_error:
        shown += f" (Monte Carlo; {_loss_effective(e)} effective draws)"
    return f"Expected loss {shown} at a = {e.a:g}"


def _loss_effective(e: Estimate) -> str:
    """The effective draws of the loss, in words."""
    effective = e.loss_effective_draws or 0.0
    return f"{effective:,.0f}" if effective >= 10 else f"{effective:.2g}"


def _flip_words(e: Estimate) -> str:
    if e.is_flip_optimal:
        return "No single flip lowers it"
    return "Not flip-optimal: some single flip was not ruled out"


def _longer_words(e: Estimate) -> str:
    is_few = e.loss_error and (e.loss_effective_draws or 0.0) < FEW_EFFECTIVE
    if not is_few or _chain_words(e):  # which says what to do first
        return ""
    return "Few effective draws: a run four times as long would halve the error"


def _error_words(e: Estimate) -> str:
    from fangs.posterior.error_rates import describe_errors, shares_inside

    if not e.n_features:
        return ""
    inside, outside = shares_inside(e.matrix, e.proportions)
    wrong = max(0.0, e.n_ones - float(inside.sum()))
    return describe_errors(wrong / max(1, e.n_ones), outside / max(1, e.matrix.size - e.n_ones))


DO_NOT_POOL = "do not pool them, see fangs.compare_chains and fangs.modes"


def chains_apart_words(e: Estimate) -> str:
    """What is said of chains in different modes, without its full stop; else ""."""
    if not e.chains_apart or e.between_chains is None:
        return ""
    one, other = map(visible, e.chains_apart[0])
    return (
        f"The chains are in different modes: for example, {50 + 50 * e.between_chains:.0f} % of "
        f"the draws of chains {one} and {other} are nearer to their own chain (50 % if they "
        f"agreed); {DO_NOT_POOL}"
    )


def _chain_words(e: Estimate) -> str:
    from fangs.posterior.chains import not_converged

    return chains_apart_words(e) or not_converged(e)


def _bound_words(e: Estimate) -> str:
    if e.lower_bound is None:
        return ""
    gap = e.expected_loss - e.lower_bound
    if gap <= 0:
        return "No allocation has a lower one"
    share = f", {gap / e.expected_loss:.1%} of the loss" if e.expected_loss > 0 else ""
    bound = f"Lower bound {rounded(e.lower_bound, 6)}"
    return f"{bound}: at most {rounded(gap, 4)} above the optimum{share}"


FIELDS = (
    Field("n_features", _size_words),
    Field("n_items"),
    Field("n_ones"),
    Field("n_draws"),
    Field("a"),
    Field("expected_loss", _loss_words),
    Field("is_flip_optimal", _flip_words),
    Field("loss_error", _longer_words),
    Field("loss_effective_draws"),
    Field(
        "effective_draws",
        lambda e: (
            ""
            if e.weights is None
            else f"The weights are as good as {count_effective(e.effective_draws)}"
        ),
    ),
    Field("proportions", _error_words),
    Field("between_chains", _chain_words),
    Field("chains_apart"),
    Field(
        "n_ties",
        lambda e: (
            f"{count(e.n_ties, 'entry', plural='entries')} could flip at no cost"
            if e.n_ties
            else ""
        ),
    ),
    Field("lower_bound", _bound_words),
    Field("items"),
    Field("feature_names"),
    Field("features"),
    Field("matrix"),
    Field("losses", is_by_draw=True),
    Field("weights", is_by_draw=True),
    Field("samples_info", is_by_draw=True),
    Field("search"),
    Field("fingerprint"),
    Field("origin", lambda e: f"Note: {visible(e.origin)}" if e.origin else ""),
    Field("note"),
)
"""All that is known of an estimate: print, notebook, JSON, archive and xarray follow it."""


def load(path: str | os.PathLike[str]) -> Estimate:
    """Read an estimate that `Estimate.save` wrote.

    Parameters
    ----------
    path
        The file to read.

    Returns
    -------
    Estimate
        Equal to the one saved, its search record included.

    Examples
    --------
    >>> import fangs, tempfile
    >>> estimate = fangs.estimate(fangs.datasets.example(), seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     estimate.save(f"{folder}/estimate.npz")
    ...     fangs.load(f"{folder}/estimate.npz").search == estimate.search
    True
    """
    return Estimate.load(path)
