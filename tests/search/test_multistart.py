"""The default search: flip-optimal, nearly always optimal, and every stage of it on record."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fangs
from fangs.engine import ThreadedEngine
from fangs.search import SearchParams, run_search
from fangs.search.record import SearchSettings
from oracles.enumeration import Enumeration
from support.checks import check_estimate, has_needless_ones, is_flip_optimal, same_bits
from support.strategies import noisy_draws, several_allocations

SMALL = SearchParams(
    min_draws=1,
    subsample_draws=16,
    wide_subsample_draws=24,
    deciding_draws=4,
    subsample_items=64,
    narrow=3,
)
"""Small enough that a subsample is taken of small problems."""

STAGES = {
    "subsample and walks": SMALL,
    "no walks": replace(SMALL, walk_seconds=0.0),
    "one end": replace(SMALL, sweeten_seconds=0.0, n_final=1),
}
"""Each leaves out what another one does."""


def run(draws, a=1.0, params=SMALL, *, seed=1, n_threads=None, report=None, **options):
    engine = ThreadedEngine(draws, n_threads)
    return run_search(engine, a, SearchSettings(seed=seed, **options), params=params, report=report)


@pytest.mark.parametrize("a", [0.25, 0.75, 1.0, 1.25, 1.75])
@settings(max_examples=30)
@given(
    draws=st.integers(1, 5).flatmap(
        lambda count: several_allocations(count, max_items=4, max_features=3)
    )
)
def test_no_flip_improves_an_estimate_and_no_one_is_needless(a, draws):
    estimate = fangs.estimate(draws, a=a, seed=1)
    check_estimate(estimate, draws, a)
    assert estimate.is_flip_optimal
    assert is_flip_optimal(estimate.matrix, draws, a)
    assert not has_needless_ones(estimate.matrix, draws, a)


@pytest.mark.parametrize("params", STAGES.values(), ids=STAGES)
@pytest.mark.parametrize("a", [0.5, 1.0, 1.5])
def test_with_every_stage_no_flip_improves_an_estimate(a, params):
    few = noisy_draws(np.random.default_rng(43), 5, 3, 12, noise=0.3)
    many = few * 8  # the same losses as the few, in more draws than a subsample has
    estimate = run(many, a, params)
    assert {start.n_draws for start in estimate.search.starts} > {len(many)}
    check_estimate(estimate, many, a)
    assert estimate.is_flip_optimal
    assert is_flip_optimal(estimate.matrix, few, a)
    assert not has_needless_ones(estimate.matrix, few, a)


@pytest.fixture(scope="module")
def table():
    return Enumeration(n_items=3, draw_features=2, max_features=5)


@pytest.mark.parametrize("kind", ["uniform_problem", "noisy_problem"])
@pytest.mark.parametrize("a", [0.75, 1.0, 1.5])
def test_small_problems_never_beat_the_optimum_and_nearly_always_reach_it(table, kind, a):
    """The full measurement is benchmarks/exhaustive.py; this is a smaller run of it."""
    rng = np.random.default_rng(int(8 * a))
    optimal, problems = 0, 200
    for _ in range(problems):
        chosen = getattr(table, kind)(rng, rng.choice([2, 4, 8]))
        draws = [table.draws[b] for b in chosen]
        loss = fangs.estimate(draws, a=a, seed=1).expected_loss
        best = table.best_loss(chosen, a)
        assert loss >= best
        optimal += loss == best
    assert optimal >= 0.99 * problems, f"{optimal} of {problems} reached the optimum"


@pytest.mark.parametrize("params", STAGES.values(), ids=STAGES)
def test_small_problems_nearly_always_reach_the_optimum_by_way_of_a_subsample(table, params):
    rng = np.random.default_rng(9)
    optimal, problems = 0, 100
    for _ in range(problems):
        chosen = np.tile(table.noisy_problem(rng, 8), 8)
        loss = run([table.draws[b] for b in chosen], 1.0, params).expected_loss
        best = table.best_loss(chosen, 1.0)
        assert loss >= best
        optimal += loss == best
    assert optimal >= 0.99 * problems, f"{optimal} of {problems} reached the optimum"


@pytest.mark.parametrize("a", [0.5, 1.0, 1.5])
def test_an_estimate_is_never_worse_than_any_of_its_ends(a):
    rng = np.random.default_rng(31)
    for _ in range(5):
        draws = noisy_draws(rng, 12, 4, 60, noise=0.25)
        for params in (SearchParams(), *STAGES.values()):
            estimate = run(draws, a, params)
            swept = [start for start in estimate.search.starts if start.loss is not None]
            ends = [start.loss for start in swept if start.n_draws == len(draws)]
            assert estimate.expected_loss <= min(ends)


def test_the_record_tells_the_subsample_from_all_draws():
    draws = noisy_draws(np.random.default_rng(33), 10, 3, 100, noise=0.3)
    search = run(draws, n_init=9, n_sweet=2).search
    first = [start for start in search.starts if start.method != "subsample"]
    then = [start for start in search.starts if start.method == "subsample"]
    assert {start.n_draws for start in first} == {16}
    assert {start.method for start in first} == {"baseline", "template"}
    assert {start.n_draws for start in then} == {100}
    assert 1 <= len(then) <= 2, "more than n_sweet went on to all draws"
    assert 1 <= sum(start.loss is not None for start in first) <= 4, "twice n_sweet"
    assert all(start.draw is None for start in then)
    assert all(start.loss is not None for start in then)
    assert all(s.loss <= s.initial_loss for s in search.starts if s.loss is not None)
    numbers = [start.draw for start in first if start.method == "baseline"]
    assert len(set(numbers)) == len(numbers)
    assert set(numbers) <= set(range(100))
    assert max(numbers) >= 16, "numbers within the subsample"


@pytest.mark.parametrize("params", STAGES.values(), ids=STAGES)
def test_the_record_adds_up(params):
    draws = noisy_draws(np.random.default_rng(34), 10, 3, 100, noise=0.3)
    search = run(draws, 0.5, params, n_init=7, n_sweet=3, seed=5).search
    assert (search.seed, search.n_init, search.n_sweet) == (5, 7, 3)
    assert search.n_iter is search.max_seconds is None
    assert search.flips == sum(start.flips for start in search.starts) > 0
    assert "no single flip" in search.stopped_because
    assert set(search.seconds) == {"start", "sweeten", "refine", "finish"}
    assert min(search.seconds.values()) >= 0
    for start in search.starts:
        assert start.n_features >= 0
        assert start.flips >= 0
        assert start.loss is None or (start.flips == 0) == (start.loss == start.initial_loss)


@pytest.mark.parametrize("params", STAGES.values(), ids=STAGES)
@pytest.mark.parametrize("n_items", [20, 200])
def test_every_stage_gives_the_same_bits_for_any_number_of_threads(n_items, params):
    draws = fangs.Samples(noisy_draws(np.random.default_rng(37), n_items, 4, 300, noise=0.1))
    found = {same_bits(run(draws, 0.7, params, n_threads=threads)) for threads in (1, 2, 7)}
    assert len(found) == 1


def test_items_left_out_of_the_subsample_are_decided_by_all_draws():
    rng = np.random.default_rng(38)
    truth = np.kron(np.eye(3, dtype=np.uint8), np.ones((100, 1), dtype=np.uint8))
    draws = [
        (truth ^ (rng.random(truth.shape) < 0.1))[:, rng.permutation(3)].astype(np.uint8)
        for _ in range(60)
    ]
    estimate = run(draws)
    assert np.array_equal(estimate.matrix, fangs.left_ordered(truth))
    assert estimate.is_flip_optimal


def test_time_granted_is_used_and_given_back():
    """With time to spare the search goes on until nothing better turns up for long."""
    draws = noisy_draws(np.random.default_rng(42), 6, 3, 16, noise=0.3)
    without = fangs.estimate(draws, seed=1)
    granted = fangs.estimate(draws, seed=1, max_seconds=600)
    assert granted.expected_loss <= without.expected_loss
    assert granted.is_flip_optimal
    assert sum(granted.search.seconds.values()) < 60
    assert "none of the last 500 perturbations helped" in granted.search.stopped_because
    found = run(draws, params=SearchParams(patience=3), max_seconds=600)
    assert "none of the last 3 perturbations helped" in found.search.stopped_because
