"""The rule for the number of modes: its parts by definition, and its word on known posteriors."""

from dataclasses import replace

import numpy as np
import pytest

import fangs
from fangs.engine import ThreadedEngine
from fangs.modes.number_of_modes import chosen, clear_needed, jointly_apart, judge
from fangs.modes.params import ModesParams
from fangs.modes.partition import Centre, Partition
from fangs.simulate import bars, case_study, posterior_like, sample_posterior


def moved(truth, n_entries, rng):
    """As many ones, half of `n_entries` elsewhere."""
    other = truth.copy()
    for value in (1, 0):
        where = np.argwhere(truth == value)
        for i, j in where[rng.choice(len(where), size=n_entries // 2, replace=False)]:
            other[i, j] = 1 - value
    return other


def test_a_single_entry_or_feature_is_nothing_joint():
    one = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=np.uint8)
    entry = one.copy()
    entry[0, 0] = 0
    assert jointly_apart(one, entry) == 0
    assert jointly_apart(one, one[:, :1]) == 0  # one feature, of two items
    both = entry.copy()
    both[2, 0] = 1
    assert jointly_apart(one, both) == 0.5
    assert jointly_apart(one[:, :1], entry) == pytest.approx(1 / 3)  # an entry, and two items


def test_steps_say_what_the_rule_looked_at(draws):
    found = fangs.modes(draws, max_modes=3, seed=1)
    first, second, third = found.steps
    assert first.is_accepted
    assert second.is_accepted
    assert second.gain == 1 - found.curve[1] / found.curve[0]
    assert second.clear == 1.0
    # Of 100 draws in the lighter mode, and 300 in the other.
    assert second.clear_needed == pytest.approx(5 / 6 + np.sqrt(5 / 36 / 100))
    assert second.weight == 0.25
    assert not third.is_accepted
    assert third.gain == 1 - found.curve[2] / found.curve[1] < 0.1
    assert third.joint == 0.0  # the third differs from another in one feature only


@pytest.mark.parametrize(
    "hurdle",
    [
        {"least_gain": 0.8},
        {"clear_margin": 0.99},
        {"least_weight": 0.3},
        {"fewest_draws": 101},
        {"least_joint": 0.9},
    ],
)
def test_each_part_of_the_rule_can_refuse(draws, hurdle):
    engine = ThreadedEngine(draws, 1)
    found = fangs.modes(draws, n_modes=2, seed=1)
    two = Partition.of(
        engine.samples_info, 1.0, [Centre.of(engine, e.matrix, 1.0) for e in found.estimates]
    )
    one = two.with_centres([Centre.of(engine, fangs.estimate(draws, seed=1).matrix, 1.0)])
    params = ModesParams()
    assert chosen(judge([one, two], params)) == 2
    assert chosen(judge([one, two], replace(params, **hurdle))) == 1


def test_the_largest_number_accepted_is_chosen_even_past_a_refusal(draws):
    steps = fangs.modes(draws, max_modes=3, seed=1).steps
    refused = replace(steps[1], is_accepted=False)
    accepted = replace(steps[2], is_accepted=True)
    assert chosen((steps[0], refused, accepted)) == 3
    assert chosen((steps[0], refused)) == 1


def test_weights_count_by_the_effective_number_of_draws(draws):
    """Weights of 1000 each are no more evidence than weights of 1."""
    params = ModesParams()
    for chain_weight, heavy_weight in ((1, 1), (1000, 1000), (1, 5)):
        weights = np.where(draws.chains == 3, heavy_weight, chain_weight)
        engine = ThreadedEngine(fangs.Samples(list(draws), weights=weights), 1)
        found = fangs.modes(draws, n_modes=2, seed=1)
        centres = [Centre.of(engine, e.matrix, 1.0) for e in found.estimates]
        partition = Partition.of(engine.samples_info, 1.0, centres)
        assert partition.effective_counts.tolist() == [300, 100]
        errors = np.sqrt(5 / 36 / np.array([300, 100]))
        assert clear_needed(partition, params) == pytest.approx(5 / 6 + errors)
    uneven = np.where(np.arange(400) % 2, 1, 1000)
    engine = ThreadedEngine(fangs.Samples(list(draws), weights=uneven), 1)
    partition = Partition.of(
        engine.samples_info, 1.0, [Centre.of(engine, c.matrix, 1.0) for c in centres]
    )
    assert (partition.effective_counts.round() == [150, 50]).all()


@pytest.mark.parametrize(("few", "n_modes"), [(5, 2), (4, 1)])
def test_a_mode_needs_five_draws(few, n_modes):
    near, far = np.zeros((12, 1)), np.zeros((12, 1))
    near[:6], far[6:] = 1, 1
    found = fangs.modes([near] * 9 + [far] * few, seed=1)
    assert found.steps[1].clear == found.steps[1].clear_needed == 1.0
    assert found.n_modes == n_modes


UNIMODAL = {
    "clear": {"noise": 0.03},
    "noisy": {"noise": 0.3},
    "births": {"noise": 0.1, "births": 1.0},
    "deaths": {"noise": 0.1, "deaths": 0.1},
    "splits": {"noise": 0.1, "splits": 0.1},
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", UNIMODAL)
def test_a_posterior_with_one_mode_has_one(kind, seed):
    draws = posterior_like(40, 4, 200, seed=seed, **UNIMODAL[kind]).draws
    assert fangs.modes(draws, max_modes=4, seed=1).n_modes == 1


@pytest.mark.parametrize("name", ["dfa", "cmc", "aibd"])
def test_the_case_studies_have_one_mode(name):
    assert fangs.modes(case_study(name).draws, max_modes=3, seed=1).n_modes == 1


# Sizes of a feature at the quantiles of densities with a single peak, in the middle or at an end.
SIZES = {
    "uniform": lambda q: q,
    "triangle": lambda q: np.where(q < 0.5, np.sqrt(q / 2), 1 - np.sqrt((1 - q) / 2)),
    "falling": lambda q: 1 - np.sqrt(1 - q),
    "rising": lambda q: np.sqrt(q),
}


@pytest.mark.parametrize("density", SIZES)
def test_one_cloud_along_a_line_has_no_more_than_five_sixths_clear(density):
    """The bound that the rule's docstring proves, and so one mode, although two save much."""
    quantiles = (np.arange(300) + 0.5) / 300
    sizes = np.rint(200 * SIZES[density](quantiles)).astype(int)
    draws = [(np.arange(200) < size).astype(np.uint8)[:, None] for size in sizes]
    found = fangs.modes(draws, max_modes=3, seed=1)
    assert found.steps[1].gain > 0.4
    assert found.steps[1].clear < 5 / 6 + 0.02  # sizes are whole numbers
    assert found.steps[1].joint > 0.9
    assert found.n_modes == 1


def test_a_feature_that_grows_and_shrinks_is_no_mode():
    rng = np.random.default_rng(1)
    made = posterior_like(60, 5, 300, noise=0.03, seed=1)
    feature = made.truth[:, [0]]
    others = rng.permutation(np.flatnonzero(feature == 0))[:30]
    for draw in made.draws:
        nearest = (draw != feature).sum(axis=0).argmin()
        draw[others[: rng.integers(len(others) + 1)], nearest] = 1
    found = fangs.modes(made.draws, max_modes=3, seed=1)
    assert found.steps[1].gain > 0.1
    assert found.steps[1].weight > 0.2
    assert found.n_modes == 1


@pytest.mark.parametrize("seed", [2, 25])
def test_blurred_bars_whose_chain_drifts_have_one_mode(seed):
    """Chains that go to and fro between ends of one cloud, 33 and 22 times in 400 sweeps."""
    images = bars(60, sigma_x=0.7, seed=seed)
    known = {"sigma_x": 0.7, "sigma_a": 1.0, "alpha": 1.0}
    posterior = sample_posterior(
        images.data, initial=images.matrix, n_draws=400, burn_in=100, n_chains=1, seed=seed, **known
    )
    found = fangs.modes(posterior.draws, max_modes=4, seed=seed)
    assert found.steps[1].gain > 0.1
    assert found.n_modes == 1


@pytest.mark.parametrize("a", [0.6, 1.0, 1.4])
@pytest.mark.parametrize("sizes", [(100, 100), (170, 30), (80, 60, 60)])
def test_planted_modes_are_found(sizes, a):
    rng = np.random.default_rng(len(sizes))
    first = posterior_like(40, 4, 200, noise=0.1, seed=7)
    truths = [first.truth, *(moved(first.truth, 40, rng) for _ in sizes[1:])]
    draws = []
    for truth, size in zip(truths, sizes, strict=True):
        draws += posterior_like(40, 4, size, noise=0.1, truth=truth, seed=len(draws)).draws
    found = fangs.modes(draws, max_modes=5, a=a, seed=1)
    assert found.n_modes == len(sizes)
    assert sorted(np.bincount(found.labels)) == sorted(sizes)


def test_a_feature_that_comes_and_goes_is_no_mode():
    whole = posterior_like(40, 4, 200, noise=0.05, seed=1).draws
    rng = np.random.default_rng(1)
    truth = posterior_like(40, 4, 1, noise=0.05, seed=1).truth
    fewer = [
        draw if rng.random() < 0.5 else _without(draw, truth[:, 0]) for draw in whole
    ]  # half of them lack the first feature
    found = fangs.modes(fewer, max_modes=3, seed=1)
    assert found.steps[1].gain > 0.1
    assert found.steps[1].clear > 0.9
    assert found.steps[1].joint < 1 / 3
    assert found.n_modes == 1


def _without(draw, feature):
    """The draw without its feature that is most like the given one."""
    differing = (draw != feature[:, None]).sum(axis=0)
    return np.delete(draw, differing.argmin(), axis=1)
