"""Cores hold together as often as they say, and no larger set does: plain code tries every set."""

import os
import time
from fractions import Fraction
from itertools import chain, combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fangs
from fangs.distributed import shard
from fangs.posterior.core.branching import Branching
from fangs.posterior.core.problem import Problem, sum_rows, transposed, unpacked
from fangs.posterior.core.search import CoreParams, Search, Solutions, most_charged
from support.strategies import estimate_and_draws, noisy_draws

LEVELS = ("0.1", "0.5", "0.55", "0.75", "0.8", "0.95", "1")
KINDS = ("entries", "items", "features")
levels, kinds = st.sampled_from(LEVELS), st.sampled_from(KINDS)


def holding(estimate, draws, by):
    """(B, units): which entries, items or features hold in each draw, one draw at a time."""
    estimate, found = np.asarray(estimate), []
    for draw, order in zip(draws, fangs.align(estimate, draws).permutations, strict=True):
        draw = np.asarray(draw)[:, np.asarray(draw).any(axis=0)]
        aligned = np.zeros(estimate.shape, dtype=int)
        for j, k in enumerate(order):
            aligned[:, j] = draw[:, k] if k >= 0 else 0
        if by == "entries":
            found.append((aligned == estimate).ravel())
        elif by == "items":
            found.append([(aligned[i] == estimate[i]).all() for i in range(len(estimate))])
        else:
            both, either = (aligned & estimate).sum(axis=0), (aligned | estimate).sum(axis=0)
            pairs = zip(both.tolist(), either.tolist(), strict=True)
            found.append([e > 0 and Fraction(s, e) >= Fraction(1, 2) for s, e in pairs])
    return np.array(found, dtype=bool).reshape(len(draws), -1)


def enumerated(holds, weights):
    """Largest weight of draws in which some units hold together, for each number of units."""
    n_units = holds.shape[1]
    best = [0] * (n_units + 1)
    units = range(n_units)
    for some in chain.from_iterable(combinations(units, size) for size in range(n_units + 1)):
        together = holds[:, list(some)].all(axis=1)
        best[len(some)] = max(best[len(some)], int(weights[together].sum()))
    return best


def chosen(core):
    """Which entries, items or features are in a core; its mask of entries shows the same."""
    inside = np.isin(np.arange(core.n_units), core.members)
    if core.by == "entries":
        assert np.array_equal(core.entries.ravel(), inside)
    else:
        wanted = inside[:, None] if core.by == "items" else inside
        assert np.array_equal(core.entries, np.broadcast_to(wanted, core.matrix.shape))
    return inside


def check(core, holds, weights):
    """A core is what it says, by plain code on aligned draws."""
    total, inside = int(weights.sum()), chosen(core)
    together = holds[:, inside].all(axis=1)
    assert core.size == inside.sum()
    assert core.draws.tolist() == np.flatnonzero(together & (weights > 0)).tolist()
    kept = int(weights[together].sum())
    assert core.probability == kept / total
    assert Fraction(kept, total) >= Fraction(str(core.level))
    alone = [Fraction(int(weights[h].sum()), total) for h in holds.T]
    separate = np.array([share >= Fraction(str(core.level)) for share in alone], dtype=bool)
    assert core.n_separate == separate.sum()
    all_together = holds[:, separate].all(axis=1)
    assert core.separate_probability == int(weights[all_together].sum()) / total
    assert (np.diff(core.curve) <= 0).all()
    assert core.curve[0] == 1
    assert core.curve[core.size] == core.probability
    assert core.size <= core.upper_bound
    assert core.is_exact == (core.size == core.upper_bound)


@given(
    estimate_and_draws(max_items=4, max_features=3, max_draws=14),
    levels,
    kinds,
    st.none() | st.integers(0, 999),
)
def test_a_core_is_the_largest_of_all_sets(problem, level, by, weighted):
    estimate, draws = problem
    weights = np.ones(len(draws), dtype=int)
    if weighted is not None:
        weights = np.random.default_rng(weighted).integers(0, 9, size=len(draws))
        weights[0] += 1
    samples = fangs.Samples(draws, weights=None if weighted is None else weights)
    core = fangs.core(estimate, samples, level=float(level), by=by)
    holds = holding(estimate, draws, by)
    check(core, holds, weights)
    best = enumerated(holds, weights)
    total = int(weights.sum())
    fitting = [s for s, kept in enumerate(best) if Fraction(kept, total) >= Fraction(level)]
    assert core.is_exact
    assert core.size == max(fitting)
    assert len(core.curve) == len(best)
    assert (core.curve <= np.array(best) / total).all()


