"""The screen of text: what it says about ties and starts."""

import time
from dataclasses import replace

import numpy as np

import fangs
from fangs.report.screen import WIDTH, screen


def test_ties_are_said_if_there_are_any(estimate):
    assert "at no cost" not in screen(replace(estimate, n_ties=0))
    assert "\n3 entries could flip at no cost\n" in screen(replace(estimate, n_ties=3))
    assert "\n1 entry could flip at no cost\n" in screen(replace(estimate, n_ties=1))


def test_what_continues_from_a_subsample_is_no_start_of_its_own(estimate):
    first, last = estimate.search.starts[0], estimate.search.starts[-1]
    starts = (replace(first, method="template"), replace(first, method="baseline", loss=None))
    starts += (replace(last, method="subsample"),) * 2
    search = replace(estimate.search, starts=starts)
    assert "Search: 2 starts, 1 sweetened, " in screen(replace(estimate, search=search))


def test_the_longest_seed_fits(estimate):
    starts = (replace(estimate.search.starts[0], method="template"),) * 16
    search = replace(estimate.search, seed=2**64 - 1, starts=starts, flips=9999)
    lines = screen(replace(estimate, search=search)).splitlines()
    assert max(map(len, lines)) <= WIDTH


def test_a_million_items_print_at_once():
    """Most of a minute and a half once; ten times what their names take is generous."""
    n_items = 1_000_000
    began = time.perf_counter()
    names = tuple(map(str, range(n_items)))
    least = time.perf_counter() - began
    rng = np.random.default_rng(1)
    matrix = (rng.random((n_items, 8)) < 0.4).astype(np.uint8)
    large = fangs.Estimate(
        matrix=matrix, expected_loss=1.0, a=1.0, proportions=rng.random((n_items, 8)),
        losses=np.ones(9), items=names, is_flip_optimal=True,
    )  # fmt: skip
    began = time.perf_counter()
    shown = [str(large), repr(large), large._repr_html_()]
    assert time.perf_counter() - began < 10 * least
    assert "1,000 of the 1,000,000 items" in shown[2]
    first = ", ".join(map(str, np.flatnonzero(matrix[:, 0])[:5]))
    assert first in shown[0]
