"""Distributions over the draws: number of features, losses, sizes of features, doubtful items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fangs.check.arguments import as_allocation, as_count
from fangs.check.text import rounded
from fangs.draws.samples import as_samples
from fangs.estimate import Estimate
from fangs.plot import canvas
from fangs.plot.palette import INSIDE, NEUTRAL, OUTSIDE
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
    figsize, ax
        Size of a new figure in inches, or the axes to draw on.

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
    ax = canvas.axes_or_new(ax, figsize=figsize)
    bars = ax.bar(found.values, found.probabilities, color=NEUTRAL, width=0.8)
    if estimate is not None:
        matrix = as_allocation(estimate, name="estimate", n_items=samples.n_items)
        number = int(matrix.any(axis=0).sum())
        for value, bar in zip(found.values, bars, strict=True):
            if value == number:
                bar.set_color(INSIDE)
        label = f"the estimate has {number}"
        ax.axvline(number, label=label, color=INSIDE, linestyle="--", zorder=0)
        canvas.legend_above(ax)
    canvas.whole_numbers(ax.xaxis, low=int(found.values.min()), high=int(found.values.max()))
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
    figsize, ax
        Size of a new figure in inches, or the axes to draw on.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> ax = fangs.plot.losses(fangs.estimate(draws, seed=1), draws)
    """
    ball = credible_ball(estimate, samples, level=level)
    ax = canvas.axes_or_new(ax, figsize=figsize)
    heights, edges = ball.histogram()
    bars = ax.bar(edges[:-1], heights, width=np.diff(edges), align="edge", color=NEUTRAL)
    for left, bar in zip(edges[:-1], bars, strict=True):
        if left > ball.radius:
            bar.set_alpha(0.45)
    mean = f"expected loss {rounded(ball.expected_loss, 4)}"
    radius = f"radius {rounded(ball.radius, 4)} holds {100 * ball.coverage:.1f} % of the draws"
    ax.axvline(ball.expected_loss, color=INSIDE, label=mean)
    ax.axvline(ball.radius, color=OUTSIDE, linestyle="--", label=radius)
    canvas.legend_above(ax)
    ax.set_xlabel(f"FARO loss from the estimate, a = {ball.a:g}")
    ax.set_ylabel("Draws" if ball.weights is None else "Share of the weight")
    canvas.note_below(ax, ball.note)
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
    figsize, ax
        Size of a new figure in inches, or the axes to draw on.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.arrests()
    >>> ax = fangs.plot.feature_sizes(fangs.estimate(draws, seed=1), draws)
    >>> ax.get_xlabel()
    'Feature'
    """
    summed_up = summary(estimate, samples, level=level)
    found = summed_up.features
    ax = canvas.axes_or_new(ax, figsize=figsize)
    where, share = np.arange(len(found.size)), f"{100 * level:.4g} %"
    small = 1.0 if len(where) <= 40 else 0.5
    bars: dict[str, Any] = {"color": NEUTRAL, "linewidth": 3 * small}
    ax.vlines(where, *found.size_interval.T, label=f"{share} of the features aligned to it", **bars)
    ax.plot(where, found.mean_size, "_", color=NEUTRAL, markersize=10 * small, label="their mean")
    ax.plot(where, found.size, "o", color=INSIDE, markersize=6 * small, label="estimate")
    ax.set(xlabel="Feature", ylabel="Items", ylim=(0, None))
    canvas.note_below(ax, summed_up.note)
    ax.margins(x=0.08)
    canvas.label_entries(ax, summed_up.feature_names, which="x")
    canvas.legend_above(ax)
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
    labels, figsize, ax
        As for `fangs.plot.allocation`.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> ax = fangs.plot.mismatches(fangs.estimate(draws, seed=1), draws, n_items=3)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['image 25', 'image 92', 'image 37']
    """
    found = summary(estimate, samples)
    shown = found.items.least_sure[: as_count(n_items, name="n_items")]
    present = found.a * np.where(found.matrix == 1, 1.0 - found.proportions, 0.0).sum(axis=1)[shown]
    left_out = found.items.mismatch[shown] - present
    ax = canvas.axes_or_new(ax, figsize=figsize)
    where = np.arange(len(shown))
    ax.barh(where, present, color=INSIDE, label="has a one that draws lack")
    ax.barh(where, left_out, left=present, color=OUTSIDE, label="lacks a one that draws have")
    ax.set_ylim(len(shown) - 0.5, -0.5)
    names = canvas.item_labels(labels, found.labels)
    canvas.label_entries(ax, [names[i] for i in shown], which="y")
    ax.set(
        xlabel=f"Expected loss in the item's row, a = {found.a:g}", ylabel=canvas.item_title(names)
    )
    canvas.note_below(ax, found.note)
    canvas.legend_above(ax)
    return ax