def random_problem(seed, n_draws, n_units, weighted):
    rng = np.random.default_rng(seed)
    chances = rng.beta(0.6, 2.5, size=n_units) * rng.beta(1, 2, size=(n_draws, 1)) * 2
    fails = rng.random((n_draws, n_units)) < chances
    weights = rng.integers(1, 20, size=n_draws) if weighted else np.ones(n_draws, dtype=np.int64)
    return fails, weights


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_problems_of_twelve_units_are_solved_exactly(seed, weighted):
    fails, weights = random_problem(seed, 300, 12, weighted)
    total = int(weights.sum())
    best = enumerated(~fails, weights)
    for level in LEVELS:
        budget = int(total * (1 - Fraction(level)))
        problem = Problem.of(np.packbits(fails, axis=1), 12, weights)
        solutions = Solutions(12, total, budget)
        search = Search(problem, solutions, budget, CoreParams())
        search.run(3)
        wanted = max(s for s, kept in enumerate(best) if kept >= total - budget)
        assert search.bound >= wanted >= solutions.size  # proved without trying every set
        search.exchange()
        if not search.is_proved:
            Branching(search, search.shares).run(CoreParams().max_nodes)
        assert search.bound == solutions.size == wanted


# Where one round finds too little; found by trying seeds.
@pytest.mark.parametrize(
    ("seed", "n_draws", "tenths", "by_exchange"),
    [(13, 100, 6, 1), (41, 40, 6, 1), (51, 40, 6, 1), (55, 40, 3, 1), (27, 40, 3, 0)],
)
def test_exchanges_and_branching_find_what_rounds_miss(seed, n_draws, tenths, by_exchange):
    fails, weights = random_problem(seed, n_draws, 12, weighted=True)
    total = int(weights.sum())
    budget = total * tenths // 10
    wanted = max(s for s, kept in enumerate(enumerated(~fails, weights)) if kept >= total - budget)
    problem = Problem.of(np.packbits(fails, axis=1), 12, weights)
    solutions = Solutions(12, total, budget)
    search = Search(problem, solutions, budget, CoreParams())
    search.run(1)
    assert solutions.size == wanted - 1
    search.exchange()
    assert solutions.size == wanted - 1 + by_exchange
    assert search.bound > wanted
    Branching(search, search.shares).run(CoreParams().max_nodes)
    assert search.bound == solutions.size == wanted


def test_a_branch_and_bound_that_is_stopped_says_what_it_proved():
    fails, weights = random_problem(3, 60, 30, False)
    problem = Problem.of(np.packbits(fails, axis=1), 30, weights)
    bounds = []
    for n_nodes in (0, 3, 30, 300, 3000):
        solutions = Solutions(30, 60, 30)
        search = Search(problem, solutions, 30, CoreParams())
        search.run(20)
        Branching(search, search.shares).run(n_nodes)
        bounds.append((search.bound, solutions.size))
    assert bounds[-1][0] == bounds[-1][1]
    best = bounds[-1][1]
    assert all(bound >= best >= size for bound, size in bounds)
    assert bounds[0][0] > best


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(1, 4)), min_size=1, max_size=7),
    st.integers(0, 12),
)
def test_what_draws_can_be_charged_is_bounded_from_above(pairs, budget):
    charges, weights = np.array(pairs).T
    found = most_charged(charges, weights, budget)
    sets = chain.from_iterable(combinations(range(len(pairs)), k) for k in range(len(pairs) + 1))
    whole = [charges[[*s]].sum() for s in sets if weights[[*s]].sum() <= budget]
    assert found >= max(map(int, whole))
    if (weights == 1).all():
        assert found == max(map(int, whole))


@pytest.mark.parametrize("n_draws", [1, 7, 8, 9, 65])
@pytest.mark.parametrize("n_units", [0, 1, 8, 17])
def test_packed_bits_are_turned_and_summed(monkeypatch, n_draws, n_units):
    monkeypatch.setattr("fangs.posterior.core.problem._BLOCK", 40)
    rng = np.random.default_rng(n_draws)
    bits = rng.integers(2, size=(n_draws, n_units)).astype(bool)
    rows, weights = np.packbits(bits, axis=1), rng.integers(1, 10**12, size=n_draws)
    turned = transposed(rows, n_units)
    assert np.array_equal(unpacked(turned, n_draws), bits.T)
    assert np.array_equal(sum_rows(rows, weights, n_units), weights @ bits)


