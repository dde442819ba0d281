"""Starts: single draws and templates, aligned and thresholded as the definition says."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fangs.engine import ThreadedEngine
from fangs.loss import Objective
from fangs.search import SearchParams
from fangs.search.starts import from_baseline, from_template, make_starts
from oracles import reference as ref
from support.searches import score_by_definition as score
from support.strategies import noisy_draws, penalties, random_allocation, several_allocations

some_draws = st.integers(1, 3).flatmap(
    lambda count: several_allocations(count, max_items=4, max_features=3)
)


def features(matrix):
    """The allocation as a sorted list of features, each as bytes."""
    return sorted(column.astype(np.uint8).tobytes() for column in np.asarray(matrix).T)


def objective_of(engine, a):
    return Objective.of(engine.samples_info, a)


def template(draws, walk=None, a=1.0):
    """The start from a template of all draws, or of those on a walk."""
    engine = ThreadedEngine(draws)
    walk = np.arange(len(draws)) if walk is None else np.asarray(walk)
    [counts] = engine.grow_templates([walk])
    return from_template(engine, counts, len(walk), objective_of(engine, a))


@pytest.mark.parametrize(("a", "count"), [(1.75, 2), (1.0, 2), (0.5, 1)])
def test_a_template_keeps_what_half_of_its_draws_have_or_the_share_a_half(a, count):
    engine = ThreadedEngine([np.array([[1], [1]])] * 10)
    for counted, wanted in ((count, [[1], [1]]), (count - 1, [[], []])):
        start = from_template(engine, np.full((2, 1), counted), 4, objective_of(engine, a))
        assert start.matrix.tolist() == wanted


def allowed_starts(baseline, draws, a):
    """What the definition allows: one start for each choice among tied alignments."""
    return [ref.left_ordered(E).tolist() for E in ref.initial_estimates(baseline, draws, a)]


@given(some_draws, penalties)
def test_a_start_is_one_that_the_definition_allows_and_its_score_an_upper_bound(draws, a):
    engine = ThreadedEngine(draws)
    [counts] = engine.grow_templates([np.arange(len(draws))])
    # For a > 1 a template keeps half: its counts are too low where columns were mixed up.
    mean = ref.without_empty_features(2 * counts >= min(a, 1) * len(draws))
    starts = [from_template(engine, counts, len(draws), objective_of(engine, a))]
    starts += [from_baseline(engine, b, objective_of(engine, a)) for b in range(len(draws))]
    ways = [("template", None), *(("baseline", b) for b in range(len(draws)))]
    assert [(start.method, start.draw) for start in starts] == ways
    for start, baseline in zip(starts, [mean, *draws], strict=True):
        baseline, exact = ref.without_empty_features(baseline), score(start.matrix, draws, a)
        assert ref.left_ordered(start.matrix).tolist() in allowed_starts(baseline, draws, a)
        assert start.matrix.any(axis=0).all(), "an empty feature is left"
        assert start.score >= exact
        assert start.score == exact or not np.array_equal(start.matrix, baseline)


@pytest.mark.parametrize("a", [0.75, 1.0, 1.25])
def test_template_finds_clear_features_that_few_draws_have_together(a):
    """No draw has all four features, so no baseline could start with all of them."""
    rng = np.random.default_rng(2)
    truth = np.kron(np.eye(4, dtype=np.uint8), np.ones((5, 1), dtype=np.uint8))
    draws = [truth[:, np.delete(rng.permutation(4), 0)] for _ in range(128)]
    assert features(template(draws, a=a).matrix) == features(truth)


def starts_of(draws, n_init, seed=0, **params):
    engine = ThreadedEngine(draws)
    made = make_starts(
        *(engine, objective_of(engine, 1.0), n_init),
        *(SearchParams(**params), np.random.default_rng(seed)),
    )
    return list(islice(made, 1000))


def test_repeats_count_in_a_row_only():
    rng = np.random.default_rng(5)
    draws = [random_allocation(rng, 30, 3, 0.5) for _ in range(40)]
    seen, repeats = set(), 0
    made = starts_of(draws, 80, max_repeats=3)
    for at, start in enumerate(made):
        key = ref.left_ordered(start.matrix).tobytes()
        repeats = repeats + 1 if key in seen else 0
        seen.add(key)
        assert repeats <= 3
        assert repeats < 3 or at == len(made) - 1


def test_no_more_starts_are_made_when_the_same_comes_again():
    for most in (1, 2, 5):
        assert len(starts_of([np.eye(2)] * 40, 40, max_repeats=most)) == 1 + most


@pytest.mark.parametrize(("n_init", "n_draws"), [(1, 30), (2, 30), (7, 30), (16, 30), (16, 3)])
def test_half_of_the_starts_are_templates_and_no_draw_is_taken_twice(n_init, n_draws):
    rng = np.random.default_rng(6)
    draws = [random_allocation(rng, 30, 3, 0.5) for _ in range(n_draws)]
    made = starts_of(draws, n_init, max_repeats=100)
    methods = [start.method for start in made]
    assert methods.count("template") == n_init // 2
    numbers = [start.draw for start in made if start.method == "baseline"]
    assert len(set(numbers)) == len(numbers) == min(n_init - n_init // 2, n_draws)
    assert all(start.draw is None for start in made if start.method == "template")


@pytest.mark.parametrize(("n_features", "n_walked"), [(3, 5), (20, 9)])
def test_wide_draws_have_longer_templates(n_features, n_walked):
    rng = np.random.default_rng(7)
    draws = noisy_draws(rng, 25, n_features, 30, noise=0.2)
    settings = {"narrow": 6, "template_draws": 5, "wide_template_draws": 9, "max_repeats": 99}
    made = [start for start in starts_of(draws, 6, **settings) if start.method == "template"]
    rng = np.random.default_rng(0)
    walks = [rng.permutation(30)[:n_walked] for _ in range(3)]
    for start, walk in zip(made, walks, strict=True):
        wanted = template(draws, walk)
        assert np.array_equal(start.matrix, wanted.matrix)
        assert start.score == wanted.score
