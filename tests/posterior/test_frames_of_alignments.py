"""Tables of alignments: a row per feature of the reference, and per feature left over."""

import numpy as np
import pytest

import fangs

pytest.importorskip("pandas")

DRAWS = [[[1, 0], [1, 1], [0, 1]], [[1], [1], [0]], [[0, 1], [1, 0], [0, 1]]]


def test_a_row_per_feature_with_the_weight_of_the_draws_that_have_it():
    samples = fangs.Samples(DRAWS, weights=[2, 1, 1])
    found = fangs.align(np.array([[1, 0], [1, 1], [0, 1]]), samples)
    table = found.to_frame()
    assert table.index.name == "feature"
    assert table.index.tolist() == [1, 2]
    assert table["items"].tolist() == [2, 2]
    by_hand = [np.average(found.matched[:, j], weights=[2, 1, 1]) for j in range(2)]
    assert table["matched"].tolist() == by_hand == [1.0, 0.75]


def test_a_row_per_feature_left_over():
    rest = fangs.align([[1], [1], [0]], DRAWS).unmatched
    table = rest.to_frame()
    assert table.index.tolist() == list(range(1, len(rest) + 1))
    for _, row in table.iterrows():
        column = np.asarray(DRAWS[row["draw"]])[:, row["feature"]]
        assert column.sum() == row["items"]
