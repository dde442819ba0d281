"""Chains in different modes are told from chains that agree, where R-hat of K sees nothing."""

from dataclasses import replace

import numpy as np
import pytest

import fangs
from fangs.posterior.chains import compare_chains
from oracles import reference as ref

RNG = np.random.default_rng(5)
MODE = (RNG.random((30, 4)) < 0.4).astype(np.uint8)
# As many features and ones: one feature has other items.
OTHER_MODE = np.column_stack([RNG.permutation(MODE[:, 0]), MODE[:, 1:]])


def noisy(mode, rng, noise):
    draw = mode ^ (rng.random(mode.shape) < noise)
    return draw[:, rng.permutation(mode.shape[1])].astype(np.uint8)


def samples_around(modes, n_draws=60, noise=0.05, seed=0):
    rng = np.random.default_rng(seed)
    draws = [noisy(mode, rng, noise) for mode in modes for _ in range(n_draws)]
    return fangs.Samples(draws, chains=np.repeat(np.arange(len(modes)), n_draws))


def sticky_samples(n_chains, n_draws, noise, stay, seed):
    """Autocorrelated chains around one mode: most entries stay as they were."""
    rng = np.random.default_rng(seed)
    draws = []
    for _ in range(n_chains):
        errors = rng.random(MODE.shape) < noise
        for _ in range(n_draws):
            renewed = rng.random(MODE.shape) > stay
            errors = np.where(renewed, rng.random(MODE.shape) < noise, errors)
            draws.append((MODE ^ errors)[:, rng.permutation(4)].astype(np.uint8))
    return fangs.Samples(draws, chains=np.repeat(np.arange(n_chains), n_draws))


def test_chains_in_different_modes_are_flagged_though_k_looks_fine():
    found = compare_chains(samples_around([MODE, MODE, OTHER_MODE, OTHER_MODE]), seed=1)
    assert found.rhat["features"] < 1.01
    assert found.rhat["ones"] < 1.05
    assert found.apart == ((0, 2), (0, 3), (1, 2), (1, 3))
    assert not found.agree
    words = "The chains are in different modes: for example, chains 0 and 2"
    assert found.verdict.startswith(words)
    assert found.verdict in str(found)


def test_chains_two_entries_apart_are_flagged():
    near = MODE.copy()
    near[np.flatnonzero(MODE[:, 0])[0], 0] = 0
    near[np.flatnonzero(MODE[:, 1] == 0)[0], 1] = 1
    found = compare_chains(samples_around([MODE, near], noise=0.02), seed=1)
    assert max(found.rhat["features"], found.rhat["ones"]) < 1.05
    assert found.apart == ((0, 1),)
    assert found.distances[0, 1] == 2


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("noise", [0.03, 0.3])
def test_chains_that_sample_one_posterior_are_not_flagged(noise, seed):
    found = compare_chains(samples_around([MODE] * 4, noise=noise, seed=seed), seed=1)
    assert found.agree
    assert found.verdict.startswith("The chains agree")


def test_separation_is_a_half_on_average_where_chains_agree():
    # The estimates are judged by draws that they were not made from, so there is no bias.
    shares = []
    for seed in range(60):
        samples = samples_around([MODE] * 3, n_draws=16, noise=0.3, seed=seed)
        shares += [*compare_chains(samples, seed=1).separation[np.triu_indices(3, 1)]]
    assert abs(np.mean(shares) - 0.5) < 0.03
    assert max(shares) > 0.65  # chance alone goes far in short chains


@pytest.mark.parametrize("seed", range(4))
def test_short_chains_are_flagged_only_beyond_chance(seed):
    assert compare_chains(samples_around([MODE] * 3, 10, 0.3, seed), seed=1).apart == ()
    stuck = samples_around([MODE, OTHER_MODE], 10, 0.05, seed)
    assert compare_chains(stuck, seed=1).apart == ((0, 1),)


@pytest.mark.parametrize("seed", range(4))
def test_autocorrelation_alone_is_not_flagged(seed):
    found = compare_chains(sticky_samples(4, 300, noise=0.1, stay=0.7, seed=seed), seed=1)
    assert found.agree
    assert found.ess["ones"] < 0.6 * 1200


def test_drifting_chains_have_not_converged():
    rng = np.random.default_rng(1)
    drift = np.linspace(0.0, 0.25, 80)
    draws = [noisy(MODE, rng, noise) for _ in range(3) for noise in drift]
    found = compare_chains(fangs.Samples(draws, chains=np.repeat([0, 1, 2], 80)), seed=1)
    assert not found.agree
    assert found.apart == ()
    assert found.verdict.startswith("The chains have not converged: R-hat of")


