"""Nothing is aligned twice: an alignment serves in the place of its draws, and never changes."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given

import fangs
from fangs.posterior import Alignment
from support.counting import CountingEngine
from support.strategies import estimate_and_draws, noisy_draws, penalties

CONSUMERS = {
    "align": fangs.align,
    "summary": fangs.summary,
    "credible_ball": fangs.credible_ball,
    "typicality": lambda matrix, draws: fangs.typicality(matrix, draws, estimate=matrix),
}


def arrays(result):
    """All arrays that a result holds, also those of the results that it is made of, by name."""
    found = {}
    for name in [*[f.name for f in dataclasses.fields(result)], *properties(result)]:
        value = getattr(result, name)
        if isinstance(value, np.ndarray):
            found[name] = value
        elif dataclasses.is_dataclass(value):
            found |= {f"{name}.{inner}": array for inner, array in arrays(value).items()}
    return found


def properties(result):
    return [n for n, value in vars(type(result)).items() if isinstance(value, property)]


def same(one, other):
    ours, theirs = arrays(one), arrays(other)
    assert ours.keys() == theirs.keys()
    assert len(ours) > 2
    for name, array in ours.items():
        np.testing.assert_array_equal(array, theirs[name], err_msg=name)


@pytest.fixture
def problem():
    draws = noisy_draws(np.random.default_rng(6), 20, 4, 60)
    return fangs.estimate(draws, a=0.75, seed=1), fangs.Samples(draws)


def test_one_pass_serves_every_answer(problem):
    estimate, samples = problem
    engine = CountingEngine(samples)
    alignment = Alignment.of(engine, estimate.matrix)
    for consumer in CONSUMERS.values():
        consumer(estimate, alignment)
    assert fangs.align(estimate, alignment) is alignment
    assert engine.passes.total() == 1


@given(estimate_and_draws(max_items=5, max_features=4), penalties)
def test_an_alignment_gives_the_answers_of_its_draws(case, a):
    matrix, draws = case
    alignment = fangs.align(matrix, draws)
    same(fangs.summary(matrix, alignment, a=a), fangs.summary(matrix, draws, a=a))
    same(fangs.credible_ball(matrix, alignment, a=a), fangs.credible_ball(matrix, draws, a=a))
    other = draws[0]
    assert fangs.typicality(other, alignment, estimate=matrix, a=a) == fangs.typicality(
        other, draws, estimate=matrix, a=a
    )


def test_answers_are_in_the_column_order_that_is_asked_for(problem):
    estimate, samples = problem
    order = np.random.default_rng(1).permutation(estimate.n_features)
    shuffled = np.insert(estimate.matrix[:, order], 1, 0, axis=1)
    alignment = fangs.align(shuffled, samples)
    same(fangs.summary(estimate, alignment), fangs.summary(estimate, samples))
    same(fangs.summary(shuffled, fangs.align(estimate, samples)), fangs.summary(shuffled, samples))
    again = fangs.align(shuffled, fangs.align(estimate, samples))
    assert np.array_equal(again.draws(), alignment.draws())


@pytest.mark.parametrize("consumer", CONSUMERS)
def test_an_alignment_to_another_allocation_is_refused(problem, consumer):
    estimate, samples = problem
    other = estimate.matrix.copy()
    other[0, 0] ^= 1
    for reference in (other, estimate.matrix[:, 1:]):
        with pytest.raises(ValueError, match=r"fangs\.align\("):
            CONSUMERS[consumer](estimate, fangs.align(reference, samples))
    with pytest.raises(ValueError, match=r"3 items.* 20"):
        CONSUMERS[consumer](np.ones((3, 1)), fangs.align(estimate, samples))


def test_an_alignment_needs_only_the_engine_protocol(problem):
    estimate, samples = problem
    alignment = Alignment.of(CountingEngine(samples), estimate.matrix)
    wanted = fangs.align(estimate, samples)
    assert np.array_equal(alignment.losses(a=0.5), wanted.losses(a=0.5))
    assert np.array_equal(alignment.draws(), wanted.draws())
    assert np.array_equal(list(alignment.iter_draws()), wanted.draws())
    assert np.array_equal(alignment.feature_sizes, wanted.feature_sizes)
    assert np.array_equal(alignment.unmatched.matrix, wanted.unmatched.matrix)
    assert repr(alignment) == repr(wanted)
    with pytest.raises(TypeError, match="CountingEngine"):
        alignment.apply([np.zeros(draw.shape[1]) for draw in samples])
