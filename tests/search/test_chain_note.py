"""An estimate says how far its chains disagree."""

import numpy as np
import pytest

import fangs
from fangs.engine import ThreadedEngine
from fangs.search.chain_note import DISAGREE, between_chains
from support.strategies import noisy_draws


def plain_share(aligned, chains):
    """Share of the variance of the entries between chains, by the analysis of variance."""
    total = ((aligned - aligned.mean(axis=0)) ** 2).sum()
    means = np.stack([aligned[chains == chains[b]].mean(axis=0) for b in range(len(aligned))])
    within = ((aligned - means) ** 2).sum()
    return 1 - within / total


@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_share_of_the_variance_between_chains(seed):
    rng = np.random.default_rng(seed)
    chains = rng.integers(0, 3, 40)
    samples = fangs.Samples(noisy_draws(rng, 12, 3, 40), chains=chains)
    estimate = fangs.estimate(samples, seed=1)
    aligned = fangs.align(estimate, samples).draws().astype(float)
    assert estimate.between_chains == pytest.approx(plain_share(aligned, chains))


def test_chains_in_different_modes_are_noted(draws, estimate):
    assert estimate.between_chains >= DISAGREE
    assert "The chains disagree: 46 %" in str(estimate)
    three = fangs.estimate(draws.select(np.flatnonzero(draws.chains < 3)), seed=1)
    assert three.between_chains < 0.02
    assert "disagree" not in str(three)


def test_modes_as_far_from_the_estimate_as_each_other_are_noted():
    # The losses of both chains are the same, so they alone would tell nothing.
    one, other = np.array([[1], [1], [0], [0]]), np.array([[0], [1], [1], [0]])
    samples = fangs.Samples([one, other] * 10, chains=[0, 1] * 10)
    estimate = fangs.estimate(samples, seed=1)
    assert len(set(estimate.losses.tolist())) == 1
    assert between_chains(ThreadedEngine(samples, 1), np.array([[1], [1], [1], [0]])) == 1.0


def test_there_is_nothing_to_say_without_chains(draws):
    assert fangs.estimate(list(draws), seed=1).between_chains is None
    one = fangs.Samples(list(draws), chains=[0] * len(draws))
    assert fangs.estimate(one, seed=1).between_chains is None
    same = fangs.Samples([[[1]]] * 4, chains=[0, 0, 1, 1])
    assert fangs.estimate(same, seed=1).between_chains == 0.0


def test_it_is_saved_with_the_estimate(estimate, tmp_path):
    estimate.save(tmp_path / "e.npz")
    assert fangs.load(tmp_path / "e.npz").between_chains == estimate.between_chains
