"""Relabelling: parameters, draws and leftovers in the order of a reference."""

import numpy as np
import pytest
from hypothesis import given

import fangs
from support.strategies import estimate_and_draws, noisy_draws, random_allocation


def with_empty_columns(rng, draw):
    """Put empty columns among the others, as a truncated sampler leaves them."""
    n_empty = rng.integers(0, 3)
    wide = np.pad(draw, ((0, 0), (0, n_empty)))
    return wide[:, rng.permutation(wide.shape[1])]


def problem(seed, n_items=9, n_features=4, n_draws=12):
    rng = np.random.default_rng(seed)
    draws = [with_empty_columns(rng, Z) for Z in noisy_draws(rng, n_items, n_features, n_draws)]
    reference = random_allocation(rng, n_items, n_features)
    parameters = [rng.normal(size=(Z.shape[1], 2)) for Z in draws]
    return reference, draws, parameters


def names(draws):
    """Name every column by its draw and position."""
    return [[f"{b}:{k}" for k in range(Z.shape[1])] for b, Z in enumerate(draws)]


@pytest.mark.parametrize("seed", range(5))
def test_parameters_follow_their_features(seed):
    reference, draws, parameters = problem(seed)
    alignment = fangs.align(reference, draws)
    values = alignment.apply(parameters)
    relabelled = alignment.draws()
    assert values.shape == (len(draws), reference.shape[1], 2)
    for b, Z in enumerate(draws):
        for j in range(reference.shape[1]):
            if alignment.permutations[b, j] < 0:
                assert np.isnan(values[b, j]).all()
                assert not relabelled[b, :, j].any()
            else:
                (k,) = np.flatnonzero((parameters[b] == values[b, j]).all(axis=1))
                assert np.array_equal(relabelled[b, :, j], Z[:, k])


@given(estimate_and_draws(max_items=6, max_features=5))
def test_every_feature_is_matched_or_kept_apart_and_never_both(case):
    reference, draws = case
    alignment = fangs.align(reference, draws)
    rest = alignment.unmatched
    placed = alignment.apply(names(draws), fill="").ravel()
    everything = sorted([*placed[placed != ""], *rest.apply(names(draws))])
    wanted = [f"{b}:{k}" for b, Z in enumerate(draws) for k in np.flatnonzero(Z.any(axis=0))]
    assert everything == sorted(wanted)
    assert len(rest) == rest.matrix.shape[1]
    for m in range(len(rest)):
        kept = alignment.samples[int(rest.draw[m])]
        assert np.array_equal(rest.matrix[:, m], kept[:, rest.feature[m]])


@given(estimate_and_draws(max_items=6, max_features=5))
def test_relabelled_draws_measure_as_counted(case):
    reference, draws = case
    alignment = fangs.align(reference, draws)
    relabelled = alignment.draws()
    assert np.array_equal(relabelled.mean(axis=0), alignment.proportions)
    assert np.array_equal(relabelled.sum(axis=1), alignment.feature_sizes)
    overlaps = (relabelled * reference).sum(axis=1)
    assert np.array_equal(overlaps, alignment.feature_overlaps)
    assert np.array_equal(alignment.feature_overlaps.sum(axis=1), alignment.overlaps)
    assert np.array_equal(alignment.matched, overlaps > 0)
    assert np.array_equal(list(alignment.iter_draws()), relabelled)


@pytest.mark.parametrize("n_items", [63, 64, 65, 200])
def test_features_are_matched_only_where_they_share_an_item(n_items):
    rng = np.random.default_rng(n_items)
    draws = [random_allocation(rng, n_items, int(rng.integers(0, 30)), 0.03) for _ in range(300)]
    reference = random_allocation(rng, n_items, 20, 0.03)
    alignment = fangs.align(reference, draws)
    assert np.array_equal(alignment.matched, alignment.feature_overlaps > 0)
    assert 0 < alignment.matched.mean() < 1


def test_iterating_crosses_blocks(monkeypatch):
    reference, draws, _ = problem(3)
    monkeypatch.setattr("fangs.posterior.alignment._BLOCK", 5 * reference.size)
    alignment = fangs.align(reference, draws)
    assert np.array_equal(list(alignment.iter_draws()), alignment.draws())


def test_fill_and_mask_keep_the_type():
    alignment = fangs.align([[1, 0], [1, 1]], [[[0, 1], [1, 1]], [[1], [1]]])
    counts = [[3, 4], [5]]
    assert alignment.apply(counts).dtype == np.float64
    filled = alignment.apply(counts, fill=-1)
    assert filled.dtype == np.int64
    assert filled.tolist() == [[4, 3], [5, -1]]
    masked = alignment.apply(counts, masked=True)
    assert masked.dtype == np.int64
    assert masked.tolist() == [[4, 3], [5, None]]
    assert masked.sum() == 12


def test_draws_without_features_have_parameters_without_rows():
    alignment = fangs.align([[1], [1]], [np.zeros((2, 0)), np.zeros((2, 3))])
    assert np.isnan(alignment.apply([np.zeros((0, 2)), np.zeros((3, 2))])).all()
    assert len(alignment.unmatched) == 0
    assert alignment.unmatched.matrix.shape == (2, 0)
    assert alignment.unmatched.apply([np.zeros((0, 2)), np.zeros((0, 2))]).shape == (0, 2)


def test_a_reference_without_features_matches_nothing():
    alignment = fangs.align(np.zeros((2, 0)), [np.eye(2), np.ones((2, 1))])
    assert alignment.apply([[1, 2], [3]]).shape == (2, 0)
    assert alignment.draws().shape == (2, 2, 0)
    assert len(alignment.to_frame()) == 0
    assert alignment.unmatched.apply([[1, 2], [3]]).tolist() == [1, 2, 3]


def test_values_before_features_are_refused_and_the_remedy_works():
    reference, draws, parameters = problem(1)
    alignment = fangs.align(reference, draws)
    widest = max(len(values) for values in parameters)
    padded = np.zeros((len(draws), widest, 9))
    for b, values in enumerate(parameters):
        padded[b, : len(values), :2] = values
    for turned in (np.moveaxis(padded, 2, 1), np.moveaxis(padded[..., :2], 2, 1)):
        with pytest.raises(ValueError, match=r"np\.moveaxis"):
            alignment.apply(turned)
        with pytest.raises(ValueError, match=r"np\.moveaxis"):
            alignment.unmatched.apply(turned)
        back = alignment.apply(np.moveaxis(turned, 2, 1))
        wanted = alignment.apply(parameters)
        assert np.array_equal(back[..., :2], wanted, equal_nan=True)


def test_tables_have_a_row_per_feature_matched_or_left_over():
    draws = [[[1, 0], [1, 1], [0, 1]], [[1], [1], [0]], [[0, 1], [1, 0], [0, 1]]]
    samples = fangs.Samples(draws, weights=[2, 1, 1])
    found = fangs.align(np.array([[1, 0], [1, 1], [0, 1]]), samples)
    table = found.to_frame()
    assert (table.index.name, table.index.tolist()) == ("feature", [1, 2])
    assert table["items"].tolist() == [2, 2]
    by_hand = [np.average(found.matched[:, j], weights=[2, 1, 1]) for j in range(2)]
    assert table["matched"].tolist() == by_hand == [1.0, 0.75]
    rest = fangs.align([[1], [1], [0]], draws).unmatched
    assert rest.to_frame().index.tolist() == list(range(1, len(rest) + 1))
    for _, row in rest.to_frame().iterrows():
        column = np.asarray(draws[row["draw"]])[:, row["feature"]]
        assert column.sum() == row["items"]
