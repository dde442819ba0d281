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

STRIPE = 512
"""Items whose pairs with all others are counted together."""
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
    each = None if weights_by_feature is None else _feature_weights(engine, weights_by_feature)
    total = shared_features(engine, each=each)
    if total.dtype != np.float64:
        return total / info.total_weight
    total /= info.total_weight  # the largest thing there is: no copy
    return total


def check_fits(n_items: int) -> None:
    """Refuse a number of items whose pairs cannot be held in memory, before any work is done."""
    needed, memory = 8 * n_items**2, _memory()
    if needed > memory:
        fitting = int((memory / 8) ** 0.5)
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


def shared_features(
    engine: Engine, rows: slice | None = None, *, each: FloatArray | None = None
) -> npt.NDArray[Any]:
    """(rows, n): features that have both items, over all draws by weight; whole numbers.

    Or the sum of what each of these features counts, (features of all draws,).
    """
    info = engine.samples_info
    rows = rows or slice(0, info.n_items)
    # Floating point is exact below 2**53, and much faster. Without weights, counts within a block
    # stay far below 2**24, so single precision is exact.
    is_small = each is not None or info.weigh(info.n_features) < 2**53
    of_sums = np.float64 if is_small else np.int64
    of_blocks = np.float32 if each is None and info.weights is None else of_sums
    total: npt.NDArray[Any] = np.zeros((rows.stop - rows.start, info.n_items), dtype=of_sums)
    end = 0
    for draws, block in blocks_of_draws(engine):
        columns = block.astype(of_blocks, copy=False)
        some: npt.NDArray[Any] = columns[rows]
        if info.weights is not None:
            some = some * np.repeat(info.weights[draws], info.n_features[draws]).astype(of_blocks)
        if each is not None:
            begin, end = end, end + columns.shape[1]
            some = some * each[begin:end]
        for first in range(0, len(total), STRIPE):  # Ctrl-C is heard between them
            stripe = slice(first, first + STRIPE)
            total[stripe] += some[stripe] @ columns.T
    return total


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


def blocks_of_draws(
    engine: Engine, *, widest: int = 1 << 20
) -> Iterator[tuple[slice, npt.NDArray[np.float32]]]:
    """Yield many draws at a time: which they are, and their features (n, some)."""
    info = engine.samples_info
    width = int(np.clip(_BLOCK // info.n_items, 1, widest))
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
