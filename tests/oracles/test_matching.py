"""The plain matching is optimal, by another solver; and it is the one that the core chooses."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from fangs import _core
from oracles import matching


@pytest.mark.parametrize("seed", range(300))
def test_the_plain_matching_is_optimal_and_the_cores(seed):
    rng = np.random.default_rng(seed)
    n_rows, n_columns = rng.integers(0, 9, size=2)
    weights = rng.integers(0, rng.integers(2, 12), size=(n_rows, n_columns))
    rows, columns = linear_sum_assignment(weights, maximize=True)
    assert matching.total(weights) == weights[rows, columns].sum()
    _, mates, *_ = _core.match(weights)
    assert matching.solve(weights).tolist() == mates.tolist()
