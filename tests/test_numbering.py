"""People read features from 1; items without names and draws from 0, and it says so there."""

from __future__ import annotations

import re

import pytest

import fangs

DRAWS = [[[1, 0], [1, 1], [0, 1]]] * 3 + [[[1], [1], [0]]]
NAMES = ["ann", "bob", "cy"]


@pytest.fixture
def numbered():
    return fangs.Samples(DRAWS)


@pytest.fixture
def named():
    return fangs.Samples(DRAWS, items=NAMES)


def test_a_screen_says_how_items_are_counted_where_they_have_no_names(numbered, named):
    many = fangs.Samples([[[1]] * 60])
    for draws, says in ((numbered, True), (many, True), (named, False)):
        estimate = fangs.estimate(draws, seed=1)
        assert ("items are counted from 0" in str(estimate)) == says
        assert ("items (counted from 0)" in str(fangs.summary(estimate, draws))) == says


def test_a_ball_says_how_draws_are_counted(named):
    estimate = fangs.estimate(named, seed=1)
    assert "draws are counted from 0" in str(fangs.credible_ball(estimate, named))


def test_a_report_says_how_items_are_counted(numbered, named, tmp_path):
    for draws, says in ((numbered, True), (named, False)):
        fangs.estimate(draws, seed=1).report(tmp_path / "r.html", draws, effort="quick")
        page = (tmp_path / "r.html").read_text(encoding="utf-8")
        assert ("The items have no names; they are counted from 0." in page) == says


def test_pictures_say_how_items_are_counted(numbered, named):
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt

    for draws, words in ((numbered, "Item (counted from 0)"), (named, "")):
        estimate = fangs.estimate(draws, seed=1)
        assert fangs.plot.allocation(estimate).get_ylabel() == words
        assert fangs.plot.mismatches(estimate, draws).get_ylabel() == words
    plt.close("all")


def test_charts_of_features_have_no_half_features():
    draws = [[[1], [1]], [[1], [0]]]
    shown = fangs.sparsity_path(draws, a=[0.5, 1], seed=1)
    from fangs.report.charts import path_chart

    heights = re.findall(r'text-anchor="end">([^<]+)<', path_chart(shown))
    assert heights == ["0", "1"]
    several = fangs.sparsity_path(fangs.datasets.example(), a=[0.5, 1], seed=1)
    heights = re.findall(r'text-anchor="end">([^<]+)<', path_chart(several))
    assert heights == ["0", "1", "2", "3", "4", "5"]
