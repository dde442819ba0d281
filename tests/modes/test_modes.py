"""Modes are what they say they are: by the plain definitions, for any threads, never worse."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fangs
from fangs.engine import ThreadedEngine
from fangs.modes import ModesParams, run_modes
from oracles import reference as ref
from oracles.plain_engine import PlainEngine
from support.checks import check_estimate, same_bits
from support.strategies import noisy_draws, penalties, several_allocations


def mean_of_smallest(estimates, draws, a):
    losses = [[ref.faro_loss(e, draw, a) for e in estimates] for draw in draws]
    return np.mean(np.min(losses, axis=1))


def planted(n_draws=40, noise=0.04, seed=0):
    """Draws around three allocations, in turn."""
    rng = np.random.default_rng(seed)
    truths = [(rng.random((12, 3)) < 0.4).astype(np.uint8) for _ in range(3)]
    return [truths[b % 3] ^ (rng.random((12, 3)) < noise) for b in range(n_draws)], truths


@pytest.fixture(scope="module")
def found(draws):
    return fangs.modes(draws, seed=1)


def test_the_bundled_draws_have_two_modes_split_by_chain(found):
    assert found.n_modes == 2
    assert found.expected_loss <= 7.3325
    assert found.weights.tolist() == [0.75, 0.25]
    assert found.by_chain.tolist() == [[100, 0], [100, 0], [100, 0], [0, 100]]
    assert found.doubtful.tolist() == []
    assert "2 modes" in found.explanation


def test_names_belong_to_like_features_of_all_modes(found):
    assert found.feature_names == ("1", "2", "3", "4", "5")
    names = ["box", "step", "cross", "corner", "other"]
    named = found.named(names)
    for m, estimate in enumerate(named.estimates):
        for name, column in zip(estimate.feature_names, estimate.matrix.T, strict=True):
            assert np.array_equal(named.aligned()[m][:, names.index(name)], column)
        assert named.alignment(m).feature_names == estimate.feature_names
        assert named.summary(m).feature_names == estimate.feature_names
    labels = [text.get_text() for text in fangs.plot.modes(named).get_xticklabels()]
    assert labels == 2 * names


def test_one_mode_is_the_estimate_to_the_bit(draws):
    one = fangs.modes(draws, n_modes=1, seed=3)
    estimate = fangs.estimate(draws, seed=3)
    (ours,) = one.estimates
    assert same_bits(ours) == same_bits(estimate)
    assert ours.between_chains == estimate.between_chains
    assert one.expected_loss == estimate.expected_loss
    assert np.array_equal(one.losses[:, 0], estimate.losses)
    assert one.curve.tolist() == [estimate.expected_loss]


@pytest.mark.parametrize("a", [0.5, 1.0, 1.375])
def test_everything_is_what_the_definitions_say(a):
    draws, _ = planted()
    samples = fangs.Samples(draws, chains=np.arange(40) % 2)
    heard = []
    modes = fangs.modes(samples, n_modes=3, a=a, seed=1, progress=heard.append)
    assert [(p.done, p.total) for p in heard if p.phase == "modes"] == [(1, 3), (2, 3)]
    assert modes.n_modes == 3
    matrices = [e.matrix for e in modes.estimates]
    assert modes.expected_loss == pytest.approx(mean_of_smallest(matrices, draws, a))
    losses = [[ref.faro_loss(matrix, draw, a) for matrix in matrices] for draw in draws]
    assert modes.losses.tolist() == pytest.approx(np.array(losses))
    own = modes.losses[np.arange(40), modes.labels]
    assert np.array_equal(own, modes.losses.min(axis=1))
    for b, m in enumerate(modes.labels):
        apart = [ref.faro_loss(matrices[j], matrices[m], a) for j in range(3)]
        shares = [(losses[b][j] - own[b]) / apart[j] for j in range(3) if j != m]
        assert modes.margins[b] == pytest.approx(min(shares))
    assert modes.weights.tolist() == [np.mean(modes.labels == m) for m in range(3)]
    assert all(heavy >= light for heavy, light in pairwise(modes.weights))
    for i, j in product(range(3), repeat=2):
        assert modes.distances[i, j] == ref.faro_loss(matrices[i], matrices[j])
    for c, m in product(range(2), range(3)):
        assert modes.by_chain[c, m] == np.sum((np.arange(40) % 2 == c) & (modes.labels == m))


def test_each_estimate_is_one_of_its_own_draws():
    draws, _ = planted()
    modes = fangs.modes(draws, n_modes=3, a=0.75, seed=1)
    for m, estimate in enumerate(modes.estimates):
        own = [draws[b] for b in modes.members(m)]
        assert modes.members(m).tolist() == [b for b in range(40) if modes.labels[b] == m]
        check_estimate(estimate, own, 0.75)
        assert estimate.is_flip_optimal
        assert estimate.search.seed == 1


@given(several_allocations(6, max_items=3, max_features=2), st.integers(1, 4), penalties)
def test_the_loss_is_that_of_its_definition_for_any_draws(draws, n_modes, a):
    modes = fangs.modes(draws, n_modes=n_modes, a=a, seed=1)
    matrices = [e.matrix for e in modes.estimates]
    assert modes.expected_loss == pytest.approx(mean_of_smallest(matrices, draws, a))
    different = {ref.left_ordered(draw).tobytes() for draw in draws}
    assert 1 <= modes.n_modes <= min(n_modes, len(different))
    assert len(modes.curve) == n_modes
    assert all(more >= fewer for more, fewer in pairwise(modes.curve))
    assert modes.curve[0] == fangs.estimate(draws, a=a, seed=1).expected_loss
    assert modes.expected_loss == modes.curve[modes.n_modes - 1]


@pytest.mark.parametrize("seed", range(5))
def test_small_problems_are_solved_to_the_optimum(seed):
    # The optimum by trying every way to share out the draws.
    rng = np.random.default_rng(seed)
    draws = [(rng.random((4, 1)) < 0.5).astype(np.uint8) for _ in range(6)]
    losses = {(): 0.0}

    def total(members):
        if members not in losses:
            best = ref.best_estimate([draws[b] for b in members])[1]
            losses[members] = best * len(members)
        return losses[members]

    lowest = np.inf
    for labels in product(range(2), repeat=5):
        groups = [tuple(b for b, g in enumerate((0, *labels)) if g == m) for m in range(2)]
        lowest = min(lowest, sum(total(group) for group in groups) / 6)
    engine = ThreadedEngine(draws, 1)
    modes = run_modes(engine, 1.0, 1, n_modes=2, params=ModesParams(n_seedings=10))
    assert modes.expected_loss == pytest.approx(lowest)


@pytest.mark.parametrize("n_threads", [2, 7])
def test_threads_change_nothing(n_threads):
    draws = noisy_draws(np.random.default_rng(3), 20, 4, 120, noise=0.3)
    one, other = (fangs.modes(draws, n_modes=4, seed=5, n_threads=n) for n in (1, n_threads))
    assert [same_bits(e) for e in one.estimates] == [same_bits(e) for e in other.estimates]
    assert one.labels.tobytes() == other.labels.tobytes()
    assert one.losses.tobytes() == other.losses.tobytes()
    assert one.curve.tobytes() == other.curve.tobytes()


def test_any_engine_gives_the_same_modes():
    draws = noisy_draws(np.random.default_rng(2), 6, 2, 14, noise=0.2)
    params = ModesParams(n_seedings=1, n_additions=1)
    engines = ThreadedEngine(draws, 1), PlainEngine(draws)
    one, other = (run_modes(e, 1.0, 1, n_modes=2, params=params) for e in engines)
    assert one.labels.tolist() == other.labels.tolist()
    assert one.curve.tolist() == other.curve.tolist()
    for ours, theirs in zip(one.estimates, other.estimates, strict=True):
        assert np.array_equal(ours.matrix, theirs.matrix)


def test_a_subsample_leads_to_the_same_modes():
    draws, _ = planted(120, noise=0.03)
    params = ModesParams(subsample_draws=40)
    few = run_modes(ThreadedEngine(draws, 1), 1.0, 1, params=params, max_modes=4)
    whole = fangs.modes(draws, seed=1, max_modes=4)
    assert few.n_modes == whole.n_modes == 3
    assert few.expected_loss == whole.expected_loss
    assert all(more >= fewer for more, fewer in pairwise(few.curve))


def test_there_are_no_more_modes_than_different_draws():
    draws = [[[1], [0], [1]], [[0], [1], [1]], [[1], [0], [1]]] * 4
    modes = fangs.modes(draws, n_modes=5, seed=1)
    assert modes.n_modes == 2
    assert modes.expected_loss == 0
    assert modes.weights.tolist() == pytest.approx([2 / 3, 1 / 3])
    assert modes.curve[1:].tolist() == [0.0] * 4
    assert modes.explanation == "5 modes were asked for, but no loss is left with 2."
    assert "modes: 0.666667, 0\n" in str(modes)  # no zeros for numbers that were not tried


@pytest.mark.parametrize("draws", [[np.zeros((3, 0))] * 4, [[[1]]], [np.ones((2, 3))] * 5])
def test_equal_draws_have_one_mode(draws):
    modes = fangs.modes(draws, seed=1)
    assert modes.n_modes == 1
    assert modes.expected_loss == 0
    assert modes.margins.tolist() == [1.0] * len(draws)
    assert "One estimate is enough" in str(modes)


def test_summary_ball_and_alignment_are_those_of_the_modes_own_draws(found, draws):
    for m, estimate in enumerate(found.estimates):
        own = draws.select(found.members(m))
        theirs = fangs.align(estimate, own)
        assert np.array_equal(found.alignment(m).permutations, theirs.permutations)
        assert str(found.summary(m, level=0.9)) == str(fangs.summary(estimate, own, level=0.9))
        assert str(found.credible_ball(m)) == str(fangs.credible_ball(estimate, own))


def test_doubtful_draws_are_named():
    near, far = np.zeros((12, 1)), np.zeros((12, 1))
    near[:6], far[6:] = 1, 1
    between = near.copy()
    between[:2], between[6:9] = 0, 1  # loss 5 to one and 7 to the other
    modes = fangs.modes([near] * 10 + [far] * 9 + [between], n_modes=2, seed=1)
    assert modes.doubtful.tolist() == [19]
    assert modes.margins[19] == pytest.approx((7 - 5) / 12)
    assert "1 of 20 draws (19)" in str(modes)
