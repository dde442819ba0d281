"""The fingerprint identifies the draws as a multiset of allocations, and nothing else."""

import numpy as np
import pytest
from hypothesis import given

import fangs
from fangs.draws.fingerprint import fingerprint, hash_sum
from fangs.engine import as_engine
from oracles import fingerprint as oracle
from support.forms import FORMS
from support.strategies import noisy_draws, several_allocations


def test_the_oracle_mixes_as_splitmix64_does():
    """The first number of the generator seeded with 0, as published with its source."""
    assert oracle.mix(0) == 0xE220A8397B1DCDAF


@given(several_allocations(3, max_items=6))
def test_it_is_that_of_the_definition(draws):
    assert fangs.Samples(draws).fingerprint == oracle.of_draws(draws)


@pytest.mark.parametrize("n_items", [1, 63, 64, 65, 127, 128, 129, 200])
def test_it_is_that_of_the_definition_at_the_ends_of_words(n_items):
    draws = noisy_draws(np.random.default_rng(n_items), n_items, 5, 8)
    samples = fangs.Samples(draws)
    assert samples.fingerprint == oracle.of_draws(draws)
    assert samples.info.fingerprint == samples.fingerprint
    assert [hex(h) for h in samples._draws.hashes()] == [hex(oracle.hash_of(d)) for d in draws]


@pytest.mark.parametrize("form", FORMS)
def test_the_form_of_the_draws_plays_no_part(form):
    draws = noisy_draws(np.random.default_rng(3), 9, 4, 6)
    assert fangs.Samples(FORMS[form](draws)).fingerprint == oracle.of_draws(draws)


def test_labels_chains_threads_and_files_play_no_part(draws, tmp_path):
    draws.save(tmp_path / "draws.npz")
    read = fangs.read(tmp_path / "draws.npz")
    bare = fangs.Samples(list(draws))
    engines = [as_engine(draws, 1), as_engine(draws, 7)]
    same = [draws, read, bare, *(engine.samples_info for engine in engines)]
    assert len({each.fingerprint for each in same}) == 1


@given(several_allocations(4, max_items=4, max_features=2))
def test_equal_fingerprints_mean_equal_draws(draws):
    def content(draws):
        return sorted(fangs.left_ordered(draw).tobytes() for draw in draws)

    one, other = fangs.Samples(draws[:2]), fangs.Samples(draws[2:])
    is_same = content(draws[:2]) == content(draws[2:])
    assert (one.fingerprint == other.fingerprint) == is_same


def test_what_makes_draws_different_shows():
    matrix = np.array([[1, 0], [1, 1]])
    several = [
        [matrix],
        [matrix, matrix],  # the number of draws
        [np.vstack([matrix, [[0, 0]]])],  # the number of items
        [matrix[::-1]],  # which item is which
        [np.hstack([matrix, matrix])],  # the number of equal columns
        [np.zeros((2, 0))],
        [np.zeros((3, 0))],
    ]
    assert len({fangs.Samples(draws).fingerprint for draws in several}) == len(several)


def test_shards_add_up(draws):
    parts = [draws.select(range(100)), draws.select(range(100, 400))]
    sums = [hash_sum(p._draws.hashes(), np.ones(len(p), dtype=np.int64)) for p in parts]
    assert fingerprint(draws.n_items, len(draws), sum(sums) % 2**64) == draws.fingerprint


def test_a_weight_counts_as_that_many_draws():
    draws = noisy_draws(np.random.default_rng(4), 7, 3, 3)
    weights = [2, 1, 3]
    repeated = [draw for draw, weight in zip(draws, weights, strict=True) for _ in range(weight)]
    total = hash_sum(fangs.Samples(draws)._draws.hashes(), np.array(weights))
    assert fingerprint(7, 6, total) == fangs.Samples(repeated).fingerprint
    assert fingerprint(7, 6, total) == oracle.of_draws(draws, weights)
