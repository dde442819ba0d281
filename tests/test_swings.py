"""Swings: by way of another penalty past where a descent ends, and never to something worse."""

import math

import numpy as np
import pytest

import fangs
from fangs import screened, swings
from fangs.engine import Engine
from fangs.loss import Objective
from fangs.simulate import posterior_like
from fangs.starts import from_kick
from fangs.sweeten import Descent
from fangs.swings import aside, swung, swung_away


def problem(seed=0, n_draws=60):
    made = posterior_like(
        14, 5, n_draws, density=0.35, noise=0.2, births=1.0, deaths=0.2, seed=seed
    )
    return Engine(made.draws, 1), made.draws


def descended(engine, start, objective):
    *_, last = Descent(engine, start).states(objective)
    return last


@pytest.mark.parametrize("a", [1e-9, 0.1, 1.0, 1.5, 1.999])
@pytest.mark.parametrize("factor", [0.5, 1.0, 1.4, 3.0])
def test_a_swing_changes_the_odds_by_its_factor(a, factor):
    there = aside(a, factor)
    assert there / (2 - there) == pytest.approx(factor * a / (2 - a))


@pytest.mark.parametrize("a", [math.nextafter(0, 1), 5e-300, math.nextafter(2, 0)])
@pytest.mark.parametrize("factor", [*swings.FACTORS, 100.0])
def test_no_swing_leaves_the_penalties_that_there_are(a, factor):
    assert 0 < aside(a, factor) < 2


@pytest.mark.parametrize("a", [0.3, 1.0, 1.7])
def test_swings_end_at_the_bottom_and_never_higher_than_a_descent(a):
    engine, draws = problem()
    objective = Objective.of(engine, a)
    start = np.asarray(draws[0])
    first, *states = swung(engine, start, objective, np.random.default_rng(1))
    assert first.score == descended(engine, start, objective).score
    scores = [first.score, *(state.score for state in states)]
    assert scores == sorted(scores, reverse=True)
    assert len(swings.FACTORS) <= len(states) <= swings.MAX_SWINGS
    last = states[-1]
    assert last.is_flip_optimal
    ones, overlap = int(last.matrix.sum()), int(engine.overlaps(last.matrix).sum())
    assert last.score == objective.score(ones, overlap)
    assert a in fangs.flip_optimal_interval(last.matrix, draws)


def test_swings_often_get_past_where_a_descent_ends():
    made = posterior_like(30, 30, 80, density=0.2, noise=0.12, births=3, deaths=0.2, seed=5)
    engine = Engine(made.draws)
    objective = Objective.of(engine, 0.5)
    lower = 0
    for seed in range(6):
        start = np.asarray(made.draws[seed])
        first, *_, last = swung(engine, start, objective, np.random.default_rng(seed))
        lower += last.score < first.score
    assert lower >= 4


def penalties_visited(monkeypatch):
    """The penalty of every objective that the swings make."""
    seen = []

    class Noted(Objective):
        @classmethod
        def of(cls, engine, a):
            seen.append(a)
            return Objective.of(engine, a)

    monkeypatch.setattr(swings, "Objective", Noted)
    return seen


def test_swings_go_through_their_factors_in_turn_as_long_as_they_help(monkeypatch):
    made = posterior_like(30, 30, 80, density=0.2, noise=0.12, births=3, deaths=0.2, seed=5)
    engine, rng = Engine(made.draws), np.random.default_rng(0)
    visited = penalties_visited(monkeypatch)
    states = list(swung(engine, np.asarray(made.draws[0]), Objective.of(engine, 0.1), rng))
    assert len(visited) == len(states) - 1
    for at, a in enumerate(visited):
        assert a == aside(0.1, swings.FACTORS[at % len(swings.FACTORS)])
    # It goes on for one turn after the last that helped, which here was not in the first turn.
    scores = [state.score for state in states]
    assert scores.index(scores[-1]) > len(swings.FACTORS)
    assert len(states) - 1 - scores.index(scores[-1]) == len(swings.FACTORS)


