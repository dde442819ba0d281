"""Interrupts: the best allocation so far goes with the exception, or None if there is none."""

import time
from dataclasses import replace

import numpy as np
import pytest

import fangs
from fangs.engine import OutOfTimeError, ThreadedEngine
from fangs.search import SearchParams, run_search
from fangs.search.finish import assess_in_time, finish
from fangs.search.record import SearchSettings
from support.checks import check_estimate
from support.strategies import noisy_draws

DRAWS = noisy_draws(np.random.default_rng(41), 12, 4, 60, noise=0.3)
SMALL = SearchParams(subsample_draws=16, wide_subsample_draws=16, deciding_draws=4)


class StopAt:
    """A progress function that interrupts at one call of a phase."""

    def __init__(self, phase, done):
        self.phase, self.done, self.seen = phase, done, []

    def __call__(self, step):
        self.seen.append(step)
        if (step.phase, step.done) == (self.phase, self.done):
            raise KeyboardInterrupt


def interrupted(a=0.7, *, report, params=None, n_iter=None, engine=None):
    """The exception that an interrupted search ends with."""
    settings = SearchSettings(seed=1, n_iter=n_iter)
    with pytest.raises(fangs.results.Interrupted) as caught:
        run_search(engine or ThreadedEngine(DRAWS), a, settings, params=params, report=report)
    return caught.value


@pytest.mark.parametrize("params", [SearchParams(), SMALL], ids=["all draws", "subsample"])
@pytest.mark.parametrize(
    ("phase", "done"), [("start", 1), ("start", 5), ("sweeten", 0), ("sweeten", 1), ("refine", 0)]
)
def test_the_best_so_far_goes_with_the_exception(params, phase, done):
    stop = StopAt(phase, done)
    error = interrupted(report=stop, params=params)
    check_estimate(error.estimate, DRAWS, 0.7)
    assert error.estimate.search.stopped_because == "interrupted"
    assert error.estimate.search.seed == 1
    if params is not SMALL:
        assert error.estimate.expected_loss <= stop.seen[-1].loss


def test_an_interrupt_of_the_last_pass_loses_nothing(monkeypatch):
    """Ctrl-C after the search, while its result is assessed over all draws."""
    wanted = run_search(ThreadedEngine(DRAWS), 0.7, SearchSettings(seed=1))
    calls = []

    def interrupted_once(*given, **options):
        calls.append(options)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return finish(*given, **options)

    monkeypatch.setattr("fangs.search.api.finish", interrupted_once)
    error = interrupted(report=None)
    assert np.array_equal(error.estimate.matrix, wanted.matrix)
    assert error.estimate.expected_loss == wanted.expected_loss
    assert [options.get("is_interrupted", False) for options in calls] == [False, True]


@pytest.mark.parametrize("n_iter", [None, 200])
def test_the_estimate_has_the_loss_that_was_last_reported(n_iter):
    stop = StopAt("refine", 1) if n_iter is None else StopAt("sweeten", 64)
    error = interrupted(report=stop, n_iter=n_iter)
    check_estimate(error.estimate, DRAWS, 0.7)
    assert error.estimate.expected_loss == stop.seen[-1].loss
    whole = run_search(ThreadedEngine(DRAWS), 0.7, SearchSettings(seed=1, n_iter=n_iter))
    assert error.estimate.expected_loss >= whole.expected_loss


def test_an_allocation_of_some_items_is_extended_to_all():
    rng = np.random.default_rng(2)
    truth = np.eye(3, dtype=np.uint8)[rng.integers(3, size=210)]
    draws = [
        (truth ^ (rng.random(truth.shape) < 0.05))[:, rng.permutation(3)].astype(np.uint8)
        for _ in range(30)
    ]
    params = replace(SMALL, subsample_items=64)
    stop = StopAt("start", 3)
    error = interrupted(1.0, report=stop, params=params, engine=ThreadedEngine(draws))
    assert np.array_equal(error.estimate.matrix, fangs.left_ordered(truth))
    assert error.estimate.expected_loss == fangs.expected_loss(truth, draws)


class InterruptedEngine(ThreadedEngine):
    """An engine that is interrupted in every pass of a search."""

    def align(self, matrix):
        raise KeyboardInterrupt

    def place(self, matrix, n_columns):
        raise KeyboardInterrupt


@pytest.mark.parametrize("n_iter", [None, 5])
def test_before_anything_was_found_the_best_of_a_few_draws_is_kept(n_iter):
    one, other = np.ones((2, 1), dtype=np.uint8), np.eye(2, dtype=np.uint8)
    engine = InterruptedEngine([one, other, other])
    error = interrupted(1.0, report=None, n_iter=n_iter, engine=engine)
    assert np.array_equal(error.estimate.matrix, other)
    check_estimate(error.estimate, [one, other, other], 1.0)
    assert isinstance(error, KeyboardInterrupt)


