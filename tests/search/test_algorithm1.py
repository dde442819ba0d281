"""Algorithm 1 of the paper: its starts, its proposals, and that it says what it has proved."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fangs
from fangs.engine import ThreadedEngine
from fangs.loss import Objective
from fangs.search.algorithm1 import BLOCK, initial_estimate
from oracles import algorithm1 as paper
from oracles import reference as ref
from support.checks import check_estimate, exact_loss, is_flip_optimal
from support.strategies import (
    noisy_draws,
    penalties,
    random_allocation,
    several_allocations,
)

EMPTY = np.zeros((3, 0), dtype=np.uint8)


def start_of(draws, number, a):
    engine = ThreadedEngine(draws)
    objective = Objective.of(engine.samples_info, a)
    return initial_estimate(engine, engine.draw(number), objective)


@given(
    st.integers(1, 3).flatmap(lambda count: several_allocations(count, 4, max_features=3)),
    penalties,
)
def test_a_start_is_one_that_the_paper_allows(draws, a):
    for number, baseline in enumerate(draws):
        allowed = [
            ref.left_ordered(Z).tolist() for Z in paper.initial_estimates(baseline, draws, a)
        ]
        start = start_of(draws, number, a)
        assert ref.left_ordered(start).tolist() in [ref.left_ordered(Z).tolist() for Z in allowed]
        assert start.any(axis=0).all(), "an empty feature is left"


@pytest.mark.parametrize("a", [0.1, 0.5, 1.0, 1.5])
def test_a_start_is_that_of_scipy_where_alignments_are_not_tied(a):
    n_compared = 0
    for seed in range(9):
        draws = draws_of_differing_width(seed, n_items=30)
        for number, baseline in enumerate(draws):
            wanted = paper.initial_estimate_by_scipy(baseline, draws, a)
            if wanted is not None:
                n_compared += 1
                found = start_of(draws, number, a)
                assert np.array_equal(ref.left_ordered(found), ref.left_ordered(wanted))
    assert n_compared > 30


def draws_of_differing_width(seed, n_items, n_draws=9):
    """Noisy draws of up to three features; the more items, the fewer tied alignments."""
    rng = np.random.default_rng(seed)
    truth = np.kron(np.eye(3, dtype=np.uint8), np.ones((n_items // 3, 1), dtype=np.uint8))
    draws = [truth ^ (rng.random(truth.shape) < 0.2) for _ in range(n_draws)]
    return [draw[:, rng.permutation(3)[: rng.integers(1, 4)]].astype(np.uint8) for draw in draws]


def by_hand(draws, a, *, n_init, n_sweet, n_iter, seed):
    """The plain loop with the starts of fangs and the proposals of the seed.

    For each sweetened start: the draw it was made from, its loss, the matrix and the flips.
    """
    rng = np.random.default_rng(seed)
    baselines = rng.choice(len(draws), size=min(n_init, len(draws)), replace=False).tolist()
    starts = [(number, start_of(draws, number, a)) for number in baselines]
    starts.sort(key=lambda start: (exact_loss(start[1], draws, a), start[1].sum()))
    kept, ends = starts[:n_sweet], []
    for (number, start), generator in zip(kept, rng.spawn(len(kept)), strict=True):
        zeta = start if start.shape[1] else np.zeros((len(start), 1), dtype=np.uint8)
        proposals = np.divmod(generator.integers(zeta.size, size=n_iter), zeta.shape[1])
        end, flips = ref.sweeten(zeta, draws, Fraction(repr(a)), zip(*proposals, strict=True))
        ends.append((number, exact_loss(start, draws, a), end, len(flips)))
    return ends


@pytest.mark.parametrize("a", [0.1, 0.25, 0.5, 1.0, 1.5])
@pytest.mark.parametrize("n_iter", [1, BLOCK + 6])
def test_the_flips_accepted_are_those_of_the_plain_loop(a, n_iter):
    options = {"n_init": 3, "n_sweet": 2, "n_iter": n_iter}
    n_flips = 0
    for seed in range(4):
        draws = draws_of_differing_width(seed, n_items=6, n_draws=8)
        wanted = by_hand(draws, a, seed=seed, **options)
        estimate = fangs.estimate(draws, a=a, seed=seed, **options)
        check_estimate(estimate, draws, a)
        swept = [start for start in estimate.search.starts if start.loss is not None]
        for start, (number, initial, end, flips) in zip(swept, wanted, strict=True):
            assert start.draw == number
            assert start.initial_loss == float(initial)
            assert start.loss == float(exact_loss(end, draws, a))
            assert start.n_features == end.any(axis=0).sum()
            assert start.flips == flips
            n_flips += flips
        best = min(exact_loss(end, draws, a) for _, _, end, _ in wanted)
        assert estimate.expected_loss == float(best)
        ends = [ref.left_ordered(end).tolist() for _, _, end, _ in wanted]
        assert estimate.matrix.tolist() in ends
    assert n_flips > 0 or n_iter == 1 or a >= 1


@pytest.mark.parametrize("n_iter", [0, 40])
def test_the_record_holds_every_start(n_iter):
    draws = noisy_draws(np.random.default_rng(31), 10, 3, 30)
    search = fangs.estimate(draws, seed=7, n_init=5, n_sweet=2, n_iter=n_iter).search
    assert (search.seed, search.n_init, search.n_sweet, search.n_iter) == (7, 5, 2, n_iter)
    baselines = [start.draw for start in search.starts]
    assert len(baselines) == len(set(baselines)) == 5, "baselines are without replacement"
    assert {(start.method, start.n_draws) for start in search.starts} == {("baseline", 30)}
    swept = [start for start in search.starts if start.loss is not None]
    assert len(swept) == 2
    kept = sorted(start.initial_loss for start in search.starts)[:2]
    assert sorted(start.initial_loss for start in swept) == kept
    assert all(start.loss <= start.initial_loss for start in swept)
    assert search.flips == sum(start.flips for start in search.starts)
    assert search.stopped_because == f"{n_iter} proposals per start were made"


def test_a_start_without_ones_has_one_column_to_propose_in():
    # Item 1 is in three of four draws, but at the baseline without features it stands in column 2
    # of two draws and in column 1 of the third: no entry reaches a share of 0.6.
    draws = [
        np.zeros((3, 0), dtype=int),
        np.array([[0, 1], [1, 0], [0, 0]]),
        np.array([[1, 0], [0, 0], [0, 1]]),
        np.array([[0, 1], [0, 0], [1, 0]]),
    ]
    assert start_of(draws, 0, 1.2).shape == (3, 0)
    n_tried = 0
    for seed in range(20):
        estimate = fangs.estimate(draws, a=1.2, n_init=1, n_iter=60, seed=seed)
        if estimate.search.starts[0].draw == 0:
            n_tried += 1
            assert estimate.matrix.tolist() == [[1], [0], [0]]
            assert estimate.search.flips == 1
    assert n_tried > 0


@pytest.mark.parametrize("n_iter", [0, 3, 300])
def test_is_flip_optimal_is_told_truly(n_iter):
    rng = np.random.default_rng(5)
    told = set()
    for a in (0.4, 1.0, 1.6):
        for seed in range(6):
            draws = [random_allocation(rng, 4, 3) for _ in range(5)]
            estimate = fangs.estimate(draws, a=a, n_init=2, n_sweet=1, n_iter=n_iter, seed=seed)
            check_estimate(estimate, draws, a)
            assert estimate.is_flip_optimal == is_flip_optimal(estimate.matrix, draws, a)
            told.add(estimate.is_flip_optimal)
    assert True in told
    assert False in told or n_iter == 300


def test_all_starts_advance_together():
    """Interrupted after one block, every start has had the proposals of that block."""
    draws = noisy_draws(np.random.default_rng(8), 20, 4, 30, noise=0.3)
    options = {"a": 0.5, "n_init": 6, "n_sweet": 4, "seed": 2}

    def stop(step):
        if step.phase == "sweeten" and step.done == BLOCK:
            raise KeyboardInterrupt

    with pytest.raises(fangs.results.Interrupted) as caught:
        fangs.estimate(draws, n_iter=10**8, progress=stop, **options)
    stopped = caught.value.estimate
    whole = fangs.estimate(draws, n_iter=BLOCK, **options)
    assert stopped.search.starts == whole.search.starts
    assert stopped.expected_loss == whole.expected_loss
    assert min(start.flips for start in whole.search.starts if start.loss is not None) > 0
