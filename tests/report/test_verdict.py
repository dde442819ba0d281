"""The verdict of a report: what it says, how it judges it, and calls that do what it speaks of."""

from dataclasses import replace

import numpy as np
import pytest

import fangs
from fangs.report.gather import gather
from fangs.report.verdict import headline
from support.pages import calls, kinds, words


def quick(estimate, draws):
    return gather(estimate, draws, effort="quick")


def test_the_verdict_says_what_was_found(known, estimate, draws):
    assert "4 features over 100 items, with 196 ones" in headline(known)
    said = words(known)
    assert "25 ± 16 at a = 1 (± one Monte Carlo standard error)" in said
    sure = np.count_nonzero(estimate.proportions[estimate.matrix == 1] >= 0.9)
    assert f"{sure} of the 196 ones" in said
    share = 100 * np.mean(draws.n_features == 4)
    assert f"{share:.3g} % of the draws also have 4 features" in said
    assert "on average so many entries of a draw differ from it" in said
    assert kinds(known, "It is proved that no allocation") == ["good"]
    assert kinds(known, "in different modes") == ["warning"]
    assert kinds(known, "Another allocation") == []


def test_a_loss_is_put_into_proportion(known, draws):
    said = words(known)
    assert "100 × 4 = 400 entries, so that is 6.2 % of them" in said
    empty = fangs.expected_loss(np.zeros((100, 0)), draws)
    assert known.empty_loss == empty
    assert f"an empty matrix, which uses no information, has {empty:.0f}" in said
    assert known.draw_loss == fangs.alternatives.draws(draws).expected_loss


def test_more_loss_than_entries_is_no_share(draws):
    one = np.eye(100, 1, dtype=int)
    said = words(quick(fangs.assess(one, draws), draws))
    assert "more than the 100 × 1 = 100 entries of the estimate" in said
    assert "entries, so that is" not in said


def test_chains_that_agree_are_good_news(draws):
    three = draws.select(np.flatnonzero(draws.chains < 3))
    known = gather(fangs.estimate(three, seed=1), three)
    assert kinds(known, "The chains agree") == ["good"]
    assert "warning" not in kinds(known, "")


def test_without_chains_convergence_was_not_checked(draws):
    unchecked = "Convergence was not checked"
    alone = fangs.Samples(list(draws)[:150])
    known = quick(fangs.estimate(alone, seed=1), alone)
    assert kinds(known, unchecked) == ["warning"]
    assert calls(known, unchecked) == ["fangs.Samples(draws, chains=labels)"]
    one = fangs.Samples(alone, chains=[0] * 150)
    assert kinds(quick(known.estimate, one), "there is one chain only") == ["warning"]
    short = fangs.Samples(alone, chains=[0] * 10 + [1] * 140, weights=[0] * 4 + [1] * 146)
    found = quick(fangs.assess(known.estimate, short), short)
    assert kinds(found, f"{unchecked}: a chain has 6 draws only") == ["warning"]


def test_what_is_wrong_is_warned_of(draws):
    few = draws.select(range(20))
    found = quick(fangs.assess(draws[0][:, :2], few), few)
    for part in ("only 20 draws", "was not ruled out", "The estimate has fewer"):
        assert kinds(found, part) == ["warning"]


def test_a_rare_number_of_features_is_warned_of(draws):
    rare = fangs.assess(draws[int(draws.n_features.argmax())], draws)
    found = quick(rare, draws)
    assert kinds(found, "% of the draws also have 10 features") == ["warning"]
    mode = np.bincount(draws.n_features).argmax()
    assert calls(found, "also have 10") == [f"fangs.choose_a(draws, n_features={mode})"]


def with_starts(known, *starts):
    made = tuple(
        fangs.results.Start(
            method=method, draw=None, initial_loss=loss, loss=loss, flips=0, n_features=4,
            n_draws=n_draws,
        )
        for method, n_draws, loss in starts
    )  # fmt: skip
    search = replace(known.estimate.search, starts=made)
    return replace(known, estimate=replace(known.estimate, search=search))


def test_starts_that_ended_apart_are_told(known):
    said = words(with_starts(known, ("template", 400, 20.0), ("baseline", 400, 22.0)))
    assert "1 of 2 sweetened starts reached the lowest expected loss" in said
    assert "the worst ended 10 % higher" in said


def test_starts_are_compared_over_the_same_draws_only(known):
    on_few = [("template", 256, 15.0), ("baseline", 256, 19.0)]
    on_all = [("subsample", 400, 20.0), ("subsample", 400, 20.0)]
    assert kinds(with_starts(known, *on_few, *on_all), "All 2 sweetened starts") == ["good"]
    assert kinds(with_starts(known, *on_few, on_all[0]), "sweetened starts") == []
    assert "1 of 2 sweetened starts" in words(with_starts(known, *on_few))  # interrupted early


def run(known, part, draws):
    """Do what a remark advises."""
    (call,) = calls(known, part)
    return eval(call, {"fangs": fangs, "draws": draws})


def test_the_call_for_modes_has_the_penalty_of_the_report(draws):
    alone = fangs.Samples(list(draws))
    known = gather(fangs.estimate(alone, a=1.7, seed=1), alone)
    found = run(known, "The draws have 2 modes", alone)
    assert found.expected_loss == known.modes.expected_loss
    assert found.a == 1.7


def test_the_call_for_a_better_estimate_has_the_penalty_of_the_report(draws):
    few = fangs.Samples(list(draws.select(np.arange(40))))
    known = gather(fangs.assess(np.ones((100, 1), dtype=int), few, a=1.4), few)
    found = run(known, "Another allocation", few)
    assert found.a == 1.4
    assert found.expected_loss <= known.better.expected_loss
    assert calls(known, "A single flip") == ["fangs.estimate(draws, a=1.4)"]


def test_chains_apart_name_the_penalty_too(draws):
    found = fangs.compare_chains(draws, estimate=fangs.estimate(draws, a=1.4, seed=1), seed=1)
    assert found.estimates[0].a == 1.4
    assert "fangs.modes(draws, n_modes=2, a=1.4) gives" in found.verdict


def test_few_effective_draws_are_warned_of(draws, estimate):
    few = np.where(draws.chains == 3, 1 + 500 * (np.arange(len(draws)) % 50 == 0), 0)
    for weights, warned in ((few, ["warning"]), (np.full(400, 3), [])):
        samples = fangs.Samples(draws, weights=weights)
        found = quick(fangs.assess(estimate, samples), samples)
        assert kinds(found, "few draws carry most of the weight") == warned
    assert "weight" not in words(quick(estimate, draws))


def test_effort_says_what_is_left_out(estimate, draws):
    found = quick(estimate, draws)
    assert (found.path, found.chains) == (None, None)
    assert "Left out" in words(found)
    assert "the comparison of the chains" in words(found)
    with pytest.raises(ValueError, match=r"effort\b.*some"):
        gather(estimate, draws, effort="some")
