"""Table 1 of the paper: the best column order by trying all of them, and by assignment."""

from __future__ import annotations

from collections.abc import Mapping
from math import factorial
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

import fangs
from fangs import alternatives
from study import published
from study.markdown import table, write_page

REPEATS: Mapping[int, int] = {4: 100, 6: 100, 8: 100, 10: 10}
"""Pairs of matrices by number of features; fewer where one takes long."""
BATCH = 2000
"""Draws aligned in one call, to measure an assignment without the cost of a call."""


def measure(
    n_features: int, repeats: int, *, n_items: int = 100, batch: int = BATCH
) -> list[float]:
    """Return milliseconds per pair: all orders, one call of `faro_loss`, and in a batch."""
    rng = np.random.default_rng(n_features)
    pairs = rng.integers(0, 2, size=(repeats, 2, n_items, n_features), dtype=np.uint8)
    all_orders, called = [], []
    for one, other in pairs:
        began = perf_counter()
        tried = alternatives.exhaustive_loss(one, other)
        all_orders.append(perf_counter() - began)
        began = perf_counter()
        solved = fangs.faro_loss(one, other)
        called.append(perf_counter() - began)
        if tried != solved:
            raise AssertionError(f"all orders give {tried} and the assignment {solved}")
    many = fangs.Samples(rng.integers(0, 2, size=(batch, n_items, n_features), dtype=np.uint8))
    batched = []
    for one, _ in pairs:
        began = perf_counter()
        fangs.expected_loss(one, many, n_threads=1)
        batched.append((perf_counter() - began) / batch)
    return [1000 * median(times) for times in (all_orders, called, batched)]


def write(docs: Path, *, repeats: Mapping[int, int] = REPEATS, batch: int = BATCH) -> None:
    """Measure and write the page."""
    rows = []
    for width, count in repeats.items():
        orders, call, batched = measure(width, count, batch=batch)
        theirs = published.PERMUTATIONS[width]
        rows.append(
            [
                width,
                f"{factorial(width):,}",
                *(f"{orders:,.2f}", f"{call:.3f}", f"{batched:.4f}"),
                *(f"{value:,.2f}" for value in theirs),
            ]
        )
    head = ["K", "K!", "all orders", "assignment", "in a batch", "paper: all", "paper: assignment"]
    counts = ", ".join(f"{count} for K = {width}" for width, count in repeats.items())
    write_page(
        docs / "study" / "permutations.md",
        "All column orders against assignment",
        "The loss of two allocations is the smallest distance over all orders of their columns. "
        "With K columns there are K! orders, and trying them all "
        "(`fangs.alternatives.exhaustive_loss`) soon takes too long. Solved as an assignment "
        "problem (`fangs.faro_loss`), the loss takes microseconds. The table shows milliseconds "
        f"per pair of random 0/1 matrices with 100 items, the median over pairs ({counts}):",
        table(head, rows),
        "Both ways found the same loss for every pair; the program would stop otherwise. *In a "
        f"batch*: the time per draw of one call of `fangs.expected_loss` over {batch:,} draws on "
        "one core. This is an assignment without the cost of a call from Python, which is what the "
        "search pays. All orders are tried in NumPy, many at a time. The paper's columns (its "
        "Table 1) are means from another machine and other programs, also on random matrices.",
    )
