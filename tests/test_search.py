"""The search: Algorithm 1 as a naive implementation runs it, and estimates no flip improves."""

import inspect

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fangs
import reference as ref
from enumeration import Enumeration
from fangs.engine import Engine
from fangs.loss import Objective
from fangs.starts import initial_estimate
from fangs.sweeten import by_proposals
from strategies import estimate_and_draws, noisy_draws, penalties, several_allocations
from test_samples import FORMS

EMPTY = np.zeros((3, 0), dtype=np.uint8)


def same_bits(estimate):
    """What must not depend on threads, input form or repetition."""
    return (
        estimate.matrix.shape,
        estimate.matrix.tobytes(),
        estimate.expected_loss,
        estimate.proportions.tobytes(),
        estimate.losses.tobytes(),
        estimate.is_flip_optimal,
        estimate.search.starts,
        estimate.search.flips,
        estimate.search.stopped_because,
    )


def check_estimate(estimate, draws, a):
    """What is true of every estimate, whatever the search did."""
    matrix = estimate.matrix
    assert matrix.dtype == np.uint8
    assert np.array_equal(matrix, ref.left_ordered(matrix)), "not left-ordered, or empty features"
    assert estimate.a == a
    assert estimate.losses.shape == (len(draws),)
    assert estimate.proportions.shape == matrix.shape
    assert estimate.expected_loss == fangs.expected_loss(matrix, draws, a=a)
    losses = [ref.faro_loss(matrix, draw, a) for draw in draws]
    assert estimate.losses.tolist() == losses
    assert estimate.expected_loss == pytest.approx(sum(losses) / len(losses), rel=1e-14)


def check_no_flip_improves(matrix, draws, a):
    """Recompute every neighbour, the birth of a feature among them."""
    assert ref.loss_changes(ref.pad(matrix, matrix.shape[1] + 1), draws, a).min() >= -1e-12


@settings(max_examples=150)
@given(estimate_and_draws(max_items=4, max_features=3), penalties, st.integers(0, 2**32 - 1))
def test_proposals_are_accepted_as_a_naive_implementation_accepts_them(problem, a, seed):
    start, draws = problem
    draws = (draws * 4)[:4]  # the reference adds floats: exact with four draws, so ties are ties
    rng = np.random.default_rng(seed)
    shape = start.shape if start.size else (1, 1)
    proposals = rng.integers(shape, size=(40 if start.size else 0, 2))
    wanted_matrix, wanted = ref.sweeten(start, draws, a, proposals)
    engine = Engine(fangs.Samples(draws))
    states = list(by_proposals(engine.neighbourhood(start), Objective.of(engine, a), proposals))
    assert [flip for state in states for flip in state.flips] == wanted
    assert states[-1].n_flips == len(wanted)
    assert np.array_equal(states[-1].matrix, wanted_matrix)


@given(estimate_and_draws(max_items=4, max_features=3, max_draws=3), penalties)
def test_initial_estimate_is_one_the_definition_allows(problem, a):
    baseline, draws = problem
    engine = Engine(fangs.Samples(draws))
    found, overlap = initial_estimate(engine, baseline, Objective.of(engine, a))
    allowed = [ref.left_ordered(E).tolist() for E in ref.initial_estimates(baseline, draws, a)]
    assert ref.left_ordered(found).tolist() in allowed
    assert found.any(axis=0).all(), "an empty feature is left"
    assert 0 <= overlap <= engine.overlaps(found).sum()
    if found.tolist() == ref.without_empty_features(baseline).tolist():
        assert overlap == engine.overlaps(found).sum()


def test_an_entry_in_exactly_the_share_a_half_counts():
    baseline = np.ones((2, 1), dtype=np.uint8)
    draws = [baseline, np.array([[1], [0]]), np.array([[1], [0]]), np.array([[1], [0]])]
    engine = Engine(fangs.Samples(draws))
    for a, second in ((0.5, 1), (0.625, 0)):
        found, _ = initial_estimate(engine, baseline, Objective.of(engine, a))
        assert found.tolist() == [[1], [second]]


