"""Overlaps by scipy's solver, a second oracle for sizes where permutations are out of reach."""

import numpy as np
from scipy.optimize import linear_sum_assignment


def largest_total(weights):
    """Return the largest total of a matching; with weights >= 0 leaving pairs out never helps."""
    weights = np.asarray(weights)
    return int(weights[linear_sum_assignment(weights, maximize=True)].sum()) if weights.size else 0


def max_overlap(estimate, draw):
    return largest_total(np.asarray(estimate, np.int64).T @ np.asarray(draw, np.int64))


def overlap_changes(estimate, draws):
    """As `reference.overlap_changes`; items alike in every matrix are computed only once."""
    estimate = np.asarray(estimate, np.int64)
    draws = [np.asarray(draw, np.int64) for draw in draws]
    on, off = np.zeros_like(estimate), np.zeros_like(estimate)
    rows, kind = np.unique(np.hstack([estimate, *draws]), axis=0, return_inverse=True)
    kind = kind.reshape(-1)
    splits = np.cumsum([estimate.shape[1], *(draw.shape[1] for draw in draws)])
    for draw, start in zip(draws, splits, strict=False):
        overlaps = estimate.T @ draw
        total = largest_total(overlaps)
        for r, row in enumerate(rows):
            has = row[start : start + draw.shape[1]]
            for j in range(estimate.shape[1]):
                sign = -1 if row[j] else 1
                overlaps[j] += sign * has
                change = abs(largest_total(overlaps) - total)
                overlaps[j] -= sign * has
                (off if row[j] else on)[kind == r, j] += change
    return on, off
