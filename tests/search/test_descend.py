"""Descents: exact at every step, down to where no flip helps, and the sparser of ties."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fangs
from fangs.search.local_search import MAX_JOINT_FEATURES
from fangs.simulate import posterior_like
from oracles import reference as ref
from support.checks import has_needless_ones, is_flip_optimal
from support.searches import ANY_PENALTY, overlap_score, score_by_definition, search_from
from support.strategies import estimate_and_draws


@settings(max_examples=60)
@given(estimate_and_draws(max_items=3, max_features=3), st.sampled_from([*ANY_PENALTY, 0.5, 1.5]))
def test_a_descent_ends_where_no_flip_helps_and_no_one_is_needless(problem, a):
    matrix, draws = problem
    search = search_from(matrix, draws, a)
    search.descend()
    assert search.score == score_by_definition(search.matrix, draws, a)
    assert is_flip_optimal(search.matrix, draws, a)
    assert not has_needless_ones(search.matrix, draws, a)


def test_ones_that_gain_nothing_are_switched_off():
    draws = [np.array([[1], [1]]), np.array([[1], [0]])]  # at a = 1 the second item is a tie
    search = search_from([[1], [1]], draws, 1.0)
    search.descend()
    assert ref.left_ordered(search.matrix).tolist() == [[1], [0]]
    search = search_from([[1], [0]], draws, 1.0)
    search.descend()
    assert ref.left_ordered(search.matrix).tolist() == [[1], [0]]


def test_a_gain_too_small_for_floating_point_is_a_gain():
    # Half of 1.3333333333333333 is a hair below two thirds, the share of draws that have the entry.
    draws = [np.array([[1], [1]]), np.array([[1], [1]]), np.array([[1], [0]])]
    search = search_from([[1], [0]], draws, 4 / 3)
    threshold = search.objective.threshold_count
    assert float(threshold) == 2.0 > threshold
    search.descend()
    assert ref.left_ordered(search.matrix).tolist() == [[1], [1]]


def test_features_are_born_as_long_as_they_help():
    draw = np.eye(20, dtype=np.uint8)
    search = search_from(np.zeros((20, 0)), [draw] * 3, 1.0)
    search.descend()
    assert np.array_equal(ref.left_ordered(search.matrix), draw)
    assert search.n_flips == 20
    assert not search.matrix.any(axis=0).all()


@pytest.mark.parametrize(("n_items", "n_features"), [(12, 3), (15, MAX_JOINT_FEATURES + 4)])
@pytest.mark.parametrize("a", [0.1, 0.3, 1.0])
def test_every_step_of_a_descent_is_exact_and_goes_down(n_items, n_features, a):
    """Among many features, flips that lower the loss at once share no item and no feature."""
    made = posterior_like(
        n_items, n_features, 40, density=0.3, noise=0.15, births=2, deaths=0.2, seed=1
    )
    draws, states = list(made.draws), []

    def note(search):
        assert search.score == overlap_score(search, draws)
        assert not search.matrix.any(axis=0).all(), "no room for a birth"
        states.append((search.key, search.matrix, search.n_flips))

    search = search_from(draws[0], draws, a, on_step=note)
    note(search)
    search.descend()
    largest = 0
    for (key, before, n_flips), (lower, after, more) in pairwise(states):
        assert lower <= key
        if before.shape == after.shape:  # else columns were renumbered
            items, features = np.nonzero(before != after)
            largest = max(largest, len(items))
            assert more - n_flips == (len(items) if lower[0] < key[0] else 0)
            if n_features > MAX_JOINT_FEATURES and lower[0] < key[0]:
                assert len(set(items)) == len(set(features)) == len(items)
    assert states[-1][0] == search.key < states[0][0]
    assert (search.flip_costs() >= 0).all()
    assert fangs.assess(search.matrix, made.draws, a=a).is_flip_optimal
    assert len(states) > 4
    assert largest > 5 or n_features <= MAX_JOINT_FEATURES or a != 0.3
