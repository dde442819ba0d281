"""Which features each chain has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fangs.plot import canvas
from fangs.posterior.by_chain import FeaturesByChain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_NUMBERS = 12
"""Chains up to which the shares are written into the picture."""


def by_chain(
    found: FeaturesByChain,
    *,
    cmap: Any = "Blues",
    figsize: tuple[float, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the share of each chain's draws that have each feature, in per cent.

    Rows of one shade are features that the chains agree about. The others say what they disagree
    about.

    Parameters
    ----------
    found
        From `Alignment.by_chain`.
    cmap
        Colours of the shares from 0 to 1.
    figsize, ax
        Size of a new figure in inches, or the axes to draw on.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> found = fangs.align(fangs.estimate(draws, seed=1), draws).by_chain()
    >>> ax = fangs.plot.by_chain(found)
    >>> [text.get_text() for text in ax.texts[4:8]]
    ['100', '100', '100', '38']
    """
    canvas.check_kind(found, FeaturesByChain, name="found", call="fangs.align(...).by_chain()")
    longest = max((min(len(name), canvas.LONGEST) for name in found.feature_names), default=1)
    width, height = canvas.matrix_size(2 * len(found.feature_names), 2 * len(found.chains))
    ax = canvas.axes_or_new(ax, figsize=figsize, size=(width + 0.06 * longest, height))
    values = found.shares.T
    image = canvas.show_matrix(ax, values, vmin=0, vmax=1, cmap=cmap, aspect="auto")
    if len(found.chains) <= MOST_NUMBERS:
        shades = np.asarray(image.cmap(image.norm(values)))
        for (i, j), share in np.ndenumerate(values):
            red, green, blue, _ = shades[i, j]
            color = "black" if 0.3 * red + 0.6 * green + 0.1 * blue > 0.5 else "white"
            ax.text(j, i, f"{100 * share:.0f}", ha="center", va="center", color=color)
    ax.set(ylabel="Feature", title="Per cent of the chain's draws with the feature")
    ax.figure.colorbar(image, ax=ax, label="share of the chain's draws")
    canvas.fit_layout(ax)
    canvas.label_entries(ax, found.feature_names, which="y")
    canvas.label_features(ax, found.chains, title="Chain")
    return ax