def test_a_problem_merges_what_is_alike():
    fails = np.array([[1, 1, 0, 0], [0, 0, 0, 1], [1, 1, 0, 0], [0, 0, 0, 0]], dtype=bool)
    problem = Problem.of(np.packbits(fails, axis=1), 4, np.array([2, 3, 4, 0]))
    assert problem.n_draws == 2  # the last one does not count
    assert sorted(problem.weights.tolist()) == [3, 6]
    assert problem.n_units == 3
    assert problem.sizes[problem.unit_of].tolist() == [2, 2, 1, 1]
    assert problem.failing_weights()[problem.unit_of].tolist() == [6, 6, 0, 3]
    some = problem.only(problem.failing_weights() < 6)
    assert some.expand(np.ones(2, dtype=bool)).tolist() == [False, False, True, True]


# Branch and cut (HiGHS) proved the same sizes.
SIZES = {"arrests": (18, 82), "example": (237, 314)}


@pytest.mark.parametrize("name", SIZES)
def test_known_cores(name):
    draws = getattr(fangs.datasets, name)()
    estimate = fangs.estimate(draws, seed=1)
    for by in KINDS:
        for level in (0.95, 0.8):
            core = fangs.core(estimate, draws, level=level, by=by)
            weights = np.ones(len(draws), dtype=int)
            check(core, holding(estimate, list(draws), by), weights)
    core = fangs.core(estimate, draws)
    assert (core.size, core.n_separate) == SIZES[name]
    assert core.is_exact


@pytest.mark.skipif("REAL" not in os.environ, reason="REAL names no folder with files")
@pytest.mark.parametrize(
    ("file", "level", "size"),
    [
        ("USArrests.featureAllocations.RData", 0.95, 75),
        ("samplesFA.RData", 0.95, 1),
        ("chain_ibp_1000.mat", 0.8, 354),  # burn-in included; 331 was known
    ],
)
def test_known_cores_of_posteriors_made_by_others(file, level, size):
    draws = fangs.read(Path(os.environ["REAL"], file))
    estimate = fangs.estimate(draws, seed=1)
    core = fangs.core(estimate, draws, level=level)
    check(core, holding(estimate, list(draws), "entries"), np.ones(len(draws), dtype=int))
    assert core.is_exact
    assert core.size == size


