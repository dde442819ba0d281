"""Of equally good allocations the path takes the sparser, as a search at each penalty does."""

import numpy as np
import pytest

import fangs
from fangs.path import choose_a, sparsity_path
from oracles import reference as ref
from support.strategies import noisy_draws

GRID = (0.25, 0.5, 1.0, 1.5)


@pytest.fixture(scope="module", params=[7, 15, 50])  # seeds at which equally good ones abound
def case(request):
    rng = np.random.default_rng(request.param)
    n_items, n_draws = int(rng.integers(4, 12)), int(rng.choice([2, 4, 6, 8, 10]))
    draws = noisy_draws(rng, n_items, int(rng.integers(2, 5)), n_draws, noise=0.25)
    return draws, sparsity_path(draws, a=GRID, seed=1)


def test_the_path_is_no_denser_than_a_search_of_the_same_loss(case):
    draws, path = case
    for on_path in path.estimates:
        alone = fangs.estimate(draws, a=on_path.a, seed=1)
        ours, theirs = [(e.expected_loss, e.n_ones) for e in (on_path, alone)]
        assert ours <= theirs


def test_ties_are_counted_and_none_of_them_is_a_one(case):
    draws, path = case
    assert path.n_ties.tolist() == [e.n_ties for e in path.estimates]
    assert path.n_ties.sum() > 0
    for e in path.estimates:
        changes = ref.loss_changes(e.matrix, draws, e.a)
        assert e.n_ties == np.count_nonzero(np.abs(changes) < 1e-9)
        assert not e.matrix[np.abs(changes) < 1e-9].any()
    assert [int(line.split()[-1]) for line in str(path).splitlines()[1:]] == path.n_ties.tolist()


def test_a_choice_tells_the_ties_of_its_estimate():
    draws = [[[1, 0], [1, 1]], [[1, 0], [0, 1]]]
    choice = choose_a(draws, n_features=2, seed=1)
    assert choice.estimate.n_ties > 0
    assert f". Ties: {choice.estimate.n_ties} of its entries could flip at no cost" in str(choice)
