"""Earlier methods against plain implementations of what their authors describe."""

import warnings
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fangs
from fangs import alternatives
from oracles import reference as ref
from oracles.figure_1 import FIGURE_1_FOUR, FIGURE_1_THREE
from support import strategies as some

METHODS = (
    *("draws", "map", "pairwise", "modal_hamming", "consensus", "sequential"),
    *("exhaustive", "deterministic", "double_greedy"),
)
each_method = pytest.mark.parametrize("method", METHODS)

several_draws = st.integers(1, 5).flatmap(
    lambda count: some.several_allocations(count, max_items=4, max_features=3)
)


def chosen_draw(estimate):
    return estimate.search.starts[0].draw


def hamming_without_excess(Z, other):
    """Least Hamming distance after dropping columns of the wider matrix until widths agree."""
    if Z.shape[1] < other.shape[1]:
        Z, other = other, Z
    orders = permutations(range(Z.shape[1]), other.shape[1])
    return min(int((Z[:, list(order)] != other).sum()) for order in orders)


@each_method
@pytest.mark.parametrize("a", [0.5, 1.0, 1.75])
def test_reports_the_expected_loss_of_its_matrix(method, a):
    rng = np.random.default_rng(7)
    matrices = [some.random_allocation(rng, 3, 2) | np.eye(3, 2, dtype=np.uint8) for _ in range(7)]
    matrices += matrices[:2]
    found = getattr(alternatives, method)(matrices, a=a)
    losses = [ref.faro_loss(found.matrix, Z, a) for Z in matrices]
    assert found.losses.tolist() == losses
    assert found.expected_loss == pytest.approx(np.mean(losses), rel=1e-12)
    assert found.a == a
    assert found.search.starts[0].method == method
    assert np.array_equal(found.matrix, ref.left_ordered(found.matrix))


