"""Weights on the screen, in notebooks, on the page and in pictures."""

import numpy as np
import pytest

import fangs
from fangs.report.gather import gather


@pytest.fixture(scope="module")
def weighted(draws):
    """All but chain 3 count nothing; of chain 3 a few draws carry most of the weight."""
    weights = np.where(draws.chains == 3, 1 + 500 * (np.arange(len(draws)) % 50 == 0), 0)
    return fangs.Samples(draws, weights=weights)


@pytest.fixture(scope="module")
def found(weighted):
    return fangs.estimate(weighted, seed=1)


def test_the_screen_says_how_good_the_weights_are(found, estimate):
    effective = f"{found.effective_draws:.3g}"
    shown = " ".join(str(found).split())
    assert "from 400 draws with weights" in shown
    said = f"The weights are as good as {effective} equal draws: few draws carry most of the weight"
    assert said in shown
    assert "weight" not in str(estimate)


def test_the_page_shows_effective_draws(found, weighted, tmp_path):
    found.report(tmp_path / "r.html", weighted, effort="quick")
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "effective draws" in page
    assert "% of the weight)" in page


def test_a_page_about_copies_has_the_same_shares(weighted, found):
    copies = weighted.select(np.repeat(np.arange(400), weighted.weights))
    copies = fangs.Samples(list(copies), items=weighted.items)
    ours = gather(found, weighted, effort="quick")
    theirs = gather(fangs.assess(found, copies), copies, effort="quick")
    assert ours.ball.radius == theirs.ball.radius
    assert ours.summary.mean_unmatched == theirs.summary.mean_unmatched
    assert np.array_equal(ours.summary.proportions, theirs.summary.proportions)


def test_plots_show_shares_of_the_weight(weighted, found):
    ax = fangs.plot.losses(found, weighted)
    assert ax.get_ylabel() == "Share of the weight"
    assert sum(bar.get_height() for bar in ax.patches) == pytest.approx(1.0)
    third = weighted.chains == 3  # the only draws that count
    for bar in fangs.plot.n_features(weighted).patches:
        number = round(bar.get_x() + bar.get_width() / 2)
        weights = weighted.weights[third & (weighted.n_features == number)]
        assert bar.get_height() == pytest.approx(weights.sum() / weighted.weights.sum())


def test_a_chain_that_hardly_counts_does_not_stop_the_report(tmp_path):
    made = fangs.simulate.posterior_like(8, 2, 20, noise=0.1, seed=2)
    weights = [0] * 4 + [1] * 16
    samples = fangs.Samples(made.draws, chains=np.arange(20) // 10, weights=weights)
    fangs.estimate(samples, seed=1).report(tmp_path / "page.html", samples)
    assert "a chain has 6 draws only" in (tmp_path / "page.html").read_text("utf-8")
    with pytest.raises(ValueError, match="6 draws"):
        fangs.compare_chains(samples)
