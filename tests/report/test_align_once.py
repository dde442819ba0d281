"""A report looks at the draws once, or not at all if it is given their alignment."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import fangs
from fangs.engine import ThreadedEngine
from fangs.report.facts import gather


class CountingEngine(ThreadedEngine):
    """Counts its passes over all draws."""

    def __init__(self, samples):
        super().__init__(samples, 1)
        self.passes = Counter()

    def overlaps(self, matrix):
        self.passes["overlaps"] += 1
        return super().overlaps(matrix)

    def align(self, matrix):
        self.passes["align"] += 1
        return super().align(matrix)

    def evaluate(self, matrix):
        self.passes["evaluate"] += 1
        return super().evaluate(matrix)

    def permutations(self, matrix):
        self.passes["permutations"] += 1
        return super().permutations(matrix)


def test_a_quick_report_needs_one_pass(estimate, draws):
    engine = CountingEngine(draws)
    alignment = fangs.Alignment.of(engine, estimate.matrix)
    facts = gather(estimate, alignment, effort="quick")
    assert engine.passes == {"permutations": 1}
    assert facts.samples is draws


def test_an_alignment_gives_the_same_page_as_its_draws(estimate, draws, tmp_path):
    pages = [tmp_path / "draws.html", tmp_path / "alignment.html"]
    estimate.report(pages[0], draws, effort="quick")
    estimate.report(pages[1], fangs.align(estimate, draws), effort="quick")
    assert pages[0].read_bytes() == pages[1].read_bytes()


def test_an_alignment_to_another_matrix_is_refused(estimate, draws, tmp_path):
    other = fangs.align(np.ones((100, 1)), draws)
    with pytest.raises(ValueError, match="another allocation"):
        estimate.report(tmp_path / "r.html", other)
    assert list(tmp_path.iterdir()) == []
