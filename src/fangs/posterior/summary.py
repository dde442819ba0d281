"""summary(): how sure an estimate is, by entry, feature and item, and what it leaves out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fangs._extras import frame
from fangs._frozen import Frozen
from fangs._typing import BinaryMatrix, FloatArray, IntArray
from fangs.check.arguments import as_level, as_penalty_for
from fangs.check.names import feature_labels
from fangs.check.text import rounded, visible, with_error
from fangs.draws.info import SamplesInfo
from fangs.draws.labels import first_number
from fangs.posterior.alignment import Alignment, as_alignment
from fangs.posterior.assess import note_on_draws
from fangs.posterior.diagnostics import mean_error
from fangs.posterior.entry_errors import entry_errors as find_entry_errors
from fangs.posterior.error_rates import ErrorRates
from fangs.posterior.intervals import Distribution, equal_tailed

if TYPE_CHECKING:
    import pandas as pd

# Features and items that a printed summary lists.
_ROWS = 20


def summary(
    estimate: Any,
    samples: Any,
    *,
    a: float | None = None,
    level: float = 0.95,
    entry_errors: bool = False,
    n_threads: int | None = None,
) -> Summary:
    """Measure how sure an estimate is, after aligning the draws to it.

    Costs one alignment of the draws, or none where the alignment is given.

    Parameters
    ----------
    estimate
        An `Estimate`, or any 0/1 matrix.
    samples
        The posterior draws: `Samples`, or anything it accepts; or their `Alignment` to the
        estimate, if it has been made already.
    a
        Price of a one that the estimate has and a draw lacks; by default the estimate's own, or 1
        for a plain matrix. Only the mismatch of items depends on it.
    level
        Least share of the draws that intervals hold.
    entry_errors
        Whether to find the Monte Carlo error of each entry's proportion too, which takes another
        pass over the draws.
    n_threads
        Threads to use for the alignment; None means all cores.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> found = summary(fangs.estimate(draws, seed=1), draws)
    >>> found.features.size_interval.tolist()
    [[44.0, 46.0], [29.0, 77.0], [21.0, 78.0], [45.0, 50.0]]
    >>> print(found.n_features)
    mean 4.98, 95 % from 4 to 8, most often 4 (45 %)
    """
    level, a = as_level(level), as_penalty_for(estimate, a)
    alignment = as_alignment(estimate, samples, n_threads)
    info = alignment.engine.samples_info
    loss_errors = _mean_errors(alignment.losses(a)[:, None], info)
    return Summary(
        matrix=alignment.reference,
        a=a,
        level=level,
        labels=info.item_names,
        proportions=alignment.proportions,
        proportion_errors=find_entry_errors(alignment) if entry_errors else None,
        error_rates=ErrorRates.of(alignment.reference, alignment.proportions),
        features=_features(alignment, level),
        items=_items(alignment, a, info.item_names),
        loss_error=None if np.isnan(loss_errors[0]) else float(loss_errors[0]),
        n_features=Distribution.of(info.n_features, info.weights),
        n_ones=Distribution.of(info.n_ones, info.weights),
        unmatched_features=info.n_features - alignment.matched.sum(axis=1),
        unmatched_ones=info.n_ones - alignment.feature_sizes.sum(axis=1),
        weights=info.weights,
        feature_names=alignment.feature_names,
        note=note_on_draws(estimate, info),
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class FeatureSummary(Frozen):
    """What the draws tell about each feature of an estimate: one value per feature.

    The alignment pairs it with at most one feature of a draw, its *match*. The two share an item,
    and may share no more than one. Their Jaccard index says how alike they are: the number of
    items that both have, divided by the number that either has.

    Attributes
    ----------
    jaccard
        Mean Jaccard index of the feature and its match, 0 in draws where it has none.
    present
        Share of draws in which that index is at least 1/2.
    present_error
        Monte Carlo standard error of this share; NaN where too few draws can tell.
    matched
        Share of draws, by weight, in which it has a match at all, however unlike.
    overlap
        Expected number of items that it shares with its match, 0 where it has none.
    size
        Number of items that it has in the estimate.
    mean_size
        Mean number of items of its matches; NaN if it is never matched.
    size_interval
        (K, 2): interval of the number of items of its matches; NaN if it is never matched.
    """

    jaccard: FloatArray
    present: FloatArray
    present_error: FloatArray
    matched: FloatArray
    overlap: FloatArray
    size: IntArray
    mean_size: FloatArray
    size_interval: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class ItemSummary(Frozen):
    """What the draws tell about each item: one value per item.

    If a draw has several best alignments, the one that `align` takes decides which item has the
    mismatch. The sum over the items does not depend on it.

    Attributes
    ----------
    mismatch
        Expected loss in the item's row; these add up to the expected loss.
    n_features
        Expected number of features that the item has in a draw.
    unmatched
        Expected number of its features in a draw that no feature of the estimate matches.
    labels
        The name of each item.
    """

    mismatch: FloatArray
    n_features: FloatArray
    unmatched: FloatArray
    labels: tuple[str, ...]

    @property
    def least_sure(self) -> IntArray:
        """The positions of the items, those with the largest mismatch first."""
        return np.argsort(-self.mismatch, kind="stable")

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with one row per item; needs pandas."""
        columns = {
            "mismatch": self.mismatch,
            "n_features": self.n_features,
            "unmatched": self.unmatched,
        }
        return frame(columns, index=self.labels, name="item")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Summary(Frozen):
    """How sure an estimate is; made by `fangs.summary`, printed on one screen.

    The arrays are read-only.

    Attributes
    ----------
    matrix
        (n, K): the estimate.
    a
        The penalty of the losses.
    level
        Share of the draws that intervals hold.
    labels
        The name of each item.
    proportions
        (n, K): probability of each entry, the share of draws whose aligned feature has the
        item.
    proportion_errors
        (n, K): Monte Carlo standard errors of these shares, NaN where too few draws can tell; None
        without ``entry_errors=True``.
    error_rates
        Share of the ones, and of the zeros, that is expected to be wrong.
    features
        What the draws tell about each feature.
    items
        What the draws tell about each item.
    loss_error
        Monte Carlo standard error of the expected loss; None if too few draws can tell.
    n_features
        Number of features in a draw.
    n_ones
        Number of ones in a draw.
    unmatched_features
        (B,): number of features of each draw that no feature of the estimate matches.
    unmatched_ones
        (B,): number of ones of these features.
    weights
        (B,): how much each draw counts in all shares, means and intervals; None if once.
    feature_names
        The names of the features, or their numbers from 1 on.
    note
        Says so if the estimate was made from other draws; else empty.
    """

    matrix: BinaryMatrix
    a: float
    level: float
    labels: tuple[str, ...]
    proportions: FloatArray
    proportion_errors: FloatArray | None
    error_rates: ErrorRates
    features: FeatureSummary
    items: ItemSummary
    loss_error: float | None
    n_features: Distribution
    n_ones: Distribution
    unmatched_features: IntArray
    unmatched_ones: IntArray
    weights: IntArray | None
    feature_names: tuple[str, ...]
    note: str = ""

    @property
    def mean_unmatched(self) -> tuple[float, float]:
        """Mean number of unmatched features in a draw, and of their ones."""
        features = np.average(self.unmatched_features, weights=self.weights)
        return float(features), float(np.average(self.unmatched_ones, weights=self.weights))

    def to_frame(self) -> pd.DataFrame:
        """Return what is known of each feature as a pandas DataFrame, a row per feature.

        ``.items.to_frame()`` does the same for the items. Needs pandas.

        Examples
        --------
        >>> import fangs
        >>> draws = fangs.datasets.example()
        >>> summary(fangs.estimate(draws, seed=1), draws).to_frame()["items"].tolist()
        [45, 56, 47, 48]
        """
        f, rates = self.features, self.error_rates
        columns = {
            "items": f.size,
            "false_discovery": rates.feature_false_discovery,
            "false_omission": rates.feature_false_omission,
            "jaccard": f.jaccard,
            "present": f.present,
            "present_error": f.present_error,
            "matched": f.matched,
            "overlap": f.overlap,
            "mean_size": f.mean_size,
            "size_low": f.size_interval[:, 0],
            "size_high": f.size_interval[:, 1],
        }
        names = feature_labels(self.feature_names)
        return frame(columns, index=names, name="feature")

    def _repr_html_(self) -> str:
        from fangs.report.views import summary_html

        return summary_html(self)

    def __repr__(self) -> str:
        n_items, n_features = self.matrix.shape
        return f"<Summary: {n_features} features over {n_items} items at a={self.a:g}>"

    def __str__(self) -> str:
        n_items, n_features = self.matrix.shape
        features, ones = self.mean_unmatched
        lines = [
            f"{n_features} features over {n_items} items; "
            f"{len(self.unmatched_ones)} draws aligned to them",
            f"Features in a draw: {self.n_features.describe(self.level)}",
            f"Ones in a draw: {self.n_ones.describe(self.level)}",
            f"Matched by no feature, on average: {rounded(features)} features "
            f"of a draw, with {rounded(ones)} ones",
        ]
        if self.note:
            lines.append(f"Note: {self.note}")
        if n_features:
            lines += [str(self.error_rates), "", *self._feature_lines()]
        return "\n".join([*lines, "", *self._item_lines()])

    def _feature_lines(self) -> list[str]:
        f, level = self.features, f"{100 * self.level:.4g} %"
        wrong = self.error_rates.feature_false_discovery
        names = [visible(name) for name in self.feature_names[:_ROWS]]
        width = max(map(len, [*names, "feature"]))
        shares = [_percent(*share) for share in zip(f.present, f.present_error, strict=True)]
        widest = max(map(len, [*shares[:_ROWS], "present"]))
        head = f"  {'feature':>{width}}  items  wrong  Jaccard  {'present':>{widest}}"
        lines = [f"{head}  shared  size in draws, {level}"]
        for j, name in enumerate(names):
            size = "never matched"
            if f.matched[j] > 0:
                low, high = f.size_interval[j]
                size = f"{f.mean_size[j]:.1f}, {low:.0f} to {high:.0f}"
            lines.append(
                f"  {name:>{width}}  {f.size[j]:>5}  {100 * wrong[j]:>3.0f} %  "
                f"{f.jaccard[j]:>7.3f}  {shares[j]:>{widest}}  {f.overlap[j]:>6.1f}  {size}"
            )
        if len(f.size) > _ROWS:
            lines.append(f"  and {len(f.size) - _ROWS} more")
        lines.append("  present: in this share of the draws its match has a Jaccard index >= 1/2")
        return lines

    def _item_lines(self) -> list[str]:
        first = self.items.least_sure[:5]
        named = ", ".join(f"{visible(self.labels[i])} {self.items.mismatch[i]:.2f}" for i in first)
        return [
            f"Expected loss {with_error(self.items.mismatch.sum(), self.loss_error)} at "
            f"a = {self.a:g}; most of it "
            f"in the rows of{' items' if first_number(self.labels) is not None else ''}",
            f"  {named}",
        ]


