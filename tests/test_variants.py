"""Variants of one allocation, priced and aligned at once: as if each were the only one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fangs
import scipy_overlap
from fangs import _core
from fangs.engine import Engine
from fangs.loss import left_ordered
from fangs.simulate import posterior_like
from fangs.sweeten import with_empty, without_empty
from strategies import estimate_and_draws, random_allocation


def clear_draws(rng, n_items, n_features, n_draws, noise):
    """Draws around one truth, some with a feature more, some with one fewer, most with neither."""
    truth = random_allocation(rng, n_items, n_features)
    draws = []
    for _ in range(n_draws):
        draw = (truth ^ (rng.random(truth.shape) < noise)).astype(np.uint8)
        extra = random_allocation(rng, n_items, int(rng.random() < 0.3))
        kept = rng.permutation(n_features)[: n_features - int(rng.random() < 0.1)]
        draws.append(np.hstack([draw[:, kept], extra]))
    return without_empty(truth), draws


def variants_of(rng, reference, numbers):
    """Variants with so many entries flipped, their columns shuffled."""
    n_features = reference.shape[1]
    made = []
    for number in numbers:
        matrix = reference.copy()
        chosen = rng.choice(matrix.size, size=min(number, matrix.size), replace=False)
        matrix[np.divmod(chosen, max(n_features, 1))] ^= 1
        origin = rng.permutation(n_features)
        made.append((np.ascontiguousarray(matrix[:, origin]), origin))
    return made


def check(priced, matrix, engine, draws=None):
    """Everything that is said of a variant is what passes over it alone say, and scipy."""
    anew = engine.align(matrix)
    assert np.array_equal(priced.matrix, matrix)
    assert np.array_equal(priced.aligned.overlaps, anew.overlaps)
    assert np.array_equal(priced.aligned.counts, anew.counts)
    spare = np.ascontiguousarray(np.pad(matrix, ((0, 0), (0, 1))))
    assert np.array_equal(priced.counts, engine.neighbourhood(spare).counts())
    if draws is not None:
        on, off = scipy_overlap.overlap_changes(spare, draws)
        assert np.array_equal(priced.counts, on + off)


@pytest.mark.parametrize("n_items", [6, 20, 64, 70])
@pytest.mark.parametrize("noise", [0.0, 0.03, 0.15])
def test_variants_near_and_far_are_exact(n_items, noise):
    rng = np.random.default_rng(n_items)
    for n_features in (1, 2, 4):
        reference, draws = clear_draws(rng, n_items, n_features, 12, noise)
        engine = Engine(fangs.Samples(draws))
        variants = variants_of(rng, reference, (0, 1, 3, n_items // 2, n_items, 2 * n_items))
        for (matrix, _), priced in zip(
            variants, engine.price_variants(reference, variants), strict=True
        ):
            check(priced, matrix, engine, draws)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_draws_that_are_not_matched_anew_count_as_for_the_reference(n_threads):
    rng = np.random.default_rng(5)
    numbers = []
    for seed in range(20):
        draws = posterior_like(40, 3, 900, density=0.3, noise=0.04, seed=seed).draws
        reference = fangs.estimate(draws, seed=1).matrix.copy()
        engine = Engine(fangs.Samples(draws), n_threads)
        begin = engine.price(reference)
        variants = variants_of(rng, reference, (0, 2, 12, 40))
        for (_, origin), priced in zip(
            variants, engine.price_variants(reference, variants), strict=True
        ):
            numbers.append(priced.n_anew)
            assert 0 <= priced.n_anew <= len(draws)
            if priced.n_anew == 0:
                columns = [*origin, reference.shape[1]]
                assert np.array_equal(priced.counts, begin.counts[:, columns])
                assert np.array_equal(priced.aligned.counts, begin.aligned.counts[:, origin])
    assert 20 < numbers.count(0) < 60
    assert len(set(numbers)) > 10


@given(estimate_and_draws(max_items=6, max_features=3), st.integers(0, 2**32 - 1))
def test_variants_of_anything_are_exact(problem, seed):
    matrix, draws = problem
    rng = np.random.default_rng(seed)
    reference = without_empty(matrix)
    engine = Engine(fangs.Samples(draws))
    variants = variants_of(rng, reference, (0, 1, 2, 5))
    for (variant, _), priced in zip(
        variants, engine.price_variants(reference, variants), strict=True
    ):
        check(priced, variant, engine)


def test_features_that_lose_all_items_or_swap_them():
    rng = np.random.default_rng(2)
    reference, draws = clear_draws(rng, 30, 3, 20, 0.02)
    engine = Engine(fangs.Samples(draws))
    same = np.arange(3)
    emptied, swapped = reference.copy(), reference[:, [1, 0, 2]].copy()
    emptied[:, 1] = 0
    variants = [(reference, same), (emptied, same), (swapped, same)]
    for (matrix, _), priced in zip(
        variants, engine.price_variants(reference, variants), strict=True
    ):
        check(priced, matrix, engine, draws)


@pytest.mark.parametrize("n_features", [0, 3, 20])
def test_one_allocation_is_priced_as_by_itself(n_features):
    """Also among so many features that nothing is firm."""
    rng = np.random.default_rng(n_features)
    reference, draws = clear_draws(rng, 40, n_features, 15, 0.05)
    engine = Engine(fangs.Samples(draws))
    check(engine.price(reference), reference, engine)


def test_twins_in_the_draws_leave_a_choice():
    twins = np.array([[1, 1], [1, 1], [0, 0]], dtype=np.uint8)
    draws = [twins, twins[:, :1], np.array([[1, 1], [1, 0], [0, 1]])]
    engine = Engine(fangs.Samples(draws))
    for reference in (twins, left_ordered(draws[2]), twins[:, :1].copy()):
        check(engine.price(reference), reference, engine, draws)


@pytest.mark.parametrize("n_items", [10_921, 10_922])
def test_full_features_of_either_width(n_items):
    """Overlaps as large as 16 bits allow, and the first that need 32."""
    truth = np.zeros((n_items, 2), dtype=np.uint8)
    truth[:, 0] = 1
    truth[: n_items // 2, 1] = 1
    engine = Engine(fangs.Samples([truth, truth[:, ::-1]]))
    fewer = truth.copy()
    fewer[:300, 1] = 0
    variants = [(truth, np.arange(2)), (fewer, np.arange(2))]
    for (matrix, _), priced in zip(variants, engine.price_variants(truth, variants), strict=True):
        check(priced, matrix, engine)


def test_any_number_of_threads_gives_the_same(monkeypatch):
    rng = np.random.default_rng(4)
    reference, draws = clear_draws(rng, 70, 4, 900, 0.08)
    samples = fangs.Samples(draws)
    variants = variants_of(rng, reference, (0, 5, 40))
    outcomes = [
        [
            (p.aligned.overlaps.tobytes(), p.aligned.counts.tobytes(), p.counts.tobytes(), p.n_anew)
            for p in Engine(samples, n_threads).price_variants(reference, variants)
        ]
        for n_threads in (1, 2, 7)
    ]
    assert outcomes[0] == outcomes[1] == outcomes[2]


def test_what_would_be_unsafe_is_refused():
    samples = fangs.Samples([np.eye(3)])
    reference = np.eye(3, dtype=np.uint8)
    order = np.arange(3)
    with_hole = with_empty(reference[:, :2])
    for wrong, variants in [
        (with_hole, [(with_hole, order)]),
        (reference, [(reference, np.array([0, 1, 1]))]),
        (reference, [(reference, np.array([0, 1, 3]))]),
        (reference, [(reference, np.array([-1, 0, 1]))]),
        (reference, [(reference, np.arange(2))]),
        (reference, [(reference[:, :2].copy(), order)]),
        (reference, [(reference[:2].copy(), order)]),
        (reference[:2].copy(), [(reference, order)]),
    ]:
        with pytest.raises(ValueError, match=r"empty|order|differ|items"):
            _core.price_variants(samples._draws, wrong, variants, 1)


def test_overlaps_of_many_items_add_up():
    """Each feature's overlap fits into 16 bits, all of them together do not."""
    n_items = 10_900
    reference = np.zeros((n_items, 6), dtype=np.uint8)
    for f in range(6):
        reference[f::7, f] = 1
        reference[: 7 * 1000, f] = 1
    assert reference.sum() > 2**15
    samples = fangs.Samples([reference, reference[:, ::-1]])
    priced = Engine(samples).price(left_ordered(reference))
    assert priced.aligned.overlaps.tolist() == [reference.sum()] * 2


