"""How many entries hold together, against the share of the draws in which they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fangs.plot import canvas
from fangs.plot.palette import INSIDE, NEUTRAL, OUTSIDE
from fangs.posterior.core.result import Core

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def core(
    found: Core,
    *,
    figsize: tuple[float, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw how many entries, items or features hold together in each share of the draws.

    The point on the curve is the core. The cross is the set of all that hold, each for itself, in
    the core's share of the draws; it lies far to the left of that share, because they do not hold
    together.

    Parameters
    ----------
    found
        From `fangs.core`.
    figsize, ax
        Size of a new figure in inches, or the axes to draw on.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.arrests()
    >>> ax = fangs.plot.core(fangs.core(fangs.estimate(draws, seed=1), draws))
    >>> ax.get_ylabel()
    'Entries that hold together'
    """
    canvas.check_kind(found, Core, name="found", call="fangs.core(estimate, draws)")
    ax = canvas.axes_or_new(ax, figsize=figsize)
    reached = found.curve > 0
    sizes = [size for size, is_reached in enumerate(reached) if is_reached]
    ax.step(found.curve[reached], sizes, color=NEUTRAL, where="post")
    ax.axvline(found.level, color=NEUTRAL, linestyle=":", linewidth=1)
    core_label = f"core: {found.size:,} in {100 * found.probability:.1f} %"
    ax.plot(found.probability, found.size, "o", color=INSIDE, label=core_label, clip_on=False)
    joint = found.separate_probability
    label = f"all that hold in {100 * found.level:.4g} % one by one: {found.n_separate:,} "
    label += f"in {100 * joint:.1f} %"
    ax.plot(joint, found.n_separate, "X", color=OUTSIDE, label=label, clip_on=False)
    share = "weight" if found.is_weighted else "draws"
    ax.set(xlabel=f"Share of the {share}", ylabel=f"{found.by.capitalize()} that hold together")
    ax.set(xlim=(0, 1), ylim=(0, None))
    canvas.legend_above(ax)
    canvas.note_below(ax, found.note)
    return ax
