"""The path of estimates over the penalty `a`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fangs._extras import require
from fangs._typing import IntArray
from fangs.draws.samples import as_samples
from fangs.path.sparsity import SparsityPath
from fangs.plot.canvas import axes_or_new, check_kind, legend_above, note_below, whole_numbers
from fangs.plot.palette import INSIDE, NEUTRAL, OUTSIDE
from fangs.posterior.assess import note_on_draws
from fangs.posterior.intervals import Distribution

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    figsize
        Width and height of the new figure in inches.
    ax
        Axes to draw on; by default those of a new figure. Ones have an axis on the right.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> ax = fangs.plot.path(fangs.sparsity_path(draws, a=[0.5, 1, 1.5], seed=1), samples=draws)
    """
    check_kind(found, SparsityPath, name="found", call="fangs.sparsity_path(draws)")
    ax = axes_or_new(ax, figsize=figsize)
    right = ax.twinx()
    if samples is not None:
        samples = as_samples(samples)
        posterior = Distribution.of(samples.n_features)
        strongest = posterior.probabilities.max()
        for value, share in zip(posterior.values, posterior.probabilities, strict=True):
            ax.axhspan(
                value - 0.5, value + 0.5, color=NEUTRAL, alpha=0.5 * share / strongest, linewidth=0
            )
    features = _steps(ax, found, found.n_features, "n_features", "o-", color=INSIDE)
    ones = _steps(right, found, found.n_ones, "n_ones", "s--", color=OUTSIDE)
    ax.set(xlabel="a", xlim=(0, 2))
    if samples is not None and note_on_draws(found.estimates[0], samples.info):
        note_below(ax, "the path was made from other draws than the posterior shown")
    ax.set_ylabel("Features (shaded: posterior)" if samples is not None else "Features")
    ax.set_ylim(-0.5 if ax.get_ylim()[0] < 0 else 0, None)
    whole_numbers(ax.yaxis, low=0, high=int(ax.get_ylim()[1]))
    right.set(ylabel="Ones", ylim=(0, None))
    right.grid(False)
    right.spines["right"].set_visible(True)
    legend_above(ax, columns=2, handles=[features, ones])
    return ax


def _steps(
    ax: Axes, found: SparsityPath, values: IntArray, name: str, look: str, *, color: str
) -> Any:
    """Draw the steps between breakpoints, and a symbol for each estimate; return the legend's."""
    marker, line = look[0], look[1:]
    breaks = [float(segment.interval.low) for segment in found.segments]
    heights = [getattr(segment, name) for segment in found.segments]
    ax.stairs(heights, [*breaks, 2.0], baseline=None, color=color, linestyle=line, linewidth=1.3)
    size = 6 if marker == "o" else 4
    ax.plot(found.a, values, marker, color=color, markersize=size, clip_on=False)
    lines = require("matplotlib.lines", extra="plot")
    label = name.removeprefix("n_")
    return lines.Line2D([], [], color=color, marker=marker, linestyle=line, label=label)
