"""The linear programme over some columns: its optimum by SciPy, prices that are feasible, time."""

import numpy as np
import pytest

import fangs
from fangs.bounds.columns.programme import solve
from fangs.engine import OutOfTimeError, as_engine
from oracles.plain_engine import PlainPricing
from support.pricing import pricing_problem
from support.strategies import noisy_draws, random_allocation


@pytest.mark.parametrize("seed", range(8))
def test_the_programme_agrees_with_scipy(seed):
    rng = np.random.default_rng(seed)
    pricings, plain = pricing_problem(rng, 8, 15)
    columns = np.unique(random_allocation(rng, 8, 6), axis=1)
    columns = np.ascontiguousarray(columns[:, columns.any(axis=0)], dtype=np.uint8)
    least = np.zeros(columns.shape[1], dtype=np.int64)
    is_fixed = np.zeros(columns.shape[1], dtype=bool)
    least[0], least[1], is_fixed[1] = 1, 1, seed % 2
    given = {"tolerance": 1e-4, "least": least, "is_fixed": is_fixed}
    expected = solve(plain, columns, **given)
    draws = [draw.astype(np.int64) for draw in plain.draws]
    fine = PlainPricing(draws, plain.weights, 1000 * plain.scale, 1000 * plain.item_cost)
    solutions = [solve(pricing, columns, **given) for pricing in pricings]
    for solved in solutions:
        assert solved.value == pytest.approx(expected.value, abs=1e-4)
        assert 0 <= solved.gap <= 1e-4
        assert (solved.multiplicities >= least).all()
        assert solved.multiplicities[1] == pytest.approx(1) or not is_fixed[1]
        # The prices are feasible: no column that may be used more often makes a profit.
        fine.set_prices(np.ceil(solved.prices * fine.scale).astype(np.int64))
        assert (fine.profits(columns)[~is_fixed] <= 0).all()
    assert np.array_equal(solutions[0].prices, solutions[1].prices)  # for any number of threads


def test_the_programme_stops_where_prices_are_good_enough():
    rng = np.random.default_rng(1)
    (pricing, _), _ = pricing_problem(rng, 8, 15)
    columns = np.ascontiguousarray(np.eye(8, dtype=np.uint8))
    exact = solve(pricing, columns, tolerance=1e-6)
    rough = solve(pricing, columns, tolerance=1e-6, enough=exact.value + 50)
    assert exact.value <= rough.value <= exact.value + 50
    assert rough.gap > exact.gap
    assert solve(pricing, columns[:, :0], tolerance=1e-6).value == 0


def test_no_pass_goes_on_when_the_time_is_over():
    samples = fangs.Samples(noisy_draws(np.random.default_rng(4), 14, 5, 60, noise=0.3))
    weights = np.ones(60, dtype=np.int64)
    engine = as_engine(samples, 1).limited(0.0)
    pricing = engine.pricing(np.arange(60), weights, scale=2, item_cost=60)
    some = samples[0]
    for step in (pricing.profits, pricing.climb):
        with pytest.raises(OutOfTimeError):
            step(some)
    with pytest.raises(OutOfTimeError):
        solve(pricing, some, tolerance=1e-6)
    pricing = as_engine(samples, 1).pricing(np.arange(60), weights, scale=2, item_cost=60)
    cut, whole = (solve(pricing, some, tolerance=1e-6, seconds=s) for s in (0.0, 1e6))
    assert cut.gap > whole.gap  # the point where it began
