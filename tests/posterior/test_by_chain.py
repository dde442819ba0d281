"""Which features each chain has."""

import numpy as np
import pytest

import fangs
from support.strategies import noisy_draws


def plain_shares(matrix, samples, alignment, weights):
    """For every chain and feature, the weight of draws whose match has Jaccard >= 1/2."""
    labels = list(dict.fromkeys(samples.chains.tolist()))
    shares = np.zeros((len(labels), matrix.shape[1]))
    for b, draw in enumerate(samples):
        for j, column in enumerate(matrix.T):
            mate = alignment.permutations[b, j]
            if mate >= 0:
                both, either = (column & draw[:, mate]).sum(), (column | draw[:, mate]).sum()
                shares[labels.index(samples.chains[b]), j] += weights[b] * (both / either >= 0.5)
    total = [sum(w for w, c in zip(weights, samples.chains, strict=True) if c == x) for x in labels]
    return labels, shares / np.array(total)[:, None]


@pytest.mark.parametrize("seed", range(4))
def test_shares_are_those_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    draws, chains = (
        noisy_draws(rng, 8, 3, 40),
        np.array(["warm", "cold", "late"])[np.arange(40) % 3],
    )
    weights = rng.integers(1, 4, 40)
    samples = fangs.Samples(draws, chains=chains, weights=weights)
    estimate = fangs.estimate(samples, seed=1)
    alignment = fangs.align(estimate, samples)
    found = alignment.by_chain()
    labels, expected = plain_shares(estimate.matrix, samples, alignment, weights)
    assert found.chains == tuple(labels)
    np.testing.assert_allclose(found.shares, expected)
    every = np.average(found.shares, axis=0, weights=[weights[chains == c].sum() for c in labels])
    np.testing.assert_allclose(every, fangs.summary(estimate, alignment).features.present)


def test_the_table_tells_what_the_chains_disagree_about():
    draws = fangs.datasets.example()
    estimate = fangs.estimate(draws, seed=1).named(["box", "step", "cross", "corner"])
    found = fangs.align(estimate, draws).by_chain()
    assert found.spread.argmax() == 1
    assert "   step    100 %    100 %    100 %     38 %" in str(found)
    frame = found.to_frame()
    assert frame.loc["step"].tolist() == [1.0, 1.0, 1.0, 0.38]
    assert frame.columns.tolist() == [0, 1, 2, 3]
    assert "38 %" in found._repr_html_()
    assert repr(found) == "<FeaturesByChain: 4 features in 4 chains>"


def test_chains_without_weight_are_left_out_and_draws_without_chains_refused():
    draws = fangs.datasets.example()
    weighted = fangs.Samples(draws, weights=(draws.chains != 1).astype(int))
    assert fangs.align(draws[0], weighted).by_chain().chains == (0, 2, 3)
    with pytest.raises(ValueError, match="the draws have no chains"):
        fangs.align(draws[0], list(draws)).by_chain()


def test_no_feature_is_a_table_without_rows():
    samples = fangs.Samples([np.zeros((3, 0))] * 4, chains=[0, 0, 1, 1])
    found = fangs.align(np.zeros((3, 0)), samples).by_chain()
    assert found.shares.shape == (2, 0)
    assert str(found).splitlines()[0] == "Feature  Chain 0  Chain 1"
    assert "Chain 1" in found._repr_html_()
