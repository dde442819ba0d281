"""The R package's other searches: steepest descent from the paper's starts, and from nothing."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fangs import alternatives
from fangs.engine import as_engine
from fangs.loss import Objective
from fangs.search.algorithm1 import initial_estimate
from oracles import algorithm1
from oracles import reference as ref
from support import strategies as some

several_draws = st.integers(1, 4).flatmap(
    lambda count: some.several_allocations(count, max_items=4, max_features=3)
)


def plain_descent(matrix, matrices, a):
    """Make the best flip, the first of equals item by item, while it lowers the expected loss."""
    while matrix.size:
        changes = ref.loss_changes(matrix, matrices, a)
        if changes.min() >= 0:
            break
        matrix = ref.flipped(matrix, *np.unravel_index(changes.argmin(), changes.shape))
    return matrix


@given(several_draws, some.penalties)
def test_double_greedy_makes_the_best_flip_from_nothing(matrices, a):
    matrices = [ref.without_empty_features(Z) for Z in matrices]
    # A number of draws that is a power of two keeps every mean loss exact.
    matrices = (matrices * 4)[:4]
    nothing = np.zeros((len(matrices[0]), max(Z.shape[1] for Z in matrices)), dtype=int)
    expected = plain_descent(nothing, matrices, a)
    assert np.array_equal(
        alternatives.double_greedy(matrices, a=a).matrix, ref.left_ordered(expected)
    )


def start_from(draws, b, a):
    engine = as_engine(draws)
    return initial_estimate(engine, engine.draw(b), Objective.of(engine.samples_info, a))


def test_a_start_keeps_features_that_the_baseline_lacks():
    with_3 = [[1, 0], [1, 0], [0, 1], [0, 0]]
    with_4 = [[1, 0], [1, 0], [0, 0], [0, 1]]
    matrices = [with_3] * 4 + [with_4] * 6
    for b in range(10):
        assert start_from(matrices, b, 1.0).tolist() == with_4
    found = alternatives.deterministic(matrices, n_init=10, seed=1)
    assert {start.initial_loss for start in found.search.starts} == {0.8}
    assert found.matrix.tolist() == with_4


@given(several_draws, some.penalties)
def test_deterministic_descends_from_the_starts_of_the_paper(matrices, a):
    matrices = (matrices * 4)[:4]
    found = alternatives.deterministic(matrices, a=a, n_init=1, seed=3)
    (start,) = found.search.starts
    possible = {
        (ref.expected_loss(E, matrices, a), *end_of(E, matrices, a))
        for E in algorithm1.initial_estimates(matrices[start.draw], matrices, a)
    }
    assert (start.initial_loss, start.loss, found.matrix.tobytes()) in possible
    assert found.expected_loss == start.loss


def end_of(E, matrices, a):
    """Loss and matrix where the plain descent ends."""
    E = E if E.size else np.zeros((len(matrices[0]), 1), dtype=int)  # a column to flip in
    end = ref.left_ordered(plain_descent(E, matrices, a))
    return ref.expected_loss(end, matrices, a), end.astype(np.uint8).tobytes()


def test_deterministic_sweetens_the_best_starts_and_keeps_the_best():
    rng = np.random.default_rng(6)
    matrices = some.noisy_draws(rng, 10, 5, 40)
    found = alternatives.deterministic(matrices, n_init=10, n_sweet=3, seed=1)
    sweetened = [start.loss for start in found.search.starts if start.loss is not None]
    assert (len(found.search.starts), len(sweetened)) == (10, 3)
    assert found.expected_loss == min(sweetened)
    again = alternatives.deterministic(matrices, n_init=10, n_sweet=3, seed=1)
    assert np.array_equal(found.matrix, again.matrix)


def test_a_start_without_ones_has_a_column_to_flip_in_as_in_r():
    rng = np.random.default_rng(122)
    n_items, n_draws = int(rng.integers(3, 7)), int(rng.integers(3, 8))
    draws = [
        some.random_allocation(rng, n_items, int(rng.integers(1, 4)), 0.5) for _ in range(n_draws)
    ]
    assert all(start_from(draws, b, 1.5).size == 0 for b in range(n_draws))
    expected = plain_descent(np.zeros((n_items, 1), dtype=int), draws, 1.5)
    found = alternatives.deterministic(draws, a=1.5, seed=1)
    assert found.n_ones == 1
    assert np.array_equal(found.matrix, ref.left_ordered(expected))
