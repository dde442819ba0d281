"""The report shows the modes where one estimate is not enough."""

import re
from dataclasses import replace

import numpy as np

import fangs
from fangs.report.gather import gather
from fangs.report.page import render
from fangs.report.sections.chains import chains_section
from fangs.report.sections.modes import modes_section
from fangs.report.verdict import headline, verdict
from support.pages import calls, kinds, pixels, words


def test_two_modes_are_side_by_side_with_weights_and_chains(known):
    page = modes_section(known)
    found = known.modes
    assert found.n_modes == 2
    assert page.count("<img") == 2
    assert "Mode 1, 75 % of the draws" in page
    for text in ("5.0833", "14.0800", "78", "Draws in mode 2", "clearly nearest to one mode"):
        assert text in page
    differing = found.aligned()[0] * (1 - found.aligned()[1])
    first = found.estimates[0].item_names[int(np.flatnonzero(differing.any(axis=1))[0])]
    assert f"not all modes have for {first}" in page
    assert kinds(known, "The draws have 2 modes, with 75 % and 25 % of them") == ["warning"]
    assert "7.3325 instead of 24.8825" in words(known)


def test_each_mode_has_its_own_ball_error_rates_and_features(known, draws):
    page, found = modes_section(known), known.modes
    assert page.count("<details open") == 2
    for mode in range(2):
        own = draws.select(found.members(mode))
        ball = fangs.credible_ball(found.estimates[mode], own)
        wrong = fangs.summary(found.estimates[mode], own).error_rates
        assert str(ball).splitlines()[0] + f". {wrong}." in page
        for rate in wrong.feature_false_discovery:
            assert f">{100 * rate:.1f} %</td>" in page


def test_features_of_a_mode_are_found_in_its_picture(known):
    second = known.modes.estimates[1].matrix
    words = re.search(r"from left to right, features ([^.]*)\.", modes_section(known))
    order = [int(number) - 1 for number in re.findall(r"\d+", words[1])]
    assert sorted(order) == [0, 1, 2, 3, 4] != order
    assert np.array_equal(known.modes.aligned()[1], second[:, order])


def test_one_mode_has_no_section(draws):
    three = draws.select(np.flatnonzero(draws.chains < 3))
    known = gather(fangs.estimate(three, seed=1), three)
    assert known.modes.n_modes == 1
    assert modes_section(known) is None
    assert kinds(known, "modes") == []


def test_a_quick_report_still_warns_of_chains_that_disagree(estimate, draws):
    quick = gather(estimate, draws, effort="quick")
    assert quick.modes is None
    assert modes_section(quick) is None
    assert kinds(quick, "The chains are in different modes") == ["warning"]
    assert calls(quick, "The chains are in different modes") == ["fangs.modes(draws)"]
    assert "modes" in quick.left_out
    silent = replace(quick, estimate=replace(estimate, chains_apart=()))
    assert kinds(silent, "different modes") == []


def test_modes_come_first_where_chains_are_apart(known, draws):
    page = render(known, title="a page")
    places = [page.index(f'<section id="{name}"') for name in ("modes", "chains", "matrix", "core")]
    assert places == sorted(places)
    assert headline(known).startswith(
        "The chains are in different modes. The estimate of all draws"
    )
    first, second, *_ = verdict(known)
    assert first.text == known.chains.verdict
    assert second.text.endswith("these are shares of chains, not of the posterior:")
    assert "lower expected loss over these pooled draws." in words(known)
    three = draws.select(np.flatnonzero(draws.chains < 3))
    agreeing = gather(fangs.estimate(three, seed=1), three)
    page = render(agreeing, title="a page")
    assert page.index('<section id="matrix"') < page.index('<section id="chains"')
    assert "pooled" not in headline(agreeing)
    assert "pooled draws" not in words(agreeing)


def test_modes_that_chains_move_between_have_weights(draws):
    mixed = fangs.Samples(list(draws), chains=np.arange(400) % 4)  # every chain is in both modes
    known = gather(fangs.estimate(mixed, seed=1), mixed)
    assert known.estimate.chains_apart == ()
    (text,) = [r.text for r in verdict(known) if "The draws have 2 modes" in r.text]
    assert text.endswith("Report each with its weight:")
    assert "shares of chains" not in str(known.modes)


def test_the_report_says_which_features_the_chains_disagree_about(known, estimate, draws):
    page = chains_section(known)
    shares = known.by_chain.shares
    assert shares.shape == (4, 4)
    assert "38 %</td>" in page
    (shades,) = [drawn for drawn in pixels(page) if drawn.shape == shares.T.shape]
    np.testing.assert_allclose(shades, shares.T, atol=0.01)
    assert "38 %" in chains_section(gather(estimate, draws, effort="quick"))
    assert chains_section(gather(estimate, fangs.Samples(list(draws)), effort="quick")) is None
