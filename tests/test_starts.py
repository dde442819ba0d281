"""Starts: templates grown over many draws, kicks, and engines over some of the draws."""

import numpy as np
import pytest

import fangs
import reference as ref
from fangs.engine import Engine
from fangs.loss import Objective
from fangs.starts import from_baseline, from_kick, from_template, initial_estimate
from strategies import noisy_draws, random_allocation


def features(matrix):
    """The allocation as a sorted list of features, each as bytes."""
    return sorted(column.astype(np.uint8).tobytes() for column in np.asarray(matrix).T)


def template(draws, walk=None, a=1.0):
    engine = Engine(fangs.Samples(draws))
    walk = np.arange(len(draws)) if walk is None else np.asarray(walk)
    [counts] = engine.grow_templates([walk])
    return from_template(engine, counts, len(walk), Objective.of(engine, a)).matrix


def test_a_baseline_start_is_the_initial_estimate_of_its_draw():
    draws = noisy_draws(np.random.default_rng(1), 8, 3, 9)
    engine = Engine(fangs.Samples(draws))
    objective = Objective.of(engine, 1.0)
    start = from_baseline(engine, 4, objective)
    assert (start.method, start.draw) == ("baseline", 4)
    wanted, overlap = initial_estimate(engine, engine.samples[4], objective)
    assert np.array_equal(start.matrix, wanted)
    assert start.overlap == overlap > 0


@pytest.mark.parametrize("n_items", [1, 63, 64, 65, 11_000])  # the last needs 32 bits
@pytest.mark.parametrize("n_draws", [1, 3, 40])
def test_template_of_one_allocation_in_any_order_is_that_allocation(n_items, n_draws):
    rng = np.random.default_rng(n_items)
    truth = random_allocation(rng, n_items, 4)
    draws = [truth[:, rng.permutation(4)] for _ in range(n_draws)]
    for a in (0.125, 1.0, 1.875):
        assert features(template(draws, a=a)) == features(ref.without_empty_features(truth))


@pytest.mark.parametrize("a", [0.75, 1.0, 1.25])
def test_template_finds_clear_features_that_few_draws_have_together(a):
    """No draw has all four features, so no baseline could start with all of them."""
    rng = np.random.default_rng(2)
    truth = np.kron(np.eye(4, dtype=np.uint8), np.ones((5, 1), dtype=np.uint8))
    draws = [truth[:, np.delete(rng.permutation(4), 0)] for _ in range(128)]
    assert features(template(draws, a=a)) == features(truth)


def test_template_counts_the_draws_walked():
    draws = noisy_draws(np.random.default_rng(3), 20, 6, 50)
    engine = Engine(fangs.Samples(draws))
    walk = np.random.default_rng(4).permutation(50)[:30]
    [counts] = engine.grow_templates([walk])
    assert counts.shape[0] == 20
    assert counts.min() >= 0
    assert counts.max() <= 30
    assert (counts.sum(axis=1) <= sum(engine.samples[int(b)].sum(axis=1) for b in walk)).all()
    assert np.array_equal(counts, engine.grow_templates([walk])[0])


def test_templates_grown_at_once_are_those_grown_one_by_one():
    draws = fangs.Samples(noisy_draws(np.random.default_rng(8), 40, 30, 60))
    walks = [np.random.default_rng(seed).permutation(60)[: 20 + seed] for seed in range(5)]
    wanted = [Engine(draws, 1).grow_templates([walk])[0] for walk in walks]
    for n_threads in (1, 2, 3, 8):
        found = Engine(draws, n_threads).grow_templates(walks)
        assert all(np.array_equal(x, y) for x, y in zip(found, wanted, strict=True))
    assert Engine(draws).grow_templates([]) == []


def test_template_of_draws_without_features_has_none():
    assert template([np.zeros((3, 0))] * 5).shape == (3, 0)


def test_template_has_no_empty_features():
    rng = np.random.default_rng(5)
    for _ in range(20):
        matrix = template(noisy_draws(rng, 6, 4, 10, noise=0.4), a=1.5)
        assert matrix.any(axis=0).all()


def test_template_refuses_draws_that_are_not_there():
    engine = Engine(fangs.Samples([np.ones((2, 1))] * 3))
    for walk in ([3], [-1]):
        with pytest.raises(IndexError):
            engine.grow_templates([np.array(walk)])


def test_a_kick_changes_one_feature_and_leaves_the_allocation_alone():
    rng = np.random.default_rng(6)
    engine = Engine(fangs.Samples(noisy_draws(rng, 5, 4, 7)))
    seen = set()
    for _ in range(200):
        matrix = random_allocation(rng, 5, int(rng.integers(0, 4)))
        before = matrix.copy()
        kicked = from_kick(matrix, engine, rng, anew=False).matrix
        assert np.array_equal(matrix, before)
        kept = ref.without_empty_features(matrix)
        change = kicked.shape[1] - kept.shape[1]
        seen.add(change)
        assert change in (-1, 0, 1)
        missing = features(kicked)
        lost = [f for f in features(kept) if f not in missing or missing.remove(f)]
        assert (len(lost), len(missing)) in {(1, 0), (0, 1), (1, 1), (0, 0)}
    assert seen == {-1, 0, 1}


def test_a_kick_of_nothing_among_empty_draws_is_nothing():
    engine = Engine(fangs.Samples([np.zeros((3, 0))]))
    for seed in range(20):
        rng = np.random.default_rng(seed)
        kicked = from_kick(np.zeros((3, 0), np.uint8), engine, rng, anew=True)
        assert kicked.matrix.shape == (3, 0)


def test_a_kick_may_start_anew_from_a_draw():
    rng = np.random.default_rng(7)
    draws = [random_allocation(rng, 12, 3) for _ in range(5)]
    engine = Engine(fangs.Samples(draws))
    matrix = random_allocation(rng, 12, 3)
    kicked = [from_kick(matrix, engine, rng, anew=True).matrix for _ in range(80)]
    taken = sum(any(np.array_equal(one, draw) for draw in draws) for one in kicked)
    assert 8 < taken < 40


@pytest.mark.parametrize("n_items", [5, 64, 130])
def test_an_engine_over_some_draws_has_just_those(n_items):
    rng = np.random.default_rng(n_items)
    draws = noisy_draws(rng, n_items, 4, 20)
    chosen = np.sort(rng.choice(20, size=6, replace=False))
    some = Engine(fangs.Samples(draws)).select(chosen)
    fresh = Engine(fangs.Samples([draws[b] for b in chosen]))
    assert some.n_draws == 6
    assert some.total_ones == fresh.total_ones
    assert [d.tolist() for d in some.samples] == [d.tolist() for d in fresh.samples]
    matrix = random_allocation(rng, n_items, 3)
    assert np.array_equal(some.overlaps(matrix), fresh.overlaps(matrix))
    assert np.array_equal(some.neighbourhood(matrix).counts(), fresh.neighbourhood(matrix).counts())
