"""The path over the penalty: consistent estimates, each proved flip-optimal."""

import numpy as np
import pytest

import fangs
from fangs.engine import as_engine
from fangs.path import flip_optimal_interval, sparsity_path
from fangs.path.envelope import Line
from fangs.path.solver import PathSolver
from fangs.simulate import posterior_like


def test_features_may_grow_with_the_penalty_though_ones_never_do():
    """The example of docs/path.md; the optima by trying everything."""
    draws = [
        *([[1, 0], [1, 0], [0, 1]], [[1], [1], [0]], [[1], [0], [1]], [[0], [1], [1]]),
        *([[0, 0, 1], [0, 1, 0], [1, 0, 1]], [[1, 1], [1, 1], [0, 1]], [[0, 0], [1, 1], [0, 1]]),
    ]
    path = sparsity_path(draws, a=(1.05, 1.3), seed=1)
    best = [fangs.alternatives.exhaustive(draws, a=a) for a in (1.05, 1.3)]
    assert path.n_features.tolist() == [e.n_features for e in best] == [1, 2]
    assert path.n_ones.tolist() == [e.n_ones for e in best] == [3, 2]
    ones = [segment.n_ones for segment in path.segments]
    assert ones == sorted(ones, reverse=True)


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


def test_same_seed_same_path_whatever_the_threads(samples, path):
    again = sparsity_path(samples, seed=1, n_threads=1)
    assert again.a == path.a
    for one, two in zip(again.estimates, path.estimates, strict=True):
        assert np.array_equal(one.matrix, two.matrix)


def test_what_comes_only_beyond_the_end_is_taken_back():
    """From a = 0.75 to 0.5 no flip leads to a fifth feature, but it is worth having."""
    samples = fangs.datasets.example()
    path = sparsity_path(samples, a=[0.5, 0.75, 1.0], seed=1)
    assert path.n_features.tolist() == [5, 4, 4]
    assert path.expected_losses[0] == fangs.estimate(samples, a=0.5, seed=1).expected_loss


def check(samples, path, *, nearly):
    """Estimates are proved, consistent with each other, and about as good as separate ones."""
    for estimate in path.estimates:
        alone = fangs.estimate(samples, a=estimate.a, seed=3)
        assert estimate.expected_loss <= nearly * alone.expected_loss
        assert estimate.is_flip_optimal
        assert estimate.a in flip_optimal_interval(estimate, samples)
        assert estimate.expected_loss == fangs.expected_loss(estimate, samples, a=estimate.a)
        ends = [start.loss for start in estimate.search.starts if start.loss is not None]
        assert min(ends) <= estimate.expected_loss
    for a, loss in zip(path.a, path.expected_losses, strict=True):
        for other in path.estimates:
            assert fangs.expected_loss(other, samples, a=a) >= loss


def wide_draws():
    made = posterior_like(30, 40, 1400, density=0.15, noise=0.05, births=2, deaths=0.1, seed=6)
    return fangs.Samples(made.draws)


def test_a_path_of_wide_draws_is_as_good_as_separate_searches():
    samples = wide_draws()
    check(samples, sparsity_path(samples, a=[0.2, 0.6, 1.0, 1.5, 1.9], seed=1), nearly=1.02)


def test_a_path_of_many_draws_is_settled_on_all_of_them():
    made = posterior_like(12, 3, 4200, density=0.35, noise=0.25, births=0.5, seed=4)
    samples = fangs.Samples(made.draws)
    path = sparsity_path(samples, a=[0.1, 0.5, 1.0, 1.8], seed=1)
    check(samples, path, nearly=1.01)
    assert {estimate.n_draws for estimate in path.estimates} == {4200}


def test_where_features_stay_the_path_equals_separate_searches():
    made = posterior_like(30, 3, 199, density=0.4, noise=0.05, seed=1)
    path = sparsity_path(made.draws, seed=1)
    assert set(path.n_features.tolist()) == {3}
    for estimate in path.estimates:
        alone = fangs.estimate(made.draws, a=estimate.a, seed=1)
        assert np.array_equal(estimate.matrix, alone.matrix)
        assert np.array_equal(estimate.proportions, alone.proportions)
        assert np.array_equal(estimate.losses, alone.losses)


@pytest.mark.parametrize("make", [wide_draws, lambda: [np.eye(3)] * 4])
def test_progress_goes_on_to_the_end_of_a_path(make):
    seen = []
    sparsity_path(make(), a=[0.5, 1.0, 1.5], seed=1, progress=seen.append)
    steps = [step for step in seen if step.phase == "path"]
    assert {step.phase for step in seen} >= {"start", "sweeten", "path"}
    done = [step.done for step in steps]
    assert done == sorted(done)
    assert done[-1] == steps[-1].total == 2


def test_an_interrupt_keeps_what_was_found():
    samples = wide_draws()

    def stop(step):
        if step.phase == "path" and step.done == 1:
            raise KeyboardInterrupt

    with pytest.raises(fangs.results.Interrupted) as caught:
        sparsity_path(samples, a=[0.5, 1.0, 1.5], seed=1, progress=stop)
    assert caught.value.estimate.a == 1.0
    again = fangs.estimate(samples, seed=1)
    assert np.array_equal(caught.value.estimate.matrix, again.matrix)


def test_an_allocation_that_is_better_elsewhere_is_taken_over(samples):
    """An empty allocation is settled at 1.1; what serves at 1 serves there too."""
    solver = PathSolver(as_engine(samples), seed=1)
    solver.solve([1.0])
    nothing = np.zeros((20, 0), dtype=np.uint8)
    solver.best[1.1] = Line(nothing, 0, 0)
    solver.solve([1.0, 1.1])
    assert solver.best[1.1].n_features > 0
    at_one = fangs.expected_loss(solver.best[1.0].matrix, samples, a=1.1)
    assert solver.estimate_at(1.1).expected_loss <= at_one
