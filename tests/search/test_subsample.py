"""The subsample: its size, its items, and the way back to all items."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import fangs
from fangs.engine import ThreadedEngine
from fangs.loss import Objective
from fangs.search import SearchParams
from fangs.search.subsample import Subsample
from oracles.algorithm1 import is_unique
from support.strategies import noisy_draws

PARAMS = SearchParams(
    min_draws=1,
    subsample_draws=20,
    wide_subsample_draws=40,
    deciding_draws=5,
    subsample_items=128,
    narrow=4,
)


def subsample_of(draws, a=1.0, params=PARAMS, seed=1):
    return Subsample(ThreadedEngine(draws), a, params, np.random.default_rng(seed))


def clear_draws(n_items, n_features, n_draws, seed=0):
    """Draws around one truth, each feature of which has items that no other one has."""
    rng = np.random.default_rng(seed)
    owner = rng.permutation(np.arange(n_items) % n_features)
    truth = owner[:, None] == np.arange(n_features)
    noise = rng.random((n_draws, n_items, n_features)) < 0.1
    return [(truth ^ flips)[:, rng.permutation(n_features)].astype(np.uint8) for flips in noise]


@pytest.mark.parametrize(("n_draws", "wanted"), [(1, 1), (20, 20), (29, 29), (30, 20), (500, 20)])
def test_many_draws_are_subsampled_and_few_are_not(n_draws, wanted):
    found = subsample_of([np.ones((3, 1))] * n_draws)
    assert found.engine.samples_info.n_draws == wanted
    assert found.objective.total_weight == wanted
    assert found.is_all == (wanted == n_draws)


@pytest.mark.parametrize(("n_features", "wanted"), [(1, 20), (4, 20), (5, 40)])
def test_wide_draws_have_a_larger_subsample(n_features, wanted):
    draws = [np.ones((3, n_features))] * 200
    assert subsample_of(draws).engine.samples_info.n_draws == wanted


@pytest.mark.parametrize(
    ("a", "wanted"), [(1.0, 20), (0.5, 20), (1.5, 20), (0.25, 40), (1.75, 40), (0.1, 100)]
)
def test_away_from_a_1_enough_draws_decide_about_an_entry(a, wanted):
    """With a = 0.25, one eighth of the draws decides: 5 of 40."""
    found = subsample_of([np.ones((3, 1))] * 2000, a)
    assert found.engine.samples_info.n_draws == wanted
    assert found.objective.a == a
    share = min(a, 2 - a) / 2
    assert share * wanted >= PARAMS.deciding_draws


def test_the_objective_is_that_of_the_subsample():
    draws = noisy_draws(np.random.default_rng(2), 6, 3, 90)
    found = subsample_of(draws, 0.75)
    some = [draws[b] for b in found.engine.draw_numbers]
    assert len(some) == 20
    assert found.objective == Objective.of(ThreadedEngine(some).samples_info, 0.75)
    for b, draw in enumerate(some):
        assert np.array_equal(found.engine.draw(b), draw[:, draw.any(axis=0)])


@pytest.mark.parametrize(
    ("n_items", "wanted"), [(1, 1), (128, 128), (255, 255), (256, 128), (300, 128), (700, 128)]
)
def test_many_items_are_subsampled_and_few_are_not(n_items, wanted):
    found = subsample_of([np.ones((n_items, 1))] * 5)
    assert found.engine.samples_info.n_items == wanted
    assert found.is_all == (wanted == n_items)


@pytest.mark.parametrize("n_items", [256, 300])
@pytest.mark.parametrize("n_draws", [20, 90])
@pytest.mark.parametrize("a", [0.5, 1.0, 1.5])
def test_on_all_items_aligns_and_thresholds_by_definition(n_items, n_draws, a):
    draws = clear_draws(n_items, 4, n_draws)
    found = subsample_of(draws, a)
    chosen = found.engine.draw_numbers
    assert len(chosen) == 20
    matrix = found.engine.draw(3)
    assert len(matrix) == 128
    aligned = []
    for at, number in enumerate(chosen):
        shared = matrix.T.astype(int) @ found.engine.draw(at)
        order = linear_sum_assignment(shared, maximize=True)[1]
        assert is_unique(shared, order)
        aligned.append(draws[number][:, order])
    wanted = (2 * np.sum(aligned, axis=0) >= a * len(chosen)).astype(np.uint8)
    assert np.array_equal(found.on_all_items(matrix), wanted)
    assert wanted.shape == (n_items, 4)


@pytest.mark.parametrize("a", [0.5, 1.0, 1.5])
@pytest.mark.parametrize("weights", [None, [1, 0, 3] * 30])
def test_where_time_is_short_fewer_draws_extend_an_allocation(monkeypatch, a, weights):
    """At a second per draw, 14 seconds are for 7 draws."""
    monkeypatch.setattr("fangs.search.subsample.pass_seconds", lambda info, _: float(info.n_draws))
    draws = clear_draws(300, 4, 90)
    found = subsample_of(fangs.Samples(draws, weights=weights), a)
    matrix = found.engine.draw(3)
    few = found.engine.at_hand(7)
    assert few.samples_info.n_draws == 7
    times = few.samples_info.weights
    aligned = [
        draws[number][:, linear_sum_assignment(matrix.T.astype(int) @ few.draw(at), True)[1]]
        for at, number in enumerate(few.draw_numbers)
    ]
    times = np.ones(7, dtype=int) if times is None else times
    wanted = 2 * np.tensordot(times, aligned, 1) >= a * times.sum()
    assert np.array_equal(found.on_all_items(matrix, 14.0), wanted)
    whole = subsample_of(fangs.Samples(draws, weights=weights), a)
    assert np.array_equal(found.on_all_items(matrix), whole.on_all_items(matrix))


@pytest.mark.parametrize(("n_draws", "wanted"), [(30, 30), (59, 59), (60, 20)])
def test_a_few_draws_are_not_worth_a_subsample(n_draws, wanted):
    params = replace(PARAMS, min_draws=60)
    engine = ThreadedEngine([np.eye(2)] * n_draws)
    found = Subsample(engine, 1.0, params, np.random.default_rng(0))
    assert found.engine.samples_info.n_draws == wanted