@pytest.mark.parametrize("a", [0.25, 0.75, 1.0, 1.25, 1.75])
@settings(max_examples=30)
@given(
    draws=st.integers(1, 5).flatmap(
        lambda count: several_allocations(count, max_items=4, max_features=3)
    )
)
def test_flip_optimal_estimates_have_no_better_neighbour(a, draws):
    estimate = fangs.estimate(draws, a=a, seed=1)
    check_estimate(estimate, draws, a)
    assert estimate.is_flip_optimal
    check_no_flip_improves(estimate.matrix, draws, a)


@pytest.mark.parametrize("n_iter", [0, 1, 5, 300])
def test_is_flip_optimal_tells_the_truth_about_the_papers_search(n_iter):
    rng = np.random.default_rng(n_iter)
    for a in (0.5, 1.0, 1.5):
        draws = noisy_draws(rng, 5, 3, 8)
        estimate = fangs.estimate(draws, a=a, n_iter=n_iter, seed=3)
        check_estimate(estimate, draws, a)
        if estimate.is_flip_optimal:
            check_no_flip_improves(estimate.matrix, draws, a)


@pytest.mark.parametrize("n_iter", [None, 0, 10])
def test_a_search_that_cannot_give_birth_to_a_feature_does_not_claim_to_be_flip_optimal(n_iter):
    draws = [EMPTY, np.ones((3, 1)), np.ones((3, 1))]
    for seed in range(15):  # some of which choose the empty draw as the only baseline
        estimate = fangs.estimate(draws, n_init=1, n_iter=n_iter, seed=seed)
        if estimate.is_flip_optimal:
            check_no_flip_improves(estimate.matrix, draws, 1.0)


@pytest.mark.parametrize("a", [0.5, 1.0, 1.5])
@pytest.mark.parametrize("n_iter", [None, 0, 200])
def test_estimate_is_never_worse_than_its_best_start(a, n_iter):
    rng = np.random.default_rng(30)
    for _ in range(10):
        draws = noisy_draws(rng, 12, 4, 25, noise=0.25)
        estimate = fangs.estimate(draws, a=a, n_iter=n_iter, seed=5)
        starts = estimate.search.starts
        assert estimate.expected_loss <= min(start.initial_loss for start in starts)
        swept = [start.loss for start in starts if start.loss is not None]
        assert estimate.expected_loss == min(swept)
        assert all(s.loss <= s.initial_loss for s in starts if s.loss is not None)


def test_search_record_says_what_was_done():
    draws = noisy_draws(np.random.default_rng(31), 10, 3, 30)
    search = fangs.estimate(draws, seed=7, n_init=5, n_sweet=2, n_iter=50).search
    assert (search.seed, search.n_init, search.n_sweet, search.n_iter) == (7, 5, 2, 50)
    baselines = [start.draw for start in search.starts if start.draw is not None]
    assert len(baselines) == len(set(baselines)) == 5, "baselines are without replacement"
    swept = [start for start in search.starts if start.loss is not None]
    assert len(swept) == 2
    kept = sorted(start.initial_loss for start in search.starts)[:2]
    assert sorted(start.initial_loss for start in swept) == kept
    assert search.flips == sum(start.flips for start in search.starts)
    assert min(search.seconds.values()) >= 0


def test_the_record_begins_with_the_settings_of_a_plain_estimate():
    defaults = inspect.signature(fangs.estimate).parameters
    for setting in ("n_init", "n_sweet", "n_iter", "max_seconds"):
        assert getattr(fangs.Search(seed=1), setting) == defaults[setting].default


def test_the_winning_start_has_the_features_of_the_estimate():
    rng = np.random.default_rng(32)
    for _ in range(20):
        estimate = fangs.estimate(noisy_draws(rng, 10, 4, 12, noise=0.3), seed=7, n_init=3)
        winners = {s.n_features for s in estimate.search.starts if s.loss == estimate.expected_loss}
        assert estimate.n_features in winners


def test_one_draw_is_its_own_estimate():
    draw = np.array([[1, 0, 1], [1, 0, 0], [0, 0, 1]])
    for n_iter in (None, 0, 100):
        estimate = fangs.estimate([draw], n_iter=n_iter, seed=1)
        assert np.array_equal(estimate.matrix, ref.left_ordered(draw))
        assert estimate.expected_loss == 0


