"""Credible balls and typicality agree with brute-force losses, ties included."""

from fractions import Fraction
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fangs
from fangs.posterior.ball import credible_ball, typicality
from oracles import reference as ref
from support.strategies import estimate_and_draws, noisy_draws, penalties

levels = st.sampled_from(["0.1", "0.25", "0.5", "0.55", "0.75", "0.9", "0.95", "1"])


@given(estimate_and_draws(max_items=3, max_features=3, max_draws=12), penalties, levels)
def test_members_are_all_draws_within_the_radius(problem, a, level):
    estimate, draws = problem
    ball = credible_ball(estimate, draws, level=float(level), a=a)
    losses = [ref.faro_loss(estimate, Z, a) for Z in draws]
    wanted = sorted(losses)[ceil(Fraction(level) * len(draws)) - 1]
    members = [b for b, loss in enumerate(losses) if loss <= wanted]
    assert ball.radius == wanted
    assert ball.members.tolist() == members
    assert ball.coverage == len(members) / len(draws)
    assert Fraction(len(members), len(draws)) >= Fraction(level)
    assert ball.horizontal.tolist() == [b for b in members if losses[b] == wanted]


@given(estimate_and_draws(max_items=4, max_features=4, max_draws=10), levels)
def test_vertical_bounds_have_the_fewest_and_most(problem, level):
    estimate, draws = problem
    counts = {
        "features": [int(Z.any(axis=0).sum()) for Z in draws],
        "ones": [int(Z.sum()) for Z in draws],
    }
    for vertical, count in counts.items():
        ball = credible_ball(estimate, draws, level=float(level), vertical=vertical)
        inside = [count[b] for b in ball.members]
        assert ball.sizes == (min(inside), max(inside))
        assert ball.lower.tolist() == [b for b in ball.members if count[b] == min(inside)]
        assert ball.upper.tolist() == [b for b in ball.members if count[b] == max(inside)]


def test_ties_are_ties_even_where_floats_differ():
    # Lacking 19 ones at 0.1 each costs what one more at 1.9 does, but not after rounding.
    estimate = np.ones((22, 1), dtype=int)
    shorter = np.ones((22, 1), dtype=int)
    shorter[:19] = 0
    extra = np.zeros((22, 2), dtype=int)
    extra[:, 0] = 1
    extra[0, 1] = 1
    ball = credible_ball(estimate, [shorter, extra], level=0.5, a=0.1)
    assert ball.members.tolist() == [0, 1]
    assert ball.horizontal.tolist() == [0, 1]
    assert ball.radius == 1.9


@pytest.mark.parametrize("a", [0.1, 0.3, 1.7, 0.1234567890123456, 1 / 3])
def test_losses_with_any_penalty_are_rounded_once(a):
    draws = noisy_draws(np.random.default_rng(1), 12, 4, 50)
    losses = fangs.align(draws[0], draws).losses(a=a)
    at_one, ones = fangs.align(draws[0], draws).losses(a=1.0), int(draws[0].sum())
    exact = Fraction(repr(a))
    for b, Z in enumerate(draws):
        overlap = (ones + int(Z.sum()) - int(at_one[b])) // 2
        wanted = exact * ones + (2 - exact) * int(Z.sum()) - 2 * overlap
        assert losses[b] == float(wanted)
    ball = credible_ball(draws[0], draws, a=a)
    assert ball.members.tolist() == np.flatnonzero(losses <= ball.radius).tolist()


def test_the_backward_ball_is_the_forward_ball_at_the_other_penalty():
    draws = noisy_draws(np.random.default_rng(2), 6, 3, 25)
    ball = credible_ball(draws[0], draws, a=1.75, level=0.8)
    backward = [ref.faro_loss(Z, draws[0], 0.25) for Z in draws]
    assert ball.members.tolist() == np.flatnonzero(np.array(backward) <= ball.radius).tolist()


@given(estimate_and_draws(max_items=3, max_features=3, max_draws=8), penalties, levels)
def test_typicality_is_the_share_of_draws_at_least_as_far(problem, a, level):
    estimate, (matrix, *draws) = problem
    draws = draws or [matrix]
    found = typicality(matrix, draws, estimate=estimate, a=a)
    distance = ref.faro_loss(estimate, matrix, a)
    far = [Z for Z in draws if ref.faro_loss(estimate, Z, a) >= distance]
    assert found == len(far) / len(draws)
    ball = credible_ball(estimate, draws, level=float(level), a=a)
    assert ball.typicality(matrix) == found
    inside = distance <= ball.radius
    assert inside == (Fraction(len(far), len(draws)) > 1 - Fraction(level))


def test_penalty_of_the_estimate_is_used_unless_another_is_given():
    draws = noisy_draws(np.random.default_rng(3), 8, 3, 30)
    estimate = fangs.estimate(draws, a=0.75, seed=1)
    assert credible_ball(estimate, draws).a == 0.75
    assert credible_ball(estimate, draws, a=1.5).a == 1.5
    assert credible_ball(estimate.matrix, draws).a == 1.0


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"level": 0}, ValueError, "level = 0 is outside"),
        ({"level": 95}, ValueError, "level = 95 is outside"),
        ({"level": "95%"}, TypeError, "level must be a number"),
        ({"level": float("nan")}, ValueError, "level = nan"),
        ({"a": 0}, ValueError, "a = 0 is outside"),
        ({"vertical": "rows"}, ValueError, "vertical = 'rows'"),
    ],
)
def test_bad_arguments_are_named(options, error, words):
    draws = noisy_draws(np.random.default_rng(5), 4, 2, 5)
    with pytest.raises(error, match=words):
        credible_ball(draws[0], draws, **options)
    with pytest.raises(ValueError, match="estimate has 3 items"):
        credible_ball(np.ones((3, 1)), draws)
    with pytest.raises(ValueError, match="matrix has 3 items"):
        typicality(np.ones((3, 1)), draws, estimate=draws[0])
