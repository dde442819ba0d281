"""summary(): how sure an estimate is, by entry, feature and item, and what it leaves out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fangs._typing import BinaryMatrix, FloatArray, IntArray
from fangs._validate import as_level, as_penalty_for
from fangs.posterior.alignment import Alignment, as_alignment
from fangs.posterior.error_rates import ErrorRates
from fangs.posterior.frozen import freeze_arrays
from fangs.posterior.intervals import Distribution, equal_tailed

# Features and items that a printed summary lists.
_ROWS = 20


def summary(
    estimate: Any,
    samples: Any,
    *,
    a: float | None = None,
    level: float = 0.95,
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
    return Summary(
        matrix=alignment.reference,
        a=a,
        level=level,
        labels=info.items or tuple(str(i) for i in range(info.n_items)),
        proportions=alignment.proportions,
        error_rates=ErrorRates.of(alignment.reference, alignment.proportions),
        features=_features(alignment, level),
        items=_items(alignment, a),
        n_features=Distribution.of(info.n_features),
        n_ones=Distribution.of(info.n_ones),
        unmatched_features=info.n_features - alignment.matched.sum(axis=1),
        unmatched_ones=info.n_ones - alignment.feature_sizes.sum(axis=1),
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class FeatureSummary:
    """What the draws tell about each feature of an estimate: one value per feature.

    A feature is *matched* in a draw if the alignment pairs it with a feature of the draw. The two
    then share at least one item.
    """

    matched: FloatArray
    """Share of draws in which the feature is matched."""
    overlap: FloatArray
    """Expected number of items that it shares with its match, 0 where it has none."""
    size: IntArray
    """Number of items that it has in the estimate."""
    mean_size: FloatArray
    """Mean number of items of its matches; NaN if it is never matched."""
    size_interval: FloatArray
    """(K, 2): interval of the number of items of its matches; NaN if it is never matched."""

    def __post_init__(self) -> None:
        freeze_arrays(self)


@dataclass(frozen=True, eq=False, kw_only=True)
class ItemSummary:
    """What the draws tell about each item: one value per item.

    If a draw has several best alignments, the one that `align` takes decides which item has the
    mismatch. The sum over the items does not depend on it.
    """

    mismatch: FloatArray
    """Expected loss in the item's row; these add up to the expected loss."""
    n_features: FloatArray
    """Expected number of features that the item has in a draw."""
    unmatched: FloatArray
    """Expected number of its features in a draw that no feature of the estimate matches."""

    def __post_init__(self) -> None:
        freeze_arrays(self)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Summary:
    """How sure an estimate is; made by `fangs.summary`, printed on one screen.

    The arrays are read-only.
    """

    matrix: BinaryMatrix
    """(n, K): the estimate."""
    a: float
    level: float
    labels: tuple[str, ...]
    proportions: FloatArray
    """(n, K): probability of each entry, the share of draws whose aligned feature has the item."""
    error_rates: ErrorRates
    """Share of the ones, and of the zeros, that is expected to be wrong."""
    features: FeatureSummary
    items: ItemSummary
    n_features: Distribution
    """Number of features in a draw."""
    n_ones: Distribution
    """Number of ones in a draw."""
    unmatched_features: IntArray
    """(B,): number of features of each draw that no feature of the estimate matches."""
    unmatched_ones: IntArray
    """(B,): number of ones of these features."""

    def __post_init__(self) -> None:
        freeze_arrays(self)

    def __repr__(self) -> str:
        n_items, n_features = self.matrix.shape
        return f"<fangs.Summary: {n_features} features over {n_items} items at a={self.a:g}>"

    def __str__(self) -> str:
        n_items, n_features = self.matrix.shape
        lines = [
            f"{n_features} features over {n_items} items; "
            f"{len(self.unmatched_ones)} draws aligned to them",
            f"Features in a draw: {self.n_features.describe(self.level)}",
            f"Ones in a draw: {self.n_ones.describe(self.level)}",
            f"Matched by no feature, on average: {self.unmatched_features.mean():.3g} features "
            f"of a draw, with {self.unmatched_ones.mean():.3g} ones",
        ]
        if n_features:
            lines += [str(self.error_rates), "", *self._feature_lines()]
        return "\n".join([*lines, "", *self._item_lines()])

    def _feature_lines(self) -> list[str]:
        f, level = self.features, f"{100 * self.level:.4g} %"
        wrong = self.error_rates.feature_false_discovery
        lines = [f"  feature  items  wrong  matched  shared  size in draws, {level}"]
        for j in range(min(len(f.size), _ROWS)):
            size = "never matched"
            if f.matched[j] > 0:
                low, high = f.size_interval[j]
                size = f"{f.mean_size[j]:.1f}, {low:.0f} to {high:.0f}"
            lines.append(
                f"  {j + 1:>7}  {f.size[j]:>5}  {100 * wrong[j]:>3.0f} %  "
                f"{100 * f.matched[j]:>5.1f} %  {f.overlap[j]:>6.1f}  {size}"
            )
        if len(f.size) > _ROWS:
            lines.append(f"  and {len(f.size) - _ROWS} more")
        return lines

    def _item_lines(self) -> list[str]:
        order = np.argsort(-self.items.mismatch, kind="stable")[:5]
        named = ", ".join(f"{self.labels[i]} {self.items.mismatch[i]:.2f}" for i in order)
        return [
            f"Expected loss {self.items.mismatch.sum():.6g} at a = {self.a:g}; most of it in the "
            "rows of",
            f"  {named}",
        ]


def _features(alignment: Alignment, level: float) -> FeatureSummary:
    matched, sizes = alignment.matched, alignment.feature_sizes
    times = matched.sum(axis=0)
    n_features = matched.shape[1]
    mean, interval = np.full(n_features, np.nan), np.full((n_features, 2), np.nan)
    for j in np.flatnonzero(times):
        present = sizes[matched[:, j], j]
        mean[j] = present.mean()
        interval[j] = equal_tailed(present, level)
    return FeatureSummary(
        matched=times / len(matched),
        overlap=alignment.feature_overlaps.mean(axis=0),
        size=alignment.reference.sum(axis=0, dtype=np.int64),
        mean_size=mean,
        size_interval=interval,
    )


def _items(alignment: Alignment, a: float) -> ItemSummary:
    n_draws, counts = alignment.n_draws, alignment.counts
    in_draws = alignment.engine.item_counts()
    agreed = (alignment.reference * counts).sum(axis=1)
    alone = alignment.reference.sum(axis=1, dtype=np.int64) * n_draws - agreed
    return ItemSummary(
        mismatch=(a * alone + (2.0 - a) * (in_draws - agreed)) / n_draws,
        n_features=in_draws / n_draws,
        unmatched=(in_draws - counts.sum(axis=1)) / n_draws,
    )
