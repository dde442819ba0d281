"""Summary and assessment agree with their definitions, written out over relabelled draws."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fangs
from fangs.posterior.assess import assess
from fangs.posterior.diagnostics import mean_error
from fangs.posterior.intervals import Distribution, equal_tailed
from fangs.posterior.summary import summary
from oracles import reference as ref
from support.strategies import estimate_and_draws, noisy_draws, penalties


def aligned_draws(alignment):
    """Each draw as (n, K + rest): its features in the estimate's order, then the unmatched ones."""
    rest = alignment.unmatched
    for b, matched in enumerate(alignment.draws()):
        yield np.hstack([matched, rest.matrix[:, rest.draw == b]]).astype(int)


def row_losses(estimate, draw, a):
    E = ref.pad(estimate, draw.shape[1])
    return a * ((E == 1) & (draw == 0)).sum(axis=1) + (2 - a) * ((E == 0) & (draw == 1)).sum(axis=1)


@given(estimate_and_draws(max_items=5, max_features=4), penalties)
def test_mismatch_of_items_adds_up_to_the_expected_loss(problem, a):
    estimate, draws = problem
    items = summary(estimate, draws, a=a).items
    alignment = fangs.align(estimate, draws)
    rows = [row_losses(estimate, draw, a) for draw in aligned_draws(alignment)]
    assert items.mismatch == pytest.approx(np.mean(rows, axis=0), abs=1e-12)
    assert items.mismatch.sum() == pytest.approx(ref.expected_loss(estimate, draws, a), abs=1e-12)
    assert items.n_features == pytest.approx(np.mean([Z.sum(axis=1) for Z in draws], axis=0))
    rest = [draw[:, estimate.shape[1] :].sum(axis=1) for draw in aligned_draws(alignment)]
    assert items.unmatched == pytest.approx(np.mean(rest, axis=0), abs=1e-12)


@given(estimate_and_draws(max_items=6, max_features=4, max_draws=6), st.sampled_from([0.5, 0.9, 1]))
def test_features_are_described_by_their_matches(problem, level):
    estimate, draws = problem
    alignment = fangs.align(estimate, draws)
    found = summary(estimate, draws, level=level).features
    for j in range(estimate.shape[1]):
        columns = [Z[:, j] for Z in alignment.draws() if (Z[:, j] & estimate[:, j]).any()]
        shared = sum(int((column & estimate[:, j]).sum()) for column in columns)
        assert found.matched[j] == len(columns) / len(draws)
        both = [Fraction(int((c & estimate[:, j]).sum())) for c in columns]
        either = [int((c | estimate[:, j]).sum()) for c in columns]
        alike = [x / y for x, y in zip(both, either, strict=True)]
        assert found.jaccard[j] == pytest.approx(float(sum(alike)) / len(draws), rel=1e-14)
        assert found.present[j] == sum(x >= Fraction(1, 2) for x in alike) / len(draws)
        assert found.overlap[j] == shared / len(draws)
        assert found.size[j] == estimate[:, j].sum()
        if not columns:
            assert np.isnan([found.mean_size[j], *found.size_interval[j]]).all()
            continue
        sizes = [int(column.sum()) for column in columns]
        tails = [(1 - level) / 2, (1 + level) / 2]
        assert found.mean_size[j] == np.mean(sizes)
        assert (
            found.size_interval[j].tolist()
            == np.quantile(sizes, tails, method="inverted_cdf").tolist()
        )


@given(estimate_and_draws(max_items=5, max_features=5))
def test_what_no_feature_matches_is_counted(problem):
    estimate, draws = problem
    found = summary(estimate, draws)
    rest = [draw[:, estimate.shape[1] :] for draw in aligned_draws(fangs.align(estimate, draws))]
    assert found.unmatched_features.tolist() == [Z.shape[1] for Z in rest]
    assert found.unmatched_ones.tolist() == [int(Z.sum()) for Z in rest]
    n_features = [int(Z.any(axis=0).sum()) for Z in draws]
    assert found.n_features.mean == pytest.approx(np.mean(n_features))
    assert found.n_ones.mean == pytest.approx(np.mean([Z.sum() for Z in draws]))


def test_penalty_of_the_estimate_is_used_unless_another_is_given():
    draws = noisy_draws(np.random.default_rng(2), 8, 3, 30)
    estimate = fangs.estimate(draws, a=0.75, seed=1)
    assert summary(estimate, draws).items.mismatch.sum() == pytest.approx(estimate.expected_loss)
    assert summary(estimate, draws, a=1.25).a == 1.25
    assert summary(estimate.matrix, draws).a == 1.0


def test_intervals_count_in_decimals():
    # In floating point (1 - 0.9) / 2 * 20 is a little less than 1.
    assert equal_tailed(np.arange(1, 21), 0.9) == (1, 19)
    assert equal_tailed(np.arange(1, 21), 1.0) == (1, 20)
    assert equal_tailed(np.array([7]), 0.5) == (7, 7)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=50), st.sampled_from([0.3, 0.5, 0.9, 0.95]))
def test_intervals_hold_their_share(numbers, level):
    low, high = Distribution.of(numbers).interval(level)
    inside = sum(low <= x <= high for x in numbers)
    assert inside >= level * len(numbers) - 1e-9
    assert sum(x < low for x in numbers) <= (1 - level) / 2 * len(numbers) + 1e-9
    assert sum(x > high for x in numbers) <= (1 - level) / 2 * len(numbers) + 1e-9


