"""Leaps: many penalties at once where features are clear, and no leap where they are not."""

import numpy as np
import pytest

import fangs
from fangs import leap as leaping
from fangs import screened, tracing
from fangs.course import Course
from fangs.engine import Engine
from fangs.leap import leap
from fangs.loss import Objective, left_ordered
from fangs.result import Search
from fangs.simulate import posterior_like
from fangs.sweeten import Descent

GRID = (0.1, 0.4, 1.3, 1.8)


def clear(**other):
    """Draws of three features under so little noise that all match in one way."""
    options = {"density": 0.4, "noise": 0.05, "seed": 1, **other}
    return fangs.Samples(posterior_like(30, 3, 199, **options).draws)


def calls_of(owner, name, monkeypatch):
    """A list that grows with every call."""
    calls, original = [], getattr(owner, name)

    def counted(*args, **kwargs):
        calls.append(args)
        return original(*args, **kwargs)

    monkeypatch.setattr(owner, name, counted)
    return calls


def leap_from(samples, grid=GRID, matrix=None):
    engine = Engine(samples)
    if matrix is None:
        matrix = fangs.estimate(samples, seed=1).matrix
    objectives = {other: Objective.of(engine, other) for other in grid}
    return engine, matrix, leap(engine, engine.price(matrix), objectives)


def test_a_leap_ends_where_descents_do_and_is_aligned():
    samples = clear()
    engine, matrix, landed = leap_from(samples)
    assert set(landed) == set(GRID)
    for a, (begin, outcome, n_flips) in landed.items():
        assert np.array_equal(begin.matrix, matrix)
        *_, last = Descent(engine, matrix).states(Objective.of(engine, a))
        assert np.array_equal(outcome.matrix, left_ordered(last.matrix))
        assert n_flips == last.n_flips > 0
        anew = engine.align(outcome.matrix)
        assert np.array_equal(outcome.aligned.counts, anew.counts)
        assert np.array_equal(outcome.aligned.overlaps, anew.overlaps)
        assert fangs.assess(outcome.matrix, samples, a=a).is_flip_optimal


@pytest.mark.parametrize(("births", "deaths", "a"), [(0.8, 0.0, 0.01), (0.0, 0.5, 1.9)])
def test_there_is_no_leap_where_features_come_or_go(births, deaths, a, monkeypatch):
    samples = clear(births=births, deaths=deaths)
    passes = calls_of(Engine, "price_variants", monkeypatch)
    searched = fangs.estimate(samples, seed=1)
    before = len(passes)
    _, matrix, landed = leap_from(samples, grid=[a])
    assert landed == {}
    assert len(passes) == 2 * before + 1  # the pricing to begin with, and none in vain
    assert np.array_equal(searched.matrix, matrix)
    assert fangs.estimate(samples, a=a, seed=1).n_features != matrix.shape[1]


def test_a_feature_that_would_vanish_at_one_penalty_does_not_hinder_the_others():
    samples = fangs.Samples(posterior_like(12, 3, 60, density=0.4, noise=0.05, seed=1).draws)
    _, _, landed = leap_from(samples, grid=(0.4, 1.3, 1.99))
    assert set(landed) == {0.4, 1.3}
    seen = []
    path = fangs.sparsity_path(samples, a=(0.4, 1.0, 1.3, 1.99), seed=1, progress=seen.append)
    assert path.n_features[-1] < 3
    assert [(step.done, step.total) for step in seen if step.phase == "path"] == [
        (0, 3),
        (1, 3),
        (2, 3),
    ]


def sets(*features):
    """Features over forty items."""
    return np.array([[i in feature for feature in features] for i in range(40)], dtype=np.uint8)


def test_there_is_no_leap_where_draws_would_be_matched_otherwise():
    """What many draws add to both features makes the few that have it crosswise change sides."""
    first, second, one, other = range(10), range(10, 20), range(20, 30), range(30, 40)
    plain = sets(first, second)
    along = sets({*range(6), *one}, {*range(10, 16), *other})
    across = sets({*range(6), *other}, {*range(10, 16), *one})
    samples = fangs.Samples([plain] * 88 + [along] * 10 + [across] * 2)
    engine, _, landed = leap_from(samples, grid=(0.1, 1.5), matrix=plain)
    assert set(landed) == {1.5}
    # Though no single flip would help: the draws have found a better way on their own.
    draft = sets({*first, *one}, {*second, *other})
    objective = Objective.of(engine, 0.1)
    assert objective.is_bottom(engine.price(draft))
    estimate = fangs.sparsity_path(samples, a=[0.1, 1.0, 1.5], seed=1).estimates[0]
    assert estimate.expected_loss <= fangs.expected_loss(draft, samples, a=0.1)


def test_there_is_no_leap_where_single_flips_would_still_help():
    samples = fangs.Samples(posterior_like(20, 3, 60, density=0.4, noise=0.03, seed=3).draws)
    engine, matrix, landed = leap_from(samples, grid=(0.4, 1.99))
    assert set(landed) == {0.4}
    objective = Objective.of(engine, 1.99)
    draft = left_ordered(objective.settled(matrix, engine.price(matrix).counts[:, :-1]))
    assert draft.shape == matrix.shape
    assert not objective.is_bottom(engine.price(draft))


def test_there_is_no_leap_where_draws_have_a_choice_of_partners(monkeypatch):
    samples = fangs.datasets.example()
    passes = calls_of(Engine, "price_variants", monkeypatch)
    _, _, landed = leap_from(samples, matrix=fangs.estimate(samples, n_iter=0, seed=1).matrix)
    assert landed == {}
    assert len(passes) == 2, "that of the estimate and that to begin with"


