"""How many features two items share, on average over the draws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.samples import Samples
from fangs.validate import as_samples

# Entries unpacked at a time, 4 bytes each.
_BLOCK = 1 << 23


def pairwise_similarity(samples: Any) -> npt.NDArray[np.float64]:
    """Expected number of features that each two items share.

    Needs no alignment: it does not depend on how features are labelled. The draws are unpacked
    block by block, so that beside the result little memory is used, however many draws there are.

    Parameters
    ----------
    samples
        The posterior draws: `Samples`, or anything it accepts.

    Returns
    -------
    array
        (n, n), symmetric: the mean over the draws of the number of features that have both items.
        The diagonal holds the expected number of features of each item.

    Examples
    --------
    >>> pairwise_similarity([[[1, 0], [1, 1]], [[1], [0]]])
    array([[1. , 0.5],
           [0.5, 1. ]])
    """
    samples = as_samples(samples)
    shared = np.zeros((samples.n_items, samples.n_items))
    for block in _blocks(samples):
        # Counts within a block stay far below 2**24: single precision is exact.
        shared += block @ block.T
    return shared / len(samples)


def _blocks(samples: Samples) -> Iterator[npt.NDArray[np.float32]]:
    """Yield the features of many draws at a time, (n, some)."""
    width = int(np.clip(_BLOCK // samples.n_items, 1, 1 << 20))
    begin, held = 0, 0
    for b, n_features in enumerate(samples.n_features.tolist()):
        if held and held + n_features > width:
            yield _side_by_side(samples, begin, b)
            begin, held = b, 0
        held += n_features
    yield _side_by_side(samples, begin, len(samples))


def _side_by_side(samples: Samples, begin: int, end: int) -> npt.NDArray[np.float32]:
    draws = [samples[b] for b in range(begin, end)]
    return np.concatenate(draws, axis=1).astype(np.float32)