def test_a_feature_that_loses_all_it_shares_is_no_longer_matched():
    """Its partner is free then: what it has is counted for a birth, not for the feature."""
    reference = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=np.uint8)
    draws = [[[1, 0], [0, 0], [0, 1], [0, 1]]]
    engine = Engine(fangs.Samples(draws))
    variant = np.array([[0, 0], [1, 0], [0, 1], [0, 1]], dtype=np.uint8)
    (priced,) = engine.price_variants(reference, [(variant, np.arange(2))])
    assert priced.aligned.counts[:, 0].tolist() == [0, 0, 0, 0]
    assert priced.counts[:, 2].tolist() == [1, 0, 0, 0]
    check(priced, variant, engine, draws)


def test_a_feature_may_share_nothing_with_a_draw_of_as_many_features():
    reference = np.array([[1, 0], [0, 1], [0, 0], [0, 0]], dtype=np.uint8)
    draws = [[[1, 0], [0, 0], [0, 1], [0, 1]]] * 3
    engine = Engine(fangs.Samples(draws))
    variants = [(reference, np.arange(2)), (reference[:, ::-1].copy(), np.array([1, 0]))]
    for (matrix, _), priced in zip(
        variants, engine.price_variants(reference, variants), strict=True
    ):
        check(priced, matrix, engine, draws)
