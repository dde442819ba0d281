"""The subsample: its size, its items, and the way back to all items."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

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


@pytest.mark.parametrize(
    ("about", "wanted"),
    [
        *(({"n_draws": n}, n) for n in (1, 20, 29)),  # few draws
        *(({"n_draws": n}, 20) for n in (30, 500)),
        *(({"n_features": n}, size) for n, size in ((1, 20), (4, 20), (5, 40))),  # wide draws
        # With a = 0.25, one eighth of the draws decides: 5 of 40.
        *(({"a": a}, 20) for a in (0.5, 1.0, 1.5)),
        *(({"a": a}, size) for a, size in ((0.25, 40), (1.75, 40), (0.1, 100))),
        *(({"n_draws": n, "min_draws": 60}, n) for n in (30, 59)),
        ({"n_draws": 60, "min_draws": 60}, 20),
    ],
    ids=str,
)
def test_many_draws_are_subsampled_and_few_are_not(about, wanted):
    setting = {"n_draws": 2000, "n_features": 1, "a": 1.0, "min_draws": 1} | about
    draws = [np.ones((3, setting["n_features"]))] * setting["n_draws"]
    params = replace(PARAMS, min_draws=setting["min_draws"])
    found = subsample_of(draws, setting["a"], params)
    assert found.engine.samples_info.n_draws == found.objective.total_weight == wanted
    assert found.is_all == (wanted == len(draws))
    assert found.objective.a == setting["a"]


@pytest.mark.parametrize(
    ("n_items", "wanted"), [(1, 1), (128, 128), (255, 255), (256, 128), (300, 128), (700, 128)]
)
def test_many_items_are_subsampled_and_few_are_not(n_items, wanted):
    found = subsample_of([np.ones((n_items, 1))] * 5)
    assert found.engine.samples_info.n_items == wanted
    assert found.is_all == (wanted == n_items)


def test_the_objective_is_that_of_the_subsample():
    draws = noisy_draws(np.random.default_rng(2), 6, 3, 90)
    found = subsample_of(draws, 0.75)
    some = [draws[b] for b in found.engine.draw_numbers]
    assert len(some) == 20
    assert found.objective == Objective.of(ThreadedEngine(some).samples_info, 0.75)
    for b, draw in enumerate(some):
        assert np.array_equal(found.engine.draw(b), draw[:, draw.any(axis=0)])


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
