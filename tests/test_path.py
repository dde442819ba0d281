"""The path over the penalty: consistent estimates, and breakpoints that are exact."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

import fangs
import reference as ref
from fangs import tracing
from fangs.breakpoints import Line, flip_optimal_interval, lower_envelope
from fangs.path import ENDS, GRID, choose_a, sparsity_path
from fangs.screened import is_quick
from fangs.simulate import posterior_like
from fangs.sweeten import Sweetened
from strategies import estimate_and_draws


@pytest.fixture(scope="module")
def samples():
    made = posterior_like(20, 4, 300, density=0.35, noise=0.25, births=1.5, deaths=0.1, seed=2)
    return fangs.Samples(made.draws, items=[f"item {i}" for i in range(20)])


@pytest.fixture(scope="module")
def path(samples):
    return sparsity_path(samples, seed=1)


def test_every_estimate_is_flip_optimal_at_its_penalty(samples, path):
    for estimate in path.estimates:
        assert estimate.is_flip_optimal
        assert estimate.a in flip_optimal_interval(estimate, samples)
        assert estimate.items == samples.items
        again = fangs.expected_loss(estimate, samples, a=estimate.a)
        assert again == estimate.expected_loss
        assert estimate.losses.mean() == pytest.approx(again)


def test_no_estimate_on_the_path_beats_another_at_the_others_penalty(samples, path):
    for a, loss in zip(path.a, path.expected_losses, strict=True):
        for other in path.estimates:
            assert fangs.expected_loss(other, samples, a=a) >= loss


def test_the_path_grows_sparser(path):
    assert (np.diff(path.n_ones) <= 0).all()
    assert path.n_features[0] > path.n_features[-1]


def test_the_path_is_no_worse_than_separate_searches(samples, path):
    for estimate in path.estimates[::2]:
        alone = fangs.estimate(samples, a=estimate.a, n_init=4, n_sweet=1, seed=3)
        nearly = 1.02 if 0.25 < estimate.a < 1.75 else 1.05
        assert estimate.expected_loss <= nearly * alone.expected_loss


def test_segments_are_the_lower_envelope_of_what_was_found(samples, path):
    assert path.segments[0].interval.low == 0
    assert path.segments[-1].interval.high == 2
    for before, after in zip(path.segments, path.segments[1:], strict=False):
        assert before.interval.high == after.interval.low
        at = float(after.interval.low)
        left, right = (fangs.expected_loss(s.matrix, samples, a=at) for s in (before, after))
        assert left == pytest.approx(right)
    for a, loss in zip(path.a, path.expected_losses, strict=True):
        [*_, segment] = [s for s in path.segments if a in s.interval]
        assert f"{segment.n_features} features, {segment.n_ones} ones" in repr(segment)
        assert str(segment.interval) in repr(segment)
        assert fangs.expected_loss(segment.matrix, samples, a=a) == loss


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


def test_same_seed_same_path_whatever_the_threads(samples, path):
    again = sparsity_path(samples, seed=1, n_threads=1)
    assert again.a == path.a
    for one, two in zip(again.estimates, path.estimates, strict=True):
        assert np.array_equal(one.matrix, two.matrix)


def test_rungs_go_up_to_half_of_the_draws_and_then_to_all():
    def sizes(n_draws):
        tracer = tracing.Tracer(fangs.Samples([[[1]]] * n_draws), seed=1, n_threads=None)
        assert tracer.rungs[-1] is tracer.engine
        return [engine.n_draws for engine in tracer.rungs]

    assert sizes(300) == [300]
    assert sizes(512) == [512]
    assert sizes(513) == [256, 513]
    assert sizes(4096) == [256, 4096]
    assert sizes(4097) == [256, 2048, 4097]
    assert sizes(40_000) == [256, 2048, 16384, 40_000]


def test_many_draws_are_walked_through_rung_by_rung(monkeypatch):
    made = posterior_like(12, 3, 4200, density=0.35, noise=0.25, births=0.5, seed=4)
    samples = fangs.Samples(made.draws)
    swung = calls_of("swung", monkeypatch, lambda args, kwargs: (args[0].n_draws, *args[4:]))
    between = calls_of("with_births", monkeypatch, lambda args, kwargs: (args[0].n_draws, args[2]))
    descents = calls_of("Descent", monkeypatch, lambda args, kwargs: args[0].n_draws)
    path = sparsity_path(samples, a=[0.1, 0.5, 1.0, 1.8], seed=1)
    assert swung == [(256, 0)] * 3, "narrow draws take no swings"
    assert [(n_draws, objective.a) for n_draws, objective in between] == [
        (2048, 0.5),
        (2048, 0.1),
        (2048, 1.8),
    ]
    assert all(objective.n_draws == 2048 for _, objective in between)
    assert descents == [256, 4200, 4200, 256, 4200], "once back on the first, and to all at last"
    for estimate in path.estimates:
        assert estimate.a in flip_optimal_interval(estimate, samples)
        assert estimate.n_draws == 4200
        alone = fangs.estimate(samples, a=estimate.a, seed=3)
        assert estimate.expected_loss <= 1.01 * alone.expected_loss


def test_a_descent_over_all_draws_goes_on_from_the_rung_below(monkeypatch):
    end = np.array([[1, 1]] * 5, dtype=np.uint8)
    draws = [np.eye(5)[:, : 2 + b % 3] for b in range(4200)]
    monkeypatch.setattr(tracing, "with_births", lambda *args: iter([Sweetened(end, 0)]))
    begun = calls_of("Descent", monkeypatch, lambda args, kwargs: (args[0].n_draws, args[1]))
    sparsity_path(draws, a=[0.3, 1.0], seed=1)
    [matrix] = [matrix for n_draws, matrix in begun if n_draws == len(draws)]
    assert np.array_equal(matrix, end)


def test_the_way_back_on_some_draws_is_taken_where_it_ends_lower(monkeypatch):
    made = posterior_like(20, 4, 900, density=0.35, noise=0.25, births=1.5, deaths=0.1, seed=2)
    samples, grid = fangs.Samples(made.draws), [0.05, 0.1, 0.2, 0.3, 0.5, 1.0]
    path = sparsity_path(samples, a=grid, seed=1)
    states = tracing.Descent.states

    def not_back(self, objective, n_flips=0):
        for state in states(self, objective, n_flips):
            is_first = self.engine.n_draws == tracing.SOME
            yield replace(state, score=10**18) if is_first else state

    monkeypatch.setattr(tracing.Descent, "states", not_back)
    out_only = sparsity_path(samples, a=grid, seed=1)
    assert (path.expected_losses <= out_only.expected_losses).all()
    assert 1.01 * path.expected_losses[2] < out_only.expected_losses[2]


def test_the_path_prints_as_a_table(path):
    lines = str(path).splitlines()
    assert lines[0].split() == ["a", "features", "ones", "expected", "loss"]
    assert len(lines) == len(path) + 1
    assert "11 penalties from 0.1 to 1.9" in repr(path)


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


def test_bad_penalties_are_refused(samples):
    with pytest.raises(ValueError, match="a is empty"):
        sparsity_path(samples, a=[])
    with pytest.raises(ValueError, match="outside"):
        sparsity_path(samples, a=[1.0, 2.0])
    with pytest.raises(ValueError, match="n_features"):
        choose_a(samples, n_features=-1)


def wide_draws():
    made = posterior_like(30, 40, 1400, density=0.15, noise=0.05, births=2, deaths=0.1, seed=6)
    return fangs.Samples(made.draws)


def test_a_path_of_wide_draws_is_as_good_as_separate_searches():
    samples = wide_draws()
    assert not is_quick(samples), "quick ones take no swings"
    path = sparsity_path(samples, a=[0.2, 0.6, 1.0, 1.5, 1.9], seed=1)
    for estimate in path.estimates:
        alone = fangs.estimate(samples, a=estimate.a, seed=3)
        assert estimate.expected_loss <= 1.02 * alone.expected_loss
        assert estimate.is_flip_optimal
        assert estimate.a in flip_optimal_interval(estimate, samples)
        assert estimate.expected_loss == fangs.expected_loss(estimate, samples, a=estimate.a)
        ends = [start.loss for start in estimate.search.starts if start.loss is not None]
        assert min(ends) == estimate.expected_loss
    for a, loss in zip(path.a, path.expected_losses, strict=True):
        for other in path.estimates:
            assert fangs.expected_loss(other, samples, a=a) >= loss


@pytest.mark.parametrize("make", [wide_draws, lambda: [np.eye(3)] * 4])
def test_progress_goes_on_to_the_end_of_a_path_and_an_interrupt_keeps_what_was_found(make):
    samples, seen = make(), []
    grid = [0.5, 1.0, 1.5]
    sparsity_path(samples, a=grid, seed=1, progress=seen.append)
    steps = [step for step in seen if step.phase == "path"]
    assert {step.phase for step in seen} >= {"start", "sweeten", "path"}
    assert [step.done for step in steps] == list(range(steps[-1].total))

    def stop(step):
        if step.phase == "path" and step.done == 1:
            raise KeyboardInterrupt

    with pytest.raises(fangs.Interrupted) as caught:
        sparsity_path(samples, a=grid, seed=1, progress=stop)
    assert caught.value.estimate.a == 1.0
    again = fangs.estimate(samples, seed=1)
    assert np.array_equal(caught.value.estimate.matrix, again.matrix)


def calls_of(name, monkeypatch, penalty):
    """The penalties at which the path calls this function of its own."""
    seen, original = [], getattr(tracing, name)

    def counted(*args, **kwargs):
        seen.append(penalty(args, kwargs))
        return original(*args, **kwargs)

    monkeypatch.setattr(tracing, name, counted)
    return seen


def test_where_features_stay_one_search_serves_all_penalties(monkeypatch):
    made = posterior_like(30, 3, 199, density=0.4, noise=0.05, seed=1)
    searched = calls_of("run", monkeypatch, lambda args, kwargs: args[0].objective.a)
    swung = calls_of("swung", monkeypatch, lambda args, kwargs: args[2].a)
    path = sparsity_path(made.draws, seed=1)
    assert set(path.n_features.tolist()) == {3}
    assert searched == [1.0]
    assert swung == []
    for estimate in path.estimates:
        alone = fangs.estimate(made.draws, a=estimate.a, seed=1)
        assert np.array_equal(estimate.matrix, alone.matrix)
        assert np.array_equal(estimate.proportions, alone.proportions)
        assert np.array_equal(estimate.losses, alone.losses)


def test_swings_are_for_wide_draws(samples, monkeypatch):
    swung = calls_of(
        "swung", monkeypatch, lambda args, kwargs: (args[2].a, args[0].n_draws, *args[4:])
    )
    path = sparsity_path(samples, seed=1)
    assert len(set(path.n_features.tolist())) > 1
    assert swung == []
    very_wide = posterior_like(30, 95, 300, density=0.1, noise=0.05, seed=7).draws
    for wide, n_draws in ((wide_draws(), tracing.SOME), (very_wide, 300)):
        sparsity_path(wide, a=[0.5, 1.0, 1.5], seed=1)
        assert swung == [(0.5, n_draws, tracing.N_SWINGS), (1.5, n_draws, tracing.N_SWINGS)]
        swung.clear()


def test_a_line_that_is_better_elsewhere_is_taken_over(samples):
    tracer = tracing.Tracer(samples, seed=1, n_threads=None)
    nothing = tracer.add(np.zeros((20, 0), dtype=np.uint8), 0)
    tracer.search(1.0)
    tracer.settled[1.1] = nothing
    tracer.trace([1.0, 1.1])
    assert tracer.settled[1.1] is not nothing
    assert tracer.estimate_at(1.1).expected_loss <= fangs.expected_loss(
        tracer.settled[1.0].matrix, samples, a=1.1
    )


def test_a_step_goes_on_from_the_nearest_penalty(samples):
    tracer = tracing.Tracer(samples, seed=1, n_threads=None)
    tracer.settled = dict.fromkeys([0.1, 1.0, 1.5])
    assert [tracer.nearest_settled(a) for a in (0.2, 0.8, 1.4, 1.9)] == [0.1, 1.0, 1.5, 1.5]


def path_without_the_way_back(samples, grid, monkeypatch):
    """As if every descent were the first at its penalty, and none came after it."""
    with monkeypatch.context() as patch:
        descend = tracing.Tracer.descend

        def once(self, a, descent, line=None):
            return self.settled[a] if a in self.settled else descend(self, a, descent, line)

        patch.setattr(tracing.Tracer, "descend", once)
        return sparsity_path(samples, a=grid, seed=1)


def test_what_is_found_far_out_is_taken_back_to_the_penalties_before(monkeypatch):
    samples = fangs.datasets.example()
    grid = (0.1, 0.3, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 1.9)
    path = sparsity_path(samples, a=grid, seed=1)
    out_only = path_without_the_way_back(samples, grid, monkeypatch)
    assert (path.expected_losses <= out_only.expected_losses).all()
    assert path.expected_losses[2] < out_only.expected_losses[2]
    descents = {
        e.a: sum(start.method == "neighbour" for start in e.search.starts) for e in path.estimates
    }
    assert [descents[a] for a in (0.1, 0.5, 0.75, 1.0)] == [2, 2, 2, 1], "there and back"
    assert [descents[a] for a in (1.25, 1.5, 1.9)] == [1, 1, 1], "nothing to bring back from there"
    for estimate in path.estimates:
        alone = fangs.estimate(samples, a=estimate.a, seed=1)
        assert estimate.expected_loss <= (1.005 if estimate.a == 0.1 else 1) * alone.expected_loss


@pytest.mark.parametrize("repeats", [1, 2])  # walked through on all draws, and on some first
def test_the_path_turns_a_little_beyond_its_ends(repeats, monkeypatch):
    made = posterior_like(20, 4, 400, density=0.35, noise=0.25, births=1.5, deaths=0.1, seed=2)
    samples = fangs.Samples(made.draws * repeats)
    path = sparsity_path(samples, seed=1)
    monkeypatch.setattr(tracing.Tracer, "beyond", lambda self, end: [])
    cut_off = sparsity_path(samples, seed=1)
    assert path.a == cut_off.a
    assert path.expected_losses[0] < 0.97 * cut_off.expected_losses[0]
    assert path.expected_losses.sum() < cut_off.expected_losses.sum()


def test_what_comes_only_beyond_the_end_is_taken_back():
    """From a = 0.75 to 0.5 no flip leads to a fifth feature, but it is worth having."""
    samples = fangs.datasets.example()
    path = sparsity_path(samples, a=[0.5, 0.75, 1.0], seed=1)
    assert path.n_features.tolist() == [5, 4, 4]
    assert path.expected_losses[0] == fangs.estimate(samples, a=0.5, seed=1).expected_loss


def test_there_is_nothing_beyond_where_the_path_is_known(samples):
    tracer = tracing.Tracer(samples, seed=1, n_threads=None)
    tracer.settled = dict.fromkeys([0.1, 0.2, 1.0, 1.5])
    assert tracer.beyond(0.2) == tracer.beyond(0.15) == tracer.beyond(1.2) == []
    [denser], [sparser] = tracer.beyond(0.1), tracer.beyond(1.5)
    assert denser / (2 - denser) == pytest.approx(0.1 / 1.9 / 2)
    assert sparser / (2 - sparser) == pytest.approx(1.5 / 0.5 * 2)


def test_what_the_search_found_gives_way_to_what_is_settled_later(samples):
    tracer = tracing.Tracer(samples, seed=1, n_threads=None)
    tracer.search(1.0)
    assert tracer.estimate_at(1.0).n_features > 0
    nothing = np.zeros((samples.n_items, 0), dtype=np.uint8)
    tracer.settled[1.0] = tracer.add(nothing, 0)
    estimate = tracer.estimate_at(1.0)
    assert estimate.n_features == 0
    assert estimate.expected_loss == fangs.expected_loss(nothing, samples)
