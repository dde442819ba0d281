"""Every estimate says whether its chains are in different modes."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

import fangs
from fangs.engine import as_engine
from fangs.engine.chain_separation import (
    ChainSeparation,
    SeparationParams,
    pairs_apart,
    separate_chains,
)
from oracles.plain_engine import PlainEngine
from oracles.separation import separation
from support.strategies import noisy_draws

ONE, OTHER = np.array([[1], [1], [0], [0]]), np.array([[0], [1], [1], [0]])


def separated(samples, **params):
    engine = as_engine(samples, 1)
    return separate_chains(engine.samples_info, engine.select, SeparationParams(**params))


@pytest.mark.parametrize("half", [64, 5])
@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_share_of_held_out_draws_nearer_to_their_own_chain(seed, half):
    rng = np.random.default_rng(seed)
    draws, chains = noisy_draws(rng, 9, 3, 70), rng.integers(0, 3, 70)
    found = separated(fangs.Samples(draws, chains=chains), half=half)
    draws = [draw[:, draw.any(axis=0)] for draw in draws]
    assert found.chains == (0, 1, 2)
    np.testing.assert_allclose(found.shares, separation(draws, chains, half=half), atol=1e-12)


@pytest.mark.parametrize("half", [64, 5])
@pytest.mark.parametrize("seed", range(4))
def test_a_weight_is_that_many_copies(seed, half):
    rng = np.random.default_rng(seed)
    draws, chains = noisy_draws(rng, 9, 3, 60), np.arange(60) % 3
    weights = rng.integers(0, 4, 60) * (chains != 2)  # chain 2 has no draw that counts
    samples = fangs.Samples(draws, chains=chains, weights=weights)
    which = np.repeat(np.arange(60), weights)
    copies = fangs.Samples([draws[b] for b in which], chains=chains[which])
    found = separated(samples, half=half)
    assert found.chains == (0, 1)
    assert np.array_equal(found.shares, separated(copies, half=half).shares)
    assert (found.held_out <= separated(copies, half=half).held_out).all()  # chance goes by draws


def test_estimates_and_the_comparison_of_chains_read_the_same_numbers():
    samples = fangs.datasets.example()
    estimate, chains = fangs.estimate(samples, seed=1), fangs.compare_chains(samples, seed=2)
    assert estimate.between_chains == 2 * chains.separation.max() - 1 == 1.0
    named = {(chains.chains[i], chains.chains[j]) for i, j in chains.apart}
    assert set(estimate.chains_apart) == named == {(0, 3), (1, 3), (2, 3)}
    for a in (0.7, 1.4):
        assert fangs.estimate(samples, a=a, seed=3).chains_apart == estimate.chains_apart


def test_modes_as_far_from_the_estimate_as_each_other_are_noted():
    # The losses of both chains are the same, so they alone would tell nothing.
    samples = fangs.Samples([ONE, OTHER] * 10, chains=[0, 1] * 10)
    estimate = fangs.estimate(samples, seed=1)
    assert len(set(estimate.losses.tolist())) == 1
    assert estimate.chains_apart == ((0, 1),)
    assert estimate.between_chains == 1.0


def test_a_feature_that_the_estimate_lacks_is_seen():
    # Three of four chains lack it, so all aligned entries are the same in all chains.
    rng = np.random.default_rng(1)
    base = np.kron(np.eye(3, dtype=int), np.ones((4, 1), dtype=int))
    more = np.hstack([base, np.eye(12, 1, -11, dtype=int)])
    draws = [
        one ^ (rng.random(one.shape) < 0.02) for one in (base, base, base, more) for _ in range(40)
    ]
    estimate = fangs.estimate(fangs.Samples(draws, chains=np.repeat([0, 1, 2, 3], 40)), seed=1)
    assert estimate.n_features == 3
    assert {other for _, other in estimate.chains_apart} == {3}


def test_there_is_nothing_to_say_without_chains_that_are_long_enough(draws):
    for labels in (None, [0] * len(draws), np.arange(len(draws)) // 7):
        found = fangs.estimate(fangs.Samples(list(draws), chains=labels), seed=1)
        assert (found.between_chains, found.chains_apart, found.note) == (None, (), "")
    same = fangs.Samples([[[1]]] * 16, chains=np.repeat([0, 1], 8))
    assert fangs.estimate(same, seed=1).between_chains == 0.0
    short = fangs.Samples(
        [ONE] * 20 + [OTHER] * 20 + [ONE] * 3, chains=[0] * 20 + [1] * 20 + [2] * 3
    )
    assert fangs.estimate(short, seed=1).chains_apart == ((0, 1),)


def test_chance_may_reach_far_in_short_chains_only():
    for n_chains, held_out, called in ((2, 4, True), (4, 4, False), (4, 5, True), (9, 5, False)):
        shares = np.ones((n_chains, n_chains))
        pairs = tuple(combinations(range(n_chains), 2)) if called else ()
        assert pairs_apart(shares, np.full(n_chains, held_out)) == pairs
    for share, held_out, called in ((0.76, 200, 1), (0.74, 200, 0), (0.76, 8, 0), (0.95, 8, 1)):
        assert len(pairs_apart(np.full((2, 2), share), np.full(2, held_out))) == called


@pytest.mark.parametrize(("n_draws", "n_sets"), [(12, 300), (60, 150)])
def test_chains_of_independent_draws_are_called_apart_less_than_once_in_a_hundred(n_draws, n_sets):
    called = 0
    for seed in range(n_sets):
        made = fangs.simulate.posterior_like(10, 3, 4 * n_draws, noise=0.2, births=0.5, seed=seed)
        samples = fangs.Samples(made.draws, chains=np.repeat(range(4), n_draws))
        called += bool(as_engine(samples, 1).chain_separation.apart)
    assert called <= n_sets / 100


def test_the_pair_that_is_named_is_one_that_is_apart():
    shares = np.full((3, 3), 0.5)
    shares[0, 1] = shares[1, 0] = 1.0  # by chance, in chains of 3 draws
    shares[0, 2] = shares[2, 0] = 0.9
    found = ChainSeparation(chains=("a", "b", "c"), held_out=np.array([60, 3, 60]), shares=shares)
    assert found.apart[0] in {("a", "b"), ("a", "c")}
    short = replace(found, held_out=np.array([3, 3, 60]))
    assert short.apart == ()
    assert short.between == 1.0
    mixed = replace(
        found, held_out=np.array([40, 1, 40]), shares=np.where(shares == 1, 0.8, shares)
    )
    assert mixed.apart == (("a", "c"),)
    assert mixed.between == pytest.approx(0.8)


def test_many_chains_or_large_draws_are_looked_at_less():
    rng = np.random.default_rng(2)
    samples = fangs.Samples(noisy_draws(rng, 9, 3, 40 * 30), chains=np.repeat(range(40), 30))
    assert set(separated(samples).held_out.tolist()) == {15}
    assert set(separated(samples, seconds=1e-9).held_out.tolist()) == {4}
    assert set(separated(samples, n_bytes=1).held_out.tolist()) == {4}


def test_all_engines_say_the_same(tmp_path):
    rng = np.random.default_rng(3)
    draws, chains = noisy_draws(rng, 9, 3, 64), np.repeat(["b", "a"], 32)
    weights = rng.integers(1, 4, 64)
    samples = fangs.Samples(draws, chains=chains, weights=weights)
    ours = fangs.estimate(samples, seed=1)
    plain = as_engine(PlainEngine(draws, weights=weights, chains=chains)).chain_separation
    sharded = fangs.estimate(fangs.distributed.shard(samples, n_shards=3), seed=1)
    assert plain.between == ours.between_chains == sharded.between_chains
    assert plain.apart == ours.chains_apart == sharded.chains_apart


def test_what_is_said_survives_a_file(tmp_path):
    estimate = fangs.estimate(fangs.datasets.example(), seed=1)
    estimate.save(tmp_path / "e.npz")
    found = fangs.load(tmp_path / "e.npz")
    assert found.chains_apart == estimate.chains_apart
    assert found.note == estimate.note
    both = replace(estimate, origin="from elsewhere").note
    assert both.startswith("from elsewhere; the chains are in different modes")