@given(estimate_and_draws(max_items=4, max_features=3), penalties)
def test_assessment_looks_at_every_flip_and_birth(problem, a):
    matrix, draws = problem
    found = assess(matrix, draws, a=a)
    assert np.array_equal(found.matrix, ref.left_ordered(matrix))
    assert found.expected_loss == pytest.approx(ref.expected_loss(matrix, draws, a), rel=1e-14)
    assert found.losses.tolist() == [ref.faro_loss(matrix, Z, a) for Z in draws]
    with_birth = ref.pad(found.matrix, found.matrix.shape[1] + 1)
    changes = ref.loss_changes(with_birth, draws, a)
    assert found.is_flip_optimal == bool((changes >= -1e-12).all())


def test_assessment_of_an_estimate_repeats_it():
    rng = np.random.default_rng(4)
    samples = fangs.Samples(noisy_draws(rng, 10, 4, 40), items=list("abcdefghij"))
    estimate = fangs.estimate(samples, a=0.75, seed=1)
    again = assess(estimate, samples, a=0.75)
    for name in ("matrix", "proportions", "losses"):
        assert np.array_equal(getattr(again, name), getattr(estimate, name))
    assert again.expected_loss == estimate.expected_loss
    assert again.is_flip_optimal
    assert again.items == estimate.items
    assert again.search is None


def test_one_shared_item_is_no_presence():
    """Every draw has a match, but none that is like the feature."""
    feature = np.ones((10, 1), dtype=np.uint8)
    draws = [np.eye(10, 1, k, dtype=np.uint8) for k in (0, -3, -7)]
    found = summary(feature, draws)
    assert found.features.matched.tolist() == [1.0]
    assert found.features.present.tolist() == [0.0]
    assert found.features.jaccard == pytest.approx([0.1])
    assert "100.0 %" not in str(found)
    half = np.repeat([[1], [0]], 5, axis=0)
    assert summary(feature, [half]).features.present.tolist() == [1.0]


def autocorrelated_draws(seed, weights=None):
    """Three chains of draws that mostly repeat the draw before."""
    rng = np.random.default_rng(seed)
    draws = noisy_draws(rng, 6, 2, 120)
    for b in range(1, 120):
        if b % 40 and rng.random() < 0.6:
            draws[b] = draws[b - 1]
    return fangs.Samples(draws, chains=np.arange(120) // 40, weights=weights)


@pytest.mark.parametrize("weights", [None, np.arange(120) % 4])
def test_shares_have_the_errors_of_their_indicators(weights):
    samples = autocorrelated_draws(1, weights)
    estimate = fangs.estimate(samples, seed=1)
    found = summary(estimate, samples)
    alignment = fangs.align(estimate, samples)
    for j in range(estimate.n_features):
        both = np.array([(Z[:, j] & estimate.matrix[:, j]).sum() for Z in alignment.draws()])
        either = np.array([(Z[:, j] | estimate.matrix[:, j]).sum() for Z in alignment.draws()])
        plain = mean_error(2 * both >= either, samples.weights, samples.chains)
        assert found.features.present_error[j] == plain.error > 0
    assert found.loss_error == pytest.approx(estimate.loss_error)
    assert found.to_frame()["present_error"].tolist() == found.features.present_error.tolist()
    assert found.proportion_errors is None


@pytest.mark.parametrize("weights", [None, np.arange(120) % 4])
def test_entries_have_the_errors_of_their_indicators(weights):
    # Chains of 40 draws have batches of one draw each.
    samples = autocorrelated_draws(2, weights)
    estimate = fangs.estimate(samples, seed=1)
    found = summary(estimate, samples, entry_errors=True).proportion_errors
    draws = fangs.align(estimate, samples).draws()
    plain = [
        [mean_error(column, samples.weights, samples.chains).error for column in row.T]
        for row in draws.transpose(1, 0, 2)
    ]
    assert found == pytest.approx(np.array(plain), rel=1e-9)
    assert found.max() > 0


def test_batches_hardly_change_the_errors_of_entries():
    samples = fangs.datasets.arrests()
    estimate = fangs.estimate(samples, seed=1)
    alignment = fangs.align(estimate, samples)
    found = summary(estimate, alignment, entry_errors=True).proportion_errors
    draws, codes = alignment.draws(), samples.chains
    plain = [mean_error(draws[:, i, j], None, codes).error for i in range(50) for j in range(4)]
    ratios = found.ravel() / np.array(plain)
    assert np.median(ratios) == pytest.approx(1, abs=0.05)
    assert ratios.min() > 0.75
    assert ratios.max() < 1.35


def test_too_few_draws_tell_no_error_of_a_share():
    draws = noisy_draws(np.random.default_rng(3), 4, 2, 9)
    found = summary(np.eye(4, 2), draws, entry_errors=True)
    assert np.isnan(found.features.present_error).all()
    assert np.isnan(found.proportion_errors).all()
    assert found.loss_error is None
    assert "±" not in str(found)


def test_the_screen_shows_shares_with_their_errors():
    samples = fangs.datasets.arrests()
    text = str(summary(fangs.estimate(samples, seed=1), samples))
    assert "94.3 ± 2.0 %" in text
    assert "Expected loss 28.2 ± 1.2 at a = 1" in text


def test_errors_over_streamed_draws_are_the_same():
    samples = autocorrelated_draws(4)
    estimate = fangs.estimate(samples, seed=1)
    here = summary(estimate, samples, entry_errors=True)
    with fangs.distributed.shard(samples, n_shards=3) as shards:
        there = summary(estimate, shards, entry_errors=True)
    assert np.array_equal(there.proportion_errors, here.proportion_errors)
    assert np.array_equal(there.features.present_error, here.features.present_error)
    assert there.loss_error == here.loss_error
