"""Weights: how they become whole numbers, what is refused, and random choices by weight."""

from fractions import Fraction

import numpy as np
import pytest

import fangs
from fangs.draws.weights import (
    RESOLUTION,
    as_weights,
    choose_copies,
    draws_of_copies,
    effective_number,
    evenly_spaced_copies,
)

DRAWS = [[[1, 0], [1, 1]], [[1], [1]], [[1], [0]]]


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ([1, 2, 3], [1, 2, 3]),
        ([2, 4, 6], [2, 4, 6]),  # whole numbers stay as they are
        ([0, 0, 7], [0, 0, 7]),
        (np.array([3, 200, 0], dtype=np.uint8), [3, 200, 0]),
        ([0.25, 1.0, 0.5], [1, 4, 2]),
        ([0.1, 0.2, 0.3], [1, 2, 3]),  # decimals are what they print as
        (np.array([0.1, 0.2, 0.3], dtype=np.float32), [1, 2, 3]),
        ([1e-300, 2e-300, 0.0], [1, 2, 0]),
        ([1e308, 1e308, 1e308], [1, 1, 1]),
        ([2.0, 4.0, 6.0], [2, 4, 6]),
        ([1 / 7, 1 / 7, 1 / 7], [1, 1, 1]),
        ([2.0, 3.0, 1e6], [2, 3, 1_000_000]),
    ],
)
def test_weights_with_a_common_unit_are_exact(given, wanted):
    samples = fangs.Samples(DRAWS, weights=given)
    assert samples.weights.tolist() == wanted
    assert samples.weights.dtype == np.int64
    assert not samples.weights.flags.writeable
    assert samples.weights_error == 0.0


@pytest.mark.parametrize("n_draws", [3, 1000])
@pytest.mark.parametrize("spread", [1.0, 20.0])
def test_other_weights_are_close_to_what_was_given(n_draws, spread):
    given = np.exp(spread * np.random.default_rng(n_draws).standard_normal(n_draws))
    whole, error = as_weights(given, n_draws=n_draws)
    assert abs(int(whole.sum()) - RESOLUTION) <= n_draws
    exact = [Fraction(float(x)) for x in given]
    total, whole_total = sum(exact), sum(whole.tolist())
    distance = sum(
        abs(Fraction(w, whole_total) - x / total)
        for w, x in zip(whole.tolist(), exact, strict=True)
    )
    assert error == pytest.approx(float(distance / 2), rel=1e-3, abs=1e-15)
    assert 0 < error <= n_draws / 2**32 * 1.01


@pytest.mark.parametrize(
    ("given", "kind", "words"),
    [
        ([1, -1, 2], ValueError, r"weights\[1\] is -1"),
        ([1.0, np.nan, 2.0], ValueError, r"weights\[1\] is nan.*logarithms"),
        ([1.0, 2.0, np.inf], ValueError, r"weights\[2\] is inf"),
        ([0, 0, 0], ValueError, "all 0"),
        ([0.0, 0.0, 0.0], ValueError, "all 0"),
        ([1, 2], ValueError, r"shape \(2,\), but there are 3 draws"),
        (2, ValueError, r"shape \(\)"),
        ([True, False, True], TypeError, "type bool"),
        (["1", "2", "3"], TypeError, "one number per draw"),
        ([2**53, 1, 1], ValueError, r"more than 2\^53"),
        (np.array([2**64 - 1, 1, 1], dtype=np.uint64), ValueError, r"more than 2\^53"),
    ],
)
def test_bad_weights_are_refused(given, kind, words):
    with pytest.raises(kind, match=words):
        fangs.Samples(DRAWS, weights=given)


def test_weights_too_large_for_the_ones_of_the_draws_are_refused():
    draws = [np.ones((1000, 1)), np.zeros((1000, 1))]
    assert fangs.Samples(draws, weights=[2**48, 1]).weights[0] == 2**48
    with pytest.raises(ValueError, match=r"too much for draws of up to 1000 ones"):
        fangs.Samples(draws, weights=[2**50, 1])


def test_weights_too_large_to_count_agreements_are_refused():
    draws = [np.eye(1000, 3), np.zeros((1000, 1))]
    samples = fangs.Samples(draws, weights=[2**50, 1])
    assert fangs.alternatives.draws(samples).search.starts[0].draw == 0
    with pytest.raises(fangs.alternatives.NotApplicableError, match="count the agreements"):
        fangs.alternatives.consensus(samples)


def test_samples_made_of_samples_keep_weights_or_take_new_ones():
    first = fangs.Samples(DRAWS, weights=[1.0, 2.0**0.5, 3.0])
    assert fangs.Samples(first).weights.tolist() == first.weights.tolist()
    assert fangs.Samples(first).weights_error == first.weights_error > 0
    second = fangs.Samples(first, weights=[1, 2, 3])
    assert (second.weights.tolist(), second.weights_error) == ([1, 2, 3], 0.0)
    assert first.weights[0] > 3  # the draws are shared, the weights are not
    assert fangs.Samples.from_sets([[{0}], [{1}]], 2, weights=[2, 1]).weights.tolist() == [2, 1]
    for join in (fangs.Samples.from_chains, fangs.Samples.concatenate):
        assert join([first, second]).weights_error == first.weights_error
    chosen = fangs.Samples(DRAWS, weights=[5, 0, 2], chains=[0, 1, 1])
    assert chosen.select([2, 0, 2]).weights.tolist() == [2, 5, 2]
    with pytest.raises(ValueError, match="weight 0"):
        chosen.select([1])


def test_repr_shows_the_effective_number_of_draws():
    samples = fangs.Samples(DRAWS, weights=[2, 1, 1])
    assert repr(samples).startswith("Samples(3 draws of weight 4, 2.667 effective, ")
    assert samples.info.effective_draws == samples.effective_draws == pytest.approx(16 / 6)
    assert fangs.Samples(DRAWS).effective_draws == 3.0
    assert effective_number(np.array([0, 9, 0])) == 1.0


def test_copies_are_numbered_draw_by_draw():
    weights = np.array([2, 0, 3, 1])
    by_hand = [0, 0, 2, 2, 2, 3]
    assert draws_of_copies(weights, np.arange(6)).tolist() == by_hand
    assert evenly_spaced_copies(weights, 6).tolist() == by_hand
    assert evenly_spaced_copies(10**9 * weights, 6).tolist() == by_hand
    chosen = choose_copies(weights, 99, np.random.default_rng(1))
    assert sorted(chosen.tolist()) == by_hand
    counts = np.bincount(choose_copies(2**40 * weights, 3000, np.random.default_rng(2)))
    assert np.allclose(counts / 3000, weights / 6, atol=0.05)
