"""Penalty perturbation: a descent at another penalty, and back."""

import math

import numpy as np
import pytest

from fangs.engine import as_engine
from fangs.search import SearchParams, run_search
from fangs.search.perturb import PenaltyShift, scale_odds
from fangs.search.record import SearchSettings
from support.checks import is_flip_optimal
from support.searches import score_by_definition, search_from
from support.strategies import noisy_draws


@pytest.mark.parametrize("factor", [0.25, 0.7, 1.4, 4.0])
@pytest.mark.parametrize("a", [0.5, 1.0, 1.6])
def test_the_end_is_flip_optimal_at_the_other_penalty(a, factor):
    rng = np.random.default_rng(2)
    n_ones = {"before": 0, "after": 0}
    for _ in range(10):
        draws = noisy_draws(rng, 4, 2, 7, noise=0.3)
        search = search_from(draws[0], draws, a)
        search.descend()
        n_ones["before"] += search.n_ones
        own = search.objective
        PenaltyShift(factor)(search, rng)
        n_ones["after"] += search.n_ones
        assert search.objective is own
        assert is_flip_optimal(search.matrix, draws, scale_odds(a, factor))
        assert search.score == score_by_definition(search.matrix, draws, a)
    if factor in (0.25, 4.0):
        assert (n_ones["after"] > n_ones["before"]) == (factor < 1)


def test_the_objective_is_restored_when_the_descent_is_interrupted():
    draws = noisy_draws(np.random.default_rng(3), 6, 3, 9, noise=0.3)
    seen = []

    def stop(search):
        seen.append(search.objective.a)
        raise KeyboardInterrupt

    search = search_from(draws[0], draws, 1.0, on_step=stop)
    own = search.objective
    with pytest.raises(KeyboardInterrupt):
        PenaltyShift(0.5)(search, np.random.default_rng(0))
    assert seen == [scale_odds(1.0, 0.5)]
    assert search.objective is own


@pytest.mark.parametrize("a", [5e-324, 1e-300, 0.01, 0.3, 1.0, 1.4, 1.99, math.nextafter(2, 0)])
def test_odds_are_scaled_and_a_penalty_stays_one(a):
    for factor in (1e-9, 0.5, 0.7, 1.0, 1.4, 2.0, 1e9):
        scaled = scale_odds(a, factor)
        assert 0 < scaled < 2
        if 0.01 <= a <= 1.99 and 0.5 <= factor <= 2:
            assert scaled / (2 - scaled) == pytest.approx(factor * a / (2 - a), rel=1e-3)
            assert float(f"{scaled:.6g}") == scaled, "too many digits"


def test_a_shift_over_all_draws_leaves_the_incumbent_at_its_own_penalty():
    """At a smaller penalty scores are lower; they must not pass for something better."""
    draws = noisy_draws(np.random.default_rng(3), 8, 3, 40, noise=0.3)
    params = SearchParams(final_tries=("penalty",))
    found = run_search(as_engine(draws), 1.0, SearchSettings(seed=1), params=params)
    plain = run_search(
        as_engine(draws), 1.0, SearchSettings(seed=1), params=SearchParams(final_tries=())
    )
    assert found.expected_loss <= plain.expected_loss
    assert found.is_flip_optimal
