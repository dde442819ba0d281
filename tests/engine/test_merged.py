"""Equal draws are matched once, and no result changes by a bit."""

import numpy as np
import pytest

import fangs
from fangs import _core
from fangs.engine import ThreadedEngine
from fangs.engine.distinct_draws import DistinctDraws
from fangs.search import SearchParams, run_search
from fangs.search.record import SearchSettings
from support.checks import same_bits
from support.strategies import noisy_draws, random_allocation


def repeated_draws(seed, n_draws=60, n_distinct=7, n_items=66):
    """Few distinct draws in random order; some the same but for the order of their columns."""
    rng = np.random.default_rng(seed)
    few = noisy_draws(rng, n_items, 4, n_distinct)
    few[0] = few[1][:, ::-1]
    few[2] = np.pad(few[3], ((0, 0), (1, 0)))  # an empty column means nothing
    return [few[b] for b in rng.integers(n_distinct, size=n_draws)]


def engines(draws, weights=None):
    samples = fangs.Samples(draws, weights=weights)
    return ThreadedEngine(samples, 2), ThreadedEngine(samples, 2, merges=False)


def merged_of(draws, weights=None):
    samples = fangs.Samples(draws, weights=weights)
    return DistinctDraws.of(samples._draws, samples.weights)


def test_identical_draws_are_found():
    draws = repeated_draws(1)
    kept = [draw[:, draw.any(axis=0)] for draw in draws]
    first = {}
    wanted = [first.setdefault((d.shape, d.tobytes()), b) for b, d in enumerate(kept)]
    assert _core.first_identical(fangs.Samples(draws)._draws).tolist() == wanted
    some = merged_of(draws)
    assert len(some.draws) == len(first) < len(draws) / 2
    assert some.weights.tolist() == [wanted.count(b) for b in sorted(set(wanted))]


def test_mostly_distinct_draws_are_left_alone():
    rng = np.random.default_rng(2)
    draws = [random_allocation(rng, 40, 3) for _ in range(9)]
    for twice, is_merged in ((draws, False), (draws + draws[:8], False), (draws + draws, True)):
        assert (merged_of(twice).place is not None) == is_merged
    assert merged_of(draws[:1]).place is None


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_every_pass_gives_the_same_bits(seed, weighted):
    draws = repeated_draws(seed)
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 9, size=len(draws)) if weighted else None
    ours, plain = engines(draws, weights)
    assert ours._distinct.place is not None
    assert plain._distinct.place is None
    matrix = random_allocation(rng, 66, 5)

    def results(engine):
        permutations, aligned = engine.permutations(matrix)
        evaluated = engine.evaluate(matrix)
        nearby = engine.neighbourhood(matrix)
        supports = [nearby.flip_support().copy()]
        for _ in range(6):
            nearby.flip(*(np.random.default_rng(len(supports)).integers(n) for n in matrix.shape))
            supports += [nearby.flip_support().copy(), np.array(nearby.total_overlap)]
        return [
            engine.overlaps(matrix), permutations, aligned.counts, aligned.overlaps,
            np.array(aligned.total_overlap), engine.align(matrix).counts, engine.place(matrix, 9),
            evaluated.flip_support, evaluated.birth_support, evaluated.aligned.counts,
            evaluated.aligned.overlaps, engine.item_counts(), engine.count_aligned(permutations),
            *engine.measure(matrix, permutations), engine.relabel(permutations), *supports,
        ]  # fmt: skip

    for one, other in zip(results(ours), results(plain), strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)


@pytest.mark.parametrize("n_iter", [None, 50])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_search_gives_the_same_bits(weighted, n_iter):
    draws = repeated_draws(5, n_draws=200)
    weights = np.arange(200) % 4 if weighted else None
    params = SearchParams(min_draws=1, subsample_draws=30, deciding_draws=4)
    settings = SearchSettings(seed=1, n_init=6, n_sweet=2, n_iter=n_iter)
    ours, plain = (
        run_search(engine, 0.9, settings, params=params) for engine in engines(draws, weights)
    )
    assert same_bits(ours) == same_bits(plain)
