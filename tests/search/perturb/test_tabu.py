"""Tabu walk: by the mildest flips out of a flip-optimal allocation, or given up."""

import numpy as np
import pytest

from fangs.engine import ThreadedEngine
from fangs.loss import Objective
from fangs.search.local_search import LocalSearch, never
from fangs.search.perturb import TabuWalk
from oracles import reference as ref
from support.checks import exact_loss, is_flip_optimal
from support.searches import STUCK, STUCK_DRAWS, search_from
from support.strategies import noisy_draws


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


def test_a_walk_gets_out_where_a_descent_is_stuck():
    draws, stuck = STUCK_DRAWS, STUCK
    assert is_flip_optimal(stuck, draws, 1.0)
    search = search_from(stuck, draws, 1.0)
    search.descend()
    assert np.array_equal(ref.left_ordered(search.matrix), ref.left_ordered(stuck))
    TabuWalk()(search, np.random.default_rng(0))
    search.descend()
    best, _ = ref.best_estimate(draws, 1.0)
    assert exact_loss(search.matrix, draws, 1.0) == exact_loss(best, draws, 1.0)
    assert exact_loss(best, draws, 1.0) < exact_loss(stuck, draws, 1.0)


def check_walk(steps, start, walk):
    """It takes the mildest flip that is not tabu, and ends below its start or gives up.

    Returns how often a flip that was tabu led below the start.
    """
    score, made, previous, ascents, n_early = start, {}, None, 0, 0
    assert len(steps) <= walk.n_steps
    for at, (flip, costs, width, after) in enumerate(steps):
        assert score >= start or at == 0, "it went on from below its start"
        if width != previous:  # the columns were renumbered
            made, previous = {}, width
        tabu = [other for other, then in made.items() if at - then <= walk.tenure]
        if flip in tabu:
            n_early += 1
            assert after < start, "a flip was taken back too soon"
        allowed = [
            cost
            for other, cost in enumerate(costs.tolist())
            if cost != never(costs) and (other not in tabu or score + cost < start)
        ]
        assert costs[flip] == min(allowed)
        ascents = ascents + 1 if after > score else 0
        assert ascents <= walk.max_ascents
        made[flip], score = at, after
    return n_early


WALKS = [
    TabuWalk(n_steps=2, max_ascents=2),
    TabuWalk(n_steps=12, tenure=3, max_ascents=12),
    *(TabuWalk(n_steps=12, max_ascents=most) for most in (0, 1, 3)),
]


@pytest.mark.parametrize("walk", WALKS, ids=str)
def test_a_walk_goes_by_the_mildest_flips_and_knows_when_to_end(walk):
    n_below = n_early = 0
    for seed in range(80):
        rng = np.random.default_rng(seed)
        draws = noisy_draws(rng, int(rng.integers(2, 13)), int(rng.integers(1, 6)), 25, noise=0.3)
        search = RecordedSearch(draws[0], draws, float(rng.choice([0.5, 1.0])))
        search.descend()
        search.steps.clear()
        start = search.score
        walk(search, rng)
        n_early += check_walk(search.steps, start, walk)
        n_below += search.score < start
    assert n_below < 80
    assert min(n_below, n_early) > 0 or walk != WALKS[1]


def test_a_walk_ends_where_every_flip_is_tabu():
    # One item, one feature and one empty column: two flips, and then both are tabu.
    search = RecordedSearch(np.array([[1]], dtype=np.uint8), [np.array([[1]])] * 3, 1.0)
    TabuWalk(n_steps=10, tenure=6, max_ascents=10)(search, np.random.default_rng(0))
    flips = [(flip, width) for flip, _, width, _ in search.steps]
    assert len(set(flips)) == len(flips)
