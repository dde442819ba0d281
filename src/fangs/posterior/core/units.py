"""What holds in a draw that is aligned to an estimate: entries, whole items, or features."""

from __future__ import annotations

from typing import Literal

import numpy as np

from fangs.posterior.alignment import Alignment
from fangs.posterior.core.problem import Bits, Mask

By = Literal["entries", "items", "features"]
UNITS: dict[str, str] = {"entries": "entry", "items": "item", "features": "feature"}
"""What a core is a set of, and one of them."""


def number_of_units(alignment: Alignment, by: By) -> int:
    """Number of entries, items or features of the estimate."""
    n_items, n_features = alignment.reference.shape
    numbers = {"entries": n_items * n_features, "items": n_items, "features": n_features}
    return int(numbers[by])


def failures(alignment: Alignment, by: By) -> Bits:
    """(B, units / 8): which entries, items or features fail in each draw, as packed bits."""
    if by == "features":
        return np.packbits(~_is_present(alignment), axis=1)
    found = np.zeros((alignment.n_draws, -(-number_of_units(alignment, by) // 8)), dtype=np.uint8)
    for b, draw in enumerate(alignment.iter_draws()):
        differs = draw != alignment.reference
        found[b] = np.packbits(differs.any(axis=1) if by == "items" else differs)
    return found


def entries_of(chosen: Mask, shape: tuple[int, ...], by: By) -> Mask:
    """(n, K): the entries of the chosen entries, items or features."""
    if by == "entries":
        return chosen.reshape(shape)
    found: Mask = np.zeros(shape, dtype=bool)
    found |= chosen[:, None] if by == "items" else chosen
    return found


def _is_present(alignment: Alignment) -> Mask:
    """(B, K): whether each feature and its match have a Jaccard index of at least 1/2."""
    shared, size = alignment.feature_overlaps, alignment.reference.sum(axis=0, dtype=np.int64)
    either = np.maximum(size + alignment.feature_sizes - shared, 1)
    found: Mask = 2 * shared >= either
    return found
