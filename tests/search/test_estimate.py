"""estimate(): edge cases, repeatability, time limits and progress, for both searches."""

import inspect

import numpy as np
import pytest

import fangs
from fangs.search import Progress
from oracles import reference as ref
from support.checks import check_estimate, same_bits
from support.strategies import noisy_draws

EMPTY = np.zeros((3, 0), dtype=np.uint8)


@pytest.mark.parametrize(
    ("n_draws", "n_init", "n_sweet"), [(1, 16, 4), (2, 16, 4), (5, 16, 4), (15, 16, 4), (5, 2, 50)]
)
@pytest.mark.parametrize("n_iter", [None, 50])
def test_fewer_draws_or_starts_than_were_asked_for_are_enough(n_draws, n_init, n_sweet, n_iter):
    draws = noisy_draws(np.random.default_rng(n_draws), 6, 3, n_draws)
    found = fangs.estimate(draws, n_init=n_init, n_sweet=n_sweet, n_iter=n_iter, seed=1)
    check_estimate(found, draws, 1.0)
    baselines = [start.draw for start in found.search.starts if start.method == "baseline"]
    assert len(set(baselines)) == len(baselines) <= n_draws
    assert n_sweet == 4 or all(start.loss is not None for start in found.search.starts)


@pytest.mark.parametrize("max_seconds", [None, 5.0])
@pytest.mark.parametrize("n_iter", [None, 0, 20])
@pytest.mark.parametrize("a", [0.25, 1.0, 1.75])
def test_draws_without_features_have_an_estimate_without_features(a, n_iter, max_seconds):
    draws = [EMPTY, np.zeros((3, 2), dtype=np.uint8), EMPTY]
    estimate = fangs.estimate(draws, a=a, n_iter=n_iter, max_seconds=max_seconds, seed=1)
    assert estimate.matrix.shape == (3, 0)
    assert estimate.expected_loss == 0
    assert estimate.is_flip_optimal


@pytest.mark.parametrize("n_iter", [None, 20])
@pytest.mark.parametrize("a", [0.125, 1.0, 1.875])
def test_identical_draws_with_duplicate_features_are_their_own_estimate(a, n_iter):
    draw = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1]])
    draws = [draw[:, np.roll([0, 1, 2], b)] for b in range(9)]
    estimate = fangs.estimate(draws, a=a, n_iter=n_iter, seed=1)
    assert np.array_equal(estimate.matrix, ref.left_ordered(draw))
    assert estimate.expected_loss == 0


@pytest.mark.parametrize("n_iter", [None, 60])
def test_empty_columns_of_draws_mean_nothing(n_iter):
    draws = noisy_draws(np.random.default_rng(2), 8, 3, 12, noise=0.3)
    wider = [np.pad(draw, ((0, 0), (b % 3, b % 2))) for b, draw in enumerate(draws)]
    assert same_bits(fangs.estimate(draws, n_iter=n_iter, seed=1)) == same_bits(
        fangs.estimate(wider, n_iter=n_iter, seed=1)
    )


@pytest.mark.parametrize("n_iter", [None, 100])
def test_thread_counts_give_the_same_bits(n_iter):
    # Passes of less than a millisecond stay on one thread: these are longer.
    draws = fangs.Samples(noisy_draws(np.random.default_rng(34), 20, 25, 2500, noise=0.1))
    options = {"n_iter": n_iter, "n_init": 3, "n_sweet": 2, "seed": 9}
    for a in (0.75, 1.3):
        found = {
            same_bits(fangs.estimate(draws, a=a, n_threads=threads, **options))
            for threads in (1, 2, 7, None)
        }
        assert len(found) == 1


@pytest.mark.parametrize("n_iter", [None, 60])
def test_same_seed_same_bits_and_global_random_state_is_left_alone(n_iter):
    draws = noisy_draws(np.random.default_rng(36), 20, 4, 30, noise=0.3)
    before = repr(np.random.get_state())  # noqa: NPY002
    first = fangs.estimate(draws, n_iter=n_iter, seed=4)
    assert same_bits(first) == same_bits(fangs.estimate(draws, n_iter=n_iter, seed=4))
    assert same_bits(first) != same_bits(fangs.estimate(draws, n_iter=n_iter, seed=5))
    assert repr(np.random.get_state()) == before  # noqa: NPY002


@pytest.mark.parametrize("n_iter", [None, 30])
def test_seed_not_given_is_recorded_and_repeats_the_search(n_iter):
    draws = noisy_draws(np.random.default_rng(37), 10, 4, 30, noise=0.3)
    first = fangs.estimate(draws, n_iter=n_iter)
    assert first.search.seed is not None
    again = fangs.estimate(draws, n_iter=n_iter, seed=first.search.seed)
    assert same_bits(first) == same_bits(again)
    assert fangs.estimate(draws, n_iter=n_iter).search.seed != first.search.seed


def test_the_record_begins_with_the_settings_of_a_plain_estimate():
    defaults = inspect.signature(fangs.estimate).parameters
    for setting in ("n_init", "n_sweet", "n_iter", "max_seconds"):
        assert getattr(fangs.search.SearchSettings(seed=1), setting) == defaults[setting].default


@pytest.mark.parametrize("n_iter", [None, 5])
def test_a_time_limit_however_short_still_gives_an_estimate(n_iter):
    draws = noisy_draws(np.random.default_rng(38), 30, 5, 100, noise=0.3)
    estimate = fangs.estimate(draws, n_iter=n_iter, max_seconds=1e-9, seed=1)
    assert estimate.expected_loss == fangs.expected_loss(estimate.matrix, draws)
    assert estimate.search.stopped_because == "the time limit of 1e-09 s was reached"
    assert estimate.search.max_seconds == 1e-9


@pytest.mark.parametrize("n_iter", [None, 200])
def test_progress_is_reported_and_changes_nothing(n_iter):
    draws = noisy_draws(np.random.default_rng(39), 10, 4, 20)
    seen = []
    with_progress = fangs.estimate(draws, n_iter=n_iter, seed=1, progress=seen.append)
    assert all(isinstance(step, Progress) for step in seen)
    assert all(0 <= step.done <= step.total for step in seen)
    phases = list(dict.fromkeys(step.phase for step in seen))
    assert phases == (["start", "sweeten", "refine"] if n_iter is None else ["start", "sweeten"])
    for phase in phases:
        done = [step.done for step in seen if step.phase == phase]
        assert done == sorted(set(done))
        assert len({step.total for step in seen if step.phase == phase}) == 1
    losses = [step.loss for step in seen]
    assert losses == sorted(losses, reverse=True)
    assert seen[-1].loss >= with_progress.expected_loss
    assert same_bits(with_progress) == same_bits(fangs.estimate(draws, n_iter=n_iter, seed=1))
    if n_iter is None:  # it goes on while the time left is used
        fangs.estimate(draws, max_seconds=60, seed=1, progress=seen.append)
        done = [step.done for step in seen if step.phase == "perturb"]
        assert done == list(range(1, len(done) + 1)) != [1]
        assert seen[-1].total is None
