"""Lower bounds: never above the optimum, and equal to it where that must be proved."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

import fangs
from fangs.bounds.certify import certify, lower_bound
from fangs.bounds.dual import dual_bound
from fangs.bounds.pairs import item_bound, pair_bound
from fangs.engine import Deadline, as_engine
from fangs.loss import Objective
from fangs.simulate import posterior_like
from oracles.enumeration import small_problems
from support.pricing import labelling_by
from support.strategies import noisy_draws, random_allocation

# 1.1234567 has too large a denominator for whole prices and is interpolated.
PENALTIES = (0.125, 0.3, 0.5, 0.75, 1.0, 1.25, 1.5, 1.875, 1.1234567)


def test_no_bound_exceeds_the_exhaustive_optimum():
    rng = np.random.default_rng(1)
    n_tight = dict.fromkeys(("items", "pairs", "dual"), 0)
    for draws, a, best, table in small_problems(rng, 600, PENALTIES):
        samples = fangs.Samples(draws)
        engine = as_engine(samples, 1)
        objective = Objective.of(engine.samples_info, a)
        # Any reference must do, also one that has nothing to do with the draws.
        anything = table.estimates[rng.integers(len(table.estimates))]
        near = samples[int(rng.integers(len(samples)))]
        reference = np.ascontiguousarray(near if rng.random() < 0.7 else anything, dtype=np.uint8)
        bounds = {
            "items": item_bound(engine, objective),
            "pairs": pair_bound(engine, objective),
            "dual": dual_bound(
                fangs.align(reference, samples, n_threads=1),
                objective,
                Deadline(),
                known=Fraction(0),
            ),
        }
        for name, bound in bounds.items():
            if bound is not None:
                assert 0 <= bound <= best + 1e-9, (name, a, list(samples), reference)
                n_tight[name] += bound >= best - 1e-9
    assert min(n_tight.values()) > 100, n_tight


def test_an_estimate_said_to_be_optimal_is():
    rng = np.random.default_rng(2)
    n_proved = 0
    for draws, a, best, _ in small_problems(rng, 150, PENALTIES):
        samples = fangs.Samples(draws)
        found = fangs.estimate(samples, a=a, n_init=4, n_sweet=1, seed=0)
        certificate = certify(found, samples, method="dual")
        assert certificate.lower_bound <= best + 1e-9
        if certificate.is_global_optimum:
            n_proved += 1
            assert found.expected_loss == pytest.approx(best, abs=1e-9)
            assert certificate.gap == 0.0
    assert n_proved > 100


def profit(e, draws, prices, threshold):
    """g(e) of the docs: overlaps of a column beyond the prices, less its penalty."""
    total = -threshold * int(e.sum())
    for draw, costs in zip(draws, prices, strict=True):
        values = [int((draw[:, k] & e).sum()) - y for k, y in enumerate(costs)]
        total += max([0, *values])
    return total


@pytest.mark.parametrize("seed", range(4))
def test_no_column_makes_a_profit_at_feasible_prices(seed):
    """The heart of the dual bound, against all columns one by one, at arbitrary prices."""
    rng = np.random.default_rng(seed)
    n_feasible = n_refused = 0
    for _ in range(60):
        n_items, n_draws = int(rng.integers(2, 8)), int(rng.integers(2, 7))
        draws = noisy_draws(rng, n_items, int(rng.integers(1, 4)), n_draws, noise=0.1)
        samples, a = fangs.Samples(draws), float(rng.choice([0.4, 0.75, 1.0, 1.25, 1.6]))
        reference = random_allocation(rng, n_items, 2) if rng.random() < 0.2 else samples[0]
        labelling = labelling_by(reference, samples, a)
        priced = next(iter(labelling.shared_prices()))
        lowest = priced.prices
        assert priced.is_feasible(priced.safe_prices)
        level = rng.choice([0.0, 0.1, 0.3, 0.6])
        jitter = rng.uniform(0.8, 1.1, size=len(lowest))
        prices = lowest + level * (priced.safe_prices - lowest)
        prices = (prices * jitter).astype(np.int64)
        if not priced.is_feasible(prices):
            n_refused += 1
            continue
        n_feasible += 1
        by_draw = np.split(prices, priced.first[1:-1])
        exact = [[Fraction(int(y), labelling.scale) for y in costs] for costs in by_draw]
        threshold = Fraction(repr(a)) * n_draws / 2
        for bits in itertools.product((0, 1), repeat=n_items):
            assert profit(np.array(bits), list(samples), exact, threshold) <= 0
    assert n_feasible > 5
    assert n_refused > 5


@pytest.mark.parametrize(
    ("n_items", "n_features", "changes", "a"),
    [
        (300, 4, {}, 1.0),
        (800, 5, {}, 1.0),
        (300, 4, {"births": 0.2}, 1.3),
        (300, 4, {"births": 0.2, "deaths": 0.02}, 0.7),
    ],
)
def test_clear_features_are_certified(n_items, n_features, changes, a):
    made = posterior_like(n_items, n_features, 500, noise=0.05, seed=1, **changes)
    samples = fangs.Samples(made.draws)
    found = fangs.estimate(samples, a=a, n_init=4, n_sweet=1, seed=0)
    certificate = certify(found, samples, method="dual")
    assert certificate.is_global_optimum
    assert certificate.method == "dual"
    assert certificate.attach(found).lower_bound == found.expected_loss
    assert certify(found, samples, method="dual", n_threads=1) == certificate

    worse = found.matrix.copy()
    worse[0, 0] ^= 1
    gap = certify(worse, samples, a=a, method="dual")
    assert not gap.is_global_optimum
    assert gap.lower_bound <= found.expected_loss < gap.expected_loss


def test_no_method_begins_when_the_time_is_over():
    draws = noisy_draws(np.random.default_rng(6), 12, 3, 20, noise=0.3)
    certificate = fangs.certify(draws[0], draws, max_seconds=1e-9)
    assert list(certificate.bounds) == ["items"]
    assert certificate.stopped_because == "time is over"
    assert certificate.lower_bound == lower_bound(draws, method="pairs", max_seconds=1e-9)


def test_a_later_method_never_lowers_the_bound():
    samples = fangs.datasets.example()
    bounds = [lower_bound(samples, method=method) for method in ("items", "pairs", "dual")]
    assert bounds == sorted(bounds)
    found = fangs.estimate(samples, seed=1)
    assert 0 < bounds[-1] <= found.expected_loss
    certificate = certify(found, samples, method="dual")
    assert certificate.lower_bound == lower_bound(samples, estimate=found)
    assert certificate.gap_percent == pytest.approx(100 * certificate.gap / found.expected_loss)


def test_an_alignment_stands_for_its_draws():
    samples = fangs.datasets.example()
    found = fangs.estimate(samples, seed=1)
    certificate = certify(found, samples, method="dual")
    assert certify(found, fangs.align(found, samples), method="dual") == certificate
    assert (
        certify(found, fangs.align(samples[0], samples), method="dual") == certificate
    )  # to another reference
    assert lower_bound(fangs.align(found, samples), method="dual") == certificate.lower_bound


def test_a_bound_is_rounded_down():
    # The exact bound, 1/3 of 0.2, has no float; its neighbour above must not be given.
    draws = [[[1]], [[0]], [[0]]]
    bound = lower_bound(draws, a=1.9, method="items")
    assert Fraction(bound) <= Fraction(1, 30)
    assert np.nextafter(bound, 1) > 1 / 30
