"""A penalty is found for a wanted number of features, or it is said why there is none."""

import numpy as np

from fangs.path import choose_a
from fangs.path.choose import ENDS
from fangs.path.sparsity import GRID


def test_penalties_are_chosen_by_the_number_of_features(samples, path):
    for wanted in sorted({int(k) for k in path.n_features})[:2]:
        choice = choose_a(samples, n_features=wanted, seed=1)
        assert choice.is_attained
        assert choice.estimate.n_features == wanted
        assert choice.estimate.a == choice.a
        assert "as wanted" in str(choice)


def test_a_choice_between_grid_points_is_found():
    # Feature k is in (k + 1) of 20 draws: each penalty below 2 * (k + 1) / 20 has it.
    draws = [np.eye(19, dtype=np.uint8)[:, b:] for b in range(20)]
    choice = choose_a(draws, n_features=13, seed=1)
    assert choice.is_attained
    assert choice.estimate.n_features == 13


def test_a_choice_goes_beyond_the_grid_where_it_must():
    # Features 2 to 4 are in 1, 2 and 3 of 100 draws, features 0 and 1 in 98 and in all.
    widths = [5] + [4] + [3] + [2] * 95 + [1] * 2
    draws = [np.eye(5, dtype=np.uint8)[:, :k] for k in widths]
    for wanted in range(1, 6):
        choice = choose_a(draws, n_features=wanted, seed=1)
        assert choice.is_attained
        assert choice.estimate.n_features == wanted
        assert (choice.a < GRID[0]) == (wanted > 2)
        assert (choice.a > GRID[-1]) == (wanted < 2)
        assert ENDS[0] <= choice.a <= ENDS[1]


def test_a_number_of_features_out_of_reach_is_explained(samples):
    many = choose_a(samples, n_features=500, seed=1)
    assert not many.is_attained
    assert "even at a = 0.01 no estimate has that many" in many.explanation
    certain = choose_a([[[1, 0], [0, 1]]] * 4, n_features=1, seed=1)
    assert not certain.is_attained
    assert "even at a = 1.99 no estimate has that few" in certain.explanation
    jump = choose_a([np.eye(3)] * 3 + [np.zeros((3, 0))] * 2, n_features=2, seed=1)
    assert not jump.is_attained
    assert "jumps past it" in jump.explanation
    assert jump.estimate.n_features in (0, 3)
