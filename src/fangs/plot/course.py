"""How estimates come about: along the penalty `a`, from start to start, from chain to chain."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from fangs.bounds import EFFORTS, Certificate
from fangs.chains import ChainComparison
from fangs.intervals import Distribution
from fangs.palette import INSIDE, NEUTRAL, OUTSIDE
from fangs.path import SparsityPath
from fangs.plot.canvas import axes_or_new, legend_above, show_matrix, whole_numbers
from fangs.result import Estimate
from fangs.validate import as_samples

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Markers and colours of the ways to start; others come as they come.
_METHODS = {
    "template": ("o", INSIDE),
    "baseline": ("s", OUTSIDE),
    "kick": ("^", "#009E73"),
    "crossing": ("D", "#CC79A7"),
    "swing": ("v", "#56B4E9"),
}

_BOUNDS = {"items": ("s", NEUTRAL), "pairs": ("^", OUTSIDE), "labels": ("o", INSIDE)}


def path(found: SparsityPath, *, samples: Any = None, ax: Axes | None = None) -> Axes:
    """Draw features and ones of the estimates along `a`, over the posterior of the former.

    Parameters
    ----------
    found
        From `fangs.sparsity_path`.
    samples
        The draws, for shading by the posterior of the number of features.
    ax
        Axes to draw on; by default those of a new figure. Ones have an axis on the right.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> ax = fangs.plot.path(fangs.sparsity_path(draws, a=[0.5, 1, 1.5], seed=1), samples=draws)
    """
    ax = axes_or_new(ax)
    right = ax.twinx()
    if samples is not None:
        posterior = Distribution.of(as_samples(samples).n_features)
        strongest = posterior.probabilities.max()
        for value, share in zip(posterior.values, posterior.probabilities, strict=True):
            ax.axhspan(
                value - 0.5, value + 0.5, color=NEUTRAL, alpha=0.5 * share / strongest, linewidth=0
            )
    features = ax.plot(
        found.a, found.n_features, "o-", color=INSIDE, label="features", clip_on=False
    )
    ones = right.plot(
        found.a, found.n_ones, "s--", color=OUTSIDE, label="ones", markersize=4, clip_on=False
    )
    whole_numbers(ax.yaxis)
    ax.set(xlabel="a", xlim=(0, 2))
    ax.set_ylabel("Features (shaded: posterior)" if samples is not None else "Features")
    ax.set_ylim(min(0, *ax.get_ylim()), None)
    right.set(ylabel="Ones", ylim=(0, None))
    right.grid(False)
    right.spines["right"].set_visible(True)
    ax.legend(handles=[*features, *ones], frameon=False, loc="upper right")
    return ax


def bounds(certificates: Certificate | Iterable[Certificate], *, ax: Axes | None = None) -> Axes:
    """Draw the lower bounds against `a`, in per cent of the estimates' expected losses.

    The best allocation lies between the highest bound and 100 per cent; where a bound reaches 100,
    the estimate is proved to be optimal.

    Parameters
    ----------
    certificates
        From `fangs.certify`: one, or several, of the estimates along a path say.
    ax
        Axes to draw on; by default those of a new figure.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> path = fangs.sparsity_path(draws, a=[0.5, 1, 1.5], seed=1)
    >>> ax = fangs.plot.bounds(fangs.certify(e, draws, effort="pairs") for e in path.estimates)
    >>> [line.get_label() for line in ax.lines]
    ['by items', 'by pairs', "the estimate's loss"]
    """
    found = [certificates] if isinstance(certificates, Certificate) else list(certificates)
    if not found:
        raise ValueError("certificates is empty; give at least one, from fangs.certify")
    found.sort(key=lambda certificate: certificate.a)
    ax = axes_or_new(ax)
    for method in EFFORTS:
        reached = [_percent(certificate, method) for certificate in found]
        if not np.isnan(reached).all():
            marker, color = _BOUNDS[method]
            look: dict[str, Any] = {"marker": marker, "color": color, "linewidth": 0.8}
            ax.plot([c.a for c in found], reached, label=f"by {method}", clip_on=False, **look)
    edge = ax.spines["left"].get_edgecolor()
    ax.axhline(100.0, color=edge, linewidth=0.8, zorder=0, label="the estimate's loss")
    ax.set(xlabel="a", xlim=(0, 2), ylabel="Lower bound, % of the loss")
    ax.set_ylim(0, 105)
    legend_above(ax, columns=2)
    return ax


def _percent(certificate: Certificate, method: str) -> float:
    """What a bound is of the estimate's loss; NaN where it was not made, or was no better."""
    if method not in certificate.bounds:
        return float("nan")
    loss = certificate.expected_loss
    return 100.0 * certificate.bounds[method] / loss if loss > 0 else 100.0


