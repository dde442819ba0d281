"""The Monte Carlo error of the expected loss: its definition, its coverage, and who is told."""

import dataclasses
import json
import warnings

import numpy as np
import pytest

import fangs
from fangs.posterior import diagnostics
from fangs.posterior.diagnostics import mean_error
from test_estimate import an_estimate

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import arviz

SURE = 7
"""Items of each feature that have it in every draw, so that the matching is clear."""
SHARES = np.linspace(0.1, 0.6, 12)
"""Probabilities of the other entries, (6, 2) of them."""
ESTIMATE = np.vstack([np.repeat(np.eye(2), SURE, axis=0), (SHARES > 0.5).reshape(6, 2)])


def autocorrelated(rng, n_draws, shares, phi):
    """(n_draws, entries) of 0/1: an entry stays with probability phi, or else is drawn anew."""
    fresh = rng.random((n_draws, len(shares))) < shares
    stays = rng.random(fresh.shape) < phi
    since = np.maximum.accumulate(np.where(stays, 0, np.arange(n_draws)[:, None]))
    return np.take_along_axis(fresh, since, axis=0).astype(np.uint8)


def posterior(rng, lengths, phi, kind):
    """Draws with chains and weights of a kind, and their entries."""
    entries = np.concatenate([autocorrelated(rng, n, SHARES, phi) for n in lengths])
    sure = np.repeat(np.eye(2, dtype=np.uint8), SURE, axis=0)
    draws = [np.vstack([sure, entry.reshape(6, 2)])[:, rng.permutation(2)] for entry in entries]
    chains = np.repeat(np.arange(len(lengths)), lengths)
    return fangs.Samples(draws, chains=chains, weights=WEIGHTS[kind](rng, entries))


TARGET = 1.15 * SHARES
"""Probabilities under the posterior to which importance weights lead."""


def importance(rng, entries):
    ratios = np.where(entries == 1, TARGET / SHARES, (1 - TARGET) / (1 - SHARES))
    return ratios.prod(axis=1)


WEIGHTS = {
    "none": lambda rng, entries: None,
    "importance": importance,
    "zeros": lambda rng, entries: rng.integers(0, 3, len(entries)),
}


def true_loss(kind):
    shares = TARGET if kind == "importance" else SHARES
    return np.where(SHARES > 0.5, 1 - shares, shares).sum()


CASES = [
    ([400], 0.0, "none"),
    ([400], 0.5, "none"),
    ([200, 200], 0.5, "none"),
    ([250] * 4, 0.5, "none"),
    ([250] * 4, 0.9, "none"),
    ([400, 100, 37], 0.5, "none"),
    ([4] * 100, 0.5, "none"),
    ([250] * 4, 0.5, "importance"),
    ([400], 0.5, "zeros"),
]


@pytest.mark.parametrize(("lengths", "phi", "kind"), CASES)
def test_intervals_of_95_per_cent_cover_the_truth(lengths, phi, kind):
    rng, covered, truth = np.random.default_rng(7), [], true_loss(kind)
    for _ in range(150):
        found = fangs.assess(ESTIMATE, posterior(rng, lengths, phi, kind), n_threads=1)
        covered.append(abs(found.expected_loss - truth) <= 1.96 * found.loss_error)
    assert 0.9 <= np.mean(covered) <= 0.98


@pytest.mark.parametrize("seed", range(30))
def test_equal_chains_have_the_error_of_arviz(seed):
    rng = np.random.default_rng(seed)
    shape = int(rng.integers(1, 6)), int(rng.integers(10, 200))
    table = rng.normal(size=shape)
    table = (table, table.cumsum(axis=1), np.round(table))[seed % 3] + (seed % 2) * rng.random()
    found = mean_error(table.ravel(), chains=np.repeat(np.arange(shape[0]), shape[1]))
    with np.errstate(divide="ignore", invalid="ignore"):
        wanted = arviz.mcse(table, method="mean"), arviz.ess(table, method="mean")
    assert found == pytest.approx([float(number) for number in wanted], rel=1e-9)


def plain_error(chains):
    """The definition for independent units: the spread of totals around their chain's share."""
    everything = np.concatenate(chains)
    totals = [chain.sum() - len(chain) * everything.mean() for chain in chains]
    return np.sqrt(np.var(totals, ddof=1) * len(chains)) / len(everything)


