"""The paragraph for a paper: every number in it recomputed, and each case in its own words."""

from dataclasses import replace

import numpy as np
import pytest

import fangs
from fangs.report.describe import describe

PAPER = "Dahl, Johnson and Andros 2023, doi:10.1080/10618600.2023.2204136"


@pytest.fixture(scope="module")
def arrests():
    draws = fangs.datasets.arrests()
    return fangs.estimate(draws, seed=1), draws


def sentences(words):
    return [part.rstrip(".") for part in words.split(". ")]


def test_it_says_what_a_paper_needs(arrests):
    estimate, draws = arrests
    words = estimate.describe(draws)
    core = fangs.core(estimate, draws)
    rates = fangs.summary(estimate, draws).error_rates
    rhat = max(fangs.compare_chains(draws, estimate=estimate, seed=1).rhat.values())
    effective = estimate.loss_effective_draws
    assert sentences(words) == [
        "We summarised 1,000 posterior draws from 4 chains by the feature allocation with the "
        f"smallest expected FARO loss ({PAPER}; a = 1, so a false one and a missed one cost the "
        "same) that a multistart local search found, with the Python package fangs "
        f"{fangs.__version__}, seed 1",
        "The allocation has 4 features and 80 ones for 50 items",
        f"On average a draw differs from it in {estimate.expected_loss:.1f} ± "
        f"{estimate.loss_error:.1f} entries after alignment (± one Monte Carlo standard error, "
        f"from about {effective:.0f} effective draws)",
        f"Of its ones {100 * rates.false_discovery:.0f} % are expected to be wrong (posterior "
        f"expected false discovery rate), and of its zeros {100 * rates.false_omission:.0f} %",
        f"Of its 200 entries, ones and zeros alike, {core.size} hold together in at least 95 % of "
        "the draws; no larger set does",
        "No change of a single entry lowers its expected loss",
        "The chains agree: R-hat of the numbers of features and ones and of the loss is at most "
        f"{rhat:.3g}",
    ]


def test_a_proof_is_told(arrests):
    estimate, draws = arrests
    bounds = (estimate.expected_loss, 0.9 * estimate.expected_loss)
    proved, bounded = (replace(estimate, lower_bound=bound).describe(draws) for bound in bounds)
    assert "with the smallest expected FARO loss (Dahl" in proved
    assert "same), found by a multistart local search with the Python package" in proved
    assert "It is proved that no allocation has a lower expected loss over these draws." in proved
    assert "single entry" not in proved
    assert "lowers its expected loss; no allocation can save more than 10 % of it." in bounded
    assert "proved" not in bounded


def test_another_penalty_and_the_algorithm_of_the_paper(arrests):
    _, draws = arrests
    words = fangs.estimate(draws, a=1.4, n_iter=20, seed=3).describe(draws)
    assert "a = 1.4, so a false one costs 1.4 and a missed one 0.6)" in words
    assert "that Algorithm 1 of that paper found" in words
    assert "seed 3." in words
    assert "Its expected loss is " in words
    assert "differs" not in words


def test_a_matrix_that_was_not_searched_for_is_not_called_the_best(draws):
    given = fangs.assess(draws[0], draws)
    words = given.describe(draws)
    assert not given.is_flip_optimal
    assert "by a feature allocation, judged by its expected FARO loss" in words
    assert "evaluated with the Python package" in words
    assert "It was not ruled out that a change of a single entry lowers its expected loss" in words
    assert "smallest" not in words
    assert "found" not in words


def test_an_estimate_of_other_draws_is_about_these(arrests):
    estimate, draws = arrests
    half = draws.select(np.arange(500))
    words = estimate.describe(half)
    assert (
        "We summarised 500 posterior draws from 2 chains by a feature allocation, judged" in words
    )
    assert (
        "Note: the estimate was made from other draws; all numbers are about these draws." in words
    )
    assert fangs.assess(estimate, half).describe(half).replace("  ", " ") in words.replace(
        " Note: the estimate was made from other draws; all numbers are about these draws.", ""
    )


def test_chains_apart_and_modes_are_told(draws, estimate):
    found = fangs.modes(draws, seed=1)
    words = estimate.describe(draws, modes=found)
    assert "The chains are in different modes (chains 0 and 3, for example), so these" in words
    assert "agree" not in words
    said = "The draws have 2 modes, with 75 % and 25 % of them{}; this estimate alone does not"
    assert said.format(", which are shares of the chains and not of the posterior") in words
    pooled = fangs.Samples(list(draws))
    words = fangs.estimate(pooled, seed=1).describe(pooled, modes=fangs.modes(pooled, seed=1))
    assert said.format("") in words
    assert "modes, with" not in estimate.describe(draws)
    one = fangs.modes(draws, n_modes=1, seed=1)
    assert "modes, with" not in estimate.describe(draws, modes=one)


