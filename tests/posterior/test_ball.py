"""Credible balls and typicality agree with brute-force losses, ties included."""

import warnings
from fractions import Fraction
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fangs
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


def nested_draws(rng, n_chains, n_draws, phi):
    """Chains of draws with one feature, of the first items, whose number is a rounded AR(1)."""
    steps = rng.normal(size=(n_chains, n_draws)) * np.sqrt(1 - phi**2)
    values = rng.normal(size=n_chains)
    numbers = []
    for step in steps.T:
        values = phi * values + step
        numbers.append(np.round(300 + 60 * values))
    numbers = np.array(numbers).T.ravel().astype(int)
    draws = (np.arange(600) < numbers[:, None]).astype(np.uint8)[:, :, None]
    return fangs.Samples(draws, chains=np.repeat(np.arange(n_chains), n_draws)), numbers


NOTHING = np.zeros((600, 0), dtype=np.uint8)


@pytest.mark.parametrize(
    ("n_chains", "phi", "level", "normal"),
    [(1, 0.0, 0.9, 1.2816), (4, 0.5, 0.9, 1.2816), (4, 0.8, 0.5, 0.0), (2, 0.5, 0.95, 1.6449)],
)
def test_the_radius_is_within_its_error(n_chains, phi, level, normal):
    rng, covered, truth = np.random.default_rng(5), [], 300 + 60 * normal
    for _ in range(120):
        draws, _ = nested_draws(rng, n_chains, 250, phi)
        ball = credible_ball(NOTHING, draws, level=level)
        covered.append(abs(ball.radius - truth) <= 1.96 * ball.radius_error)
    assert 0.89 <= np.mean(covered) <= 0.985


def test_the_error_of_the_radius_is_that_of_arviz_for_a_quantile():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import arviz
    draws, losses = nested_draws(np.random.default_rng(6), 4, 1000, 0.5)
    for level in (0.5, 0.9):
        wanted = arviz.mcse(losses.reshape(4, 1000), method="quantile", prob=level)
        found = credible_ball(NOTHING, draws, level=level)
        assert found.radius_error == pytest.approx(float(wanted), abs=1.0)
        assert f"radius {found.radius:g} ± {found.radius_error:g}," in str(found)
        assert f"{found.radius:g} ± {found.radius_error:g} at a = 1" in found._repr_html_()


def test_a_radius_around_all_draws_or_of_few_has_no_error():
    draws, _ = nested_draws(np.random.default_rng(6), 1, 50, 0.5)
    assert credible_ball(NOTHING, draws, level=1.0).radius_error is None
    assert credible_ball(NOTHING, draws[:9], level=0.5).radius_error is None
    assert "±" not in str(credible_ball(NOTHING, draws[:9], level=0.5))


def test_the_error_of_a_radius_ignores_draws_of_weight_zero():
    draws, _ = nested_draws(np.random.default_rng(7), 1, 60, 0.5)
    weights = np.arange(60) % 3
    weighted = fangs.Samples(draws, weights=weights)
    kept = np.flatnonzero(weights)
    alone = fangs.Samples(draws.select(kept), weights=weights[kept])
    errors = [credible_ball(NOTHING, x, level=0.8).radius_error for x in (weighted, alone)]
    assert errors[0] == errors[1] > 0
