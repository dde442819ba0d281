"""Breakpoints of the path are exact."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings

from fangs.path.envelope import Line, flip_optimal_interval, lower_envelope
from oracles import reference as ref
from support.strategies import estimate_and_draws


def test_the_envelope_agrees_with_trying_every_line():
    rng = np.random.default_rng(1)
    nothing = np.zeros((1, 0), dtype=np.uint8)
    for _ in range(200):
        n_draws = int(rng.integers(1, 6))
        lines = [Line(nothing, *rng.integers(0, 9, size=2).tolist()) for _ in range(6)]
        envelope = lower_envelope(lines, n_draws)

        def loss(line, a, n_draws=n_draws):
            return a * line.n_ones - Fraction(2 * line.overlap, n_draws)

        for a in [Fraction(k, 24) for k in range(49)]:
            [*_, segment] = [s for s in envelope if s.interval.low <= a <= s.interval.high]
            assert loss(segment, a) == min(loss(line, a) for line in lines)


@settings(max_examples=25)
@given(estimate_and_draws(max_draws=3, max_features=3))
def test_the_flip_optimal_interval_ends_where_some_flip_pays(problem):
    estimate, draws = problem
    interval = flip_optimal_interval(estimate, draws)
    # Births are flips of an empty column.
    padded = ref.pad(estimate, estimate.shape[1] + 1)
    step = 1 / (8 * len(draws))
    for at in {0.05, 0.7, 1.0, 1.3, 1.95, *(float(interval.low) + d for d in (-step, 0, step))} | {
        float(interval.high) + d for d in (-step, 0, step)
    }:
        if 0 < at < 2:
            pays = bool((ref.loss_changes(padded, draws, at) < -1e-9).any())
            assert pays != (float(interval.low) - 1e-9 <= at <= float(interval.high) + 1e-9)


def test_an_interval_says_when_it_is_empty():
    interval = flip_optimal_interval([[1], [0]], [[[0], [1]]] * 3)
    assert interval.is_empty
    assert 1.0 not in interval
    assert str(interval) == "never"
    assert str(flip_optimal_interval([[1], [1]], [[[1], [1]]])) == "0 to 2"
