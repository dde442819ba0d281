"""pairwise_similarity(): number of features that two items share, on average over the draws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import FloatArray
from fangs.engine import Engine, as_engine

# Entries that are unpacked at a time, 4 bytes each.
_BLOCK = 1 << 23


def pairwise_similarity(samples: Any) -> FloatArray:
    """Expected number of features that two items share, for every pair of items.

    It does not depend on how features are labelled, so it needs no alignment. The draws are
    unpacked block by block, so it needs little memory however many draws there are.

    Parameters
    ----------
    samples
        The posterior draws: `Samples`, or anything it accepts.

    Returns
    -------
    array
        (n, n), symmetric: mean over the draws, by weight, of the number of features that have both
        items.
        The diagonal holds the expected number of features of each item.

    Examples
    --------
    >>> pairwise_similarity([[[1, 0], [1, 1]], [[1], [0]]])
    array([[1. , 0.5],
           [0.5, 1. ]])
    """
    engine = as_engine(samples)
    info = engine.samples_info
    return shared_features(engine) / info.total_weight


def shared_features(engine: Engine) -> npt.NDArray[Any]:
    """(n, n): features that have both items, over all draws by weight; whole numbers."""
    info = engine.samples_info
    if info.weights is None:
        # Counts within a block stay far below 2**24, so single precision is exact.
        return _sum(engine, (block @ block.T for _, block in _blocks(engine)), np.float64)
    # Floating point is exact below 2**53, and much faster.
    dtype = np.float64 if info.weigh(info.n_features) < 2**53 else np.int64
    repeated = ((np.repeat(info.weights[b], info.n_features[b]), x) for b, x in _blocks(engine))
    return _sum(
        engine,
        ((block.astype(dtype) * times) @ block.T.astype(dtype) for times, block in repeated),
        dtype,
    )


def _sum(engine: Engine, parts: Iterator[npt.NDArray[Any]], dtype: Any) -> npt.NDArray[Any]:
    n_items = engine.samples_info.n_items
    total: npt.NDArray[Any] = np.zeros((n_items, n_items), dtype=dtype)
    for part in parts:
        total += part
    return total


def _blocks(engine: Engine) -> Iterator[tuple[slice, npt.NDArray[np.float32]]]:
    """Yield many draws at a time: which they are, and their features (n, some)."""
    info = engine.samples_info
    width = int(np.clip(_BLOCK // info.n_items, 1, 1 << 20))
    begin, held = 0, 0
    for b, n_features in enumerate(info.n_features.tolist()):
        if held and held + n_features > width:
            yield slice(begin, b), _side_by_side(engine, begin, b)
            begin, held = b, 0
        held += n_features
    yield slice(begin, info.n_draws), _side_by_side(engine, begin, info.n_draws)


def _side_by_side(engine: Engine, begin: int, end: int) -> npt.NDArray[np.float32]:
    draws = [engine.draw(b) for b in range(begin, end)]
    return np.concatenate(draws, axis=1).astype(np.float32)