@pytest.mark.parametrize("n_draws", [2, 5, 15])
def test_fewer_draws_than_starts_are_enough(n_draws):
    draws = noisy_draws(np.random.default_rng(n_draws), 6, 3, n_draws)
    for n_iter in (None, 50):
        check_estimate(fangs.estimate(draws, n_iter=n_iter, seed=1), draws, 1.0)


@pytest.mark.parametrize("n_iter", [None, 0, 20])
@pytest.mark.parametrize("a", [0.25, 1.0, 1.75])
def test_draws_without_features_have_an_estimate_without_features(a, n_iter):
    draws = [EMPTY, np.zeros((3, 2), dtype=np.uint8), EMPTY]
    estimate = fangs.estimate(draws, a=a, n_iter=n_iter, seed=1)
    assert estimate.matrix.shape == (3, 0)
    assert estimate.expected_loss == 0
    assert estimate.is_flip_optimal


@pytest.mark.parametrize("n_iter", [None, 20])
@pytest.mark.parametrize("a", [0.125, 1.0, 1.875])
def test_identical_draws_are_their_own_estimate(a, n_iter):
    draw = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1]])
    estimate = fangs.estimate(
        [draw[:, np.roll([0, 1, 2], b)] for b in range(9)], a=a, n_iter=n_iter
    )
    assert np.array_equal(estimate.matrix, ref.left_ordered(draw))
    assert estimate.expected_loss == 0


def test_an_estimate_without_ones_is_legal():
    draws = [EMPTY] * 9 + [np.ones((3, 1))]
    estimate = fangs.estimate(draws, seed=1)
    assert estimate.matrix.shape == (3, 0)
    assert estimate.expected_loss == pytest.approx(0.3, rel=1e-14)


def test_higher_a_is_sparser():
    draws = noisy_draws(np.random.default_rng(33), 15, 4, 60, noise=0.25)
    ones = [int(fangs.estimate(draws, a=a, seed=1).matrix.sum()) for a in (0.25, 1.0, 1.75)]
    assert ones[0] > ones[1] > ones[2]


@pytest.mark.parametrize("n_iter", [None, 100])
def test_thread_counts_give_the_same_bits(n_iter):
    # Passes of less than a millisecond stay on one thread: these are longer.
    draws = fangs.Samples(noisy_draws(np.random.default_rng(34), 20, 25, 2500, noise=0.1))
    for a in (0.75, 1.3):
        found = {
            same_bits(
                fangs.estimate(
                    draws, a=a, n_iter=n_iter, n_init=3, n_sweet=2, seed=9, n_threads=threads
                )
            )
            for threads in (1, 2, 7, None)
        }
        assert len(found) == 1


@pytest.mark.parametrize("n_iter", [None, 60])
def test_input_forms_give_the_same_bits(n_iter):
    draws = noisy_draws(np.random.default_rng(35), 20, 4, 12, noise=0.2)
    found = {
        same_bits(fangs.estimate(form(draws), n_iter=n_iter, seed=4)) for form in FORMS.values()
    }
    assert len(found) == 1


@pytest.mark.parametrize("n_iter", [None, 60])
def test_same_seed_same_bits_and_global_random_state_is_left_alone(n_iter):
    draws = noisy_draws(np.random.default_rng(36), 20, 4, 30, noise=0.3)
    before = repr(np.random.get_state())  # noqa: NPY002
    first = fangs.estimate(draws, n_iter=n_iter, seed=4)
    assert same_bits(first) == same_bits(fangs.estimate(draws, n_iter=n_iter, seed=4))
    assert repr(np.random.get_state()) == before  # noqa: NPY002


def test_seed_not_given_is_recorded_and_repeats_the_search():
    draws = noisy_draws(np.random.default_rng(37), 10, 4, 30, noise=0.3)
    first = fangs.estimate(draws, n_iter=30)
    assert first.search.seed is not None
    assert same_bits(first) == same_bits(fangs.estimate(draws, n_iter=30, seed=first.search.seed))


def test_a_time_limit_still_gives_an_estimate():
    draws = noisy_draws(np.random.default_rng(38), 30, 10, 100, noise=0.3)
    estimate = fangs.estimate(draws, max_seconds=1e-9, seed=1)
    assert estimate.expected_loss == fangs.expected_loss(estimate.matrix, draws)