@each_method
def test_one_draw_is_its_own_estimate(method):
    Z = [[1, 0], [1, 1], [0, 1]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = getattr(alternatives, method)([Z])
    assert np.array_equal(found.matrix, fangs.left_ordered(Z))
    assert found.expected_loss == 0


@each_method
@pytest.mark.parametrize("width", [0, 2])
def test_draws_without_features_have_an_empty_estimate(method, width):
    found = getattr(alternatives, method)(np.zeros((3, 4, width)))
    assert found.matrix.shape == (4, 0)
    assert found.expected_loss == 0
    assert found.is_flip_optimal


@given(several_draws, some.penalties)
def test_claims_flip_optimality_where_it_holds(matrices, a):
    found = alternatives.modal_hamming(matrices, a=a)
    with_empty = ref.pad(found.matrix, found.n_features + 1)
    improvable = (ref.loss_changes(with_empty, matrices, a) < 0).any()
    assert found.is_flip_optimal == (not improvable)


def test_map_counts_allocations_whatever_their_column_order():
    Z = np.array([[1, 0], [1, 1], [0, 1]])
    found = alternatives.map([np.ones((3, 1)), Z, Z[:, ::-1], np.hstack([Z, np.zeros((3, 1))])])
    assert np.array_equal(found.matrix, fangs.left_ordered(Z))
    assert "occurs in 3 of 4 draws" in found.search.stopped_because


def test_map_keeps_duplicate_features_apart():
    once, twice = np.ones((2, 1)), np.ones((2, 2))
    assert alternatives.map([once, twice, twice]).n_features == 2


def test_map_takes_the_first_of_equally_frequent_ones():
    A, B = [[1], [0]], [[0], [1]]
    assert chosen_draw(alternatives.map([[[1], [1]], B, A, A, B])) == 1


def test_map_warns_when_no_draw_repeats():
    with pytest.warns(UserWarning, match="no two of the 2 draws"):
        found = alternatives.map([[[1], [0]], [[1], [1]]])
    assert chosen_draw(found) == 0


def squares_of(matrices):
    """Distances to B times the mean adjacency matrix, so that ties stay ties."""
    adjacency = [Z.astype(int) @ Z.T for Z in matrices]
    return [int(((len(matrices) * A - sum(adjacency)) ** 2).sum()) for A in adjacency]


@given(several_draws)
def test_pairwise_is_least_squares_over_the_draws(matrices):
    squares = squares_of(matrices)
    found = alternatives.pairwise(matrices)
    assert chosen_draw(found) == squares.index(min(squares))
    said = float(found.search.stopped_because.split()[-1])
    assert said == pytest.approx(min(squares) / len(matrices) ** 2, rel=1e-5, abs=1e-9)


def test_pairwise_takes_many_draws_in_blocks():
    rng = np.random.default_rng(0)
    matrices = some.noisy_draws(rng, 5, 60, 200)
    squares = squares_of(matrices)
    assert sum(Z.shape[1] for Z in matrices) > 4096  # more than one block
    assert chosen_draw(alternatives.pairwise(matrices)) == squares.index(min(squares))


@pytest.mark.parametrize("max_entries", [1, 20, 61])
@pytest.mark.parametrize("weight", [None, 2**40])
def test_pairwise_takes_many_items_in_blocks(monkeypatch, max_entries, weight):
    matrices = some.noisy_draws(np.random.default_rng(3), 20, 6, 30)
    weights = None if weight is None else np.arange(30) * weight
    wanted = alternatives.pairwise(fangs.Samples(matrices, weights=weights))
    monkeypatch.setattr("fangs.alternatives.similarity.MAX_ENTRIES", max_entries)
    found = alternatives.pairwise(fangs.Samples(matrices, weights=weights))
    assert chosen_draw(found) == chosen_draw(wanted)
    assert found.search.stopped_because == wanted.search.stopped_because


def test_different_allocations_can_share_an_adjacency_matrix():
    # So the method cannot even see that one of them is much more frequent.
    mostly_four = [FIGURE_1_THREE] + [FIGURE_1_FOUR] * 9
    assert chosen_draw(alternatives.pairwise(mostly_four)) == 0
    assert chosen_draw(alternatives.draws(mostly_four)) == 1


@given(several_draws)
def test_modal_hamming_looks_only_at_draws_of_modal_width(matrices):
    matrices = [ref.without_empty_features(Z) for Z in matrices]
    widths = [Z.shape[1] for Z in matrices]
    modal = min(set(widths), key=lambda width: (-widths.count(width), width))
    among = [b for b, width in enumerate(widths) if width == modal]
    distance = {
        b: sum(hamming_without_excess(matrices[b], matrices[c]) for c in among) for b in among
    }
    expected = min(among, key=lambda b: (distance[b], b))
    assert chosen_draw(alternatives.modal_hamming(matrices)) == expected


@given(several_draws)
def test_consensus_ignores_excess_columns(matrices):
    matrices = [ref.without_empty_features(Z) for Z in matrices]
    distance = [sum(hamming_without_excess(Z, other) for other in matrices) for Z in matrices]
    assert chosen_draw(alternatives.consensus(matrices)) == distance.index(min(distance))


def test_consensus_prefers_a_draw_without_features():
    matrices = [np.eye(3)] * 9 + [np.zeros((3, 0))]
    assert alternatives.consensus([*matrices, np.ones((3, 2))]).n_features == 0


def plain_sequential(matrices):
    aligned = [matrices[0]]
    for Z in matrices[1:]:
        orders = permutations(range(Z.shape[1]))
        aligned.append(min((Z[:, list(o)] for o in orders), key=lambda X: (aligned[-1] != X).sum()))
    return np.mean(aligned, axis=0) >= 0.5


def test_sequential_follows_the_chain():
    rng = np.random.default_rng(11)
    truth = np.kron(np.eye(4, dtype=np.uint8), np.ones((6, 1), dtype=np.uint8))
    for _ in range(20):
        matrices = [truth ^ (rng.random(truth.shape) < 0.1) for _ in range(8)]
        matrices = [Z[:, rng.permutation(4)].astype(np.uint8) for Z in matrices]
        expected = fangs.left_ordered(plain_sequential(matrices))
        assert np.array_equal(alternatives.sequential(matrices).matrix, expected)


def test_sequential_aligns_columns_that_share_nothing():
    matrices = [[[1, 0], [0, 1], [0, 0]], [[0, 0], [0, 0], [1, 1]]]
    assert alternatives.sequential(matrices).n_ones == 4


@given(some.several_allocations(2, max_items=5, max_features=4), some.penalties)
def test_exhaustive_loss_is_faro_loss(pair, a):
    assert alternatives.exhaustive_loss(*pair, a=a) == ref.faro_loss(*pair, a)


@pytest.mark.parametrize("width", [7, 8, 9])
def test_exhaustive_loss_tries_every_order_of_wide_matrices(width):
    rng = np.random.default_rng(width)
    for _ in range(3):
        pair = [some.random_allocation(rng, 20, width) for _ in range(2)]
        assert alternatives.exhaustive_loss(*pair) == fangs.faro_loss(*pair)


@given(some.several_allocations(3, max_items=3, max_features=2), st.sampled_from([0.75, 1.0, 1.5]))
def test_exhaustive_finds_the_optimum(matrices, a):
    found = alternatives.exhaustive(matrices, a=a)
    matrix, loss = ref.best_estimate(matrices, a)
    assert found.expected_loss == pytest.approx(loss, rel=1e-12)
    assert found.lower_bound == found.expected_loss
    assert found.n_features == matrix.shape[1]


def test_exhaustive_tries_nothing_but_nothing_where_no_feature_can_pay():
    assert alternatives.exhaustive([np.zeros((5000, 1))]).n_features == 0
    assert alternatives.exhaustive([np.zeros((3, 0))] * 3 + [np.ones((3, 1))]).n_features == 0