def test_estimates_and_distances_are_those_of_the_chains():
    samples = samples_around([MODE, MODE, OTHER_MODE], n_draws=20)
    found = compare_chains(samples, a=0.75, seed=3)
    for c, estimate in enumerate(found.estimates):
        own = [samples[b] for b in range(20 * c, 20 * (c + 1))]
        assert np.array_equal(estimate, fangs.estimate(own, a=0.75, seed=3))
        assert found.to_pooled[c] == ref.faro_loss(estimate, found.pooled)
        for d, other in enumerate(found.estimates):
            assert found.distances[c, d] == ref.faro_loss(estimate, other)
    assert np.array_equal(found.pooled, fangs.estimate(samples, a=0.75, seed=3))
    assert found.separation.diagonal().tolist() == [0.5] * 3
    assert np.array_equal(found.separation, found.separation.T)


def test_separation_does_not_depend_on_the_seed_or_the_penalty():
    samples = samples_around([MODE, OTHER_MODE], n_draws=24, noise=0.25)
    found = [compare_chains(samples, a=a, seed=seed) for a, seed in ((0.75, 2), (1.3, 5))]
    assert np.array_equal(found[0].separation, found[1].separation)
    assert found[0].held_out.tolist() == [12, 12]


def test_chains_may_be_mixed_up_and_of_different_lengths():
    samples = samples_around([MODE, MODE], n_draws=40)
    order = np.random.default_rng(1).permutation(80)[:70]
    order = order[np.argsort(order % 40, kind="stable")]  # each chain in its own order
    found = compare_chains(samples.select(order), seed=1)
    assert sum(found.n_draws) == 70
    assert found.agree


def test_longer_chains_are_cut_at_their_beginning():
    # Draws without features, before one chain found its mode, are not among the last 20.
    samples = samples_around([MODE, MODE], n_draws=20)
    draws = [np.zeros((30, 0))] * 10 + list(samples)
    found = compare_chains(fangs.Samples(draws, chains=[0] * 30 + [1] * 20), seed=1)
    assert found.n_draws == (30, 20)
    assert found.rhat["features"] == 1.0


def test_a_number_that_never_changes_is_no_reason_to_worry():
    samples = fangs.Samples([MODE] * 40, chains=np.repeat([0, 1], 20))
    found = compare_chains(samples, seed=1)
    assert found.rhat == {"features": 1.0, "ones": 1.0, "loss": 1.0}
    assert found.agree
    assert "agree" in repr(found)


def test_a_small_effective_size_does_not_contradict_the_agreement():
    found = compare_chains(samples_around([MODE] * 2), seed=1)
    agreed = "The chains agree: nothing here speaks against pooling them."
    many = replace(found, ess={"features": 110.0, "ones": 100.0, "loss": 120.0})
    assert many.verdict == agreed
    few = replace(found, ess={"features": 110.0, "ones": 100.0, "loss": 31.4})
    assert few.agree
    assert few.verdict == (
        f"{agreed} But the loss has a bulk effective sample size of only 31 in 120 draws; a longer "
        "run would make shares and losses more exact."
    )


@pytest.fixture(scope="module")
def two_and_one():
    return compare_chains(samples_around([MODE, MODE, OTHER_MODE]), seed=1)


def test_groups_are_chains_that_share_a_mode(two_and_one):
    found = compare_chains(samples_around([MODE, OTHER_MODE, MODE, OTHER_MODE, MODE]), seed=1)
    assert found.groups == ((0, 2, 4), (1, 3))
    assert found.verdict.endswith(
        "do not pool them. Chains 0, 2 and 4 share a mode, chains 1 and 3 share a mode: "
        "fangs.modes(draws, n_modes=2) gives an estimate for each mode."
    )
    assert two_and_one.groups == ((0, 1), (2,))
    assert "Chains 0 and 1 share a mode, chain 2 has one of its own" in two_and_one.verdict


def test_chains_linked_by_a_third_are_one_group(two_and_one):
    between = two_and_one.separation.copy()
    between[1, 2] = between[2, 1] = 0.6  # as if chain 2 moved between both modes
    linked = replace(two_and_one, separation=between)
    assert linked.apart == ((0, 2),)
    assert linked.groups == ((0, 1, 2),)
    assert "fangs.modes finds the modes" in linked.verdict