def same(one, other):
    """Two cores are equal to the bit."""
    assert str(one) == str(other)
    for name in ("entries", "curve", "draws"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist(), name


def hard(seed=0, n_draws=200):
    rng = np.random.default_rng(seed)
    draws = noisy_draws(rng, 20, 4, n_draws, noise=0.1)
    return fangs.estimate(draws, seed=1), draws


def test_a_weight_is_that_many_copies_and_the_order_of_draws_plays_no_part():
    estimate, draws = hard()
    rng = np.random.default_rng(1)
    weights = rng.integers(0, 4, size=len(draws))
    order = rng.permutation(len(draws))
    copies = [draw for b in order for draw in [draws[b]] * weights[b]]
    for by in KINDS:
        weighted = fangs.core(estimate, fangs.Samples(draws, weights=weights), level=0.7, by=by)
        copied = fangs.core(estimate, copies, level=0.7, by=by)
        assert np.array_equal(weighted.entries, copied.entries)
        assert np.array_equal(weighted.curve, copied.curve)
        assert weighted.upper_bound == copied.upper_bound
        assert weighted.probability == copied.probability
        assert "of the weight" in str(weighted)
        assert "of the draws" in str(copied)


def test_threads_and_shards_give_the_same_core():
    estimate, draws = hard()
    samples = fangs.Samples(draws)
    wanted = fangs.core(estimate, samples, level=0.6, n_threads=1)
    for n_threads in (2, 7):
        same(fangs.core(estimate, samples, level=0.6, n_threads=n_threads), wanted)
    with shard(samples, n_shards=5, memory_limit=1) as sharded:
        same(fangs.core(estimate, sharded, level=0.6), wanted)


def test_an_alignment_is_used_and_columns_may_be_in_another_order():
    estimate, draws = hard()
    alignment = fangs.align(estimate, draws)
    same(fangs.core(estimate, alignment), fangs.core(estimate, draws))
    turned = estimate.ordered("size")
    found, wanted = fangs.core(turned, alignment), fangs.core(estimate, alignment)
    assert found.size == wanted.size
    assert np.array_equal(found.matrix, turned.matrix)


def test_the_search_is_not_needed_to_judge_its_result():
    """Fewer rounds find no more, and what they find is true as well."""
    estimate, draws = hard(2)
    holds = holding(estimate, draws, "entries")
    full = fangs.core(estimate, draws, level=0.5)
    check(full, holds, np.ones(len(draws), dtype=int))
    alone = [holds[:, j].mean() for j in range(holds.shape[1])]
    nearest = np.argsort(alone)[::-1]
    greedy = max(k for k in range(81) if holds[:, nearest[:k]].all(axis=1).mean() >= 0.5)
    assert full.size > greedy  # adding the surest entries is clearly worse


def test_other_draws_judge_a_core():
    draws = fangs.datasets.arrests()
    first, second = draws.select(range(500)), draws.select(range(500, 1000))
    estimate = fangs.estimate(first, seed=1)
    for by in KINDS:
        core = fangs.core(estimate, first, level=0.8, by=by)
        holds = holding(estimate, list(second), by)[:, chosen(core)].all(axis=1)
        assert core.probability_in(second) == holds.mean()
        assert core.probability_in(first) == core.probability


def test_no_features_and_no_certain_entry():
    empty = fangs.core(np.zeros((3, 0)), [[[1], [0], [0]]])
    assert (empty.size, empty.probability, empty.is_exact) == (0, 1.0, True)
    assert fangs.core(np.zeros((3, 0)), [[[1], [0], [0]]], by="items").size == 3
    assert fangs.core(np.zeros((3, 0)), [[[1], [0], [0]]], by="features").size == 0
    none = fangs.core([[1], [1]], [[[1], [0]], [[0], [1]]])
    assert (none.size, none.probability) == (0, 1.0)
    assert str(none) == "95 % core: none of 2 entries holds in 95 % of the draws"


def test_what_a_core_says():
    matrix = [[1], [0]]
    core = fangs.core(matrix, [matrix] * 3 + [[[1], [1]]], level=0.75)
    assert str(core).splitlines() == [
        "75 % core: 2 of 2 entries hold together in 75.0 % of the draws; no larger set does",
        "  feature            ones           zeros",
        "        1          1 of 1          1 of 1",
    ]
    assert repr(core) == "<Core: 2 of 2 entries, probability 0.75 for level 0.75>"
    assert core.to_frame()["probability"].tolist() == [1.0, 1.0, 0.75]
    samples = fangs.Samples([matrix] * 3 + [[[1], [1]]], items=["ann", "bob"])
    items = fangs.core(matrix, samples, level=0.9, by="items")
    assert str(items).splitlines()[-1] == "  items: ann"
    features = fangs.core(fangs.estimate(samples, seed=1).named(["box"]), samples, by="features")
    assert str(features).splitlines()[-1] == "  features: box"


def test_other_draws_are_noted():
    draws = fangs.datasets.arrests()
    estimate = fangs.estimate(draws.select(range(500)), seed=1)
    core = fangs.core(estimate, draws, level=0.5)
    assert "other draws" in core.note
    assert core.note in str(core)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"by": "rows"}, "'rows' is not known"),
        ({"level": 0}, "level = 0 is outside"),
        ({"level": 95}, "level = 95 is outside"),
    ],
)
def test_arguments_are_checked(settings, words):
    with pytest.raises(ValueError, match=words):
        fangs.core([[1]], [[[1]]], **settings)


@pytest.mark.parametrize("at", [0, 1, 5, 40])
def test_an_interrupt_leaves_the_best_core_so_far(monkeypatch, at):
    estimate, draws = hard()
    offer, calls, before = Solutions.offer, iter(range(at)), []

    def interrupted(self, *given):
        if next(calls, None) is None:
            raise KeyboardInterrupt
        offer(self, *given)
        before.append(self.size)

    monkeypatch.setattr(Solutions, "offer", interrupted)
    with pytest.raises(fangs.results.Interrupted) as caught:
        fangs.core(estimate, draws, level=0.6)
    found = caught.value.partial
    check(found, holding(estimate, draws, "entries"), np.ones(len(draws), dtype=int))
    assert found.size == max(before, default=0)
    monkeypatch.undo()
    assert found.upper_bound >= fangs.core(estimate, draws, level=0.6).size


def test_a_thousand_entries_take_about_a_second():
    made = fangs.simulate.posterior_like(100, 10, 1000, noise=0.05, seed=1)
    alignment = fangs.align(made.truth, made.draws)
    since = time.perf_counter()
    core = fangs.core(made.truth, alignment)
    assert core.n_units == 1000
    assert time.perf_counter() - since < (5 if "CI" in os.environ else 4)
    assert core.size > 0