def _percent(share: float, error: float) -> str:
    """A share and its error in per cent; to a tenth where the error is 0 or unknown."""
    if error > 0:
        return f"{with_error(100 * share, 100 * error)} %"
    return f"{100 * share:.1f} %"


def _mean_ratios(shared: IntArray, either: IntArray, weights: IntArray) -> FloatArray:
    """(K,): mean of shared / either over the draws; equal ratios are added at once.

    So a weight gives the same sum, to the last bit, as that many copies of a draw.
    """
    unit = int(either.max(initial=1)) + 1
    means = []
    for ratios in (shared * unit + either).T:
        values, places = np.unique(ratios, return_inverse=True)
        times = np.bincount(places, weights=weights)
        present = times > 0
        top, bottom = np.divmod(values[present], unit)
        means.append(float((times[present] * top / bottom).sum() / weights.sum()))
    return np.array(means)


def _mean_errors(values: npt.NDArray[Any], info: SamplesInfo) -> FloatArray:
    """(m,): Monte Carlo standard error of the mean of each of m numbers that every draw has."""
    chains = None if info.chains is None else info.chain_codes
    found = [mean_error(column, info.weights, chains) for column in values.T]
    return np.array([np.nan if one is None else one.error for one in found], dtype=np.float64)


def _features(alignment: Alignment, level: float) -> FeatureSummary:
    info, matched, sizes = alignment.engine.samples_info, alignment.matched, alignment.feature_sizes
    weights = np.ones(info.n_draws, dtype=np.int64) if info.weights is None else info.weights
    size = alignment.reference.sum(axis=0, dtype=np.int64)
    shared = alignment.feature_overlaps.astype(np.int64)
    either = np.maximum(size + sizes - shared, 1)  # an empty column shares nothing with anything
    is_present = 2 * shared >= either
    mean, interval = np.full(len(size), np.nan), np.full((len(size), 2), np.nan)
    for j in np.flatnonzero(alignment.matched_shares):
        times, some = weights[matched[:, j]], sizes[matched[:, j], j]
        mean[j] = (times @ some) / times.sum()
        interval[j] = equal_tailed(some, level, times)
    return FeatureSummary(
        jaccard=_mean_ratios(shared, either, weights),
        present=weights @ is_present / info.total_weight,
        present_error=_mean_errors(is_present, info),
        matched=alignment.matched_shares,
        overlap=weights @ shared / info.total_weight,
        size=size,
        mean_size=mean,
        size_interval=interval,
    )


def _items(alignment: Alignment, a: float, labels: tuple[str, ...]) -> ItemSummary:
    total_weight, counts = alignment.engine.samples_info.total_weight, alignment.counts
    in_draws = alignment.engine.item_counts()
    agreed = (alignment.reference * counts).sum(axis=1)
    alone = alignment.reference.sum(axis=1, dtype=np.int64) * total_weight - agreed
    return ItemSummary(
        mismatch=(a * alone + (2.0 - a) * (in_draws - agreed)) / total_weight,
        n_features=in_draws / total_weight,
        unmatched=(in_draws - counts.sum(axis=1)) / total_weight,
        labels=labels,
    )
