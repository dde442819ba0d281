"""How far apart the chains are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fangs.check.text import rounded
from fangs.plot import canvas
from fangs.posterior.chains import ChainComparison

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_NUMBERS = 12
"""Chains up to which the losses are written into the picture."""


def chains(
    found: ChainComparison,
    *,
    cmap: Any = None,
    figsize: tuple[float, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw how far apart the chains are, with the loss between their estimates as numbers.

    The shade is the `separation`: 0.5 where draws are as near to the other chain's estimate as to
    their own, 1 where the chains are in different modes.

    Parameters
    ----------
    found
        From `fangs.compare_chains`.
    cmap
        Colours; by default those of rcParams.
    figsize, ax
        Size of a new figure in inches, or the axes to draw on.

    Examples
    --------
    >>> import fangs
    >>> ax = fangs.plot.chains(fangs.compare_chains(fangs.datasets.example(), seed=1))
    >>> ax.texts[3].get_text()
    '78'
    """
    canvas.check_kind(found, ChainComparison, name="found", call="fangs.compare_chains(draws)")
    longest = max(min(len(str(name)), canvas.LONGEST) for name in found.chains)
    width = max(3.0, min(0.2 * len(found.chains), 6.0))  # of the matrix, in inches
    size = (1.4 + width + 0.08 * longest, 0.7 + width + 0.08 * longest)
    ax = canvas.axes_or_new(ax, figsize=figsize, size=size)
    image = canvas.show_matrix(ax, found.separation, vmin=0.5, vmax=1, cmap=cmap)
    if len(found.chains) <= MOST_NUMBERS:
        for (i, j), distance in np.ndenumerate(found.distances):
            red, green, blue, _ = image.cmap(image.norm(found.separation[i, j]))
            is_bright = 0.3 * red + 0.6 * green + 0.1 * blue > 0.5
            color = "black" if is_bright else "white"
            ax.text(j, i, rounded(distance, 6), ha="center", va="center", color=color)
    ax.set(ylabel="Chain", title="Loss between the chains' estimates")
    ax.figure.colorbar(image, ax=ax, label="separation of their draws", shrink=0.8)
    canvas.label_entries(ax, found.chains, which="y")
    canvas.label_features(ax, found.chains, title="Chain")
    canvas.fit_layout(ax)  # long names change the size of a matrix with square cells
    return ax