@pytest.mark.parametrize("n_iter", [None, 200])
def test_an_interrupt_hands_over_the_best_estimate_so_far(n_iter):
    draws = noisy_draws(np.random.default_rng(41), 12, 4, 16, noise=0.3)
    seen = []

    def stop_in_the_second_descent(step):
        seen.append(step)
        if step.phase == "sweeten" and step.done == 1:
            raise KeyboardInterrupt

    with pytest.raises(fangs.Interrupted) as caught:
        fangs.estimate(draws, seed=1, n_iter=n_iter, progress=stop_in_the_second_descent)
    check_estimate(caught.value.estimate, draws, 1.0)
    assert caught.value.estimate.expected_loss == seen[-1].loss
    assert "interrupted" in caught.value.estimate.search.stopped_because


def test_an_interrupt_before_any_start_has_no_estimate(monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("fangs.engine.Engine.align", interrupt)
    with pytest.raises(fangs.Interrupted) as caught:
        fangs.estimate([np.ones((2, 1))], seed=1, n_iter=5)
    assert caught.value.estimate is None


def test_time_granted_is_used_and_given_back():
    """With time to spare the search goes on until nothing better turns up for long."""
    draws = noisy_draws(np.random.default_rng(42), 6, 3, 16, noise=0.3)
    without = fangs.estimate(draws, seed=1)
    granted = fangs.estimate(draws, seed=1, max_seconds=600)
    assert granted.expected_loss <= without.expected_loss
    assert granted.is_flip_optimal
    assert sum(granted.search.seconds.values()) < 60
    assert "kicks" in granted.search.stopped_because


@pytest.mark.parametrize("a", [0.5, 1.0, 1.5])
def test_more_draws_than_starts_are_screened_on_give_a_flip_optimal_estimate(a):
    draws = noisy_draws(np.random.default_rng(43), 8, 3, 64, noise=0.3)
    many = fangs.Samples(draws * 16)  # the same losses as the 64, in more draws than are screened
    estimate = fangs.estimate(many, a=a, seed=1)
    assert estimate.is_flip_optimal
    check_no_flip_improves(estimate.matrix, draws, a)
    assert estimate.expected_loss == fangs.expected_loss(estimate.matrix, draws, a=a)
    starts = estimate.search.starts
    assert estimate.expected_loss == min(s.loss for s in starts if s.loss is not None)


def test_progress_is_reported_and_changes_nothing():
    draws = noisy_draws(np.random.default_rng(39), 10, 4, 20)
    seen = []
    with_progress = fangs.estimate(draws, seed=1, progress=seen.append)
    assert seen
    assert all(step.phase and step.done >= 0 for step in seen)
    assert seen[-1].loss == with_progress.expected_loss
    assert same_bits(with_progress) == same_bits(fangs.estimate(draws, seed=1))


@pytest.mark.parametrize("kind", ["uniform_problem", "noisy_problem"])
@pytest.mark.parametrize("a", [0.75, 1.0, 1.5])
def test_small_problems_never_beat_the_optimum_and_mostly_reach_it(kind, a):
    """The full measurement is benchmarks/exhaustive.py; this is a smaller run of it."""
    rng = np.random.default_rng(int(8 * a))
    table = Enumeration(n_items=3, draw_features=2, max_features=5)
    optimal, problems = 0, 150
    for _ in range(problems):
        chosen = getattr(table, kind)(rng, rng.choice([2, 4, 8]))
        draws = [table.draws[b] for b in chosen]
        loss = fangs.estimate(draws, a=a, seed=1).expected_loss
        best = table.best_loss(chosen, a)
        assert loss >= best
        optimal += loss == best
    assert optimal >= 0.97 * problems, f"{optimal} of {problems} reached the optimum"


def test_penalties_that_are_no_multiples_of_an_eighth_work_too():
    draws = noisy_draws(np.random.default_rng(40), 6, 3, 7)
    for a in (0.1, 0.7, 1.9):
        estimate = fangs.estimate(draws, a=a, seed=1)
        assert estimate.is_flip_optimal
        check_no_flip_improves(estimate.matrix, draws, a)
