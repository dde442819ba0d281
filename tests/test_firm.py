"""Firm draws: passed over by flips and prices, which stay exact all the same."""

import numpy as np
import pytest

import fangs
import scipy_overlap
from fangs.engine import Engine
from fangs.loss import left_order
from strategies import random_allocation


def clear_draws(rng, n_items, n_features, n_draws, noise):
    """Draws around one truth, some with a feature more, some with one fewer, most with neither."""
    truth = random_allocation(rng, n_items, n_features)
    draws = []
    for _ in range(n_draws):
        draw = (truth ^ (rng.random(truth.shape) < noise)).astype(np.uint8)
        extra = random_allocation(rng, n_items, int(rng.random() < 0.3))
        kept = rng.permutation(n_features)[: n_features - int(rng.random() < 0.1)]
        draws.append(np.hstack([draw[:, kept], extra]))
    return truth, draws


def check(nearby, draws):
    """Everything the state says is what its definition says."""
    matrix = nearby.matrix
    assert nearby.total_overlap == sum(scipy_overlap.max_overlap(matrix, draw) for draw in draws)
    assert nearby.sizes.tolist() == matrix.sum(axis=0).tolist()
    wanted = scipy_overlap.overlap_changes(matrix, draws)
    for got, want in zip(nearby.changes(), wanted, strict=True):
        assert np.array_equal(got, want)


@pytest.mark.parametrize("n_items", [6, 20, 64, 70])
@pytest.mark.parametrize("noise", [0.0, 0.03, 0.15])
def test_walks_stay_exact(n_items, noise):
    """Flips here and there, many in one feature, births, deaths and the way back."""
    rng = np.random.default_rng(n_items)
    for n_features in (1, 2, 4):
        truth, draws = clear_draws(rng, n_items, n_features, 12, noise)
        nearby = Engine(fangs.Samples(draws)).neighbourhood(np.pad(truth, ((0, 0), (0, 2))))
        was_firm = False
        for step in range(14):
            if step % 3 != 2:  # else flips follow flips, with no pricing in between
                check(nearby, draws)
            was_firm |= nearby.n_firm > 0
            width = n_features if step % 5 else n_features + 2
            count = min(int(rng.integers(1, 2 + n_items // 4)), n_items * width)
            chosen = rng.choice(n_items * width, size=count, replace=False)
            nearby.flip(*np.divmod(chosen, width))
            if step % 4 == 3:
                nearby.flip(*np.divmod(chosen, width))
        check(nearby, draws)
        assert was_firm or n_items == 6 or noise == 0.15


@pytest.mark.parametrize("seed", range(8))
def test_a_feature_that_dies_and_is_born_again(seed):
    rng = np.random.default_rng(seed)
    truth, draws = clear_draws(rng, 18, 3, 9, 0.05)
    nearby = Engine(fangs.Samples(draws)).neighbourhood(np.pad(truth, ((0, 0), (0, 1))))
    items = np.flatnonzero(truth[:, 1])
    check(nearby, draws)
    for item in items:  # one by one, until it has none
        nearby.flip(item, 1)
        check(nearby, draws)
    for feature in (1, 3):
        nearby.flip(items, np.full(len(items), feature))
        check(nearby, draws)


def test_clear_draws_are_firm_until_a_feature_is_born():
    truth = np.kron(np.eye(3, dtype=np.uint8), np.ones((10, 1), dtype=np.uint8))
    nearby = Engine(fangs.Samples([truth] * 5)).neighbourhood(np.pad(truth, ((0, 0), (0, 1))))
    assert nearby.n_firm == 0  # nothing has been priced yet
    nearby.counts()
    assert nearby.n_firm == 5
    nearby.flip([0, 1, 2], [0, 0, 0])
    assert nearby.n_firm == 5
    nearby.flip(0, 3)
    assert nearby.n_firm == 0
    nearby.counts()
    assert nearby.n_firm in (0, 5)
    check(nearby, [truth] * 5)


def test_tied_draws_are_not_firm():
    twins = np.array([[1, 1], [1, 1], [0, 0]], dtype=np.uint8)
    nearby = Engine(fangs.Samples([twins] * 4)).neighbourhood(twins)
    check(nearby, [twins] * 4)
    assert nearby.n_firm == 0


@pytest.mark.parametrize("noise", [0.02, 0.2])
def test_align_to_equals_aligning_anew(noise):
    rng = np.random.default_rng(3)
    truth, draws = clear_draws(rng, 40, 4, 30, noise)
    engine = Engine(fangs.Samples(draws))
    nearby = engine.neighbourhood(np.pad(truth, ((0, 0), (0, 1))))
    for _ in range(4):
        nearby.counts()
        nearby.flip(rng.choice(40, size=4, replace=False), rng.integers(0, 4, size=4))
        order = left_order(nearby.matrix)
        anew = engine.align(np.ascontiguousarray(nearby.matrix[:, order]))
        at_hand = nearby.align_to(order)
        assert np.array_equal(at_hand.overlaps, anew.overlaps)
        assert np.array_equal(at_hand.counts, anew.counts)
    assert noise == 0.2 or nearby.n_firm > 15


@pytest.mark.parametrize("n_features", [3, 20])
def test_a_copy_goes_its_own_way(n_features):
    rng = np.random.default_rng(n_features)
    truth, draws = clear_draws(rng, 30, n_features, 6, 0.03)
    one = Engine(fangs.Samples(draws)).neighbourhood(truth)
    one.counts()
    other = one.copy()
    assert (one.n_firm == 6) == (n_features == 3)
    one.flip(0, 0)
    other.flip([5, 6], [1, 1])
    for nearby in (one, other):
        check(nearby, draws)
        nearby.flip(np.arange(20), np.full(20, 2))  # more than any draw bears
        check(nearby, draws)
    assert not np.array_equal(one.matrix, other.matrix)


@pytest.mark.parametrize("n_items", [10_921, 10_922])
def test_full_features_of_either_width(n_items):
    """Overlaps as large as 16 bits allow, and the first that need 32."""
    truth = np.zeros((n_items, 2), dtype=np.uint8)
    truth[:, 0] = 1
    truth[: n_items // 2, 1] = 1
    draws = [truth, truth[:, ::-1]]
    engine = Engine(fangs.Samples(draws))
    nearby = engine.neighbourhood(truth)
    nearby.counts()
    assert nearby.n_firm == 2
    nearby.flip(np.arange(300), np.ones(300, dtype=np.int64))
    fresh = engine.neighbourhood(nearby.matrix)
    assert nearby.total_overlap == fresh.total_overlap
    assert np.array_equal(nearby.counts(), fresh.counts())


@pytest.mark.parametrize("n_features", [0, 2])
def test_no_flips_change_nothing(n_features):
    rng = np.random.default_rng(1)
    _, draws = clear_draws(rng, 8, 2, 5, 0.0)
    nearby = Engine(fangs.Samples(draws)).neighbourhood(random_allocation(rng, 8, n_features))
    check(nearby, draws)
    nearby.flip([], [])
    check(nearby, draws)
