"""Brute force: a loss by trying every column order, an optimum by trying every allocation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, permutations
from math import comb, factorial, log10
from typing import Any

import numpy as np

from fangs._typing import BinaryMatrix, IntArray
from fangs.alternatives.result import NotApplicableError, Run
from fangs.bounds import certify
from fangs.check.arguments import as_allocation, as_count, as_penalty, as_seconds
from fangs.engine import Deadline
from fangs.estimate import Estimate
from fangs.loss import Objective
from fangs.search import SearchSettings, run_search

AT_ONCE = 7
"""Columns whose orders are all tried in one array; the columns before them go one by one."""


def exhaustive_loss(estimate: Any, draw: Any, *, a: float = 1.0, max_features: int = 10) -> float:
    """FARO loss by trying all K! column orders (Dahl et al. 2023, Table 1).

    It equals `fangs.faro_loss`, which needs one matching. Use it as a check, and to compare times.

    Parameters
    ----------
    estimate, draw
        0/1 matrices with the same rows; the narrower one is padded with empty columns.
    a
        Price of a one that the estimate has and the draw lacks, between 0 and 2.
    max_features
        The most columns whose orders are tried. Eleven take eleven times as long as ten.

    Raises
    ------
    NotApplicableError
        If there are more columns; a ValueError.

    Examples
    --------
    >>> exhaustive_loss([[1, 0], [1, 1]], [[1], [0]], a=0.5)
    1.0
    """
    ours = as_allocation(estimate, name="estimate")
    theirs = as_allocation(draw, name="draw", n_items=ours.shape[0])
    a = as_penalty(a)
    width = max(ours.shape[1], theirs.shape[1])
    if width > as_count(max_features, name="max_features", minimum=0):
        raise NotApplicableError(
            f"{width} features have {factorial(width):.2g} column orders, more than max_features = "
            f"{max_features} allows; use fangs.faro_loss, which needs one matching"
        )
    mine = np.pad(ours, ((0, 0), (0, width - ours.shape[1]))).astype(np.int64)
    other = np.pad(theirs, ((0, 0), (0, width - theirs.shape[1]))).astype(np.int64)
    overlap = _most_over_orders(mine.T @ other)
    objective = Objective(a, total_weight=1, total_ones=int(theirs.sum()))
    return objective.expected_loss(int(ours.sum()), overlap)


def exhaustive(
    samples: Any,
    *,
    a: float = 1.0,
    max_allocations: int = 100_000,
    max_seconds: float | None = None,
    n_threads: int | None = None,
) -> Estimate:
    """Find the allocation of lowest expected FARO loss, and prove that it is.

    Tiny problems are solved by trying every allocation there is: n items have 2^n - 1 different
    features, and an estimate may have any collection of them. Larger ones are searched and then
    proved by column generation, as `fangs.certify` does, if you grant the time for it.

    Allocations with more than 2/a times the mean number of features of the draws are not tried:
    some feature of theirs is matched in fewer than a share a/2 of the draws, and dropping it lowers
    the loss.

    Parameters
    ----------
    samples
        The posterior draws: `Samples`, or anything it accepts.
    a
        Price of a one that the estimate has and a draw lacks, between 0 and 2.
    max_allocations
        The most allocations that are tried.
    max_seconds
        Time for the proof where there are more. None refuses such problems at once.
    n_threads
        Threads to use; None means all cores.

    Returns
    -------
    Estimate
        The optimum; of several, one with the fewest features.

    Raises
    ------
    NotApplicableError
        If there are more allocations, and no proof in the time granted; a ValueError.

    Examples
    --------
    >>> found = exhaustive([[[1, 0], [1, 1]], [[0, 1], [1, 1]], [[1], [0]]])
    >>> found.matrix
    array([[1, 0],
           [1, 1]], dtype=uint8)
    >>> found.lower_bound == found.expected_loss
    True
    """
    with Run.begin("exhaustive", samples, a=a, n_threads=n_threads) as run:
        samples, objective = run.samples, run.objective
        n = samples.n_items
        info = run.engine.samples_info
        widest = int(2 * info.weigh(samples.n_features) / (objective.exact_a * info.total_weight))
        limit = as_count(max_allocations, name="max_allocations")
        # Beyond 40 items there are too many features in any case, and the exact count is slow.
        count = comb(2 ** min(n, 40) - 1 + widest, widest)
        if count > limit:
            matrix = _proved_optimum(run, as_seconds(max_seconds, name="max_seconds"))
            if matrix is not None:
                because = "proved by column generation"
                return run.finish(matrix, because=because, is_optimal=True)
            raise NotApplicableError(
                f"{n} items and up to {widest} features allow 10^{int(log10(count))} allocations "
                f"or more, max_allocations is {max_allocations}, and max_seconds = {max_seconds} "
                "brought no proof; use fangs.estimate, which searches"
            )
        best: tuple[int, BinaryMatrix] | None = None
        for matrix in _allocations(n, widest):
            ones = int(matrix.sum())
            most = info.weigh(np.minimum(samples.n_ones, ones))  # the largest possible overlap
            if best is not None and objective.score(ones, most) >= best[0]:
                continue
            score = objective.score(ones, info.weigh(run.engine.overlaps(matrix)))
            if best is None or score < best[0]:
                best = score, matrix
                run.keep(matrix)
        assert best is not None
        return run.finish(best[1], because=f"all {count:,} allocations were tried", is_optimal=True)


def _proved_optimum(run: Run, max_seconds: float | None) -> BinaryMatrix | None:
    """Search, then prove; None if that takes longer."""
    if max_seconds is None:
        return None
    deadline = Deadline(max_seconds)
    found = run_search(run.engine, run.a, SearchSettings(seed=0), deadline=deadline)
    run.keep(found.matrix)
    certificate = certify(found, run.engine, max_seconds=max(deadline.left, 1e-3))
    best = certificate.better or found
    if certificate.is_global_optimum or best.lower_bound == best.expected_loss:
        return best.matrix
    return None


def _allocations(n_items: int, max_features: int) -> Iterator[BinaryMatrix]:
    """Every allocation of at most `max_features` features, narrow ones first."""
    if max_features == 0:
        yield np.zeros((n_items, 0), dtype=np.uint8)
        return
    features = (np.arange(1, 2**n_items)[:, None] >> np.arange(n_items)) & 1
    features = features.astype(np.uint8)
    for width in range(max_features + 1):
        for chosen in combinations_with_replacement(range(len(features)), width):
            yield np.ascontiguousarray(features[list(chosen)].T)


def _most_over_orders(overlap: IntArray) -> int:
    """Try all orders for the largest sum of overlap[j, order[j]]."""
    width = len(overlap)
    at_once = min(AT_ONCE, width)
    orders = np.array(list(permutations(range(at_once))), dtype=np.int64)
    rows = np.arange(width - at_once, width)
    most = 0
    for first in permutations(range(width), width - at_once):
        rest = np.setdiff1d(np.arange(width), first)
        begun = sum(int(overlap[j, k]) for j, k in enumerate(first))
        # One row of sums after another keeps memory small.
        sums = sum(
            (overlap[row, rest][orders[:, at]] for at, row in enumerate(rows)),
            start=np.zeros(len(orders), dtype=np.int64),
        )
        most = max(most, begun + int(sums.max()))
    return most
