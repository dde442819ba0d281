"""Results, paths and draws given where something else is wanted: the message names what works."""

import numpy as np
import pytest

import fangs

DRAWS = fangs.datasets.example()
FOUND = fangs.assess(DRAWS[0], DRAWS)
SIMULATED = fangs.simulate.posterior_like(8, 2, 10, seed=1)
SAMPLED = fangs.simulate.sample_posterior(
    fangs.simulate.linear_gaussian([[1], [0], [1]], n_dims=2, sigma_x=0.5, sigma_a=1, seed=1).data,
    n_draws=4,
    burn_in=2,
    seed=1,
)
PATH = fangs.sparsity_path(DRAWS, a=[0.5, 1], seed=1)
CHOICE = fangs.choose_a(DRAWS, n_features=4, seed=1)

CALLS = {
    "one draw, such as draws[0]": [
        lambda: fangs.faro_loss(FOUND, DRAWS),
        lambda: fangs.left_ordered(DRAWS),
    ],
    "fangs.load(path)": [
        lambda: fangs.assess("estimate.npz", DRAWS),
        lambda: fangs.faro_loss(FOUND, "draws.npz"),
        lambda: fangs.plot.comparison(FOUND, "draws.npz"),
        lambda: fangs.plot.n_features(DRAWS, estimate="estimate.npz"),
    ],
    "give one of its estimates": [
        lambda: fangs.summary(PATH, DRAWS),
        lambda: fangs.plot.allocation(PATH),
    ],
    "give its .estimate": [
        lambda: fangs.credible_ball(CHOICE, DRAWS),
        lambda: fangs.plot.levels(CHOICE),
    ],
    "give its .draws": [lambda: fangs.estimate(SIMULATED)],
    "give its .samples()": [lambda: fangs.estimate(SAMPLED)],
    "give the draws themselves": [
        lambda: fangs.estimate(PATH),
        lambda: fangs.compare_chains(CHOICE),
    ],
    "fangs.assess(matrix, draws)": [
        lambda: fangs.plot.allocation(DRAWS[0]),
        lambda: fangs.plot.levels(DRAWS[0]),
    ],
    "chains=labels": [lambda: fangs.Samples.from_chains(DRAWS)],
    "the file to write": [lambda: FOUND.save(DRAWS)],
    "width and height in inches": [lambda: fangs.plot.similarity(DRAWS, figsize=5)],
    "fangs.assess(estimate, draws)": [lambda: fangs.inspect(FOUND)],
    "such as ['map']": [lambda: fangs.compare(DRAWS, methods="map")],
}


@pytest.mark.parametrize(
    ("remedy", "call"), [(remedy, call) for remedy, calls in CALLS.items() for call in calls]
)
def test_the_message_names_what_works(remedy, call):
    with pytest.raises(TypeError) as refusal:
        call()
    assert remedy in str(refusal.value)


def test_what_the_messages_name_does_work(tmp_path):
    files = [tmp_path / name for name in ("first.npz", "second.npz")]
    for file in files:
        fangs.Samples(SIMULATED.draws).save(file)
    assert fangs.read(files).chains.tolist() == [0] * 10 + [1] * 10
    assert fangs.estimate(SIMULATED.draws, seed=1).n_items == 8
    assert fangs.estimate(SAMPLED.samples(), seed=1).n_items == 3
    assert fangs.summary(PATH.estimates[0], DRAWS).a == 0.5
    assert fangs.faro_loss(FOUND, DRAWS[0]) == 0


def test_what_is_simulated_prints_on_one_line():
    data = fangs.simulate.linear_gaussian(np.eye(3), n_dims=2, sigma_x=1, sigma_a=1, seed=1)
    for thing in (SIMULATED, SAMPLED, data):
        assert len(repr(thing)) < 100
    assert "10 draws of 8 items, around 2 features" in repr(SIMULATED)
