"""Expected error rates: by the plain formulas, in print, and against a truth."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import fangs
from fangs.posterior.error_rates import ErrorRates
from fangs.simulate import posterior_like
from oracles import reference as ref


def plain_rates(matrix, proportions):
    """Müller, Parmigiani and Rice (2007): means of 1 - v over the ones, of v over the zeros."""
    wrong_ones = [1 - v for d, v in zip(matrix.flat, proportions.flat, strict=True) if d]
    wrong_zeros = [v for d, v in zip(matrix.flat, proportions.flat, strict=True) if not d]
    return [sum(wrong) / len(wrong) if wrong else 0.0 for wrong in (wrong_ones, wrong_zeros)]


@pytest.mark.parametrize("seed", range(5))
def test_rates_are_those_of_the_formulas(seed):
    rng = np.random.default_rng(seed)
    matrix, proportions = (rng.random((7, 4)) < 0.4).astype(np.uint8), rng.random((7, 4))
    matrix[:, 2], matrix[:, 3] = 0, 1  # no ones, no zeros
    found = ErrorRates.of(matrix, proportions)
    assert [found.false_discovery, found.false_omission] == pytest.approx(
        plain_rates(matrix, proportions)
    )
    for j in range(4):
        rates = [found.feature_false_discovery[j], found.feature_false_omission[j]]
        assert rates == pytest.approx(plain_rates(matrix[:, [j]], proportions[:, [j]]))


def test_no_features_have_no_errors():
    found = ErrorRates.of(np.zeros((3, 0), dtype=np.uint8), np.zeros((3, 0)))
    assert (found.false_discovery, found.false_omission) == (0.0, 0.0)
    assert found.feature_false_discovery.shape == (0,)


def test_the_summary_has_the_rates_of_the_aligned_draws(draws, estimate):
    found = fangs.summary(estimate, draws)
    rates = plain_rates(estimate.matrix, fangs.align(estimate, draws).draws().mean(axis=0))
    assert [found.error_rates.false_discovery, found.error_rates.false_omission] == pytest.approx(
        rates
    )
    line = "Expected errors: 4.4 % of the ones (false discovery rate), 4.8 % of the zeros"
    assert line in str(found).splitlines()
    assert line in str(estimate).splitlines()
    assert "  feature  items  wrong  Jaccard" in str(found)


def errors_to(matrix, truth):
    """Shares of wrong ones and wrong zeros of a matrix, the truth aligned to it."""
    aligned = fangs.align(matrix, [truth]).draws()[0]
    wrong = matrix != aligned
    return wrong[matrix == 1].mean(), wrong[matrix == 0].mean()


@pytest.mark.parametrize("a", [0.5, 1.0, 1.5])
def test_expected_rates_are_those_to_the_truth_on_average(a):
    # The truth is one more draw of the same posterior, so it is as far as any other.
    expected, actual = [], []
    for seed in range(60):
        *draws, truth = posterior_like(20, 3, 101, noise=0.25, births=0.5, seed=seed).draws
        estimate = fangs.estimate(draws, a=a, seed=1)
        rates = ErrorRates.of(estimate.matrix, estimate.proportions)
        expected.append((rates.false_discovery, rates.false_omission))
        actual.append(errors_to(estimate.matrix, truth))
    difference = np.subtract(actual, expected)
    standard_error = difference.std(axis=0) / np.sqrt(60)
    assert (abs(difference.mean(axis=0)) < 4 * standard_error).all()
    assert (np.mean(expected, axis=0) > 0.02).all()


def test_at_least_counts_aligned_draws(draws, estimate):
    aligned = fangs.align(estimate, draws).draws()
    for share in (0.2, 0.5, 0.9, 1.0):
        core = [[np.mean(column) >= share for column in item.T] for item in aligned.swapaxes(0, 1)]
        assert np.array_equal(estimate.at_least(share), np.array(core))
    assert estimate.at_least(0.9).dtype == np.uint8


def test_a_share_that_is_just_reached_counts():
    draws = [[[1]]] * 9 + [np.zeros((1, 0))]
    assert fangs.estimate(draws, seed=1).at_least(0.9).tolist() == [[1]]
    assert fangs.estimate(draws, seed=1).at_least(0.91).tolist() == [[0]]


def test_the_oracle_of_errors_agrees_with_the_loss():
    matrix, truth = np.array([[1, 0], [1, 1]]), np.array([[0, 1], [1, 0]])
    ones, zeros = errors_to(matrix, truth)
    assert 3 * ones + 1 * zeros == ref.faro_loss(matrix, truth)


def longest_prefix(proportions, rate):
    """The largest set by trying every size, in fractions; entries that no draw has are out."""
    shares = sorted((Fraction(v) for v in proportions if v), reverse=True)
    fits = [k for k in range(len(shares) + 1) if sum(1 - v for v in shares[:k]) <= rate * k]
    return max(fits)


@pytest.mark.parametrize("seed", range(20))
def test_the_largest_set_within_a_rate_is_that_of_every_subset(seed):
    rng = np.random.default_rng(seed)
    n_draws = int(rng.integers(3, 9))
    draws = [(rng.random((4, 2)) < rng.random((4, 1))).astype(np.uint8) for _ in range(n_draws)]
    estimate = fangs.estimate(draws, seed=1)
    counts = np.rint(estimate.proportions * n_draws).astype(int).ravel().tolist()
    for rate in (0, Fraction(1, 10), Fraction(1, 4), Fraction(2, 5)):
        found = estimate.within_rate(float(rate)).ravel()
        sets = (
            kept
            for size in range(len(counts) + 1)
            for kept in combinations([c for c in counts if c], size)
        )
        allowed = [
            len(kept)
            for kept in sets
            if len(kept) * n_draws - sum(kept) <= rate * len(kept) * n_draws
        ]
        assert found.sum() == max(allowed)
        assert found.sum() == longest_prefix([Fraction(c, n_draws) for c in counts], rate)
        inside = [c for c, f in zip(counts, found, strict=True) if f]
        outside = [c for c, f in zip(counts, found, strict=True) if not f]
        assert min(inside, default=9) >= max(outside, default=0)


def test_a_rate_that_is_just_reached_counts():
    # Wrong with probability 0, 0.1 and 0.2: together 0.1, though 0.1 + 0.2 > 0.3 in floats.
    draws = [[[1], [b >= 1], [b >= 2]] for b in range(10)]
    draws = [np.array(draw, dtype=np.uint8) for draw in draws]
    estimate = fangs.estimate(draws, seed=1)
    assert estimate.within_rate(0.1).tolist() == [[1], [1], [1]]
    assert estimate.within_rate(0.0999).tolist() == [[1], [1], [0]]


def test_ties_are_broken_alike_in_every_order_of_the_features():
    rng = np.random.default_rng(3)
    draws = [(rng.random((8, 3)) < 0.5).astype(np.uint8) for _ in range(4)]
    estimate = fangs.estimate(draws, a=0.6, seed=1)
    for rate in (0.1, 0.2, 0.3, 0.4):
        sizes = estimate.ordered("size")
        cut = estimate.within_rate(rate)
        mine = {
            (column.tobytes(), kept.tobytes())
            for column, kept in zip(estimate.matrix.T, cut.T, strict=True)
        }
        theirs = {
            (column.tobytes(), kept.tobytes())
            for column, kept in zip(sizes.matrix.T, sizes.within_rate(rate).T, strict=True)
        }
        assert mine == theirs


def test_tied_entries_of_the_estimate_come_first():
    # All four are equally sure: the one that the estimate leaves out comes last.
    made = fangs.Estimate(
        matrix=[[0, 1], [1, 1]], expected_loss=0, a=1.0, proportions=[[0.5, 0.5], [0.5, 0.5]],
        losses=[0, 0], items=None, is_flip_optimal=False,
    )  # fmt: skip
    assert made.within_rate(0.5).tolist() == [[1, 1], [1, 1]]
    sure = replace(made, proportions=[[0.5, 0.5], [0.5, 1.0]])
    assert sure.within_rate(0.25).tolist() == [[0, 1], [0, 1]]


def test_entries_that_no_draw_has_are_never_taken():
    estimate = fangs.estimate([[[1, 0], [0, 1]]] * 4, seed=1)
    assert np.array_equal(estimate.within_rate(0.9), estimate.matrix)


def test_a_set_within_a_rate_follows_weights():
    draws = [np.array([[1], [1]]), np.array([[1], [0]])]
    weighted = fangs.estimate(fangs.Samples(draws, weights=[3, 1]), seed=1)
    assert weighted.within_rate(0.125).tolist() == [[1], [1]]
    assert weighted.within_rate(0.12).tolist() == [[1], [0]]


def test_proportions_that_are_no_shares_of_the_draws_are_taken_as_they_are():
    made = fangs.Estimate(
        matrix=[[1], [1]], expected_loss=0, a=1.0, proportions=[[0.9], [0.3]], losses=[0.0],
        items=None, is_flip_optimal=False,
    )  # fmt: skip
    assert made.within_rate(0.2).tolist() == [[1], [0]]
    assert made.within_rate(0.41).tolist() == [[1], [1]]


def test_no_features_give_no_entries():
    assert fangs.estimate([np.zeros((3, 0))] * 4, seed=1).within_rate(0.5).shape == (3, 0)


@pytest.mark.parametrize("rate", [1.0, -0.1, "x", True])
def test_a_rate_is_a_share(rate):
    with pytest.raises((TypeError, ValueError), match="rate"):
        fangs.estimate([[[1]]], seed=1).within_rate(rate)
