"""A penalty is found for a wanted number of features, or it is said why there is none."""

import numpy as np
import pytest

import fangs
from fangs.path import choose_a
from fangs.path.choose import ENDS, FINEST
from fangs.path.sparsity import GRID


def test_penalties_are_chosen_by_the_number_of_features(samples, path):
    for wanted in sorted({int(k) for k in path.n_features})[:2]:
        choice = choose_a(samples, n_features=wanted, seed=1)
        assert choice.is_attained
        assert choice.estimate.n_features == wanted
        assert choice.estimate.a == choice.a
        assert "as wanted" in str(choice)


def test_a_choice_between_grid_points_is_found():
    # Feature k is in (k + 1) of 20 draws: each penalty below 2 * (k + 1) / 20 has it.
    draws = [np.eye(19, dtype=np.uint8)[:, b:] for b in range(20)]
    choice = choose_a(draws, n_features=13, seed=1)
    assert choice.is_attained
    assert choice.estimate.n_features == 13


def test_a_choice_goes_beyond_the_grid_where_it_must():
    # Features 2 to 4 are in 1, 2 and 3 of 100 draws, features 0 and 1 in 98 and in all.
    widths = [5] + [4] + [3] + [2] * 95 + [1] * 2
    draws = [np.eye(5, dtype=np.uint8)[:, :k] for k in widths]
    for wanted in range(1, 6):
        choice = choose_a(draws, n_features=wanted, seed=1)
        assert choice.is_attained
        assert choice.estimate.n_features == wanted
        assert (choice.a < GRID[0]) == (wanted > 2)
        assert (choice.a > GRID[-1]) == (wanted < 2)
        assert ENDS[0] <= choice.a <= ENDS[1]


def test_a_number_of_features_out_of_reach_is_explained(samples):
    many = choose_a(samples, n_features=500, seed=1)
    assert not many.is_attained
    assert "even at a = 0.01 no estimate has that many" in many.explanation
    certain = choose_a([[[1, 0], [0, 1]]] * 4, n_features=1, seed=1)
    assert not certain.is_attained
    assert "even at a = 1.99 no estimate has that few" in certain.explanation
    jump = choose_a([np.eye(3)] * 3 + [np.zeros((3, 0))] * 2, n_features=2, seed=1)
    assert not jump.is_attained
    assert "jumps past it" in jump.explanation
    assert jump.estimate.n_features in (0, 3)


def rate(estimate):
    """The posterior expected false discovery rate, by its formula."""
    is_one = estimate.matrix == 1
    return (1 - estimate.proportions[is_one]).sum() / max(is_one.sum(), 1)


@pytest.mark.parametrize("wanted", [0.02, 0.05, 0.1, 0.2])
def test_a_penalty_is_chosen_by_the_false_discovery_rate(samples, wanted):
    choice = choose_a(samples, fdr=wanted, seed=1)
    assert choice.is_attained
    assert choice.fdr == wanted
    assert choice.n_features is None
    assert rate(choice.estimate) == pytest.approx(choice.rate)
    assert choice.rate <= wanted
    assert choice.estimate.a == choice.a
    assert f"within the {100 * wanted:g} % wanted" in str(choice)
    # A little below, more would be wrong: the smallest penalty was found.
    below = fangs.estimate(samples, a=choice.a - 2 * FINEST, seed=1)
    assert rate(below) > wanted or choice.a == ENDS[0]


def test_a_rate_is_found_between_grid_points():
    # Item k is in (k + 1) of 20 draws: the estimate at a has those in at least a/2 of them.
    draws = [(np.arange(20) >= b).astype(np.uint8)[:, None] for b in range(20)]
    shares = np.arange(1, 21) / 20
    for wanted in (0.1, 0.2, 0.3):
        kept = [t for t in range(20) if (1 - shares[t:]).mean() <= wanted]
        choice = choose_a(draws, fdr=wanted, seed=1)
        assert choice.estimate.n_ones == 20 - kept[0]
        # A one of 20 draws' share s pays while a / 2 < s.
        assert choice.a == pytest.approx(2 * shares[kept[0] - 1], abs=2 * FINEST)


