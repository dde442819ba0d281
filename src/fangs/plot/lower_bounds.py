"""Lower bounds on the expected loss, as shares of what the estimates have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from fangs.bounds import Certificate
from fangs.plot.canvas import axes_or_new, check_kind, legend_above
from fangs.plot.palette import INSIDE, NEUTRAL, OUTSIDE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Marker and colour of each method, the weakest first.
_LOOKS = {
    "items": ("s", NEUTRAL),
    "pairs": ("^", OUTSIDE),
    "dual": ("o", INSIDE),
    "columns": ("D", INSIDE),
}


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
    figsize
        Width and height of the new figure in inches.
    ax
        Axes to draw on; by default those of a new figure.

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
        reached = [_percent(certificate, method) for certificate in found]
        if not np.isnan(reached).all():
            look: dict[str, Any] = {"marker": marker, "color": color, "linewidth": 0.8}
            ax.plot([c.a for c in found], reached, label=f"by {method}", clip_on=False, **look)
    edge = ax.spines["left"].get_edgecolor()
    ax.axhline(100.0, color=edge, linewidth=0.8, zorder=0, label="the estimate's loss")
    ax.set(xlabel="a", xlim=(0, 2), ylabel="Lower bound, % of the loss")
    ax.set_ylim(0, 105)
    legend_above(ax, columns=2)
    return ax


def _percent(certificate: Certificate, method: str) -> float:
    """A bound in per cent of the estimate's loss; NaN where the certificate lacks it."""
    if method not in certificate.bounds:
        return float("nan")
    loss = certificate.expected_loss
    return 100.0 * certificate.bounds[method] / loss if loss > 0 else 100.0
