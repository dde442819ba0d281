"""pairwise_similarity(): number of features that two items share, on average over the draws."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import FloatArray
from fangs.engine import Engine, as_engine
from fangs.posterior.relabel import local_samples, reordered

# Entries that are unpacked at a time, 4 bytes each.
_BLOCK = 1 << 23

UNKNOWN_MEMORY = 16 << 30
"""What a machine that does not tell its memory is taken to have."""


def pairwise_similarity(samples: Any, *, weights_by_feature: Any = None) -> FloatArray:
    """Expected number of features that two items share, for every pair of items.

    It does not depend on how features are labelled, so it needs no alignment. The draws are
    unpacked block by block, so it needs little memory however many draws there are. The matrix of
    all pairs of items has to fit into memory, though, and is refused where it cannot.

    Parameters
    ----------
    samples
        The posterior draws: `Samples`, or anything it accepts.
    weights_by_feature
        One number per feature and draw, such as a loading or variance, in a form that
        `Alignment.apply` takes. A feature then counts by its number: the mean over the draws of
        Z diag(w) Z'.

    Returns
    -------
    array
        (n, n), symmetric: mean over the draws of the number of features that have both items.
        The diagonal holds the expected number of features of each item.

    Examples
    --------
    >>> pairwise_similarity([[[1, 0], [1, 1]], [[1], [0]]])
    array([[1. , 0.5],
           [0.5, 1. ]])
    >>> pairwise_similarity([[[1, 0], [1, 1]], [[1], [0]]], weights_by_feature=[[3, 2], [1]])
    array([[2. , 1.5],
           [1.5, 2.5]])
    """
    engine = as_engine(samples)
    info = engine.samples_info
    check_fits(info.n_items)
    if weights_by_feature is not None:
        return _weighted(engine, _feature_weights(engine, weights_by_feature))
    return shared_features(engine) / info.total_weight


def check_fits(n_items: int) -> None:
    """Refuse a number of items whose pairs cannot be held in memory, before any work is done."""
    needed, memory = 3 * 8 * n_items**2, _memory()  # the sum, one block's share, the mean
    if needed > memory:
        fitting = int((memory / 24) ** 0.5)
        raise ValueError(
            f"samples have {n_items:,} items; the similarity of all pairs would take "
            f"{needed / 1e9:,.0f} GB, and this machine has {memory / 1e9:,.0f} GB; take at most "
            f"{fitting:,} of the items, Samples([draw[items] for draw in samples]), or look at "
            "the proportions of an estimate instead"
        )


def _memory() -> int:
    """Bytes of memory of this machine."""
    try:
        return int(os.sysconf("SC_PAGE_SIZE")) * int(os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return UNKNOWN_MEMORY


def shared_features(engine: Engine, rows: slice | None = None) -> npt.NDArray[Any]:
    """(rows, n): features that have both items, over all draws by weight; whole numbers."""
    info = engine.samples_info
    check_fits(info.n_items)
    rows = rows or slice(0, info.n_items)
    # Floating point is exact below 2**53, and much faster. Without weights, counts within a block
    # stay far below 2**24, so single precision is exact.
    of_sums = np.float64 if info.weigh(info.n_features) < 2**53 else np.int64
    of_blocks = np.float32 if info.weights is None else of_sums
    total: npt.NDArray[Any] = np.zeros((rows.stop - rows.start, info.n_items), dtype=of_sums)
    for draws, block in _blocks(engine):
        block = block.astype(of_blocks, copy=False)
        some = block[rows]
        if info.weights is not None:
            some = some * np.repeat(info.weights[draws], info.n_features[draws]).astype(of_blocks)
        total += some @ block.T
    return total


def _weighted(engine: Engine, weights: FloatArray) -> FloatArray:
    info = engine.samples_info
    first = np.concatenate([[0], np.cumsum(info.n_features)])
    if info.weights is not None:
        weights = weights * np.repeat(info.weights, info.n_features)
    shared = np.zeros((info.n_items, info.n_items))
    for draws, block in _blocks(engine):
        here = weights[first[draws.start] : first[draws.stop]]
        shared += (block * here) @ block.T.astype(np.float64)
    return shared / info.total_weight


def _feature_weights(engine: Engine, parameters: Any) -> FloatArray:
    """(features of all draws,): one number for each."""
    samples = local_samples(engine)
    counts = samples.n_features
    draw = np.repeat(np.arange(len(counts)), counts)
    feature = np.arange(len(draw)) - np.repeat(np.cumsum(counts) - counts, counts)
    try:
        values = reordered(parameters, samples, draw, feature, fill=None)
    except (TypeError, ValueError) as error:  # read as parameters are, but named otherwise here
        raise type(error)(str(error).replace("parameters", "weights_by_feature")) from None
    if values.ndim != 1 or values.dtype.kind not in "biuf":
        raise ValueError(
            f"weights_by_feature has values of shape {values.shape[1:]} and type {values.dtype}; "
            "give one number per feature"
        )
    if not np.isfinite(values).all():
        at = int(np.argmin(np.isfinite(values)))
        raise ValueError(
            f"weights_by_feature has the value {values[at]} for draw {draw[at]}, feature "
            f"{feature[at]}; give a number for every feature"
        )
    return values.astype(np.float64)


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