def with_more_features_in_one_chain(n_draws=60):
    """Two chains around one allocation; the second mostly has another feature of a random item."""
    rng = np.random.default_rng(2)
    base = (rng.random((30, 3)) < 0.5).astype(np.uint8)
    draws = []
    for often in (0.3, 0.7):
        for _ in range(n_draws):
            draw = base ^ (rng.random(base.shape) < 0.05)
            single = (np.arange(30) == rng.integers(30)) & (rng.random() < often)
            draws.append(np.column_stack([draw, single]).astype(np.uint8))
    return fangs.Samples(draws, chains=np.repeat([0, 1], n_draws))


def test_chains_that_have_not_converged_are_told():
    samples = with_more_features_in_one_chain()
    estimate = fangs.estimate(samples, seed=1)
    verdict = fangs.compare_chains(samples, estimate=estimate, seed=1)
    assert not verdict.apart
    assert not verdict.agree
    words = estimate.describe(samples)
    assert f"R-hat of the number of features is {verdict.rhat['features']:.3g}, above" in words
    assert words.endswith(", so these numbers may change in longer runs.")
    assert "agree:" not in words


def test_chains_that_cannot_be_compared_are_told(arrests):
    _, draws = arrests
    plain = [draw for draw in draws][:40]
    for samples, told in (
        (fangs.Samples(plain), "Convergence was not checked: the draws do not say which chain"),
        (fangs.Samples(plain, chains=[0] * 40), "There is one chain only, so convergence was not"),
        (fangs.Samples(plain, chains=[0] * 37 + [1] * 3), "not checked: a chain has 3 draws only."),
    ):
        words = fangs.estimate(samples, seed=1).describe(samples)
        assert told in words
        assert "agree" not in words


def test_weights_and_copies_are_told_apart(arrests):
    _, draws = arrests
    plain = [draw for draw in draws][:60]
    weighted = fangs.Samples(plain, weights=np.arange(60))
    estimate = fangs.estimate(weighted, seed=1)
    words = estimate.describe(weighted)
    effective = np.arange(60).sum() ** 2 / (np.arange(60) ** 2).sum()
    assert f"60 weighted posterior draws (worth {effective:.3g} of equal weight) by" in words
    assert f"{estimate.expected_loss:.1f} ± {estimate.loss_error:.1f} entries" in words


def test_ties_are_told():
    draws = [[[1], [1]], [[1], [0]]]
    words = fangs.estimate(draws, seed=1).describe(draws)
    assert "1 entry of it could change at no cost." in words
    assert "there are too few draws for a Monte Carlo error of this number" in words
    sure = fangs.estimate(draws[:1] * 12, seed=1).describe(draws[:1] * 12)
    assert "no cost" not in sure
    assert "differs from it in 0 entries after alignment, and every draw alike." in sure


def test_nothing_found_has_no_rates_and_no_core():
    draws = [np.zeros((3, 0))] * 20
    words = fangs.estimate(draws, seed=1).describe(draws)
    assert "The allocation has 0 features and 0 ones for 3 items." in words
    assert "wrong" not in words
    assert "hold" not in words


def test_a_core_that_is_given_is_told(arrests):
    estimate, draws = arrests
    by_items = fangs.core(estimate, draws, level=0.5, by="items")
    words = estimate.describe(draws, core=by_items)
    assert f"Of its 50 items {by_items.size} hold together in at least 50 % of the draws" in words
    unproved = replace(by_items, upper_bound=by_items.size + 1)
    assert "larger" not in estimate.describe(draws, core=unproved)
    none = fangs.core(estimate, draws, level=1.0, by="items")
    assert none.size == 0
    assert "Of its 50 items none holds in at least 100 %" in estimate.describe(draws, core=none)


def test_an_alignment_does_in_the_place_of_draws(arrests):
    estimate, draws = arrests
    assert describe(estimate, fangs.align(estimate, draws)) == estimate.describe(draws)


def test_the_estimate_for_a_rate_says_what_it_was_chosen_for():
    draws = fangs.datasets.example()
    words = fangs.choose_a(draws, fdr=0.1, seed=1).estimate.describe(draws)
    assert "Note: chosen for the most ones at a false discovery rate of 10 %;" in words
    assert "smallest expected FARO loss" not in words
