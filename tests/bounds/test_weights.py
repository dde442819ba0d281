"""Bounds of weighted draws: prices, totals, rounds and verdicts are those of copies."""

import numpy as np
import pytest

import fangs
from fangs.bounds.dual import dual_bound
from fangs.engine import Deadline
from fangs.loss import Objective
from support.pricing import labelling_by
from support.strategies import noisy_draws, random_allocation


def problem(rng, a):
    """Labellings of weighted draws and of their copies, and the draw of each copy."""
    draws = noisy_draws(rng, int(rng.integers(2, 8)), int(rng.integers(1, 4)), 6, noise=0.1)
    weights = rng.integers(0, 6, size=6)
    weights[0] = 5
    which = np.repeat(np.arange(6), weights)
    weighted = fangs.Samples(draws, weights=weights)
    copies = fangs.Samples([draws[b] for b in which])
    n_items = weighted.n_items
    reference = random_allocation(rng, n_items, 2) if rng.random() < 0.2 else weighted[0]
    return labelling_by(reference, weighted, a), labelling_by(reference, copies, a)


def copy_by_copy(priced):
    """Prices of each copy, in the order of the copies."""
    info = priced.engine.samples_info
    by_draw = np.split(priced.prices, priced.first[1:-1])
    weights = [1] * info.n_draws if info.weights is None else info.weights.tolist()
    return [prices.tolist() for prices, w in zip(by_draw, weights, strict=True) for _ in range(w)]


@pytest.mark.parametrize("seed", range(4))
def test_prices_and_totals_are_those_of_copies(seed):
    rng = np.random.default_rng(seed)
    n_split = n_feasible = n_refused = 0
    for _ in range(30):
        weighted, copies = problem(rng, float(rng.choice([0.4, 0.75, 1.0, 1.25, 1.6])))
        ours, theirs = list(weighted.shared_prices()), list(copies.shared_prices())
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            assert copy_by_copy(one) == copy_by_copy(other)
            n_split += one.engine is not weighted.alignment.engine
            assert one.total(one.safe_prices) == other.total(other.safe_prices)
            for limit in (other.total(other.safe_prices), 1.1 * other.total(other.prices)):
                assert one.feasible_total(limit) == other.feasible_total(limit)
            for level in (0.0, 0.2, 0.5, 1.0):
                raised = [
                    (p.prices + level * (p.safe_prices - p.prices)).astype(np.int64)
                    for p in (one, other)
                ]
                is_feasible = other.is_feasible(raised[1])
                assert one.is_feasible(raised[0]) == is_feasible
                n_feasible, n_refused = n_feasible + is_feasible, n_refused + (not is_feasible)
    assert min(n_split, n_feasible, n_refused) > 5


def test_units_that_would_overflow_are_refused():
    samples = fangs.Samples([np.eye(9)] * 2, weights=[2**52, 1])
    alignment = fangs.align(np.eye(9), samples)
    assert dual_bound(alignment, Objective.of(samples.info, 1.0), Deadline(), known=-1) is not None
    assert dual_bound(alignment, Objective.of(samples.info, 0.997), Deadline(), known=-1) is None


@pytest.mark.parametrize("seed", range(8))
def test_column_generation_is_that_of_copies(seed):
    """Also where equal draws differ in the order of their features, and some count nothing."""
    rng = np.random.default_rng(seed)
    some = noisy_draws(rng, 8, 3, 5, noise=0.25)
    draws = [some[k][:, rng.permutation(some[k].shape[1])] for k in rng.integers(5, size=20)]
    weights = rng.integers(0, 4, size=20)
    weights[0], weights[1] = 0, 2
    copies = [draws[b] for b in np.repeat(np.arange(20), weights)]
    for a in (0.6, 1.0, 1.4):
        ours, theirs = (
            fangs.certify(some[0], samples, a=a, max_seconds=None)
            for samples in (fangs.Samples(draws, weights=weights), fangs.Samples(copies))
        )
        assert ours == theirs
        assert ours.rounds == theirs.rounds
        assert (ours.better is None) == (theirs.better is None)
        if ours.better is None:
            assert ours.is_global_optimum
        else:
            best = ours.better
            assert np.array_equal(best.matrix, theirs.better.matrix)
            assert best.lower_bound == best.expected_loss
            assert best.expected_loss == fangs.expected_loss(best, copies, a=a)


def test_decimal_weights_leave_next_to_no_gap():
    rng = np.random.default_rng(2)
    draws = noisy_draws(rng, 12, 4, 60, noise=0.2)
    samples = fangs.Samples(draws, weights=rng.dirichlet(np.full(60, 0.7)))
    assert samples.info.total_weight > 2**30
    found = fangs.estimate(samples, seed=1)
    certificate = fangs.certify(found, samples, max_seconds=None)
    assert certificate.method == "columns"
    assert 0 < certificate.gap_percent < 1e-5
    assert "rounded" in certificate.stopped_because
    heavy = fangs.Samples(draws, weights=rng.integers(2**46, 2**47, size=60))
    certificate = fangs.certify(fangs.assess(found, heavy, a=0.997), heavy, max_seconds=None)
    assert "weigh too much" in certificate.stopped_because
