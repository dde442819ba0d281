"""Expected error rates: by the plain formulas, in print, and against a truth."""

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
