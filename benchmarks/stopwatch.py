"""Timing on a machine that may be busy: the best and the middle of several runs."""

import statistics
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True)
class Timing:
    """Seconds that a piece of work took."""

    best: float
    median: float
    runs: int


def measure(work, *, budget=1.0, least=3, most=50):
    """Time `work()` again and again until the budget, in seconds, is used up."""
    taken = []
    while len(taken) < least or (sum(taken) < budget and len(taken) < most):
        since = perf_counter()
        work()
        taken.append(perf_counter() - since)
    return Timing(min(taken), statistics.median(taken), len(taken))


def measure_in_turn(*works, rounds=5):
    """Time several works round by round, so that a busy moment meets all of them alike."""
    taken = [[] for _ in works]
    for _ in range(rounds):
        for work, mine in zip(works, taken, strict=True):
            since = perf_counter()
            work()
            mine.append(perf_counter() - since)
    return [Timing(min(mine), statistics.median(mine), rounds) for mine in taken]
