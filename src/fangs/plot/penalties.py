"""What changes with the penalty `a`: the path of estimates, and lower bounds on their losses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from fangs._extras import require
from fangs.bounds import Certificate
from fangs.draws.samples import as_samples
from fangs.path.sparsity import SparsityPath
from fangs.plot.canvas import axes_or_new, check_kind, legend_above, note_below, whole_numbers
from fangs.plot.palette import INSIDE, NEUTRAL, OUTSIDE
from fangs.posterior.intervals import Distribution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Marker and colour of each method, the weakest first.
_LOOKS = {
    "items": ("s", NEUTRAL),
    "pairs": ("^", OUTSIDE),
    "dual": ("o", INSIDE),
    "columns": ("D", INSIDE),
}


def path(
    found: SparsityPath,
    *,
    samples: Any = None,
    figsize: tuple[float, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw features and ones of the estimates along `a`, over the posterior of the former.

    The lines are steps: between two breakpoints one allocation is the best of all that were found.
    The symbols are the estimates.

    Parameters
    ----------
    found
        From `fangs.sparsity_path`.
    samples
        The draws, for shading by the posterior of the number of features.
    figsize, ax
        Size of a new figure in inches, or the axes to draw on. Ones have an axis on the right.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> ax = fangs.plot.path(fangs.sparsity_path(draws, a=[0.5, 1, 1.5], seed=1), samples=draws)
    """
    check_kind(found, SparsityPath, name="found", call="fangs.sparsity_path(draws)")
    ax = axes_or_new(ax, figsize=figsize)
    right = ax.twinx()
    ax.set(xlabel="a", xlim=(0, 2), ylabel="Features")
    if samples is not None:
        samples = as_samples(samples)
        posterior = Distribution.of(samples.n_features, samples.weights)
        for value, strength in zip(posterior.values, posterior.strengths, strict=True):
            band = {"color": NEUTRAL, "alpha": 0.5 * strength, "linewidth": 0}
            ax.axhspan(value - 0.5, value + 0.5, **band)
        ax.set_ylabel("Features (shaded: posterior)")
        if found.estimates[0].fingerprint != samples.fingerprint:
            note_below(ax, "the path was made from other draws than the posterior shown")
    features = _steps(ax, found, "n_features", "o-", color=INSIDE, size=6)
    ones = _steps(right, found, "n_ones", "s--", color=OUTSIDE, size=4)
    ax.set_ylim(-0.5 if ax.get_ylim()[0] < 0 else 0, None)
    whole_numbers(ax.yaxis, low=0, high=int(ax.get_ylim()[1]))
    right.set(ylabel="Ones", ylim=(0, None))
    right.grid(False)
    right.spines["right"].set_visible(True)
    legend_above(ax, columns=2, handles=[features, ones])
    return ax


def _steps(ax: Axes, found: SparsityPath, name: Any, look: str, *, color: str, size: float) -> Any:
    """Draw the steps between breakpoints, and a symbol for each estimate; return the legend's."""
    marker, line = look[0], look[1:]
    heights, ends = found.steps(name)
    ax.stairs(heights, ends, baseline=None, color=color, linestyle=line, linewidth=1.3)
    values = getattr(found, name)
    ax.plot(found.a, values, marker, color=color, markersize=size, clip_on=False)
    lines = require("matplotlib.lines", extra="plot")
    label = name.removeprefix("n_")
    return lines.Line2D([], [], color=color, marker=marker, linestyle=line, label=label)


def bounds(
    certificates: Certificate | Iterable[Certificate],
    *,
    figsize: tuple[float, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the lower bounds against `a`, in per cent of the estimates' expected losses.

    The best allocation lies between the highest bound and 100 per cent. Where a bound reaches 100,
    the estimate is proved to be optimal.

    Parameters
    ----------
    certificates
        One or several from `fangs.certify`, for example of the estimates along a path.
    figsize, ax
        Size of a new figure in inches, or the axes to draw on.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> path = fangs.sparsity_path(draws, a=[0.5, 1, 1.5], seed=1)
    >>> ax = fangs.plot.bounds(fangs.certify(e, draws, method="pairs") for e in path.estimates)
    >>> [line.get_label() for line in ax.lines]
    ['by items', 'by pairs', "the estimate's loss"]
    """
    found = list(certificates) if isinstance(certificates, Iterable) else [certificates]
    for each in found:
        call = "fangs.certify(estimate, draws)"
        check_kind(each, Certificate, name="certificates", call=call)
    if not found:
        raise ValueError("certificates is empty; give at least one, from fangs.certify")
    found.sort(key=lambda certificate: certificate.a)
    ax = axes_or_new(ax, figsize=figsize)
    for method, (marker, color) in _LOOKS.items():
        reached = [percents(certificate).get(method, float("nan")) for certificate in found]
        if not np.isnan(reached).all():
            look: dict[str, Any] = {"marker": marker, "color": color, "linewidth": 0.8}
            ax.plot([c.a for c in found], reached, label=f"by {method}", clip_on=False, **look)
    edge = ax.spines["left"].get_edgecolor()
    ax.axhline(100.0, color=edge, linewidth=0.8, zorder=0, label="the estimate's loss")
    ax.set(xlabel="a", xlim=(0, 2), ylabel="Lower bound, % of the loss")
    ax.set_ylim(0, 105)
    legend_above(ax, columns=2)
    return ax


def percents(certificate: Certificate) -> dict[str, float]:
    """The bound by each method, in per cent of the estimate's expected loss."""
    loss = certificate.expected_loss
    return {
        method: 100.0 * bound / loss if loss > 0 else 100.0
        for method, bound in certificate.bounds.items()
    }
