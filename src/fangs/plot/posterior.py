"""Distributions over the draws: number of features, losses, sizes of features, doubtful items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fangs.check.arguments import as_allocation, as_count
from fangs.check.text import rounded
from fangs.draws.labels import first_number
from fangs.draws.samples import as_samples
from fangs.estimate import Estimate
from fangs.plot.canvas import (
    axes_or_new,
    item_labels,
    label_entries,
    legend_above,
    note_below,
    whole_numbers,
)
from fangs.plot.palette import INSIDE, NEUTRAL, OUTSIDE
from fangs.posterior.alignment import align
from fangs.posterior.assess import for_draws
from fangs.posterior.ball import credible_ball
from fangs.posterior.intervals import Distribution
from fangs.posterior.summary import summary

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def n_features(
    samples: Any,
    *,
    estimate: Any = None,
    figsize: tuple[float, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the posterior of the number of features, and mark that of the estimate.

    Parameters
    ----------
    samples
        The posterior draws: `fangs.Samples`, or anything it accepts.
    estimate
        An `Estimate`, or any 0/1 matrix, whose number of features to mark.
    figsize
        Width and height of the new figure in inches.
    ax
        Axes to draw on; by default those of a new figure.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> ax = fangs.plot.n_features(draws, estimate=fangs.estimate(draws, seed=1))
    >>> len(ax.patches) == len(set(draws.n_features.tolist()))
    True
    """
    samples = as_samples(samples)
    found = Distribution.of(samples.n_features, samples.weights)
    ax = axes_or_new(ax, figsize=figsize)
    bars = ax.bar(found.values, found.probabilities, color=NEUTRAL, width=0.8)
    if estimate is not None:
        matrix = as_allocation(estimate, name="estimate", n_items=samples.n_items)
        number = int(matrix.any(axis=0).sum())
        for value, bar in zip(found.values, bars, strict=True):
            if value == number:
                bar.set_color(INSIDE)
        label = f"the estimate has {number}"
        ax.axvline(number, label=label, color=INSIDE, linestyle="--", zorder=0)
        legend_above(ax)
    whole_numbers(ax.xaxis, low=int(found.values.min()), high=int(found.values.max()))
    ax.set(xlabel="Number of features", ylabel="Share of draws")
    return ax


