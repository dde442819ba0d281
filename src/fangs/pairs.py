"""Cheap lower bounds: from how often each item occurs, and from pairs of draws far apart.

docs/certificates.md has the proofs.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from fangs import _core
from fangs.engine import Engine
from fangs.loss import Objective
from fangs.samples import IntArray

SWEEPS = 6  # rounds in which couples of pairs try to swap partners


def item_bound(engine: Engine, objective: Objective) -> Fraction:
    """Bound from the number of features each item has in each draw; needs no matching.

    Two allocations differ at least by the difference of these numbers, item by item; the best an
    estimate can do about one item is a quantile of its numbers over the draws.
    """
    samples, a = engine.samples, objective.exact_a
    width = int(samples.n_features.max()) + 1
    times = np.zeros((samples.n_items, width), dtype=np.int64)
    for draw in samples:
        times[np.arange(samples.n_items), draw.sum(axis=1, dtype=np.int64)] += 1
    total = Fraction(0)
    for item in times:
        # below[k] and above[k]: ones the draws have fewer, and more, than k.
        below = np.concatenate([[0], np.cumsum(np.cumsum(item))[:-1]])
        above = np.concatenate([np.cumsum(np.cumsum(item[::-1]))[::-1][1:], [0]])
        costs = [a * int(x) + (2 - a) * int(y) for x, y in zip(below, above, strict=True)]
        total += min(costs)
    return total / len(samples)


def pair_bound(engine: Engine, objective: Objective, *, sweeps: int = SWEEPS) -> Fraction:
    """Bound from pairs of draws: an estimate cannot be near to both of two draws far apart.

    Every draw is in one pair (three of them in a triangle where their number is odd). Pairs then
    swap partners in couples where that takes the draws further apart; each sweep costs about two
    alignments of the draws.
    """
    a, n_draws = objective.exact_a, engine.n_draws
    if n_draws == 1:
        return Fraction(0)
    order = np.random.default_rng(0).permutation(n_draws)
    odd = order[:3] if n_draws % 2 else order[:0]
    triangle = int(_distances(engine, odd, np.roll(odd, 1)).sum())
    pairs = order[len(odd) :].reshape(-1, 2)
    total = Fraction(int(_far_pairs(engine, pairs, sweeps).sum())) + Fraction(triangle, 2)
    return min(a, 2 - a) * total / n_draws


def _far_pairs(engine: Engine, pairs: IntArray, sweeps: int) -> IntArray:
    """Distances within pairs, after some have swapped partners to be further apart."""
    rng = np.random.default_rng(1)
    apart = _distances(engine, pairs[:, 0], pairs[:, 1])
    for _ in range(sweeps if len(pairs) > 1 else 0):
        order = rng.permutation(len(pairs))
        one, two = order[: len(pairs) // 2], order[len(pairs) // 2 : len(pairs) // 2 * 2]
        (c, d), (e, f) = pairs[one].T, pairs[two].T
        ways = [
            (apart[one], apart[two], c, d, e, f),
            (_distances(engine, c, e), _distances(engine, d, f), c, e, d, f),
            (_distances(engine, c, f), _distances(engine, d, e), c, f, d, e),
        ]
        best = np.argmax([way[0] + way[1] for way in ways], axis=0)
        first, second, *ends = (np.choose(best, [way[x] for way in ways]) for x in range(6))
        apart[one], apart[two] = first, second
        pairs[one], pairs[two] = np.stack(ends[:2], axis=1), np.stack(ends[2:], axis=1)
    return apart


def _distances(engine: Engine, first: IntArray, second: IntArray) -> IntArray:
    """FARO loss at a=1 between draws."""
    first, second = np.ascontiguousarray(first), np.ascontiguousarray(second)
    samples = engine.samples
    overlaps = _core.pair_overlaps(samples._draws, first, second, engine.n_threads)
    return samples.n_ones[first] + samples.n_ones[second] - 2 * overlaps
