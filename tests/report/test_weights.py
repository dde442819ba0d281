"""Weights on the screen, in notebooks, on the page and in pictures."""

from __future__ import annotations

import numpy as np
import pytest

import fangs
from fangs.report import facts, verdict
from fangs.report.charts import loss_chart
from fangs.report.views import samples_html

pytestmark = pytest.mark.usefixtures("closed_figures")


@pytest.fixture(scope="module")
def weighted(draws):
    """All but chain 3 count nothing; of chain 3 a few draws carry most of the weight."""
    weights = np.where(draws.chains == 3, 1 + 500 * (np.arange(len(draws)) % 50 == 0), 0)
    return fangs.Samples(draws, weights=weights)


@pytest.fixture(scope="module")
def found(weighted):
    return fangs.estimate(weighted, seed=1)


def remarks(estimate, samples):
    return verdict.verdict(facts.gather(estimate, samples, effort="quick"))


def test_the_screen_says_how_good_the_weights_are(found, estimate):
    effective = f"{found.effective_draws:.3g}"
    assert "from 400 draws with weights\n" in str(found)
    said = (
        f"\nThe weights are as good as {effective} equal draws: few draws carry most of the weight"
    )
    assert said in str(found)
    assert "weight" not in str(estimate)


def test_the_report_warns_where_few_draws_carry_the_weight(found, weighted, estimate, draws):
    warnings = [r.text for r in remarks(found, weighted) if r.kind == "warning"]
    assert any("few draws carry most of the weight" in text for text in warnings)
    even = fangs.Samples(draws, weights=np.full(400, 3))
    assert not any("weight" in r.text for r in remarks(estimate, draws))
    assert not any("carry" in r.text for r in remarks(fangs.assess(estimate, even), even))


def test_the_page_shows_effective_draws(found, weighted, tmp_path):
    found.report(tmp_path / "r.html", weighted, effort="quick")
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "effective draws" in page
    assert "% of the weight)" in page


def test_a_page_about_copies_has_the_same_shares(weighted, found):
    copies = weighted.select(np.repeat(np.arange(400), weighted.weights))
    copies = fangs.Samples(list(copies), items=weighted.items)
    ours = facts.gather(found, weighted, effort="quick")
    theirs = facts.gather(fangs.assess(found, copies), copies, effort="quick")
    assert ours.ball.radius == theirs.ball.radius
    assert ours.summary.mean_unmatched == theirs.summary.mean_unmatched
    assert np.array_equal(ours.summary.proportions, theirs.summary.proportions)


def test_notebooks_show_effective_draws(weighted, found, draws):
    assert "effective draws" in samples_html(weighted)
    assert "effective draws" in found._repr_html_()
    assert "effective" not in samples_html(draws)
    mean = weighted.info.total_ones / weighted.info.total_weight
    assert f"{mean:.4g} on average" in samples_html(weighted)


def test_charts_show_shares_of_the_weight():
    chart = loss_chart([1.0, 2.0, 9.0], 2.0, 9.0, np.array([1, 2, 1]))
    assert "share of the weight" in chart
    assert ": 25 % of the weight" in chart
    assert "25 %" not in loss_chart([1.0, 2.0, 9.0], 4.0, 9.0)


def test_plots_show_shares_of_the_weight(weighted, found):
    ax = fangs.plot.losses(found, weighted)
    assert ax.get_ylabel() == "Share of the weight"
    assert sum(bar.get_height() for bar in ax.patches) == pytest.approx(1.0)
    counted = weighted.info.counted
    ax = fangs.plot.n_features(weighted)
    assert len(ax.patches) == len(np.unique(weighted.n_features[counted]))
    for bar in ax.patches:
        number = round(bar.get_x() + bar.get_width() / 2)
        share = weighted.weights[weighted.n_features == number].sum() / weighted.weights.sum()
        assert bar.get_height() == pytest.approx(share)


def test_a_chain_that_hardly_counts_does_not_stop_the_report(tmp_path):
    made = fangs.simulate.posterior_like(8, 2, 20, noise=0.1, seed=2)
    weights = [0] * 4 + [1] * 16
    samples = fangs.Samples(made.draws, chains=np.arange(20) // 10, weights=weights)
    fangs.estimate(samples, seed=1).report(tmp_path / "page.html", samples)
    assert (tmp_path / "page.html").exists()
    with pytest.raises(ValueError, match="a chain of 6 draws that count; give"):
        fangs.compare_chains(samples)
