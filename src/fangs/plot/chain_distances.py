"""How far apart the chains are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fangs._words import rounded
from fangs.plot.canvas import axes_or_new, check_kind, show_matrix
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
    figsize
        Width and height of the new figure in inches.
    ax
        Axes to draw on; by default those of a new figure.

    Examples
    --------
    >>> import fangs
    >>> ax = fangs.plot.chains(fangs.compare_chains(fangs.datasets.example(), seed=1))
    >>> ax.texts[3].get_text()
    '78'
    """
    check_kind(found, ChainComparison, name="found", call="fangs.compare_chains(draws)")
    ax = axes_or_new(ax, figsize=figsize, size=(4.6, 3.8))
    image = show_matrix(ax, found.separation, vmin=0.5, vmax=1, cmap=cmap)
    numbers = [str(name) for name in found.chains]
    ax.set_xticks(range(len(numbers)), numbers)
    ax.set_yticks(range(len(numbers)), numbers)
    if len(numbers) <= MOST_NUMBERS:
        for (i, j), distance in np.ndenumerate(found.distances):
            red, green, blue, _ = image.cmap(image.norm(found.separation[i, j]))
            is_bright = 0.3 * red + 0.6 * green + 0.1 * blue > 0.5
            color = "black" if is_bright else "white"
            ax.text(j, i, rounded(distance, 6), ha="center", va="center", color=color)
    ax.set(xlabel="Chain", ylabel="Chain", title="Loss between the chains' estimates")
    ax.figure.colorbar(image, ax=ax, label="separation of their draws", shrink=0.8)
    return ax
