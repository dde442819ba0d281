"""The report's words and numbers."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import fangs
from fangs.report import gather, verdict
from fangs.report.charts import ticks
from fangs.report.markup import data_block, table, text


@pytest.fixture(scope="module")
def known(estimate, draws):
    return gather.gather(estimate, draws, budget=gather.Budget(seconds=60))  # a proof takes one


def words(known):
    return " ".join(remark.text for remark in verdict.verdict(known))


def kinds(known, part):
    return [remark.kind for remark in verdict.verdict(known) if part in remark.text]


def test_the_verdict_says_what_was_found(known, estimate, draws):
    assert "4 features over 100 items, with 196 ones" in verdict.headline(known)
    said = words(known)
    assert "24.8825 at a = 1" in said
    sure = np.count_nonzero(estimate.proportions[estimate.matrix == 1] >= 0.9)
    assert f"{sure} of the 196 ones" in said
    share = 100 * np.mean(draws.n_features == 4)
    assert f"{share:.3g} % of the draws also have 4 features" in said
    assert "on average a draw differs from it in 24.9 entries" in said
    assert kinds(known, "It is proved that no allocation") == ["good"]
    assert kinds(known, "in different modes") == ["warning"]


def test_the_table_of_features_says_how_alike_their_matches_are(known):
    from fangs.report.sections.features import features_section

    section = str(features_section(known))
    for j, (alike, share) in enumerate(
        zip(known.summary.features.jaccard, known.summary.features.present, strict=True)
    ):
        row = re.findall(r"<tr>(.*?)</tr>", section, re.S)[j + 1]
        assert f"{alike:.3f}</td>" in row
        assert f"{100 * share:.1f} %</td>" in row
    assert "Matched" not in section


def test_chains_that_agree_are_good_news(draws):
    three = draws.select(np.flatnonzero(draws.chains < 3))
    known = gather.gather(fangs.estimate(three, seed=1), three)
    assert kinds(known, "The chains agree") == ["good"]
    assert "warning" not in {remark.kind for remark in verdict.verdict(known)}


def test_what_is_wrong_is_warned_of(known, estimate, draws):
    few = draws.select(range(20))
    worse = fangs.assess(draws[0][:, :2], few)
    found = gather.gather(worse, few, effort="quick")
    assert kinds(found, "only 20 draws") == ["warning"]
    assert kinds(found, "was not ruled out") == ["warning"]
    assert kinds(found, "The estimate has fewer") == ["warning"]


def test_a_better_allocation_met_on_the_way_is_told(known, draws):
    assert kinds(known, "Another allocation") == []
    found = gather.gather(fangs.assess(draws[0], draws), draws)
    assert kinds(found, "has the lower expected loss 24.8825") == ["warning"]


def test_the_path_goes_through_the_estimates_own_penalty(draws):
    estimate = fangs.estimate(draws, a=1.37, seed=1)
    found = gather.gather(estimate, draws)
    assert len(found.path) > 5
    assert found.path.estimates[found.path.a.index(1.37)] is estimate
    worse = fangs.assess(draws[0], draws, a=1.37)
    path = gather.gather(worse, draws).path
    assert path.estimates[path.a.index(1.37)].expected_loss < worse.expected_loss


def with_starts(known, *starts):
    made = tuple(
        fangs.results.Start(
            method=method,
            draw=None,
            initial_loss=loss,
            loss=loss,
            flips=0,
            n_features=4,
            n_draws=n_draws,
        )
        for method, n_draws, loss in starts
    )
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


def test_effort_says_what_is_left_out(estimate, draws):
    quick = gather.gather(estimate, draws, effort="quick")
    assert (quick.path, quick.chains) == (None, None)
    assert "Left out" in words(quick)
    assert "the comparison of the chains" in words(quick)
    with pytest.raises(ValueError, match=r"effort\b.*some"):
        gather.gather(estimate, draws, effort="some")


def test_full_effort_leaves_nothing_out(estimate, draws):
    nothing = gather.Budget(path=0, chains=0, modes=0, dual=0, pairs=0)
    assert len(gather.gather(estimate, draws, budget=nothing).left_out) == 4
    soon = replace(nothing, full_seconds=0.1)
    full = gather.gather(estimate, draws, effort="full", budget=soon)
    assert full.left_out == ()
    assert full.certificate.stopped_because
    assert full.path is not None
    assert full.chains is not None
    assert full.modes is not None


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
    path = tmp_path / "report.html"
    fangs.estimate(draws, seed=1).report(path, draws)
    page = path.read_text(encoding="utf-8")
    assert page.rstrip().endswith("</html>")
    assert not re.search(r"\bnan\b|\binf\b|-0 %", page.partition("<script>")[0])


def test_the_same_estimate_gives_the_same_page(estimate, draws, tmp_path):
    pages = [tmp_path / "1.html", tmp_path / "2.html"]
    for page in pages:
        estimate.report(page, draws, n_threads=1 if page is pages[0] else 2)
    assert pages[0].read_bytes() == pages[1].read_bytes()


def test_no_address_but_the_papers_is_in_the_page(estimate, draws, tmp_path):
    estimate.report(tmp_path / "r.html", draws, effort="quick")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert set(re.findall(r"https?://[^\"' <]*", page)) == {
        "https://doi.org/10.1080/10618600.2023.2204136"
    }
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


def calls(known, part):
    return [str(remark.call) for remark in verdict.verdict(known) if part in remark.text]


def test_a_loss_is_put_into_proportion(known, estimate, draws):
    said = words(known)
    assert "100 × 4 = 400 entries, so that is 6.2 % of them" in said
    empty = fangs.expected_loss(np.zeros((100, 0)), draws)
    assert known.empty_loss == empty
    assert f"an empty matrix, which uses no information, has {empty:.0f}" in said
    best = fangs.alternatives.draws(draws).expected_loss
    assert known.draw_loss >= best
    assert known.draw_loss == pytest.approx(best, rel=0.02)


def test_without_chains_convergence_was_not_checked(draws):
    alone = fangs.Samples(list(draws)[:150])
    known = gather.gather(fangs.estimate(alone, seed=1), alone, effort="quick")
    assert kinds(known, "Convergence was not checked") == ["warning"]
    assert calls(known, "Convergence was not checked") == ["fangs.Samples(draws, chains=labels)"]
    one = gather.gather(known.estimate, fangs.Samples(alone, chains=[0] * 150), effort="quick")
    assert kinds(one, "there is one chain only") == ["warning"]


def test_a_rare_number_of_features_is_warned_of(known, draws):
    rare = fangs.assess(draws[int(draws.n_features.argmax())], draws)
    found = gather.gather(rare, draws, effort="quick")
    assert kinds(found, "% of the draws also have 10 features") == ["warning"]
    mode = np.bincount(draws.n_features).argmax()
    assert calls(found, "also have 10") == [f"fangs.choose_a(draws, n_features={mode})"]


def test_large_numbers_have_no_exponent(tmp_path):
    rng = np.random.default_rng(1)
    draws = [rng.integers(0, 2, (60, 30)) for _ in range(12)]
    fangs.estimate(draws, seed=1).report(tmp_path / "r.html", draws, effort="quick")
    page = (tmp_path / "r.html").read_text(encoding="utf-8").partition("<script")[0]
    assert not re.search(r"\d[eE][+-]\d", re.sub(r"base64,[^\"]*", "", page))
