"""Crossing: the better of each feature, and never a worse allocation."""

import numpy as np
import pytest

import fangs
import reference as ref
from fangs.crossing import crossed
from fangs.engine import Engine
from fangs.loss import Objective
from fangs.swings import swung
from strategies import noisy_draws, random_allocation

TRUTH = np.zeros((30, 4), dtype=np.uint8)
TRUTH[:24] = np.kron(np.eye(4, dtype=np.uint8), np.ones((6, 1), dtype=np.uint8))


def cross(draws, best, *others, a=1.0):
    engine = Engine(fangs.Samples(draws))
    objective = Objective.of(engine, a)
    states = list(crossed(engine, best, others, objective))
    scores = [state.score for state in states]
    assert scores == sorted(scores, reverse=True)
    for state in states:
        ones, overlap = int(state.matrix.sum()), int(engine.overlaps(state.matrix).sum())
        assert state.score == objective.score(ones, overlap)
    return states


def with_column(matrix, place, *items):
    matrix = matrix.copy()
    matrix[:, place] = 0
    matrix[list(items), place] = 1
    return matrix


def without(matrix, *places):
    return np.delete(matrix, places, axis=1)


@pytest.mark.parametrize("a", [0.5, 1.0, 1.5])
def test_two_halves_of_the_truth_make_it_whole(a):
    draws = [TRUTH[:, np.roll(range(4), b)] for b in range(9)]
    one = with_column(with_column(TRUTH, 0, 0, 1, 2), 1, 6)
    two = with_column(TRUTH, 2, 0, 12, 13, 14)
    first, *_, last = cross(draws, one, two[:, ::-1], a=a)
    assert first.n_flips == 0
    assert np.array_equal(ref.left_ordered(last.matrix), ref.left_ordered(TRUTH))


def test_features_are_taken_over_given_up_and_added():
    draws = [TRUTH] * 5
    spurious = np.column_stack([TRUTH, np.arange(30) >= 25]).astype(np.uint8)
    states = cross(draws, without(spurious, 1), without(TRUTH, 3))
    assert np.array_equal(ref.left_ordered(states[-1].matrix), ref.left_ordered(TRUTH))
    # Before any sweetening: the one with 5 items is given up, one with 6 is added.
    assert [len(state.flips) for state in states[1:3]] == [5, 6]


def test_what_is_no_better_is_left_alone():
    draws = noisy_draws(np.random.default_rng(1), 12, 4, 30)
    best = fangs.estimate(draws, seed=1).matrix
    others = [random_allocation(np.random.default_rng(seed), 12, 5) for seed in range(4)]
    [only] = cross(draws, best, *others)
    assert only.n_flips == 0
    assert np.array_equal(ref.left_ordered(only.matrix), best)


@pytest.mark.parametrize("seed", range(6))
def test_crossing_never_raises_the_loss_and_ends_where_no_flip_helps(seed):
    rng = np.random.default_rng(seed)
    draws = noisy_draws(rng, 15, 20, 25, noise=0.15)
    made = [random_allocation(rng, 15, int(rng.integers(0, 24))) for _ in range(3)]
    states = cross(draws, *made, a=float(rng.choice([0.5, 1.0, 1.5])))
    assert states[-1].is_flip_optimal or len(states) == 1


def few_draws(seed):
    return noisy_draws(np.random.default_rng(seed), 20, 24, 60, noise=0.3)


def many_draws(seed):
    made = fangs.simulate.posterior_like(
        30, 24, 600, density=0.2, noise=0.25, births=3, deaths=0.2, seed=1 + seed
    )
    return made.draws


@pytest.mark.parametrize("make", [few_draws, many_draws])  # without and with screening
def test_the_search_records_a_crossing(make, monkeypatch):
    # Swings mostly go further, and are named then.
    monkeypatch.setattr("fangs.screened.swung", lambda *args, **kwargs: 2 * [next(swung(*args))])
    for seed in range(20):
        found = fangs.estimate(make(seed), seed=0)
        crossings = [start for start in found.search.starts if start.method == "crossing"]
        if crossings:
            ends = [s.loss for s in found.search.starts if s.method in ("template", "baseline")]
            assert crossings[0].initial_loss == min(end for end in ends if end is not None)
            assert found.expected_loss <= crossings[0].loss <= crossings[0].initial_loss
            assert found.is_flip_optimal
            return
    raise AssertionError("no search crossed anything")
