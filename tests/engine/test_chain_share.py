"""An estimate says how far its chains disagree."""

import numpy as np
import pytest

import fangs
from fangs.engine import chain_share
from support.strategies import noisy_draws


def plain_share(aligned, chains):
    """Share of the variance of the entries between chains, by the analysis of variance."""
    total = ((aligned - aligned.mean(axis=0)) ** 2).sum()
    means = np.stack([aligned[chains == chains[b]].mean(axis=0) for b in range(len(aligned))])
    within = ((aligned - means) ** 2).sum()
    return 1 - within / total


@pytest.mark.parametrize("at_once", [2**22, 72, 1])
@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_share_of_the_variance_between_chains(seed, at_once, monkeypatch):
    monkeypatch.setattr(chain_share, "MAX_COUNTS", at_once)
    rng = np.random.default_rng(seed)
    chains = rng.integers(0, 5, 60)
    samples = fangs.Samples(noisy_draws(rng, 12, 3, 60), chains=chains)
    estimate = fangs.estimate(samples, seed=1)
    alignment = fangs.align(estimate, samples)
    aligned = alignment.draws().astype(float)
    assert estimate.between_chains == pytest.approx(plain_share(aligned, chains))
    assert np.array_equal(estimate.proportions, alignment.proportions)


@pytest.mark.parametrize("seed", range(4))
def test_weights_equal_copies(seed):
    rng = np.random.default_rng(seed)
    draws, chains = noisy_draws(rng, 9, 3, 30), np.array(["b", "a", "c"])[np.arange(30) % 3]
    weights = rng.integers(0, 4, 30) * (chains != "c")  # chain c is none
    which = np.repeat(np.arange(30), weights)
    weighted = fangs.Samples(draws, chains=chains, weights=weights)
    copies = fangs.Samples([draws[b] for b in which], chains=chains[which])
    ours, theirs = fangs.assess(draws[0], weighted), fangs.assess(draws[0], copies)
    assert np.array_equal(ours.proportions, theirs.proportions)
    assert ours.between_chains == theirs.between_chains
    alone = fangs.Samples(draws, chains=chains, weights=weights * (chains == "a"))
    assert fangs.assess(draws[0], alone).between_chains is None


def test_equal_draws_in_different_chains_count_for_both():
    # Many equal draws are matched once, whatever their chain.
    rng = np.random.default_rng(0)
    draws, chains = noisy_draws(rng, 10, 3, 6), rng.integers(0, 2, 120)
    which = np.where(chains == 0, rng.integers(0, 4, 120), rng.integers(2, 6, 120))
    samples = fangs.Samples([draws[b] for b in which], chains=chains)
    found = fangs.assess(draws[0], samples)
    aligned = fangs.align(found, samples).draws().astype(float)
    assert found.between_chains == pytest.approx(plain_share(aligned, chains))


def test_modes_as_far_from_the_estimate_as_each_other_are_noted():
    # The losses of both chains are the same, so they alone would tell nothing.
    one, other = np.array([[1], [1], [0], [0]]), np.array([[0], [1], [1], [0]])
    samples = fangs.Samples([one, other] * 10, chains=[0, 1] * 10)
    estimate = fangs.estimate(samples, seed=1)
    assert len(set(estimate.losses.tolist())) == 1
    assert fangs.assess([[1], [1], [1], [0]], samples).between_chains == 1.0


def test_there_is_nothing_to_say_without_chains(draws):
    assert fangs.estimate(list(draws), seed=1).between_chains is None
    one = fangs.Samples(list(draws), chains=[0] * len(draws))
    assert fangs.estimate(one, seed=1).between_chains is None
    same = fangs.Samples([[[1]]] * 4, chains=[0, 0, 1, 1])
    assert fangs.estimate(same, seed=1).between_chains == 0.0
