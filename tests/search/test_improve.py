"""improve(): perturb, descend, accept what is better, stop when everything has failed in turn."""

import numpy as np
import pytest

from fangs.search.multistart import improve
from fangs.search.perturb import FeatureExchange, PenaltyShift, TabuWalk
from oracles import reference as ref
from support.checks import exact_loss, is_flip_optimal
from support.searches import STUCK, overlap_score, search_from
from support.searches import STUCK_DRAWS as DRAWS
from support.strategies import noisy_draws, random_allocation

BEST = np.array([[1, 1], [1, 0], [1, 0]], dtype=np.uint8)


class Visit:
    """A perturbation that goes to one allocation, the first `times` that it is called."""

    def __init__(self, name, calls, matrix=None, times=1):
        self.name, self.calls, self.matrix, self.times = name, calls, matrix, times

    def __call__(self, search, rng):
        self.calls.append(self.name)
        if self.matrix is not None and self.times > 0:
            self.times -= 1
            search.move_to(self.matrix)


class Scatter:
    """A perturbation that goes anywhere."""

    def __call__(self, search, rng):
        search.move_to(random_allocation(rng, *search.matrix.shape))


def is_at(search, matrix):
    return np.array_equal(ref.left_ordered(search.matrix), ref.left_ordered(matrix))


def test_it_begins_again_after_a_success_and_stops_when_all_have_failed_in_turn():
    calls = []
    search = search_from(STUCK, DRAWS, 1.0)
    tries = [Visit("a", calls), Visit("b", calls, BEST), Visit("c", calls)]
    improve(search, tries, np.random.default_rng(0))
    assert calls == ["a", "b", "a", "b", "c"]
    assert is_at(search, BEST)


def test_it_descends_from_where_a_perturbation_ends():
    one_flip_away = BEST.copy()
    one_flip_away[0, 1] = 0
    search = search_from(STUCK, DRAWS, 1.0)
    assert exact_loss(one_flip_away, DRAWS, 1.0) > exact_loss(BEST, DRAWS, 1.0)
    improve(search, [Visit("a", [], one_flip_away)], np.random.default_rng(0))
    assert is_at(search, BEST)


def test_of_equal_allocations_the_sparser_is_accepted_and_the_denser_is_not():
    # {1} and {12}, {1} have the same loss, and every step from one to the other raises it.
    draws = [np.array([[1, 0], [0, 1]]), np.array([[1], [1]]), np.array([[1, 1], [0, 0]])]
    sparse = np.array([[1], [0]], dtype=np.uint8)
    dense = np.array([[1, 1], [1, 0]], dtype=np.uint8)
    assert exact_loss(dense, draws, 1.0) == exact_loss(sparse, draws, 1.0)
    for start, other in ((dense, sparse), (sparse, dense)):
        search = search_from(start, draws, 1.0)
        search.descend()
        assert is_at(search, start)
        improve(search, [Visit("a", [], other)], np.random.default_rng(0))
        assert is_at(search, sparse)


@pytest.mark.parametrize(
    "perturbation", [TabuWalk(), PenaltyShift(0.5), PenaltyShift(2.0), FeatureExchange(), Scatter()]
)
@pytest.mark.parametrize("a", [0.5, 1.0, 1.6])
def test_it_never_ends_worse_and_always_flip_optimal(perturbation, a):
    rng = np.random.default_rng(1)
    for _ in range(15):
        draws = noisy_draws(rng, 5, 3, 8, noise=0.35)
        search = search_from(draws[0], draws, a)
        search.descend()
        before = search.key
        improve(search, [perturbation] * 3, rng)
        assert search.key <= before
        assert search.score == overlap_score(search, draws)
        assert (search.flip_costs() >= 0).all()
    assert is_flip_optimal(search.matrix, draws, a)
