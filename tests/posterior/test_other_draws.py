"""An estimate that meets other draws than its own is assessed over these; the result says so."""

import json

import numpy as np
import pytest

import fangs
from fangs.engine import as_engine
from fangs.posterior.assess import for_draws
from oracles import fingerprint
from oracles import reference as ref
from support.strategies import noisy_draws

OTHER = "made from other draws"


@pytest.fixture(scope="module")
def own():
    return fangs.Samples(noisy_draws(np.random.default_rng(11), 9, 3, 40))


@pytest.fixture(scope="module")
def others():
    return fangs.Samples(noisy_draws(np.random.default_rng(12), 9, 3, 30))


@pytest.fixture(scope="module")
def found(own):
    return fangs.estimate(own, a=0.75, seed=1)


def test_an_estimate_knows_its_draws(found, own, others, tmp_path):
    assert found.fingerprint == own.fingerprint == fingerprint.of_draws(list(own))
    found.save(tmp_path / "estimate.npz")
    read = fangs.load(tmp_path / "estimate.npz")
    assert (read.fingerprint, read.note) == (own.fingerprint, "")
    assert fangs.assess(found, others).fingerprint == others.fingerprint
    assert fangs.sparsity_path(own, a=[1.0], seed=1).estimates[0].fingerprint == own.fingerprint
    assert fangs.alternatives.draws(own).fingerprint == own.fingerprint
    assert json.loads(fangs.formats.json.as_json(found))["fingerprint"] == own.fingerprint


def test_its_numbers_are_those_of_the_draws_at_hand(found, others):
    shown = for_draws(found, as_engine(others))
    assert OTHER in shown.note
    assert f"Note: {shown.note}" in str(shown).replace("\n ", "")
    assert OTHER in shown._repr_html_()
    assert np.array_equal(shown.matrix, found.matrix)
    losses = [ref.faro_loss(found.matrix, draw, 0.75) for draw in others]
    assert shown.losses.tolist() == losses
    assert shown.expected_loss == pytest.approx(np.mean(losses))
    assert shown.expected_loss != found.expected_loss
    flipped = [found.matrix.copy() for _ in range(found.matrix.size)]
    for at, matrix in enumerate(flipped):
        matrix.flat[at] ^= 1
    lowest = min(fangs.expected_loss(matrix, others, a=0.75) for matrix in flipped)
    assert found.is_flip_optimal
    assert lowest < shown.expected_loss
    assert not shown.is_flip_optimal
    assert (shown.search, shown.lower_bound) == (None, None)


def test_its_own_draws_in_any_order_leave_it_as_it_is(found, own):
    order = np.random.default_rng(1).permutation(len(own))
    assert for_draws(found, as_engine(own.select(order))) is found


SAYING = {
    "summary": fangs.summary,
    "credible_ball": fangs.credible_ball,
    "certify": fangs.certify,
}


@pytest.mark.parametrize("name", SAYING)
def test_results_say_so(found, own, others, name):
    result = SAYING[name](found, others)
    assert OTHER in result.note
    assert OTHER in str(result)
    assert OTHER in SAYING[name](found, fangs.align(found, others)).note
    for about in (SAYING[name](found, own), SAYING[name](found.matrix, others)):
        assert about.note == ""
        assert "ote" not in str(about)


def test_numbers_without_a_note_are_about_the_draws_at_hand(found, others):
    plain = found.matrix
    wanted = fangs.typicality(others[0], others, estimate=plain, a=0.75)
    assert fangs.typicality(others[0], others, estimate=found) == wanted
    assert fangs.lower_bound(others, a=0.75, estimate=found) == fangs.lower_bound(
        others, a=0.75, estimate=plain
    )


def test_chains_are_compared_with_it_over_the_draws_at_hand(found, others):
    chains = fangs.Samples(others, chains=[0, 1] * 15)
    compared = fangs.compare_chains(chains, estimate=found, seed=1)
    assert compared.a == 0.75
    assert compared.pooled.fingerprint == others.fingerprint
    assert f"Note: {compared.pooled.note}" in str(compared)


@pytest.mark.parametrize("name", ["losses", "feature_sizes", "mismatches"])
def test_pictures_say_so(found, own, others, name):
    draw = getattr(fangs.plot, name)
    assert OTHER in draw(found, others).get_xlabel()
    assert "ote" not in draw(found, own).get_xlabel()


def test_a_path_over_another_posterior_says_so(own, others):
    path = fangs.sparsity_path(own, a=[1.0], seed=1)
    assert OTHER in fangs.plot.path(path, samples=others).get_xlabel()
    assert fangs.plot.path(path, samples=own).get_xlabel() == "a"
