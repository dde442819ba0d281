"""Credible balls and typicality agree with brute-force losses, ties included."""

from fractions import Fraction
from math import ceil

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fangs.posterior.ball import credible_ball, typicality
from oracles import reference as ref
from support.strategies import estimate_and_draws, penalties

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
