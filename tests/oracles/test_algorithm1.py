"""Algorithm 1, on cases worked out by hand."""

from fractions import Fraction

import numpy as np
import pytest

from oracles import algorithm1
from oracles import reference as ref
from oracles.reference import from_features as sets


def as_sets(matrix):
    return ["".join(str(i + 1) for i in np.flatnonzero(feature)) for feature in matrix.T]


def starts(baseline, draws, a):
    return [as_sets(start) for start in algorithm1.initial_estimates(baseline, draws, a)]


def test_a_feature_without_overlap_takes_the_place_of_one_that_a_draw_lacks():
    # {4} shares nothing with {3}, and {3} is what its draw lacks: column 2 counts both.
    draws = [sets(4, "12", "3")] * 4 + [sets(4, "12", "4")] * 6
    assert starts(draws[0], draws, 1.0) == [["12", "4"]]
    assert starts(draws[0], draws, 0.8) == [["12", "34"]]  # 0.4 and 0.6 both reach 0.4
    assert ref.expected_loss(sets(4, "12", "4"), draws) == pytest.approx(0.8)


def test_features_beyond_the_baseline_are_kept_in_padding_columns():
    draws = [sets(4, "12"), sets(4, "3", "12", "4"), sets(4, "3", "4", "12")]
    assert starts(draws[0], draws, 1.0) == [["12", "3", "4"]]


def test_features_without_overlap_keep_their_own_order():
    # The free columns are 2 and 3: draw 2 puts {3}, {4} there and draw 3 puts {4}, {3}.
    draws = [sets(4, "12"), sets(4, "3", "12", "4"), sets(4, "4", "3", "12")]
    assert starts(draws[0], draws, 1.3) == [["12"]]
    assert starts(draws[0], draws, 0.6) == [["12", "34", "34"]]


def test_a_free_column_of_the_baseline_comes_before_padding():
    # {1} is aligned to {12}; {4} goes into the free column of {3}, not into the padding.
    draws = [sets(4, "12", "3"), sets(4, "1", "4"), sets(4, "12", "3", "4")]
    assert starts(draws[0], draws, 0.6) == [["12", "34", "4"]]


def test_ties_between_overlaps_give_several_starts():
    draws = [sets(2, "1", "2"), sets(2, "12"), sets(2), sets(2)]
    assert sorted(starts(draws[0], draws, 1.0)) == [["1"], ["2"]]


def test_empty_columns_mean_nothing():
    draws = [np.hstack([np.zeros((4, 2), dtype=int), sets(4, "12")]), sets(4, "12", "3")]
    assert starts(draws[0], draws, 1.0) == [["12", "3"]]


def test_scipy_gives_the_only_start_or_none():
    rng = np.random.default_rng(0)
    n_unique = n_tied = 0
    for _ in range(100):
        draws = [rng.integers(0, 2, size=(6, rng.integers(1, 4))) for _ in range(3)]
        found = algorithm1.initial_estimate_by_scipy(draws[0], draws, 1.0)
        if found is None:
            n_tied += 1
        else:
            n_unique += 1
            [wanted] = algorithm1.initial_estimates(draws[0], draws, 1.0)
            assert np.array_equal(found, wanted)
    assert min(n_unique, n_tied) > 10


def test_a_run_returns_the_loss_of_its_allocation_and_never_a_worse_one_than_a_start():
    rng = np.random.default_rng(1)
    for a in (0.1, 1.0, 1.5):
        draws = [rng.integers(0, 2, size=(4, rng.integers(0, 4))) for _ in range(5)]
        settings = {"n_init": 5, "n_sweet": 2}
        losses = []
        for n_iter in (0, 5, 60):
            seed = np.random.default_rng(2)
            found, loss = algorithm1.run(draws, a, seed, n_iter=n_iter, **settings)
            assert loss == ref.expected_loss(found, draws, Fraction(repr(a)))
            losses.append(loss)
        assert losses == sorted(losses, reverse=True)


def test_a_run_flips_its_way_to_what_all_draws_agree_on():
    # {12} and {1} each have half of the draws: at a = 0.5 item 2 is kept, at a = 1.5 it goes.
    draws = [sets(2, "12"), sets(2, "1")] * 2
    for a, wanted, loss in ((0.5, ["12"], Fraction(1, 4)), (1.5, ["1"], Fraction(1, 4))):
        found = algorithm1.run(draws, a, np.random.default_rng(0), n_init=4, n_sweet=1, n_iter=20)
        assert (as_sets(found[0]), found[1]) == (wanted, loss)


def test_a_run_proposes_in_one_column_where_a_start_has_none():
    # No item is in half of the draws, so no start has a one, and no flip helps.
    draws = [sets(4, "1"), sets(4, "2"), sets(4, "3"), sets(4)]
    settings = {"n_init": 4, "n_sweet": 1, "n_iter": 20}
    found, loss = algorithm1.run(draws, 1.0, np.random.default_rng(0), **settings)
    assert (found.shape, loss) == ((4, 0), Fraction(3, 4))
