"""Tabu walk: by the mildest flips out of a flip-optimal allocation, or given up."""

from itertools import pairwise

import numpy as np
import pytest

from fangs.engine import ThreadedEngine
from fangs.loss import Objective
from fangs.search.local_search import LocalSearch, never
from fangs.search.perturb import TabuWalk
from oracles import reference as ref
from support.checks import exact_loss, is_flip_optimal
from support.searches import score_by_definition, search_from
from support.strategies import noisy_draws, random_allocation


class RecordedSearch(LocalSearch):
    """Remembers each flip, with the costs before it and the number of columns."""

    def __init__(self, matrix, draws, a):
        engine = ThreadedEngine(draws, 1)
        self.steps = []
        super().__init__(engine, Objective.of(engine.samples_info, a), matrix)

    def flip(self, flips):
        [flip] = flips.tolist()
        costs, width = self.flip_costs(), self.matrix.shape[1]
        super().flip(flips)
        self.steps.append((flip, costs, width, self.score))


def stuck_problem():
    """Draws {123}; {13}, {13}; {23}, {1}, and an allocation {13}, {3} that no flip improves."""
    draws = [
        np.array([[1], [1], [1]]),
        np.array([[1, 1], [0, 0], [1, 1]]),
        np.array([[0, 1], [1, 0], [1, 0]]),
    ]
    return draws, np.array([[1, 0], [0, 0], [1, 1]], dtype=np.uint8)


def walked(seed, walk):
    """A walk from where a descent over random draws ended."""
    rng = np.random.default_rng(seed)
    draws = noisy_draws(rng, int(rng.integers(2, 13)), int(rng.integers(1, 6)), 25, noise=0.3)
    search = RecordedSearch(draws[0], draws, float(rng.choice([0.5, 1.0])))
    search.descend()
    search.steps.clear()
    start = search.score
    walk(search, rng)
    return search, start


def test_a_walk_gets_out_where_a_descent_is_stuck():
    draws, stuck = stuck_problem()
    assert is_flip_optimal(stuck, draws, 1.0)
    search = search_from(stuck, draws, 1.0)
    search.descend()
    assert np.array_equal(ref.left_ordered(search.matrix), ref.left_ordered(stuck))
    TabuWalk()(search, np.random.default_rng(0))
    search.descend()
    best, _ = ref.best_estimate(draws, 1.0)
    assert exact_loss(search.matrix, draws, 1.0) == exact_loss(best, draws, 1.0)
    assert exact_loss(best, draws, 1.0) < exact_loss(stuck, draws, 1.0)


@pytest.mark.parametrize("n_steps", [2, 10])
def test_a_walk_ends_below_its_start_or_gives_up(n_steps):
    outcomes = {True: 0, False: 0}
    for seed in range(80):
        search, start = walked(seed, TabuWalk(n_steps=n_steps, max_ascents=n_steps))
        scores = [score for *_, score in search.steps]
        assert len(scores) <= n_steps
        assert all(score >= start for score in scores[:-1]), "it went on from below its start"
        outcomes[search.score < start] += 1
    assert outcomes[False] > 0
    assert outcomes[True] > 0 or n_steps == 2


def test_a_walk_takes_the_mildest_flip_that_is_not_tabu():
    tenure, n_early = 3, 0
    for seed in range(80):
        search, start = walked(seed, TabuWalk(n_steps=12, tenure=tenure, max_ascents=12))
        score, made, previous = start, {}, None
        for at, (flip, costs, width, after) in enumerate(search.steps):
            if width != previous:  # the columns were renumbered
                made, previous = {}, width
            tabu = [other for other, then in made.items() if at - then <= tenure]
            if flip in tabu:
                n_early += 1
                assert after < start, "a flip was taken back too soon"
            allowed = [
                cost
                for other, cost in enumerate(costs.tolist())
                if cost != never(costs) and (other not in tabu or score + cost < start)
            ]
            assert costs[flip] == min(allowed)
            made[flip], score = at, after
    assert n_early > 0, "no flip led below the start by being taken back"


def test_a_walk_stays_where_every_flip_is_tabu():
    # One item, one feature and one empty column: two flips, and then both are tabu.
    search = RecordedSearch(np.array([[1]], dtype=np.uint8), [np.array([[1]])] * 3, 1.0)
    TabuWalk(n_steps=10, tenure=6, max_ascents=10)(search, np.random.default_rng(0))
    flips = [(flip, width) for flip, _, width, _ in search.steps]
    for before, after in pairwise(flips):
        assert before != after
    assert search.score == score_by_definition(search.matrix, [np.array([[1]])] * 3, 1.0)
    assert len(set(flips)) == len(flips)


@pytest.mark.parametrize("max_ascents", [0, 1, 3])
def test_a_walk_is_given_up_after_too_many_steps_up(max_ascents):
    for seed in range(30):
        search, start = walked(seed, TabuWalk(n_steps=12, max_ascents=max_ascents))
        ascents, score = 0, start
        for *_, after in search.steps:
            ascents = ascents + 1 if after > score else 0
            assert ascents <= max_ascents
            score = after


@pytest.mark.parametrize("a", [1e-19, 0.1234567890123456, 1.0])
def test_a_walk_is_exact_at_any_penalty(a):
    rng = np.random.default_rng(4)
    draws = [random_allocation(rng, 3, 2) for _ in range(4)]
    search = search_from(draws[0], draws, a)
    search.descend()
    TabuWalk()(search, rng)
    assert search.score == score_by_definition(search.matrix, draws, a)
