"""Levels of consensus, and modes side by side, judged by their artists."""

import numpy as np

import fangs
from fangs import plot


def names(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_an_entry_has_the_shade_of_the_highest_level_it_reaches(estimate):
    shares = (0.9, 0.2, 0.5)  # in any order
    ax = plot.levels(estimate, shares=shares, order="given")
    reached = np.zeros(estimate.matrix.shape)
    for share in shares:
        reached += estimate.proportions >= share
    np.testing.assert_array_equal(ax.images[0].get_array(), reached)
    assert names(ax)[2] == f"90 %: {int((reached == 3).sum())} entries, 4 features"


def test_features_without_an_entry_at_a_level_are_not_counted():
    draws = [[[1, 0], [0, 1]]] * 6 + [[[1], [0]]] * 4
    ax = plot.levels(fangs.estimate(draws, seed=1), shares=[0.5, 0.9])
    assert names(ax) == ["50 %: 2 entries, 2 features", "90 %: 1 entry, 1 feature"]


def test_an_estimate_without_features_has_a_picture():
    ax = plot.levels(fangs.estimate([np.zeros((3, 0))] * 4, seed=1))
    assert ax.images[0].get_array().tolist() == [[0.0]] * 3


def test_modes_are_shown_side_by_side_with_their_differences(draws):
    found = fangs.modes(draws, seed=1)
    ax = plot.modes(found, order="given")
    shown = ax.images[0].get_array()
    first, second = found.aligned()
    width = first.shape[1]
    assert shown.shape == (100, 2 * width + 1)
    np.testing.assert_array_equal(shown[:, :width] != 0, first == 1)
    np.testing.assert_array_equal(shown[:, width + 1 :] != 0, second == 1)
    assert ((shown[:, :width] == 1) == (first & second)).all()
    assert (shown == -1).sum() == found.distances[0, 1]
    assert [text.get_text() for text in ax.texts] == ["mode 1, 75 %", "mode 2, 25 %"]


def test_one_mode_has_no_differences(draws):
    found = fangs.modes(draws, n_modes=1, seed=1)
    ax = plot.modes(found, order="given")
    np.testing.assert_array_equal(ax.images[0].get_array(), found.estimates[0].matrix)
