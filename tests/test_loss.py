"""FARO loss: equal to its definition, a quasi-metric, blind to column order and padding; exact."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fangs
from fangs.loss import Objective, draw_losses
from oracles import reference as ref
from oracles import scipy_overlap
from oracles.figure_1 import FIGURE_1_FOUR, FIGURE_1_THREE
from support.strategies import (
    PENALTIES,
    estimate_and_draws,
    noisy_draws,
    penalties,
    several_allocations,
)


@pytest.mark.parametrize("a", PENALTIES)
def test_figure_1_pair_is_at_distance_four(a):
    assert fangs.faro_loss(FIGURE_1_THREE, FIGURE_1_FOUR, a=a) == 4


@given(several_allocations(2), penalties)
def test_loss_equals_trying_every_column_order(pair, a):
    loss = fangs.faro_loss(*pair, a=a)
    assert type(loss) is float
    assert loss == ref.faro_loss(*pair, a)


@given(several_allocations(2), penalties)
def test_loss_is_zero_only_between_equal_allocations(pair, a):
    x, y = pair
    assert fangs.faro_loss(x, x, a=a) == 0
    equal = np.array_equal(ref.left_ordered(x), ref.left_ordered(y))
    assert (fangs.faro_loss(x, y, a=a) == 0) == equal
    assert fangs.faro_loss(x, y, a=a) >= 0


@given(several_allocations(3, max_items=8, max_features=7), penalties)
def test_triangle_inequality(triple, a):
    x, y, z = triple
    assert fangs.faro_loss(x, z, a=a) <= fangs.faro_loss(x, y, a=a) + fangs.faro_loss(y, z, a=a)


@given(several_allocations(2, max_items=8, max_features=7), penalties)
def test_exchanging_the_arguments_exchanges_the_penalties(pair, a):
    x, y = pair
    assert fangs.faro_loss(x, y, a=a) == fangs.faro_loss(y, x, a=2 - a)


@given(several_allocations(2, max_items=8, max_features=7), penalties, st.randoms())
def test_column_order_and_padding_do_not_matter(pair, a, random):
    def disguised(matrix):
        columns = [*range(matrix.shape[1]), *[-1] * random.randrange(4)]
        random.shuffle(columns)
        return np.pad(matrix, ((0, 0), (0, 1)))[:, columns]

    x, y = pair
    assert fangs.faro_loss(x, y, a=a) == fangs.faro_loss(disguised(x), disguised(y), a=a)


@pytest.mark.parametrize("n_items", [1, 5, 63, 64, 65, 127, 128, 130, 1000])
@pytest.mark.parametrize("n_features", [1, 7, 63, 64, 65, 80])
def test_loss_equals_scipy_at_word_boundaries(n_items, n_features):
    rng = np.random.default_rng(n_items * 100 + n_features)
    x, y = noisy_draws(rng, n_items, n_features, 2)
    for a in (0.125, 1.0, 1.5):
        wanted = a * x.sum() + (2 - a) * y.sum() - 2 * scipy_overlap.max_overlap(x, y)
        assert fangs.faro_loss(x, y, a=a) == wanted


@given(estimate_and_draws(), penalties)
def test_expected_loss_is_the_mean_loss(problem, a):
    estimate, draws = problem
    draws = (draws * 4)[:4]  # a power of two divides exactly
    found = fangs.expected_loss(estimate, draws, a=a)
    assert type(found) is float
    assert found == ref.expected_loss(estimate, draws, a)
    assert fangs.expected_loss(estimate, fangs.Samples(draws), a=a) == found


def test_loss_takes_any_0_1_matrix_and_estimates():
    draws = [FIGURE_1_THREE, FIGURE_1_FOUR, FIGURE_1_FOUR]
    estimate = fangs.estimate(draws, seed=1)
    assert fangs.expected_loss(estimate, draws) == estimate.expected_loss
    assert fangs.faro_loss(estimate, FIGURE_1_THREE) == fangs.faro_loss(
        estimate.matrix, FIGURE_1_THREE
    )
    for kind in (bool, np.int8, np.uint64, np.float16, np.float64):
        assert fangs.faro_loss(FIGURE_1_THREE.astype(kind), FIGURE_1_FOUR.tolist()) == 4


@given(estimate_and_draws(max_features=3), penalties)
def test_scores_are_expected_losses_in_whole_numbers(problem, a):
    estimate, draws = problem
    objective = Objective.of(fangs.Samples(draws).info, a)
    ones, overlap = int(estimate.sum()), sum(ref.max_overlap(estimate, Z) for Z in draws)
    score = objective.score(ones, overlap)
    wanted = Fraction(sum(ref.faro_loss(estimate, Z, a) for Z in draws)) / len(draws)
    assert type(score) is int
    assert objective.exact_loss(score) == wanted
    assert objective.loss_of_score(score) == float(wanted)
    assert objective.expected_loss(ones, overlap) == float(wanted)
    assert objective.overlap_of(score, ones) == overlap


@pytest.mark.parametrize(("a", "n_draws", "tie"), [(0.1, 20, 1), (0.3, 20, 3), (1.4, 10, 7)])
def test_a_tie_at_the_threshold_is_kept_but_does_not_pay(a, n_draws, tie):
    objective = Objective(a, n_draws, total_ones=0)
    assert objective.threshold_count == tie
    assert objective.threshold(np.array([tie - 1, tie, tie + 1])).tolist() == [0, 1, 1]
    assert [objective.pays(count) for count in (tie - 1, tie, tie + 1)] == [False, False, True]


def test_a_threshold_between_two_counts_has_no_tie():
    objective = Objective(0.5, total_weight=10, total_ones=0)
    assert objective.threshold(np.array([2, 3])).tolist() == [0, 1]
    assert [objective.pays(count) for count in (2, 3)] == [False, True]


def test_losses_stay_exact_beyond_the_range_of_floats():
    a, ones = 0.1234567890123456, 10**6
    draw_ones, overlaps = np.array([10**6, 10**6 + 1]), np.array([999_999, 10**6])
    exact = Fraction("0.1234567890123456")
    wanted = [
        exact * ones + (2 - exact) * int(m) - 2 * int(o)
        for m, o in zip(draw_ones, overlaps, strict=True)
    ]
    assert draw_losses(a, ones, draw_ones, overlaps).tolist() == [float(x) for x in wanted]
    support = np.array([[0, 10**6]])
    costs = Objective(a, 10**6, 0).flip_costs(np.zeros((1, 2), dtype=np.uint8), support)
    unit = exact.denominator * 10**6
    assert [Fraction(int(cost), unit) for cost in costs[0]] == [exact, exact - 2]


@given(several_allocations(1, max_items=8, max_features=7))
def test_left_ordered_sorts_features_by_binary_number(only):
    found = fangs.left_ordered(only[0])
    assert found.dtype == np.uint8
    assert np.array_equal(found, ref.left_ordered(only[0]))


@pytest.mark.parametrize("n_items", [63, 64, 65, 130])
def test_left_ordered_reads_every_item(n_items):
    rng = np.random.default_rng(n_items)
    matrix = np.repeat((rng.random((n_items, 1)) < 0.5).astype(np.uint8), 9, axis=1)
    matrix[-1] = rng.permutation([1] * 4 + [0] * 5)
    assert np.array_equal(fangs.left_ordered(matrix), ref.left_ordered(matrix))
