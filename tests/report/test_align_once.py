"""A report looks at the draws once, or not at all if it is given their alignment."""

from collections import Counter

import fangs
from fangs.engine import ThreadedEngine
from fangs.report.gather import gather


def test_a_quick_report_needs_one_pass(estimate, draws, monkeypatch):
    passes = Counter()
    original = dict(vars(ThreadedEngine))
    for name in ("overlaps", "align", "evaluate", "permutations"):

        def counted(*given, name=name):
            passes[name] += 1
            return original[name](*given)

        monkeypatch.setattr(ThreadedEngine, name, counted)
    assert gather(estimate, fangs.align(estimate, draws), effort="quick").samples is draws
    assert passes == {"permutations": 1}


def test_an_alignment_gives_the_same_page_as_its_draws(estimate, draws, tmp_path):
    pages = [tmp_path / "draws.html", tmp_path / "alignment.html"]
    estimate.report(pages[0], draws, effort="quick")
    estimate.report(pages[1], fangs.align(estimate, draws), effort="quick")
    assert pages[0].read_bytes() == pages[1].read_bytes()
