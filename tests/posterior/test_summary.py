"""Summary and assessment agree with their definitions, written out over relabelled draws."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fangs
from fangs.posterior.assess import assess
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