def test_swings_end_when_a_whole_turn_was_in_vain_or_as_many_were_made_as_allowed():
    one = np.eye(3, dtype=np.uint8)
    engine = Engine([one] * 8)
    objective = Objective.of(engine, 1.0)
    states = list(swung(engine, one, objective, np.random.default_rng(1)))
    assert len(states) == 1 + len(swings.FACTORS)
    assert len(list(swung(engine, one, objective, np.random.default_rng(1), most=2))) == 3


def test_swings_go_on_for_as_many_turns_in_vain_as_asked_for():
    one = np.eye(3, dtype=np.uint8)
    engine = Engine([one] * 8)
    states = list(swung(engine, one, Objective.of(engine, 1.0), np.random.default_rng(1), turns=3))
    assert len(states) == 1 + 3 * len(swings.FACTORS)


def test_a_random_swing_ends_at_the_bottom_of_a_penalty_nearby():
    engine, draws = problem()
    objective = Objective.of(engine, 1.0)
    start = descended(engine, np.asarray(draws[0]), objective).matrix
    ends = [swung_away(engine, start, objective, np.random.default_rng(s)) for s in range(8)]
    assert len({end.sum() for end in ends}) > 2
    low, high = aside(1.0, 1 / swings.WIDEST), aside(1.0, swings.WIDEST)
    for end in ends:
        interval = fangs.flip_optimal_interval(end, draws)
        assert float(interval.low) <= high
        assert float(interval.high) >= low


def test_the_last_attempts_are_kicks_and_swings(monkeypatch):
    made = []

    def noted(function):
        def wrapped(*args, **kwargs):
            made.append(function)
            return function(*args, **kwargs)

        return wrapped

    for function in (from_kick, swung_away):
        monkeypatch.setattr(screened, function.__name__, noted(function))
    monkeypatch.setattr(screened, "PATIENCE", 60)
    _, draws = problem()
    fangs.estimate(draws, seed=1)
    by_itself = made.copy()
    assert screened.MAX_ATTEMPTS // 2 <= len(by_itself) < 60
    assert min(by_itself.count(from_kick), by_itself.count(swung_away)) > 3
    made.clear()
    fangs.estimate(draws, seed=1, max_seconds=100)
    assert made[: len(by_itself)] == by_itself  # time granted is for more of the same
    assert len(made) >= 60


@pytest.mark.parametrize(
    ("a", "n_draws", "is_far_out"),
    [(0.1, 600, True), (1.9, 600, True), (0.7, 600, False), (0.3, 600, False), (0.1, 400, False)],
)
def test_far_out_swings_go_on_over_all_draws(a, n_draws, is_far_out, monkeypatch):
    """About an entry so few draws decide there that the screening draws are not enough."""
    over = []

    def noted(engine, *args, **kwargs):
        over.append((engine.n_draws, kwargs.get("turns", 1)))
        return swung(engine, *args, **kwargs)

    monkeypatch.setattr(screened, "swung", noted)
    _, draws = problem(n_draws=n_draws)
    estimate = fangs.estimate(draws, a=a, seed=1)
    screening = (min(n_draws, screened.SCREEN), 1)
    late = (n_draws, screened.LATE_TURNS)
    assert over == ([screening, late] if is_far_out else [screening])
    assert estimate.is_flip_optimal


def test_late_swings_lower_the_loss_and_are_on_record(monkeypatch):
    made = posterior_like(16, 20, 700, density=0.2, noise=0.1, births=2.0, deaths=0.2, seed=4)
    monkeypatch.setattr(screened, "ATTEMPT_WORK", 0)  # nothing is tried after them
    late = [fangs.estimate(made.draws, a=0.1, seed=seed) for seed in (1, 2, 3)]
    monkeypatch.setattr(screened, "is_far_out", lambda a: False)
    early = [fangs.estimate(made.draws, a=0.1, seed=seed) for seed in (1, 2, 3)]
    pairs = [(x.expected_loss, y.expected_loss) for x, y in zip(late, early, strict=True)]
    assert all(loss <= other for loss, other in pairs)
    assert any(loss < other for loss, other in pairs)
    best = min(late, key=lambda estimate: estimate.expected_loss).search.starts[-1]
    assert best.method == "swing"
