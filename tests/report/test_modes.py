"""The report shows the modes where one estimate is not enough."""

import re
from dataclasses import replace

import numpy as np

import fangs
from fangs.report.gather import gather
from fangs.report.sections.modes import modes_section
from support.pages import kinds, words


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
    assert kinds(quick, "The chains disagree: 46 %") == ["warning"]
    assert "modes" in quick.left_out
    silent = replace(quick, estimate=replace(estimate, between_chains=None))
    assert kinds(silent, "The chains disagree") == []
