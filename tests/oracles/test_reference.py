"""The oracle itself, on cases worked out by hand."""

import numpy as np
import pytest

from oracles import reference as ref
from oracles.figure_1 import FIGURE_1_FOUR, FIGURE_1_THREE
from oracles.reference import from_features as sets


def test_figure_1_pair_has_one_adjacency_matrix():
    adjacency = FIGURE_1_THREE @ FIGURE_1_THREE.T
    assert np.array_equal(adjacency, FIGURE_1_FOUR @ FIGURE_1_FOUR.T)
    assert adjacency[1].tolist() == [0, 2, 1, 2, 1, 1]


@pytest.mark.parametrize("a", [0.25, 1.0, 1.75])
def test_figure_1_pair_is_at_distance_four(a):
    # Features {2456} {356} {234} against {56} {3} {23456} {24}: the best pairs are
    # {2456}-{23456}, {356}-{56} and {234}-{24}, sharing 4 + 2 + 2 = 8 items, and {3} is left over.
    # The first allocation then has two ones too many (item 3 twice) and two too few (item 3 in
    # {23456}, and {3}): 2a + 2(2 - a) = 4 whatever a is.
    assert ref.max_overlap(FIGURE_1_THREE, FIGURE_1_FOUR) == 8
    assert ref.faro_loss(FIGURE_1_THREE, FIGURE_1_FOUR, a) == 4


def test_extra_ones_cost_a_and_missed_ones_the_rest():
    estimate, draw = sets(3, "123"), sets(3, "1")
    assert ref.faro_loss(estimate, draw, 0.25) == 2 * 0.25
    assert ref.faro_loss(draw, estimate, 0.25) == 2 * 1.75


def test_loss_pads_the_narrower_allocation():
    assert ref.faro_loss(sets(4, "12"), sets(4, "34", "12")) == 2
    assert ref.faro_loss(sets(4), sets(4, "34", "12"), 0.5) == 4 * 1.5
    assert ref.faro_loss(sets(4), sets(4)) == 0


def test_expected_loss_is_the_mean():
    draws = [sets(3, "12"), sets(3, "123"), sets(3)]
    assert ref.expected_loss(sets(3, "12"), draws) == (0 + 1 + 2) / 3


def test_allocations_are_counted_as_multisets():
    # Two items have three nonempty features: 1 + 3 + 6 allocations of at most two of them.
    found = {ref.left_ordered(E).tobytes() for E in ref.allocations(2, 2)}
    assert len(list(ref.allocations(2, 2))) == len(found) == 10


@pytest.mark.parametrize(
    ("draws", "wanted", "loss"),
    [
        ([sets(3, "12"), sets(3, "12"), sets(3, "123")], sets(3, "12"), 1 / 3),
        ([sets(2, "1"), sets(2), sets(2)], sets(2), 1 / 3),
        # More features than any draw has.
        ([sets(3, *pair) for pair in ("12", "13", "23")], sets(3, "1", "2", "3"), 1),
    ],
)
def test_best_estimate_by_hand(draws, wanted, loss):
    found, least = ref.best_estimate(draws)
    assert np.array_equal(ref.left_ordered(found), wanted)
    assert least == loss


def test_no_estimate_beyond_the_useful_width_is_better():
    draws = [sets(2, "1"), sets(2, "2", "12"), sets(2)]
    assert ref.most_useful_features(draws, 1.0) == 2
    wider = min(ref.expected_loss(E, draws) for E in ref.allocations(2, 4))
    assert ref.best_estimate(draws)[1] == wider


def test_flip_changes_by_hand():
    # E = {1}; draws {12}, {2}, {1}. Item 2 on: gains overlap with {12} and reaches 1 with {2}.
    estimate, draws = sets(2, "1"), [sets(2, "12"), sets(2, "2"), sets(2, "1")]
    on, off = ref.overlap_changes(estimate, draws)
    assert on.tolist() == [[0], [2]]
    assert off.tolist() == [[2], [0]]
    changes = ref.loss_changes(estimate, draws, 0.5)
    np.testing.assert_allclose(changes, [[-0.5 + 4 / 3], [0.5 - 4 / 3]])


def test_left_ordered_sorts_by_binary_number():
    matrix = np.array([[0, 1, 0, 1], [1, 0, 0, 1]])  # 01, 10, empty, 11
    assert ref.left_ordered(matrix).tolist() == [[1, 1, 0], [1, 0, 1]]


def test_sweetening_keeps_only_strict_gains():
    draws = [sets(2, "12"), sets(2, "12"), sets(2, "2"), sets(2)]
    estimate = sets(2, "2")
    # Item 1 is in half of the draws: no gain. Item 2 is in three quarters: switching it off loses.
    assert ref.sweeten(estimate, draws, 1.0, [(0, 0), (1, 0)])[1] == []
    matrix, accepted = ref.sweeten(estimate, draws, 0.75, [(1, 0), (0, 0), (0, 0)])
    assert accepted == [(0, 0)]
    assert matrix.tolist() == [[1], [1]]


def test_initial_estimate_aligns_and_thresholds():
    baseline = sets(4, "12", "34")
    draws = [baseline, sets(4, "34", "1"), sets(4, "124"), sets(4, "4", "123", "1")]
    # Counts in {12}: item 1 four, 2 three, 3 once, 4 once; in {34}: 3 twice, 4 three times.
    for a, wanted in ((1.0, baseline), (1.25, sets(4, "12", "4"))):
        [found] = ref.initial_estimates(baseline, draws, a)
        assert np.array_equal(found, wanted)


def test_initial_estimate_drops_empty_features_and_lists_ties():
    draws = [sets(2, "1", "2"), sets(2, "12"), sets(2), sets(2)]
    # {12} may align with {1} or with {2}; either way the other is in a quarter of the draws.
    found = [e.tolist() for e in ref.initial_estimates(draws[0], draws, 1.0)]
    assert sorted(found) == sorted([[[1], [0]], [[0], [1]]])