class TwiceInterruptedEngine(InterruptedEngine):
    """An engine that is interrupted again when the estimate is assessed."""

    def evaluate(self, matrix):
        raise KeyboardInterrupt


def test_a_second_interrupt_leaves_no_estimate():
    engine = TwiceInterruptedEngine([np.ones((2, 1))] * 3)
    error = interrupted(1.0, report=None, engine=engine)
    assert error.estimate is None
    assert str(error) == "interrupted; nothing was found before"


class LaterInterruptedEngine(ThreadedEngine):
    """An engine that is interrupted at one of the flips of a search."""

    def __init__(self, samples, at):
        super().__init__(samples, 1)
        self.left = at

    def neighbourhood(self, matrix):
        nearby = super().neighbourhood(matrix)
        flip = nearby.flip

        def counted(*args, **options):
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt
            flip(*args, **options)

        nearby.flip = counted
        return nearby


@pytest.mark.parametrize("n_iter", [None, 500])
def test_an_interrupt_in_the_middle_of_a_pass_keeps_the_best(n_iter):
    draws = noisy_draws(np.random.default_rng(3), 20, 4, 40, noise=0.35)
    losses = []
    for at in (1, 3, 8):
        engine = LaterInterruptedEngine(draws, at)
        error = interrupted(0.3, report=None, n_iter=n_iter, engine=engine)
        check_estimate(error.estimate, draws, 0.3)
        losses.append(error.estimate.expected_loss)
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0]


def test_fangs_estimate_hands_on_the_exception():
    with pytest.raises(fangs.results.Interrupted, match="estimate") as caught:
        fangs.estimate(DRAWS, seed=1, progress=StopAt("sweeten", 1))
    check_estimate(caught.value.estimate, DRAWS, 1.0)


def test_other_errors_of_a_progress_function_are_its_own():
    def fail(step):
        raise RuntimeError("from the caller")

    with pytest.raises(RuntimeError, match="from the caller"):
        fangs.estimate(DRAWS, seed=1, progress=fail)


def hard_draws(rng):
    """Draws with nothing in common: every search takes long."""
    return [(rng.random((400, 60)) < 0.15).astype(np.uint8) for _ in range(300)]


def test_a_pass_ends_when_its_time_is_over():
    engine = ThreadedEngine(hard_draws(np.random.default_rng(0)) * 5, 2, merges=False)
    limited = engine.limited(0.0)
    reference = engine.draw(0)
    with pytest.raises(OutOfTimeError):
        limited.neighbourhood(reference)
    with pytest.raises(OutOfTimeError):
        limited.select(np.arange(1_400)).align(reference)
    with pytest.raises(OutOfTimeError):
        limited.grow_templates([np.arange(300)] * 2)
    assert engine.align(reference).overlaps[0] == reference.sum()
    assert engine.limited(60.0).align(reference).overlaps[0] == reference.sum()


def test_where_time_is_short_an_estimate_is_about_some_draws_and_says_so():
    samples = fangs.Samples(hard_draws(np.random.default_rng(0)))
    matrix = fangs.left_ordered(samples[7])
    found = assess_in_time(ThreadedEngine(samples), matrix, 1.0, 0.0)
    assert found.note.startswith("Time was short: all numbers are about 3 of the 300 draws.")
    some = samples.select([0, 100, 200])
    assert found.fingerprint == some.fingerprint
    assert found.expected_loss == fangs.expected_loss(matrix, some)
    whole = assess_in_time(ThreadedEngine(samples), matrix, 1.0, 60.0)
    assert whole.note == ""
    assert whole.expected_loss == fangs.expected_loss(matrix, samples)


class SlowEngine(ThreadedEngine):
    """An engine whose evaluations take a hundredth of a second per draw."""

    seconds = np.inf

    def limited(self, seconds):
        limited = super().limited(seconds)
        limited.seconds = seconds
        return limited

    def _over(self, samples, draw_numbers=None):
        engine = SlowEngine(samples, self.n_threads, draw_numbers)
        engine.seconds = self.seconds
        return engine

    def evaluate(self, matrix):
        wanted = 0.01 * self.samples_info.n_draws
        time.sleep(min(wanted, self.seconds))
        if wanted > self.seconds:
            raise OutOfTimeError
        return super().evaluate(matrix)


@pytest.mark.parametrize("n_draws", [30, 2000])
def test_numbers_are_about_as_many_draws_as_there_is_time_for(n_draws):
    samples = fangs.Samples(np.ones((n_draws, 4, 1)))
    found = assess_in_time(SlowEngine(samples), samples[0], 1.0, 1.0)
    if n_draws == 30:
        assert (found.n_draws, found.note) == (30, "")
    else:  # three quarters of the time were lost on all draws; a few were evaluated, then more
        assert 6 <= found.n_draws <= 25
        assert f"{found.n_draws} of the 2000 draws" in found.note
