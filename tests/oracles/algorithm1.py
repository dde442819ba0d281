"""Algorithm 1 (Dahl, Johnson and Andros 2023), written down from the paper.

`run` is the whole of it by scipy's solver. The rest is lines 2 to 8 alone, with every choice that
they leave open.

Line 2 pads every draw with empty columns to the width of the widest. Then all draws are aligned to
a baseline, the entries are averaged, and those of at least a/2 are kept. The paper does not say
which of several best alignments to take. `fangs` fixes a part of the choice: features that share no
item with their column go into the free columns, both in their own order.
"""

from fractions import Fraction
from itertools import permutations, product

import numpy as np
from scipy.optimize import linear_sum_assignment

from oracles import reference as ref


def run(draws, a, rng, *, n_init, n_sweet, n_iter):
    """Lines 1 to 23; the allocation returned, and its expected loss as a fraction."""
    a = Fraction(repr(a))
    width = max(draw.shape[1] for draw in draws)
    draws = np.stack([ref.pad(draw, width) for draw in draws])  # line 2
    starts = []
    for b in rng.choice(len(draws), size=min(n_init, len(draws)), replace=False):  # lines 3 and 4
        orders = [best_order(draws[b], draw) for draw in draws]  # line 5
        aligned = [draw[:, order] for draw, order in zip(draws, orders, strict=True)]
        start = thresholded(aligned, a)  # lines 6 to 8
        starts.append((expected_loss(start, draws, a), start))  # line 9
    starts.sort(key=lambda start: start[0])
    kept = [(loss, with_a_column(start)) for loss, start in starts[:n_sweet]]  # line 11
    for _ in range(n_iter):  # line 13
        for j, (loss, zeta) in enumerate(kept):  # line 14
            proposal = ref.flipped(zeta, *rng.integers(zeta.shape))  # line 15
            proposed_loss = expected_loss(proposal, draws, a)
            if proposed_loss < loss:  # lines 16 to 20
                kept[j] = proposed_loss, proposal
    loss, zeta = min(kept, key=lambda end: end[0])  # line 23
    return ref.without_empty_features(zeta), loss


def best_order(baseline, draw):
    """Feature order[j] of the draw stands in column j of the baseline."""
    return linear_sum_assignment(baseline.T @ draw, maximize=True)[1]


def expected_loss(estimate, draws, a):
    """By overlaps; `reference.expected_loss` is slower."""
    shared = estimate.T @ draws
    overlap = sum(int(s[linear_sum_assignment(s, maximize=True)].sum()) for s in shared)
    return a * int(estimate.sum()) + ((2 - a) * int(draws.sum()) - 2 * overlap) / len(draws)


def with_a_column(start):
    """A start without ones keeps one column to propose in, as in R."""
    return start if start.shape[1] else ref.pad(start, 1)


def initial_estimates(baseline, draws, a):
    """Every start that Algorithm 1 can make from a baseline: one for each choice among ties."""
    draws = [ref.without_empty_features(draw) for draw in draws]
    width = max(draw.shape[1] for draw in draws)  # line 2: K_max
    starts = {}
    for aligned in product(*(alignments(baseline, draw, width) for draw in draws)):
        start = thresholded(aligned, a)
        starts[start.shape, start.tobytes()] = start
    return list(starts.values())


def alignments(baseline, draw, width):
    """The draw in every best column order for the baseline, both padded to a width."""
    baseline, draw = ref.pad(ref.without_empty_features(baseline), width), ref.pad(draw, width)
    shared = baseline.T @ draw  # [j, k]: items of both column j and feature k
    columns = range(width)
    orders = list(permutations(columns))
    totals = [sum(shared[j, order[j]] for j in columns) for order in orders]
    best = [order for order, total in zip(orders, totals, strict=True) if total == max(totals)]
    aligned = [placed(draw, order, shared) for order in best]
    return list({Z.tobytes(): Z for Z in aligned}.values())


def placed(draw, order, shared):
    """Feature order[j] in column j if they share an item; the rest in the free columns in order."""
    columns = range(draw.shape[1])
    matched = {j: order[j] for j in columns if shared[j, order[j]] > 0}
    free = [j for j in columns if j not in matched]
    rest = [k for k in columns if k not in matched.values()]
    feature_of = matched | dict(zip(free, rest, strict=True))
    return draw[:, [feature_of[j] for j in columns]]


def thresholded(aligned, a):
    """Lines 7 and 8: keep the entries that a share of at least a/2 of the draws have."""
    return ref.without_empty_features(2 * sum(aligned) >= a * len(aligned))


def initial_estimate_by_scipy(baseline, draws, a):
    """The start by scipy's solver, for larger sizes; None where some best alignment is tied."""
    draws = [ref.without_empty_features(draw) for draw in draws]
    width = max(draw.shape[1] for draw in draws)
    baseline = ref.pad(ref.without_empty_features(baseline), width)
    aligned = []
    for draw in draws:
        draw = ref.pad(draw, width)
        shared = baseline.T @ draw
        order = linear_sum_assignment(shared, maximize=True)[1]
        if not is_unique(shared, order):
            return None
        aligned.append(placed(draw, order, shared))
    return thresholded(aligned, a)


def is_unique(shared, order):
    """Whether every other choice of pairs that share items has a smaller total."""
    columns = np.arange(len(shared))
    most = shared[columns, order].sum()
    for j in columns[shared[columns, order] > 0]:
        without = shared.copy()
        without[j, order[j]] = 0
        if without[linear_sum_assignment(without, maximize=True)].sum() == most:
            return False
    return True