def test_a_rate_out_of_reach_is_explained():
    draws = [[[1], [0]], [[0], [1]]] * 300 + [np.zeros((2, 0))]
    lacking = choose_a(draws, fdr=0.0, seed=1)
    assert lacking.is_attained  # nothing at all has no errors
    assert lacking.estimate.n_ones == 0
    nearly = [[[1]]] * 999 + [np.zeros((1, 0))]
    missed = choose_a(nearly, fdr=0.0, seed=1)
    assert not missed.is_attained
    assert "Even at a = 1.99" in missed.explanation
    assert "above the 0 % wanted" in missed.explanation


def jumping_draws():
    """Three chains of four share a block of items; the fourth has other items in other numbers."""
    rng = np.random.default_rng(7)
    draws = []
    for b in range(200):
        draw = np.zeros((20, 2), dtype=np.uint8)
        if b % 4:
            draw[:10, 0] = rng.random(10) < 0.97
        else:
            draw[5:18, 0] = rng.random(13) < 0.9
            draw[:3, 1] = 1
        draws.append(draw[:, draw.any(axis=0)])
    return draws


@pytest.mark.parametrize("wanted", [0.0, 0.02, 0.05, 0.1, 0.2, 0.3])
def test_no_estimate_of_the_path_within_the_rate_has_more_ones(wanted):
    for draws in (fangs.datasets.example(), fangs.datasets.arrests(), jumping_draws()):
        choice = choose_a(draws, fdr=wanted, seed=1)
        assert choice.is_attained
        assert rate(choice.estimate) <= wanted + 1e-12
        for a in (0.01, 0.1, 0.3, 0.5, 0.75, 1, 1.25, 1.5, 1.8, 1.9, 1.99):
            found = fangs.estimate(draws, a=a, seed=1)
            if rate(found) <= wanted:
                assert choice.estimate.n_ones >= found.n_ones


def test_where_the_path_jumps_the_ones_between_are_found_and_it_is_said():
    draws = fangs.datasets.example()
    choice = choose_a(draws, fdr=0.1, seed=1)
    before, after = (fangs.estimate(draws, a=choice.a + d, seed=1) for d in (-FINEST, 0))
    assert rate(before) > 0.1 > rate(after)  # 215 and 200 ones
    assert before.n_ones > choice.estimate.n_ones >= 212 > after.n_ones
    words = str(choice)
    assert words.startswith(f"{choice.estimate.n_ones} ones, of which {100 * choice.rate:.3g} %")
    assert f"from {before.n_ones} ones ({100 * rate(before):.3g} %) to {after.n_ones} ones" in words
    assert "most ones at a false discovery rate of 10 %" in choice.estimate.note
    # No entry by the proportions of the choice could be added.
    assert choice.estimate.within_rate(0.1).sum() == choice.estimate.n_ones
    again = fangs.assess(choice.estimate.matrix, draws, a=choice.a)
    assert np.array_equal(again.proportions, choice.estimate.proportions)


def test_weights_choose_as_copies_do():
    draws = jumping_draws()[:60]
    times = np.arange(60) % 3
    copies = [draws[b] for b in np.repeat(np.arange(60), times)]
    for wanted in (0.05, 0.15):
        weighted = choose_a(fangs.Samples(draws, weights=times), fdr=wanted, seed=1)
        copied = choose_a(copies, fdr=wanted, seed=1)
        assert (weighted.a, weighted.rate) == (copied.a, copied.rate)
        assert np.array_equal(weighted.estimate.matrix, copied.estimate.matrix)


def test_a_rate_below_that_of_the_sparsest_penalty_keeps_the_sure_entries():
    draws = [[[1], [1]]] * 999 + [[[1], [0]]]
    choice = choose_a(draws, fdr=0.0, seed=1)
    assert choice.is_attained
    assert choice.estimate.matrix.tolist() == [[1], [0]]
    assert "it ends at a = 1.99 with 2 ones (0.05 %)" in str(choice)
