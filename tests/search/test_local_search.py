"""LocalSearch: every flip is priced exactly, and every move arrives where it should."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fangs.search.local_search import never
from oracles import reference as ref
from support.checks import exact_changes
from support.searches import ANY_PENALTY, score_by_definition, search_from
from support.strategies import estimate_and_draws, penalties, random_allocation


@pytest.mark.parametrize("a", ANY_PENALTY)
@settings(max_examples=20)
@given(problem=estimate_and_draws(max_items=3, max_features=3))
def test_a_search_offers_every_flip_and_one_birth_per_item(a, problem):
    matrix, draws = problem
    search = search_from(matrix, draws, a)
    costs = search.flip_costs().reshape(search.matrix.shape)
    unit = Fraction(repr(a)).denominator * len(draws)
    wanted = exact_changes(search.matrix, draws, a) * unit
    assert costs.tolist() == wanted.tolist()  # it begins with a single empty column
    search = search_from(random_allocation(np.random.default_rng(1), 3, 16, 0.9), [np.eye(3)], a)
    costs = search.flip_costs().reshape(search.matrix.shape)
    first, second = np.flatnonzero(~search.matrix.any(axis=0))
    assert (costs[:, first] != never(costs)).all()
    assert (costs[:, second] == never(costs)).all()
    assert (costs <= never(costs)).all()


@settings(max_examples=40)
@given(estimate_and_draws(max_items=3, max_features=3), penalties, st.randoms())
def test_flips_are_scored_exactly_and_taken_back_where_they_do_not_help(problem, a, random):
    matrix, draws = problem
    search = search_from(matrix, draws, a)
    for _ in range(8):
        before, score, n_flips = search.matrix, search.score, search.n_flips
        assert search.key == (score, before.sum())
        assert search.n_features == before.any(axis=0).sum()
        assert not before.any(axis=0).all(), "no room for a birth"
        entries = range(before.size)
        flips = np.array(random.sample(entries, min(len(entries), random.randint(1, 3))))
        wanted = before.ravel().copy()
        wanted[flips] ^= 1
        wanted = wanted.reshape(before.shape)
        helps = score_by_definition(wanted, draws, a) < score
        assert search.try_flips(flips) == helps
        if helps:
            assert np.array_equal(ref.left_ordered(search.matrix), ref.left_ordered(wanted))
            assert search.n_flips == n_flips + len(flips)
        else:
            assert np.array_equal(search.matrix, before)
            assert (search.score, search.n_flips) == (score, n_flips)
            fresh = search_from(before, draws, a)
            if np.array_equal(fresh.matrix, before):  # else its columns are in another order
                assert np.array_equal(search.flip_costs(), fresh.flip_costs())
        assert search.score == score_by_definition(search.matrix, draws, a)


@settings(max_examples=60)
@given(estimate_and_draws(max_items=3, max_features=3, max_draws=3), penalties, st.data())
def test_a_move_reaches_exactly_the_allocation(problem, a, data):
    matrix, draws = problem
    search = search_from(matrix, draws, a)
    for _ in range(4):
        width = data.draw(st.sampled_from([0, 1, search.matrix.shape[1], 4]))
        bits = data.draw(st.lists(st.integers(0, 1), min_size=3 * 4, max_size=3 * 4))
        target = np.array(bits, dtype=np.uint8).reshape(3, 4)[: len(matrix), :width]
        search.move_to(target)
        assert np.array_equal(ref.left_ordered(search.matrix), ref.left_ordered(target))
        assert search.score == score_by_definition(target, draws, a)
        assert not search.matrix.any(axis=0).all(), "no room for a birth"
        costs = search.flip_costs()
        fresh = search_from(search.matrix, draws, a).flip_costs()
        assert sorted(c for c in costs.tolist() if c != never(costs)) == sorted(fresh.tolist())