def test_many_short_chains_are_independent_units():
    rng = np.random.default_rng(1)
    chains = [rng.normal() + 0.1 * rng.normal(size=rng.integers(1, 10)) for _ in range(60)]
    labels = np.repeat(np.arange(60), list(map(len, chains)))
    found = mean_error(np.concatenate(chains), chains=labels)
    assert found.error == pytest.approx(plain_error(chains))
    assert found.effective_draws < 100 < len(labels)
    equal = mean_error(np.repeat(rng.normal(size=50), 4), chains=np.arange(200) // 4)
    assert equal.effective_draws == pytest.approx(50, rel=0.03)


@pytest.mark.parametrize(
    "chains", [[0], [0] * 9, [0, 1], [0] * 9 + [1] * 9, np.repeat(np.arange(9), 9)]
)
def test_few_draws_cannot_tell(chains):
    values = np.random.default_rng(1).normal(size=len(chains))
    assert mean_error(values, chains=chains) is None
    samples = fangs.Samples([[[1]]] * len(chains), chains=chains)
    found = fangs.assess([[1]], samples)
    assert found.loss_error is found.loss_effective_draws is None
    assert "±" not in str(found)


def test_a_constant_loss_has_no_error():
    found = fangs.assess([[1], [1]], [[[1], [0]]] * 12)
    assert (found.loss_error, found.loss_effective_draws) == (0.0, 12.0)
    assert "Expected loss 1 at a = 1" in str(found)
    weights = np.arange(1, 13)
    assert mean_error(np.ones(12), weights).effective_draws == pytest.approx(78**2 / 650)


def test_a_draw_in_the_middle_of_an_odd_chain_is_no_division_by_zero():
    values = np.zeros(11)
    values[5] = 1
    with np.errstate(all="raise"):
        assert mean_error(values).error > 0


def test_chains_may_be_mixed_and_have_any_labels():
    rng = np.random.default_rng(2)
    values, chains = rng.normal(size=300).cumsum(), rng.choice(3, 300, p=[0.1, 0.3, 0.6])
    order = np.argsort(chains, kind="stable")
    mixed = mean_error(values, chains=chains)
    assert mixed == pytest.approx(mean_error(values[order], chains=chains[order]))
    assert mixed == mean_error(values, chains=np.array(["a", "b", "c"])[chains])
    assert mixed != pytest.approx(mean_error(values))


def test_weights_of_zero_are_no_draws_and_equal_weights_are_none():
    rng = np.random.default_rng(3)
    values, weights = rng.normal(size=200).cumsum(), rng.integers(0, 3, 200)
    kept = weights > 0
    assert mean_error(values, weights) == mean_error(values[kept], weights[kept])
    assert mean_error(values, 5 * np.ones(200)) == pytest.approx(mean_error(values))
    assert mean_error(values[:20], np.arange(20) > 18) is None


def test_independent_weights_cost_what_kish_says():
    rng = np.random.default_rng(4)
    values, weights = rng.normal(size=40_000), rng.gamma(0.5, size=40_000)
    kish = weights.sum() ** 2 / (weights @ weights)
    assert mean_error(values, weights).effective_draws == pytest.approx(kish, rel=0.2)
    deviations = values - np.average(values, weights=weights)
    plain = np.sqrt(weights**2 @ deviations**2) / weights.sum()
    assert mean_error(values, weights).error == pytest.approx(plain, rel=0.1)


@pytest.fixture(scope="module")
def arrests():
    return fangs.estimate(fangs.datasets.arrests(), seed=1)


def test_chains_that_are_stuck_have_few_effective_draws():
    found = fangs.estimate(fangs.datasets.example(), seed=1)
    assert found.loss_effective_draws < 10
    assert "25 ± 16 (Monte Carlo; 4.4 effective draws)" in str(found)
    assert "four times as long" not in str(found)


def test_the_error_is_told_everywhere(arrests, tmp_path):
    said = "Expected loss 28.2 ± 1.2 (Monte Carlo; 127 effective draws) at a = 1"
    advice = "Few effective draws: a run four times as long would halve the error"
    for text in (str(arrests), arrests._repr_html_().replace("\u00a0", " ")):
        assert said in text
        assert advice in text
    arrests.save(tmp_path / "e.json")
    document = json.loads((tmp_path / "e.json").read_text())
    data = arrests.to_xarray().attrs
    arrests.save(tmp_path / "e.npz")
    loaded = fangs.load(tmp_path / "e.npz")
    for name in ("loss_error", "loss_effective_draws"):
        assert document[name] == data[name] == getattr(loaded, name) == getattr(arrests, name)


def test_many_effective_draws_need_no_advice(arrests):
    # Four times the chains, as if they were independent: half the error.
    losses = np.tile(arrests.losses, 16)
    many = an_estimate(losses=losses[np.random.default_rng(1).permutation(len(losses))])
    assert many.loss_effective_draws > 200
    assert "effective draws)" in str(many)
    assert "four times" not in str(many)


def test_the_error_is_computed_once(monkeypatch):
    calls = []

    def counted(*given):
        calls.append(given)
        return mean_error(*given)

    monkeypatch.setattr(diagnostics, "mean_error", counted)
    found = an_estimate(losses=np.arange(20.0))
    for _ in range(3):
        str(found)
    assert len(calls) == 1
    assert dataclasses.replace(found, losses=np.arange(40.0)).loss_error > found.loss_error