def test_where_features_are_clear_the_path_is_one_search_and_one_leap(monkeypatch):
    def walk(*args):
        raise AssertionError("no walk is needed")

    monkeypatch.setattr(tracing.Tracer, "walk_both_ways", walk)
    samples, seen = clear(), []
    aligned = calls_of(Engine, "align", monkeypatch)
    searched = fangs.estimate(samples, seed=1)
    n_aligned = len(aligned)
    path = fangs.sparsity_path(samples, seed=1, progress=seen.append)
    assert len(aligned) == 2 * n_aligned  # none but those of the search
    assert set(path.n_features.tolist()) == {3}
    assert all(estimate.is_flip_optimal for estimate in path.estimates)
    steps = [step.done for step in seen if step.phase == "path"]
    assert steps == list(range(len(path) - 1))
    for estimate in path.estimates:
        if estimate.a != 1:
            (start,) = estimate.search.starts
            assert start.initial_loss == fangs.expected_loss(searched, samples, a=estimate.a)
            assert start.loss == estimate.expected_loss


@pytest.mark.parametrize(("screen", "alone"), [(512, 1), (40, 2)])
def test_the_path_of_clear_draws_takes_two_passes_beside_the_starts(screen, alone, monkeypatch):
    """One for the start, one for all penalties; a search alone needs that too if flips are left."""
    monkeypatch.setattr(screened, "SCREEN", screen)
    samples = clear(noise=0.12, seed=3)
    passes = calls_of(Engine, "price_variants", monkeypatch)
    estimate = fangs.estimate(samples, seed=1)
    assert len(passes) == alone
    passes.clear()
    path = fangs.sparsity_path(samples, seed=1)
    assert len(passes) == 2
    assert len(passes[1][2]) == len({e.matrix.tobytes() for e in path.estimates}) - (alone == 1)
    assert np.array_equal(path.estimates[path.a.index(1.0)].matrix, estimate.matrix)


def test_wide_draws_are_not_worth_a_leap(monkeypatch):
    made = posterior_like(30, 40, 1400, density=0.15, noise=0.05, births=2, deaths=0.1, seed=6)
    leaps = calls_of(screened, "leap", monkeypatch)
    fangs.sparsity_path(made.draws, a=[0.9, 1.0], seed=1)
    assert leaps == []


@pytest.mark.parametrize("screen", [512, 40])
def test_a_search_that_leaps_finds_what_descents_find(screen, monkeypatch):
    """With few screening draws there is more left to be done on all of them."""
    monkeypatch.setattr(screened, "SCREEN", screen)
    flips = 0
    for a in (1.0, 0.6, 1.4):
        samples = clear(noise=0.12, seed=3)
        with monkeypatch.context() as patch:
            landings = calls_of(screened.ScreenedSearch, "leap", patch)
            aligned = calls_of(Engine, "align", patch)
            by_leap = fangs.estimate(samples, a=a, seed=1)
            n_aligned = len(aligned)
            assert landings
            patch.setattr(screened.ScreenedSearch, "leap", lambda *args: None)
            by_descent = fangs.estimate(samples, a=a, seed=1)
            assert len(aligned) - n_aligned == n_aligned + 1  # a leap aligns as it goes
        flips += by_leap.search.flips
        assert np.array_equal(by_leap.matrix, by_descent.matrix)
        assert np.array_equal(by_leap.proportions, by_descent.proportions)
        assert np.array_equal(by_leap.losses, by_descent.losses)
        assert by_leap.is_flip_optimal
        assert by_leap.search.starts == by_descent.search.starts
    assert (flips > 0) == (screen < 512)


def test_a_search_descends_where_it_cannot_leap(monkeypatch):
    monkeypatch.setattr(screened, "SCREEN", 40)
    samples = clear(noise=0.12, seed=3)
    by_leap = fangs.estimate(samples, seed=1)
    monkeypatch.setattr(screened, "leap", lambda *args: {})
    by_descent = fangs.estimate(samples, seed=1)
    assert by_descent.search.flips == by_leap.search.flips > 0
    assert np.array_equal(by_leap.matrix, by_descent.matrix)


def test_what_is_found_after_a_leap_takes_its_place():
    samples = clear()
    engine = Engine(samples)
    course = Course(engine, Objective.of(engine, 1.0), Search(seed=1), None)
    better = fangs.estimate(samples, seed=1)
    worse = engine.price(better.matrix[:, :1].copy())
    course.consider(course.state_of(worse))
    course.priced = worse
    course.consider(course.state_of(engine.price(better.matrix)))
    assert np.array_equal(course.result().proportions, better.proportions)


def test_a_leap_to_somewhere_worse_is_not_made(monkeypatch):
    samples = clear()
    wanted = fangs.estimate(samples, seed=1)
    worse = np.ones((30, 1), dtype=np.uint8)

    def astray(engine, begin, objectives):
        return {a: leaping.Landed(begin, engine.price(worse), 5) for a in objectives}

    monkeypatch.setattr(screened, "leap", astray)
    # Screening draws alone leave flips to be made on all of them.
    monkeypatch.setattr(screened, "SCREEN", 9)
    found = fangs.estimate(samples, seed=1)
    assert found.expected_loss == wanted.expected_loss
    assert found.is_flip_optimal
    monkeypatch.setattr(screened.ScreenedSearch, "leap", lambda *args: None)
    assert found.search.starts == fangs.estimate(samples, seed=1).search.starts
