"""The starts of a search: where each began and where it ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fangs.check.text import rounded
from fangs.estimate import Estimate
from fangs.plot.canvas import axes_or_new, check_kind, whole_numbers
from fangs.plot.palette import INSIDE, NEUTRAL, OUTSIDE
from fangs.search.record import Start

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Marker and colour of each way to start; others are grey.
_LOOKS = {
    "template": ("o", INSIDE),
    "baseline": ("s", OUTSIDE),
    "subsample": ("^", "#009E73"),
    "neighbour": ("D", "#CC79A7"),
}


def starts(
    estimate: Estimate, *, figsize: tuple[float, float] | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the expected loss of each start before and after its flips.

    Only the two ends are on record; the line between them is a guide. Open symbols are starts
    that were not sweetened. A search over many draws starts on a subsample of them: losses over
    the subsample cannot be compared with losses over all draws, so they are drawn only if there
    are no others.

    Parameters
    ----------
    estimate
        From `fangs.estimate`.
    figsize, ax
        Size of a new figure in inches, or the axes to draw on.

    Examples
    --------
    >>> import fangs
    >>> ax = fangs.plot.starts(fangs.estimate(fangs.datasets.example(), seed=1))
    >>> ax.get_xlabel()
    'Accepted flips'
    """
    check_kind(estimate, Estimate, name="estimate", call="fangs.estimate(draws)")
    if estimate.search is None:
        raise ValueError(
            "estimate was not searched for, so it has no starts to draw; give one from "
            "fangs.estimate(draws)"
        )
    ax = axes_or_new(ax, figsize=figsize)
    shown = comparable_starts(estimate.search.starts)
    named: set[str] = set()
    for start in shown:
        marker, color = _LOOKS.get(start.method, ("D", NEUTRAL))
        look: dict[str, Any] = {"color": color, "marker": marker, "markersize": 5}
        if start.method not in named:
            look["label"] = start.method
        named.add(start.method)
        if start.loss is None:
            ax.plot([0], [start.initial_loss], linestyle="", markerfacecolor="none", **look)
        elif not start.flips:  # it began where it ended
            ax.plot([0], [start.loss], linestyle="", **look)
        else:
            ax.plot([0, start.flips], [start.initial_loss, start.loss], **look)
    label = f"estimate, {rounded(estimate.expected_loss, 6)}"
    ax.axhline(estimate.expected_loss, color=NEUTRAL, linewidth=0.8, zorder=0, label=label)
    most = max((start.flips for start in shown if start.loss is not None), default=0)
    whole_numbers(ax.xaxis, low=0, high=most)
    ax.set_xlim(-0.08 * max(most, 1), 1.08 * max(most, 1))
    ax.set(xlabel="Accepted flips", ylabel=f"Expected loss, a = {estimate.a:g}")
    hidden = len(estimate.search.starts) - len(shown)
    ax.legend(frameon=False, title=f"not drawn: {hidden} on a subsample" if hidden else None)
    return ax


def comparable_starts(starts: Sequence[Start]) -> list[Start]:
    """The starts whose losses can be compared: over all draws and items where there are any such.

    Examples
    --------
    >>> few = Start(method="template", draw=None, initial_loss=9.0, loss=8.0, flips=1,
    ...             n_features=2, n_draws=256)
    >>> all_ = Start(method="subsample", draw=None, initial_loss=8.5, loss=8.4, flips=1,
    ...              n_features=2, n_draws=4000)
    >>> [start.n_draws for start in comparable_starts([few, all_])]
    [4000]
    """
    most = max((start.n_draws for start in starts), default=0)
    over_most = [start for start in starts if start.n_draws == most]
    # A start that continues from a subsample shows that templates and baselines were made on one:
    # on some of the items, if not on some of the draws.
    if any(start.method == "subsample" for start in over_most):
        over_most = [s for s in over_most if s.method not in ("template", "baseline")]
    return over_most