def losses(
    estimate: Estimate,
    samples: Any,
    *,
    level: float = 0.95,
    figsize: tuple[float, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw how far the draws are from the estimate, with the radius of the credible ball.

    Parameters
    ----------
    estimate
        From `fangs.estimate` or `fangs.assess`.
    samples
        The posterior draws, or their `Alignment` to the estimate. If the estimate was made from
        others, a note under the picture says so; the losses are those to the draws given here.
    level
        Share of the draws that the ball holds.
    figsize
        Width and height of the new figure in inches.
    ax
        Axes to draw on; by default those of a new figure.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> ax = fangs.plot.losses(fangs.estimate(draws, seed=1), draws)
    """
    alignment = align(estimate, samples)
    estimate = for_draws(estimate, alignment.engine)
    ball = credible_ball(estimate, alignment, level=level)
    ax = axes_or_new(ax, figsize=figsize)
    weights = estimate.weights
    shares = None if weights is None else weights / weights.sum()
    bins = _bins(estimate.losses).tolist()
    edges = ax.hist(estimate.losses, bins=bins, weights=shares, color=NEUTRAL)[1]
    for left, bar in zip(edges, ax.patches, strict=False):
        if left > ball.radius:
            bar.set_alpha(0.45)
    ax.axvline(
        estimate.expected_loss,
        color=INSIDE,
        label=f"expected loss {rounded(estimate.expected_loss, 4)}",
    )
    ax.axvline(
        ball.radius,
        color=OUTSIDE,
        linestyle="--",
        label=f"radius {rounded(ball.radius, 4)} holds {100 * ball.coverage:.1f} % of the draws",
    )
    legend_above(ax)
    ax.set(
        xlabel=f"FARO loss from the estimate, a = {estimate.a:g}",
        ylabel="Draws" if weights is None else "Share of the weight",
    )
    note_below(ax, ball.note)
    return ax


def feature_sizes(
    estimate: Any,
    samples: Any,
    *,
    level: float = 0.95,
    figsize: tuple[float, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the number of items of each feature, with its interval over the aligned draws.

    Parameters
    ----------
    estimate
        An `Estimate`, or any 0/1 matrix.
    samples
        The posterior draws: `fangs.Samples`, or anything it accepts; or their `Alignment` to the
        estimate.
    level
        Share of the draws that intervals hold.
    figsize
        Width and height of the new figure in inches.
    ax
        Axes to draw on; by default those of a new figure.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> ax = fangs.plot.feature_sizes(fangs.estimate(draws, seed=1), draws)
    >>> ax.get_xlabel()
    'Feature'
    """
    summed_up = summary(estimate, samples, level=level)
    found = summed_up.features
    ax = axes_or_new(ax, figsize=figsize)
    where = np.arange(len(found.size))
    ax.vlines(
        where,
        found.size_interval[:, 0],
        found.size_interval[:, 1],
        color=NEUTRAL,
        linewidth=3 if len(where) <= 40 else 1.5,
        label=f"{100 * level:.4g} % of the features aligned to it",
    )
    ax.plot(
        where,
        found.mean_size,
        "_",
        color=NEUTRAL,
        markersize=_marker(10, len(where)),
        label="their mean",
    )
    ax.plot(
        where, found.size, "o", color=INSIDE, label="estimate", markersize=_marker(6, len(where))
    )
    ax.set(xlabel="Feature", ylabel="Items", ylim=(0, None))
    note_below(ax, summed_up.note)
    ax.margins(x=0.08)
    label_entries(ax, summed_up.feature_names, which="x")
    legend_above(ax)
    return ax


def mismatches(
    estimate: Any,
    samples: Any,
    *,
    n_items: int = 15,
    labels: Sequence[Any] | None = None,
    figsize: tuple[float, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the least sure items, with the expected loss in the row of each.

    The blue part is the loss by ones that draws lack, the orange part the loss by ones that the
    estimate lacks.

    Parameters
    ----------
    estimate
        An `Estimate`, or any 0/1 matrix.
    samples
        The posterior draws: `fangs.Samples`, or anything it accepts; or their `Alignment` to the
        estimate.
    n_items
        How many items to draw, the least sure first.
    labels
        What to call the items, one label each in the order of the draws; by default their own.
    figsize
        Width and height of the new figure in inches.
    ax
        Axes to draw on; by default those of a new figure.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> ax = fangs.plot.mismatches(fangs.estimate(draws, seed=1), draws, n_items=3)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['image 25', 'image 92', 'image 37']
    """
    found = summary(estimate, samples)
    shown = np.argsort(-found.items.mismatch, kind="stable")[: as_count(n_items, name="n_items")]
    present = found.a * np.where(found.matrix == 1, 1.0 - found.proportions, 0.0).sum(axis=1)
    left_out = found.items.mismatch - present
    ax = axes_or_new(ax, figsize=figsize)
    where = np.arange(len(shown))
    ax.barh(where, present[shown], color=INSIDE, label="has a one that draws lack")
    ax.barh(
        where,
        left_out[shown],
        left=present[shown],
        color=OUTSIDE,
        label="lacks a one that draws have",
    )
    ax.set_ylim(len(shown) - 0.5, -0.5)
    names = item_labels(labels, found.labels)
    label_entries(ax, [names[i] for i in shown], which="y")
    ax.set(xlabel=f"Expected loss in the item's row, a = {found.a:g}")
    ax.set_ylabel("" if first_number(names) is None else "Item")
    note_below(ax, found.note)
    legend_above(ax)
    return ax


def _marker(size: float, n_features: int) -> float:
    """Size of a marker, smaller where there are many features."""
    return size if n_features <= 40 else size / 2


def _bins(losses: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Edges of bars; where losses are whole numbers, each bar covers equally many values."""
    edges = np.histogram_bin_edges(losses, bins="auto")
    if (losses != np.round(losses)).any():
        return edges
    width = max(1.0, np.round(edges[1] - edges[0]))
    return np.arange(losses.min() - 0.5, losses.max() + width, width)
