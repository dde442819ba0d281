"""The default search on wide draws, which goes by some of the draws first; and its kicks."""

import numpy as np
import pytest

import fangs
import reference as ref
from fangs import screened
from fangs.engine import Engine
from fangs.loss import Objective
from fangs.simulate import posterior_like
from fangs.sweeten import Descent


@pytest.fixture(scope="module")
def wide():
    made = posterior_like(24, 18, 700, density=0.2, noise=0.03, births=0.5, deaths=0.02, seed=5)
    return fangs.Samples(made.draws)


@pytest.fixture(scope="module")
def unclear():
    made = posterior_like(30, 30, 700, density=0.2, noise=0.12, births=3, deaths=0.2, seed=5)
    return fangs.Samples(made.draws)


def test_the_end_is_proved_on_all_draws_also_where_crossing_finds_nothing(wide, monkeypatch):
    monkeypatch.setattr(screened, "crossed", lambda engine, best, others, objective: iter([still]))
    still = screened.Sweetened(np.zeros((24, 0), dtype=np.uint8), 0)
    estimate = fangs.estimate(wide, seed=1)
    assert estimate.is_flip_optimal
    assert estimate.a in fangs.flip_optimal_interval(estimate, wide)


def test_an_end_that_is_worse_on_all_draws_does_not_take_the_starts_place(monkeypatch):
    made = posterior_like(24, 18, 700, density=0.2, noise=0.1, births=2, deaths=0.1, seed=5)
    nothing = screened.Sweetened(np.zeros((24, 0), dtype=np.uint8), 0)
    monkeypatch.setattr(screened.ScreenedSearch, "last_of", lambda self, states: nothing)
    starts = fangs.estimate(made.draws, seed=1).search.starts
    assert len(starts) > 1
    for start in starts:
        assert start.loss <= start.initial_loss
        assert start.n_features > 0


def test_the_best_start_so_far_is_given_when_time_is_over_before_any_descent(wide):
    estimate = fangs.estimate(wide, seed=1, max_seconds=1e-9)
    assert not estimate.is_flip_optimal
    assert abs(estimate.n_features - wide.n_features.mean()) < 4
    assert estimate.expected_loss == fangs.expected_loss(estimate, wide)
    whole = fangs.estimate(wide, seed=1)
    assert whole.expected_loss <= estimate.expected_loss < 2 * whole.expected_loss


def reports(samples, phase, **options):
    """How often the search reports from this phase."""
    seen = []
    fangs.estimate(samples, seed=1, progress=seen.append, **options)
    return sum(step.phase == phase for step in seen)


def kicked(samples, a):
    """How many kicks the search makes."""
    return reports(samples, "improve", a=a)


def test_starts_that_agree_on_all_draws_are_not_refined():
    made = posterior_like(60, 4, 1200, density=0.3, noise=0.02, seed=2)
    assert reports(made.draws, "refine") == 0
    wide = posterior_like(60, 20, 1200, density=0.3, noise=0.001, seed=2)
    assert reports(wide.draws, "refine") == 0


def test_a_start_that_is_alone_among_many_is_refined(unclear):
    assert reports(unclear, "refine", n_sweet=1) > 0
    narrow = posterior_like(20, 3, 800, density=0.3, noise=0.2, births=1.0, seed=2)
    assert reports(narrow.draws, "refine", n_sweet=1) > 0


def test_ends_that_agree_on_the_screening_draws_are_refined_all_the_same(unclear, monkeypatch):
    monkeypatch.setattr(screened.ScreenedSearch, "has_agreement", lambda self, end: agree(self))

    def agree(search):
        search.ends += [0, 0]
        return True

    assert reports(unclear, "refine") > 0


def test_what_a_swing_finds_is_the_estimate_and_on_record(unclear):
    estimate = fangs.estimate(unclear, a=1.4, seed=0)
    first, second, *_ = sorted(estimate.search.starts, key=lambda start: start.loss)
    assert first.method == "swing"
    assert first.flips > 0
    assert estimate.expected_loss == first.loss < second.loss
    assert estimate.is_flip_optimal


def test_agreement_on_too_few_features_is_only_trusted_at_one():
    made = posterior_like(20, 3, 800, density=0.3, noise=0.02, births=0.3, seed=2)
    samples = fangs.Samples(made.draws)
    assert len(set(samples.n_features.tolist())) > 1
    assert kicked(samples, 1.0) == 0
    assert kicked(samples, 1.5) > 0
    as_many = samples.select(np.flatnonzero(samples.n_features == 3))
    assert kicked(as_many, 1.5) == 0


def test_long_descents_use_up_the_attempts(monkeypatch):
    made = posterior_like(20, 3, 800, density=0.3, noise=0.2, births=1.0, seed=2)
    assert kicked(made.draws, 0.2) > 2
    monkeypatch.setattr(screened, "FLIPS_IN_VAIN", 1)
    assert kicked(made.draws, 0.2) <= 2


@pytest.mark.parametrize("penalties", [(1.0, 0.5, 0.1, 1.5), (1.5, 1.9, 1.0)])
def test_a_descent_goes_on_at_another_penalty_as_a_new_one_would(penalties):
    made = posterior_like(6, 2, 12, density=0.4, noise=0.2, births=0.3, seed=8)
    engine = Engine(made.draws)
    descent = Descent(engine, np.zeros((6, 0), dtype=np.uint8))
    for a in penalties:
        objective = Objective.of(engine, a)
        first, *_, last = descent.states(objective)
        *_, again = Descent(engine, first.matrix).states(objective)
        assert last.is_flip_optimal
        assert last.score == objective.score(
            int(last.matrix.sum()), int(engine.overlaps(last.matrix).sum())
        )
        assert again.score == last.score
        padded = ref.pad(last.matrix, last.matrix.shape[1] + 1)
        assert ref.loss_changes(padded, made.draws, a).min() >= -1e-9
