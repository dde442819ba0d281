"""Any engine will do: the search on the plain one ends with the same bits as on threads."""

import numpy as np
import pytest

import fangs
from fangs.engine import ThreadedEngine
from fangs.search import SearchParams, run_search
from fangs.search.record import SearchSettings
from oracles.plain_engine import PlainEngine
from support.strategies import noisy_draws

SMALL = SearchParams(
    subsample_draws=6, min_draws=1, deciding_draws=1, template_draws=5, walk_steps=3
)


def problem(seed, n_items=5, n_draws=12):
    return noisy_draws(np.random.default_rng(seed), n_items, 3, n_draws, noise=0.2)


def test_an_engine_of_your_own_goes_in_by_the_front_door():
    draws = problem(3)
    plain, ours = (fangs.estimate(given, seed=1) for given in (PlainEngine(draws), draws))
    assert ours.matrix.tobytes() == plain.matrix.tobytes()
    assert ours.search.starts == plain.search.starts
    assert fangs.assess(ours, PlainEngine(draws)).expected_loss == ours.expected_loss


def test_a_subsample_of_items_gives_the_same_bits():
    draws = problem(1, n_items=130, n_draws=4)
    for engine in (PlainEngine(draws), ThreadedEngine(draws, 2)):
        some = engine.subsample_items(64, np.random.default_rng(0))
        assert some.samples_info.n_items == 64
        matrix = some.draw(0)
        permutations, aligned = some.permutations(matrix)
        counts = engine.count_aligned(permutations)
        assert counts.shape == (130, matrix.shape[1])
        if isinstance(engine, PlainEngine):
            wanted = counts, aligned.overlaps
    assert np.array_equal(counts, wanted[0])
    assert np.array_equal(aligned.overlaps, wanted[1])


@pytest.mark.parametrize("n_iter", [None, 60])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("seed", "a"), [(0, 0.5), (1, 0.9), (2, 1.0), (3, 1.6)])
def test_a_search_gives_the_same_bits(seed, a, weighted, n_iter):
    draws = problem(seed)
    weights = np.random.default_rng(seed).integers(0, 5, size=len(draws)) if weighted else None
    settings = SearchSettings(seed=seed, n_init=5, n_sweet=2, n_iter=n_iter)
    plain = run_search(PlainEngine(draws, weights=weights), a, settings, params=SMALL)
    samples = fangs.Samples(draws, weights=weights)
    ours = run_search(ThreadedEngine(samples, 2), a, settings, params=SMALL)
    assert ours.matrix.tobytes() == plain.matrix.tobytes()
    assert ours.proportions.tobytes() == plain.proportions.tobytes()
    assert ours.losses.tobytes() == plain.losses.tobytes()
    assert (ours.expected_loss, ours.n_ties) == (plain.expected_loss, plain.n_ties)
    assert ours.is_flip_optimal == plain.is_flip_optimal
    assert ours.search.starts == plain.search.starts
    if weighted:
        assert all(weights[s.draw] > 0 for s in ours.search.starts if s.draw is not None)


def test_a_weighted_subsample_has_copies_by_weight():
    draws = problem(2)
    weights = np.random.default_rng(2).integers(0, 90, size=len(draws))
    engines = (
        PlainEngine(draws, weights=weights),
        ThreadedEngine(fangs.Samples(draws, weights=weights), 1),
    )
    plain, ours = (engine.subsample(5, np.random.default_rng(4)) for engine in engines)
    assert ours.samples_info.total_weight == 5
    assert ours.draw_numbers.tolist() == plain.draw_numbers.tolist()
    assert ours.samples_info.weights.tolist() == plain.samples_info.weights.tolist()
    for b, number in enumerate(ours.draw_numbers):
        assert np.array_equal(ours.draw(b), engines[0].draw(number))
