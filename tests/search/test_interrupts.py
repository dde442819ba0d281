"""Interrupts: the best allocation so far goes with the exception, or None if there is none."""

from dataclasses import replace

import numpy as np
import pytest

import fangs
from fangs.engine import OutOfTimeError, ThreadedEngine
from fangs.search import SearchParams, run_search
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
    """An engine that is interrupted in its first passes of one kind."""

    def __init__(self, samples, pass_name, times=1):
        super().__init__(samples, 1)
        whole = getattr(self, pass_name)

        def interrupted(*given):
            self.left -= 1
            if self.left >= 0:
                raise KeyboardInterrupt
            return whole(*given)

        self.left = times
        setattr(self, pass_name, interrupted)


def test_an_interrupt_of_the_last_pass_loses_nothing():
    """Ctrl-C after the search, while its result is evaluated over all draws."""
    wanted = run_search(ThreadedEngine(DRAWS), 0.7, SearchSettings(seed=1))
    error = interrupted(report=None, engine=InterruptedEngine(DRAWS, "evaluate"))
    assert np.array_equal(error.estimate.matrix, wanted.matrix)
    assert error.estimate.expected_loss == wanted.expected_loss


@pytest.mark.parametrize(
    ("pass_name", "times", "n_iter"),
    [("align", 1, None), ("place", 1, 5), ("evaluate", 2, None), ("evaluate", 2, 5)],
    ids=["before anything was found", "so with Algorithm 1", "pressed again", "so too"],
)
def test_there_may_be_no_estimate(pass_name, times, n_iter):
    engine = InterruptedEngine(DRAWS, pass_name, times)
    error = interrupted(report=None, n_iter=n_iter, engine=engine)
    assert isinstance(error, KeyboardInterrupt)
    assert error.estimate is None
    assert str(error) == "interrupted; nothing was found before"


class OutOfTimeEngine(ThreadedEngine):
    """An engine whose time, where it is limited, ends at one of its passes of any kind."""

    def __init__(self, samples, at):
        super().__init__(samples, 1)
        self.at = at

    def limited(self, seconds):
        limited = OutOfTimeEngine(self.samples, self.at)
        calls = iter(range(self.at))

        def counted(whole):
            def called(*given, **options):
                if next(calls, None) is None:
                    raise OutOfTimeError
                return whole(*given, **options)

            return called

        for name in ("align", "place", "overlaps", "neighbourhood", "grow_templates"):
            setattr(limited, name, counted(getattr(limited, name)))
        return limited


@pytest.mark.parametrize("n_iter", [None, 200])
@pytest.mark.parametrize("at", [0, 1, 2, 5, 12])
def test_an_estimate_is_about_all_draws_whenever_time_ends(n_iter, at):
    settings = SearchSettings(seed=1, n_iter=n_iter, max_seconds=1000.0)
    found = run_search(OutOfTimeEngine(DRAWS, at), 0.7, settings)
    check_estimate(found, DRAWS, 0.7)
    assert found.search.stopped_because == "the time limit of 1000 s was reached"
    assert found.expected_loss <= min(fangs.expected_loss(draw, DRAWS, a=0.7) for draw in DRAWS)


def test_a_given_start_is_not_lost_where_there_is_no_time():
    start = fangs.estimate(DRAWS, a=0.7, seed=1)
    settings = SearchSettings(seed=1, max_seconds=1000.0)
    found = run_search(OutOfTimeEngine(DRAWS, 0), 0.7, settings, start=start.matrix)
    assert found.expected_loss == start.expected_loss


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
