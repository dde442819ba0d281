"""Weights on the screen, in notebooks, on the page and in pictures."""

import numpy as np
import pytest

import fangs
from fangs.report import gather, verdict


@pytest.fixture(scope="module")
def weighted(draws):
    """All but chain 3 count nothing; of chain 3 a few draws carry most of the weight."""
    weights = np.where(draws.chains == 3, 1 + 500 * (np.arange(len(draws)) % 50 == 0), 0)
    return fangs.Samples(draws, weights=weights)


@pytest.fixture(scope="module")
def found(weighted):
    return fangs.estimate(weighted, seed=1)


def remarks(estimate, samples):
    return verdict.verdict(gather.gather(estimate, samples, effort="quick"))


def test_the_screen_says_how_good_the_weights_are(found, estimate):
    effective = f"{found.effective_draws:.3g}"
    shown = " ".join(str(found).split())
    assert "from 400 draws with weights" in shown
    said = f"The weights are as good as {effective} equal draws: few draws carry most of the weight"
    assert said in shown
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
    ours = gather.gather(found, weighted, effort="quick")
    theirs = gather.gather(fangs.assess(found, copies), copies, effort="quick")
    assert ours.ball.radius == theirs.ball.radius
    assert ours.summary.mean_unmatched == theirs.summary.mean_unmatched
    assert np.array_equal(ours.summary.proportions, theirs.summary.proportions)


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
    with pytest.raises(ValueError, match="6 draws"):
        fangs.compare_chains(samples)