def starts(estimate: Estimate, *, ax: Axes | None = None) -> Axes:
    """Draw the expected loss of each start before and after its flips.

    Only the two ends are on record; the line between them is a guide. Open symbols are starts
    that were not sweetened.

    Parameters
    ----------
    estimate
        From `fangs.estimate`.
    ax
        Axes to draw on; by default those of a new figure.

    Examples
    --------
    >>> import fangs
    >>> ax = fangs.plot.starts(fangs.estimate(fangs.datasets.example(), seed=1))
    >>> ax.get_xlabel()
    'Accepted flips'
    """
    if estimate.search is None:
        raise ValueError("estimate was not searched for, so it has no starts to draw")
    ax = axes_or_new(ax)
    named: set[str] = set()
    for start in estimate.search.starts:
        marker, color = _METHODS.get(start.method, ("D", NEUTRAL))
        look: dict[str, Any] = {"color": color, "marker": marker, "markersize": 5}
        if start.method not in named:
            look["label"] = start.method
            named.add(start.method)
        if start.loss is None:
            ax.plot([0], [start.initial_loss], linestyle="", markerfacecolor="none", **look)
        else:
            ax.plot([0, start.flips], [start.initial_loss, start.loss], **look)
    ax.axhline(
        estimate.expected_loss,
        color=NEUTRAL,
        linewidth=0.8,
        zorder=0,
        label=f"estimate, {estimate.expected_loss:.6g}",
    )
    whole_numbers(ax.xaxis)
    ax.set(xlabel="Accepted flips", ylabel=f"Expected loss, a = {estimate.a:g}")
    ax.margins(x=0.08)
    ax.legend(frameon=False)
    return ax


def chains(found: ChainComparison, *, cmap: Any = None, ax: Axes | None = None) -> Axes:
    """Draw how far apart the chains are, with the loss between their estimates as numbers.

    The shade is the `separation`: 0.5 where draws are as near to the other chain's estimate as to
    their own, 1 where the chains are in different modes.

    Parameters
    ----------
    found
        From `fangs.compare_chains`.
    cmap
        Colours; by default those of rcParams.
    ax
        Axes to draw on; by default those of a new figure.

    Examples
    --------
    >>> import fangs
    >>> ax = fangs.plot.chains(fangs.compare_chains(fangs.datasets.example(), seed=1))
    >>> ax.texts[3].get_text()
    '78'
    """
    ax = axes_or_new(ax, size=(4.6, 3.8))
    image = show_matrix(ax, found.separation, vmin=0.5, vmax=1, cmap=cmap)
    numbers = [str(c + 1) for c in range(len(found.n_draws))]
    ax.set_xticks(range(len(numbers)), numbers)
    ax.set_yticks(range(len(numbers)), numbers)
    if len(numbers) <= 12:
        for (i, j), distance in np.ndenumerate(found.distances):
            red, green, blue, _ = image.cmap(image.norm(found.separation[i, j]))
            bright = 0.3 * red + 0.6 * green + 0.1 * blue > 0.5
            color = "black" if bright else "white"
            ax.text(j, i, f"{distance:g}", ha="center", va="center", color=color)
    ax.set(xlabel="Chain", ylabel="Chain", title="Loss between the chains' estimates")
    ax.figure.colorbar(image, ax=ax, label="separation of their draws", shrink=0.8)
    return ax
