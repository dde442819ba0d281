"""The paper's search as a user of NumPy and SciPy would write it (Dahl et al. 2023, Algorithm 1).

Plain, but not careless: overlaps of the estimate with every draw are kept, a proposal changes one
line of each, and one call of linear_sum_assignment per draw prices it. That is also how the R
package goes about it.
"""

from time import perf_counter

import numpy as np
from scipy.optimize import linear_sum_assignment


def estimate(draws, *, a=1.0, n_init=16, n_sweet=4, n_iter=1000, seed=None, afford=None):
    """Return (matrix, expected loss, seconds, share done).

    With `afford`, in seconds per phase, only as many baselines and proposals are worked off as fit;
    `seconds` is then what all of them would take at that pace, and `share done` says how much of
    the proposals was really made.
    """
    rng = np.random.default_rng(seed)
    afford = float("inf") if afford is None else afford
    draws = [np.asarray(draw, dtype=np.float64) for draw in draws]
    began = perf_counter()
    baselines = rng.choice(len(draws), size=min(n_init, len(draws)), replace=False)
    starts = []
    for b in baselines:
        z = initial(draws, draws[b], a)
        starts.append((expected_loss(z, draws, a), z))
        if perf_counter() - began > afford:
            break
    seconds = (perf_counter() - began) * len(baselines) / len(starts)
    starts.sort(key=lambda start: start[0])
    kept = starts[:n_sweet]
    began = perf_counter()
    made, ends = 0, []
    for loss, z in kept:
        deadline = perf_counter() + afford / len(kept)
        loss, z, n_made = sweeten(z, loss, draws, a, n_iter, rng, deadline)
        made += n_made
        ends.append((loss, z))
    planned = n_iter * n_sweet
    seconds += (perf_counter() - began) * planned / max(made, 1)
    loss, z = min(ends, key=lambda end: end[0])
    return z[:, z.any(axis=0)].astype(np.uint8), loss, seconds, made / planned


def initial(draws, baseline, a):
    """Lines 2 to 8: align all draws to a baseline, keep the entries that a/2 of them have.

    The baseline is padded to the widest draw, so every feature of every draw has a column.
    """
    total = np.zeros((len(baseline), max(draw.shape[1] for draw in draws)))
    padded = np.zeros_like(total)
    padded[:, : baseline.shape[1]] = baseline
    for draw in draws:
        rows, columns = linear_sum_assignment(padded.T @ draw, maximize=True)
        total[:, rows] += draw[:, columns]
    z = (total / len(draws) >= a / 2).astype(np.float64)
    return z[:, z.any(axis=0)] if z.any() else z[:, :1]


def expected_loss(z, draws, a):
    overlaps = [z.T @ draw for draw in draws]
    return loss_of_overlaps(z, overlaps, sum(draw.sum() for draw in draws), a)


def loss_of_overlaps(z, overlaps, total_ones, a):
    shared = 0.0
    for overlap in overlaps:
        shared += overlap[linear_sum_assignment(overlap, maximize=True)].sum()
    return a * z.sum() + ((2 - a) * total_ones - 2 * shared) / len(overlaps)


def sweeten(z, loss, draws, a, n_iter, rng, deadline):
    """Propose random flips and keep those that lower the expected loss."""
    z, overlaps = z.copy(), [z.T @ draw for draw in draws]
    total_ones = sum(draw.sum() for draw in draws)

    def flip(item, feature):
        z[item, feature] = 1 - z[item, feature]
        step = 1 if z[item, feature] else -1
        for overlap, draw in zip(overlaps, draws, strict=True):
            overlap[feature] += step * draw[item]

    made = 0
    while made < n_iter and perf_counter() < deadline:
        made += 1
        item, feature = rng.integers(z.shape[0]), rng.integers(z.shape[1])
        flip(item, feature)
        proposed = loss_of_overlaps(z, overlaps, total_ones, a)
        if proposed < loss:
            loss = proposed
        else:
            flip(item, feature)
    return loss, z, made
