"""The second oracle agrees with the first where both can run."""

import numpy as np
from hypothesis import given

from oracles import reference as ref
from oracles import scipy_overlap
from support.strategies import estimate_and_draws


@given(estimate_and_draws())
def test_scipy_overlaps_agree_with_permutations(problem):
    estimate, draws = problem
    assert [scipy_overlap.max_overlap(estimate, Z) for Z in draws] == [
        ref.max_overlap(estimate, Z) for Z in draws
    ]
    for found, wanted in zip(
        scipy_overlap.overlap_changes(estimate, draws),
        ref.overlap_changes(estimate, draws),
        strict=True,
    ):
        assert np.array_equal(found, wanted)
