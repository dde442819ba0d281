"""The page: what it shows, where it looks at the draws, and what must not be in it."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import fangs
from fangs.engine import ThreadedEngine
from fangs.report.charts import ticks
from fangs.report.gather import Budget, gather
from fangs.report.markup import data_block, table, text
from fangs.report.sections.features import features_section


def page_of(estimate, draws, path, **options):
    estimate.report(path, draws, **options)
    return path.read_text(encoding="utf-8")


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
    pages = [
        page_of(estimate, given, tmp_path / "r.html", effort="quick")
        for given in (draws, fangs.align(estimate, draws))
    ]
    assert pages[0] == pages[1]


def test_the_same_estimate_gives_the_same_page(estimate, draws, tmp_path):
    pages = [page_of(estimate, draws, tmp_path / "r.html", n_threads=n) for n in (1, 2)]
    assert pages[0] == pages[1]


def test_the_table_of_features_says_how_alike_their_matches_are(known):
    section = str(features_section(known))
    lines = re.findall(r"<tr>(.*?)</tr>", section, re.S)[1:]
    features = known.summary.features
    for line, alike, share in zip(lines, features.jaccard, features.present, strict=True):
        assert f"{alike:.3f}</td>" in line
        assert f"{100 * share:.1f} %</td>" in line
    assert "Matched" not in section


def test_the_path_goes_through_the_estimates_own_penalty(draws):
    estimate = fangs.estimate(draws, a=1.37, seed=1)
    found = gather(estimate, draws)
    assert len(found.path) > 5
    assert found.path.estimates[found.path.a.index(1.37)] is estimate
    worse = fangs.assess(draws[0], draws, a=1.37)
    path = gather(worse, draws).path
    assert path.estimates[path.a.index(1.37)].expected_loss < worse.expected_loss


def test_full_effort_leaves_nothing_out(estimate, draws):
    nothing = Budget(path=0, chains=0, modes=0, dual=0, pairs=0)
    assert len(gather(estimate, draws, budget=nothing).left_out) == 4
    full = gather(estimate, draws, effort="full", budget=replace(nothing, full_seconds=0.1))
    assert full.left_out == ()
    assert full.certificate.stopped_because
    assert None not in (full.path, full.chains, full.modes)


@pytest.mark.parametrize(
    "draws",
    [
        [np.zeros((3, 0))] * 4,
        [[[1]]],
        [np.ones((2, 3))] * 5,
        fangs.Samples([np.eye(3)] * 4, chains=[0, 0, 1, 1]),
    ],
)
def test_odd_shapes_have_a_report(draws, tmp_path):
    page = page_of(fangs.estimate(draws, seed=1), draws, tmp_path / "report.html")
    assert page.rstrip().endswith("</html>")
    assert not re.search(r"\bnan\b|\binf\b|-0 %", page.partition("<script>")[0])


def test_large_numbers_have_no_exponent(tmp_path):
    rng = np.random.default_rng(1)
    draws = [rng.integers(0, 2, (60, 30)) for _ in range(12)]
    page = page_of(fangs.estimate(draws, seed=1), draws, tmp_path / "r.html", effort="quick")
    shown = re.sub(r"base64,[^\"]*", "", page.partition("<script")[0])
    assert not re.search(r"\d[eE][+-]\d", shown)


def test_no_address_but_the_papers_is_in_the_page(estimate, draws, tmp_path):
    page = page_of(estimate, draws, tmp_path / "r.html", effort="quick")
    addresses = set(re.findall(r"https?://[^\"' <]*", page))
    assert addresses == {"https://doi.org/10.1080/10618600.2023.2204136"}
    assert "src=" not in page.replace('src="data:', "")
    assert str(Path.home()) not in page


def test_markup_escapes_everything_it_is_given():
    assert text("<i>&\"'") == "&lt;i&gt;&amp;&quot;&#x27;"
    assert "<b>" not in table(["<b>"], [["<b>"]])
    block = data_block({"<!--": "</script>&\u2028"}, name="d")
    inside = block.partition(">")[2].removesuffix("</script>")
    assert not set("<>&\u2028") & set(inside)


@pytest.mark.parametrize("low_high", [(0, 1), (0, 3.2), (0.2, 10.8), (0, 25244), (0, 0.001)])
def test_ticks_are_few_and_within(low_high):
    found = ticks(*low_high)
    assert 2 <= len(found) <= 8
    assert low_high[0] <= found[0]
    assert found[-1] <= low_high[1] * (1 + 1e-9)
