"""Cheap lower bounds: from how often each item occurs, and from pairs of distant draws.

docs/theory-bounds.md has the proofs.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from fangs._typing import IntArray
from fangs.engine import Deadline, Engine
from fangs.loss import Objective

SWEEPS = 6
"""Rounds in which pairs of draws may swap partners. More tighten the bound and take longer."""
COPIES = 4096
"""Copies of draws, by weight, that are paired one by one; twice the number of draws if more."""
BUNDLE_SIZES = 3
"""Sizes of bundles in which more copies are paired. More leave out less weight and take longer."""


def item_bound(engine: Engine, objective: Objective, deadline: Deadline | None = None) -> Fraction:
    """Bound from the number of features that each item has in each draw; needs no matching.

    Two allocations differ at least by the difference of these numbers, item by item. For one item
    the best number is a quantile over the draws. Distances to draws or of items for which there is
    no time count as 0.
    """
    deadline = deadline or Deadline()
    info, a = engine.samples_info, objective.exact_a
    n_with = np.zeros((info.n_items, int(info.n_features.max()) + 1), dtype=np.int64)
    for b in range(info.n_draws):
        if b and deadline.is_over:
            break
        times = 1 if info.weights is None else info.weights[b]
        n_with[np.arange(info.n_items), engine.draw(b).sum(axis=1, dtype=np.int64)] += times
    extra, unit = a.as_integer_ratio()
    total, width = 0, n_with.shape[1]
    is_large = 2 * unit * width * info.total_weight >= 2**62  # then Python's own numbers
    n_rows = max(1, 2**20 // width)
    for first in range(0, info.n_items, n_rows):
        if first and deadline.is_over:
            break
        # counts[:, k]: weight of draws in which the item has k features
        counts = n_with[first : first + n_rows]
        if is_large:
            counts = counts.astype(object)
        # fewer[:, k] and more[:, k]: ones that the draws lack, and have in excess, compared with k.
        fewer, more = np.zeros_like(counts), np.zeros_like(counts)
        fewer[:, 1:] = counts.cumsum(axis=1).cumsum(axis=1)[:, :-1]
        more[:, :-1] = counts[:, ::-1].cumsum(axis=1).cumsum(axis=1)[:, ::-1][:, 1:]
        total += sum((extra * fewer + (2 * unit - extra) * more).min(axis=1).tolist())
    return Fraction(total, unit * info.total_weight)


def pair_bound(engine: Engine, objective: Objective, *, sweeps: int = SWEEPS) -> Fraction:
    """Bound from pairs of draws: an estimate cannot be close to both of two distant draws.

    Every draw is in one pair; if their number is odd, three of them form a triangle. In each sweep
    the pairs meet two by two and swap partners where that increases their distances. A sweep costs
    about two alignments of the draws.

    A draw takes part once per copy that its weight stands for. Where these are many, copies are
    bundled; weight that fills no bundle is paired in smaller ones. What is left over counts as 0.
    """
    a, info = objective.exact_a, engine.samples_info
    draws = np.arange(info.n_draws)
    total = Fraction(0)
    if info.weights is None:
        total = _paired_distance(engine, draws, sweeps)
    else:
        at_most = max(COPIES, 2 * info.n_draws)
        left = info.weights
        for _ in range(BUNDLE_SIZES):
            unit = -(-int(left.sum()) // at_most)
            if unit == 0:
                break
            total += unit * _paired_distance(engine, np.repeat(draws, left // unit), sweeps)
            left = left % unit
    return min(a, 2 - a) * total / info.total_weight


def _paired_distance(engine: Engine, draws: IntArray, sweeps: int) -> Fraction:
    """Total distance within pairs of these draws; a draw may occur repeatedly."""
    if len(draws) < 2:
        return Fraction(0)
    order = draws[np.random.default_rng(0).permutation(len(draws))]
    odd = order[:3] if len(draws) % 2 else order[:0]
    triangle = int(_distances(engine, odd, np.roll(odd, 1)).sum())
    pairs = order[len(odd) :].reshape(-1, 2)
    return Fraction(int(_distant_pairs(engine, pairs, sweeps).sum())) + Fraction(triangle, 2)


def _distant_pairs(engine: Engine, pairs: IntArray, sweeps: int) -> IntArray:
    """Distances within the pairs after they have swapped partners to increase them."""
    rng = np.random.default_rng(1)
    distances = _distances(engine, pairs[:, 0], pairs[:, 1])
    for _ in range(sweeps if len(pairs) > 1 else 0):
        order = rng.permutation(len(pairs))
        one, two = order[: len(pairs) // 2], order[len(pairs) // 2 : len(pairs) // 2 * 2]
        (c, d), (e, f) = pairs[one].T, pairs[two].T
        ways = [
            (distances[one], distances[two], c, d, e, f),
            (_distances(engine, c, e), _distances(engine, d, f), c, e, d, f),
            (_distances(engine, c, f), _distances(engine, d, e), c, f, d, e),
        ]
        best = np.argmax([way[0] + way[1] for way in ways], axis=0)
        first, second, *ends = (np.choose(best, [way[x] for way in ways]) for x in range(6))
        distances[one], distances[two] = first, second
        pairs[one], pairs[two] = np.stack(ends[:2], axis=1), np.stack(ends[2:], axis=1)
    return distances


def _distances(engine: Engine, first: IntArray, second: IntArray) -> IntArray:
    """FARO loss at a=1 between the draws `first[p]` and `second[p]`."""
    ones = engine.samples_info.n_ones
    return ones[first] + ones[second] - 2 * engine.pair_overlaps(first, second)
