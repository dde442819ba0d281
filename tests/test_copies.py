"""A weight of 3 equals three copies of the draw, to the bit, in everything that is public.

The search chooses at random, so there only the losses found must agree.
"""

from __future__ import annotations

import inspect
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fangs
from fangs.engine import ThreadedEngine
from fangs.loss import Objective
from fangs.modes import ModesParams
from fangs.posterior.intervals import Distribution
from oracles import reference as ref
from support.strategies import noisy_draws, random_allocation

A = 0.8


def problem(seed, n_draws=9, n_items=7, n_features=3, most=4):
    """Weighted samples, copies in their place, a matrix, and the weights (some of them 0)."""
    rng = np.random.default_rng(seed)
    draws = noisy_draws(rng, n_items, n_features, n_draws, noise=0.1)
    weights = rng.integers(0, most + 1, size=n_draws)
    weights[rng.integers(n_draws)] = most
    chains = np.arange(n_draws) % 2
    weighted = fangs.Samples(draws, weights=weights, chains=chains)
    which = np.repeat(np.arange(n_draws), weights)
    copies = fangs.Samples([draws[b] for b in which], chains=chains[which])
    return weighted, copies, random_allocation(rng, n_items, n_features), which


def same(one, other):
    """Whether two results are equal to the bit."""
    if isinstance(one, np.ndarray):
        return one.shape == other.shape and one.dtype == other.dtype and bool((one == other).all())
    if isinstance(one, dict):
        return one == other
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def of_estimate(found, which):
    """What of an estimate must agree; per-draw numbers copy by copy."""
    losses = found.losses if which is None else found.losses[which]
    kept = (found.matrix, found.expected_loss, found.proportions, losses)
    return (*kept, found.is_flip_optimal, found.n_ties)


def without_errors(found):
    """A summary without Monte Carlo errors, for which copies are further draws of a chain."""
    unknown = np.full_like(found.features.present, np.nan)
    return replace(found, loss_error=None, features=replace(found.features, present_error=unknown))


def of_summary(found, which):
    found = without_errors(found)
    per_draw = [found.unmatched_features, found.unmatched_ones]
    if which is not None:
        per_draw = [values[which] for values in per_draw]
    features, items = vars(found.features), vars(found.items)
    parts = [features[k] for k in sorted(features)] + [items[k] for k in sorted(items)]
    parts = [np.nan_to_num(part, nan=-1.0) for part in parts]
    numbers = [found.n_features.values, found.n_features.counts, found.n_ones.counts]
    return (str(found).split("\n", 1)[1], found.proportions, *parts, *numbers, *per_draw)


def of_ball(found, which):
    members = found.members
    if which is not None:
        members = np.flatnonzero(np.isin(which, found.members))
    return found.radius, found.coverage, members, found.sizes, found.typicality(np.eye(7, 3))


def of_alignment(found, which):
    taken = slice(None) if which is None else which
    return (
        found.permutations[taken], found.counts, found.overlaps[taken], found.proportions,
        found.losses(A)[taken], found.feature_overlaps[taken], found.draws()[taken],
    )  # fmt: skip


def of_certificate(found, which):
    better = None if found.better is None else of_estimate(found.better, which)
    proof = found.n_columns, found.rounds, found.stopped_because, better
    verdict = found.lower_bound, found.expected_loss, found.is_global_optimum
    return (*verdict, dict(found.bounds), *proof)


def of_alternative(found, which):
    draw = found.search.starts[0].draw
    if which is None and draw is not None:
        draw = int(_WHICH[draw])
    return (*of_estimate(found, which), draw)


def of_modes(found, which):
    """Everything about modes but the search for them; per-draw numbers copy by copy."""
    taken = slice(None) if which is None else which
    steps = [(s.expected_loss, s.gain, s.clear, s.weight, s.joint, s.is_accepted)
             for s in found.steps]  # fmt: skip
    doubtful = found.doubtful if which is None else np.flatnonzero(np.isin(which, found.doubtful))
    matrices = [e.matrix for e in found.estimates]
    proportions = [e.proportions for e in found.estimates]
    return (
        found.expected_loss, found.weights, found.by_chain, found.curve, found.distances, steps,
        found.labels[taken], found.losses[taken], found.margins[taken], doubtful, matrices,
        proportions, [e.expected_loss for e in found.estimates],
    )  # fmt: skip


_WHICH: np.ndarray = np.zeros(0)

DETERMINISTIC = ("draws", "map", "pairwise", "modal_hamming", "consensus", "double_greedy")

EXACT = {
    "expected_loss": lambda s, m, w: fangs.expected_loss(m, s, a=A),
    "assess": lambda s, m, w: of_estimate(fangs.assess(m, s, a=A), w),
    "align": lambda s, m, w: of_alignment(fangs.align(m, s), w),
    "summary": lambda s, m, w: of_summary(fangs.summary(m, s, a=A, level=0.8), w),
    "credible_ball": lambda s, m, w: of_ball(fangs.credible_ball(m, s, a=A, level=0.7), w),
    "typicality": lambda s, m, w: fangs.typicality(s[int(np.argmax(s.n_ones))], s, estimate=m, a=A),
    "pairwise_similarity": lambda s, m, w: fangs.pairwise_similarity(s),
    "flip_optimal_interval": lambda s, m, w: fangs.flip_optimal_interval(m, s),
    "certify": lambda s, m, w: of_certificate(fangs.certify(m, s, a=A, max_seconds=None), w),
    "lower_bound": lambda s, m, w: fangs.lower_bound(s, a=A, method="pairs"),
    **{
        name: lambda s, m, w, name=name: of_alternative(
            getattr(fangs.alternatives, name)(s, a=A), w
        )
        for name in DETERMINISTIC
    },
}
"""Public functions without random choices, of samples, a matrix and the draw of each copy."""

SEARCHES = {
    "estimate": lambda s: [fangs.estimate(s, a=A, seed=1).expected_loss],
    "sparsity_path": lambda s: fangs.sparsity_path(s, a=[0.5, 1.0, 1.5], seed=1).expected_losses,
    "choose_a": lambda s: [fangs.choose_a(s, n_features=2, seed=1).estimate.n_features],
    "compare": lambda s: [
        fangs.compare(s, methods=["estimate"], a=A, seed=1).rows[0].expected_loss
    ],
}


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", EXACT)
def test_weights_equal_copies_to_the_bit(name, seed, monkeypatch):
    weighted, copies, matrix, which = problem(seed, n_draws=2 + 2 * seed)
    monkeypatch.setitem(globals(), "_WHICH", which)
    if name == "typicality":  # a draw of weight 0 is no copy: ask about one that both have
        weighted = weighted.select(weighted.info.counted)
    with np.errstate(all="raise"):
        ours, theirs = EXACT[name](weighted, matrix, which), EXACT[name](copies, matrix, None)
    assert same(ours, theirs)


def test_alternatives_for_small_or_equal_draws_equal_copies():
    rng = np.random.default_rng(4)
    for _ in range(10):
        draws = [random_allocation(rng, 3, 2, 0.7) | np.eye(3, 2, dtype=np.uint8) for _ in range(4)]
        weights = rng.integers(1, 4, size=4)
        copies = [draws[b] for b in np.repeat(np.arange(4), weights)]
        for method in (fangs.alternatives.exhaustive, fangs.alternatives.sequential):
            ours = method(fangs.Samples(draws, weights=weights), a=A)
            theirs = method(copies, a=A)
            assert same(ours.matrix, theirs.matrix)
            assert ours.expected_loss == theirs.expected_loss


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", SEARCHES)
def test_searches_find_the_losses_of_copies(name, seed):
    weighted, copies, _, _ = problem(seed, n_draws=12, n_items=12)
    assert same(np.asarray(SEARCHES[name](weighted)), np.asarray(SEARCHES[name](copies)))


@pytest.mark.parametrize("seed", range(4))
def test_algorithm_1_with_all_baselines_equals_copies(seed):
    weighted, copies, _, which = problem(seed, n_draws=6)
    n_init = 6 * 4  # at least as many as there are copies, so chance has no say
    ours = fangs.estimate(weighted, a=A, n_init=n_init, n_sweet=n_init, n_iter=0, seed=1)
    theirs = fangs.estimate(copies, a=A, n_init=n_init, n_sweet=n_init, n_iter=0, seed=1)
    assert same(of_estimate(ours, which)[:2], of_estimate(theirs, None)[:2])
    assert {start.draw for start in ours.search.starts} == set(which.tolist())
    assert (
        fangs.alternatives.deterministic(
            weighted, a=A, n_init=n_init, n_sweet=n_init, seed=1
        ).expected_loss
        == fangs.alternatives.deterministic(
            copies, a=A, n_init=n_init, n_sweet=n_init, seed=1
        ).expected_loss
    )


@pytest.mark.parametrize("seed", range(3))
def test_chains_are_compared_as_if_copied(seed):
    weighted, copies, _, _ = problem(seed, n_draws=60, n_items=10, n_features=2)
    ours = fangs.compare_chains(weighted, a=A, max_rhat=1.5, seed=1)
    theirs = fangs.compare_chains(copies, a=A, max_rhat=1.5, seed=1)
    for name in ("distances", "to_pooled", "rhat", "ess"):
        assert same(getattr(ours, name), getattr(theirs, name)), name
    assert np.allclose(ours.separation, theirs.separation, atol=0.2)  # random starts


def two_modes(seed):
    """Weighted samples with two modes, some draws halfway, and copies in their place."""
    rng = np.random.default_rng(seed)
    one, other = random_allocation(rng, 20, 3), random_allocation(rng, 20, 4)
    between = np.vstack([np.pad(one, ((0, 0), (0, 1)))[:10], other[10:]])
    draws = [
        *(draw for mode in (one, other) for draw in _scattered(rng, mode, 15)),
        *_scattered(rng, between, 3),
    ]
    weights = rng.integers(0, 4, size=len(draws))
    chains = np.array([7, 3])[rng.integers(0, 2, size=len(draws))]
    which = np.repeat(np.arange(len(draws)), weights)
    weighted = fangs.Samples(draws, weights=weights, chains=chains)
    return weighted, fangs.Samples([draws[b] for b in which], chains=chains[which]), which


def _scattered(rng, matrix, n_draws):
    return [matrix ^ (rng.random(matrix.shape) < 0.03) for _ in range(n_draws)]


@pytest.mark.parametrize("n_modes", [None, 1, 2])
@pytest.mark.parametrize("seed", range(6))
def test_modes_of_weights_are_those_of_copies(seed, n_modes):
    weighted, copies, which = two_modes(seed)
    ours = fangs.modes(weighted, n_modes=n_modes, max_modes=2, a=A, seed=1)
    theirs = fangs.modes(copies, n_modes=n_modes, max_modes=2, a=A, seed=1)
    assert same(of_modes(ours, which), of_modes(theirs, None))


@pytest.mark.parametrize("seed", range(8))
def test_modes_of_diffuse_draws_have_the_losses_of_copies(seed):
    """Where seedings end in different places, weights and copies must seed alike."""
    rng = np.random.default_rng(seed)
    draws = noisy_draws(rng, 9, 3, 40, noise=0.2)
    weights = rng.integers(0, 5, size=40)
    which = rng.permutation(np.repeat(np.arange(40), weights))  # copies anywhere
    ours = fangs.modes(fangs.Samples(draws, weights=weights), max_modes=5, seed=seed)
    theirs = fangs.modes([draws[b] for b in which], max_modes=5, seed=seed)
    assert ours.curve.tolist() == theirs.curve.tolist()
    assert ours.n_modes == theirs.n_modes


def test_equal_draws_are_no_reason_to_subsample():
    """Distinct draws with weights, and thousands of copies of them, are searched alike."""
    rng = np.random.default_rng(5)
    draws = noisy_draws(rng, 9, 3, 40, noise=0.2)
    weights = rng.integers(50, 100, size=40)
    ours = fangs.modes(fangs.Samples(draws, weights=weights), max_modes=4, seed=1)
    copies = fangs.Samples(draws).select(np.repeat(np.arange(40), weights))
    assert len(copies) > 2 * ModesParams().subsample_draws
    theirs = fangs.modes(copies, max_modes=4, seed=1)
    assert ours.curve.tolist() == theirs.curve.tolist()


ELSEWHERE = ("core", "held_out_loss", "stability")
"""See tests/posterior; the last two draw or halve draws, not copies."""


def test_public_functions_of_samples_are_all_covered():
    """A new function that takes draws must be tested with weights, here or elsewhere."""
    takes = {
        name
        for name in fangs.__all__
        if inspect.isfunction(function := getattr(fangs, name))
        and "samples" in inspect.signature(function).parameters
    }
    assert takes == {*EXACT, *SEARCHES, "compare_chains", "modes", *ELSEWHERE} - {*DETERMINISTIC}


@given(st.lists(st.integers(0, 3), min_size=5, max_size=5).filter(any), st.integers(0, 2**32 - 1))
def test_expected_loss_by_definition(weights, seed):
    rng = np.random.default_rng(seed)
    matrix, *draws = [random_allocation(rng, 4, int(rng.integers(0, 4))) for _ in range(6)]
    total = sum(w * ref.faro_loss(matrix, d, 1.25) for w, d in zip(weights, draws, strict=True))
    found = fangs.expected_loss(matrix, fangs.Samples(draws, weights=weights), a=1.25)
    assert found == pytest.approx(total / sum(weights), rel=1e-14)
    ours, theirs = (
        Distribution.of([d.sum() for d in draws], np.array(weights)),
        Distribution.of(np.repeat([d.sum() for d in draws], weights)),
    )
    assert same((ours.values, ours.counts), (theirs.values, theirs.counts))
    assert ours.interval(0.5) == theirs.interval(0.5)


@pytest.mark.parametrize("weight", [1, 2, 127, 255, 256, 2**16 - 1, 2**31, 2**42])
@pytest.mark.parametrize("n_draws", [1, 3, 300])
def test_counts_of_any_size_are_exact(weight, n_draws):
    """Counters hold what the weights need, and are emptied before they overflow."""
    rng = np.random.default_rng(weight % 97)
    draws = [random_allocation(rng, 70, 3) for _ in range(n_draws)]
    weights = weight - rng.integers(0, min(weight, 3), size=n_draws)
    engine = ThreadedEngine(fangs.Samples(draws, weights=weights), 2, merges=False)
    matrix = draws[0]
    permutations, aligned = engine.permutations(matrix)
    relabelled = engine.relabel(permutations).astype(object)
    by_hand = sum((int(w) * draw for w, draw in zip(weights, relabelled, strict=True)), start=0)
    assert (aligned.counts == by_hand).all()
    assert (engine.count_aligned(permutations) == by_hand).all()
    assert aligned.total_overlap == sum(
        map(lambda w, m: int(w) * int(m), weights, aligned.overlaps)
    )
    nearby = engine.neighbourhood(matrix)
    assert nearby.total_overlap == aligned.total_overlap
    one_by_one = sum(
        int(w) * ThreadedEngine([draw], 1).neighbourhood(matrix).flip_support().astype(object)
        for w, draw in zip(weights, draws, strict=True)
    )
    assert (nearby.flip_support() == one_by_one).all()
    assert (engine.evaluate(matrix).flip_support == one_by_one).all()
    assert Objective.of(engine.samples_info, A).total_weight == int(weights.sum())


def test_equal_weights_change_nothing_in_a_search():
    rng = np.random.default_rng(6)
    draws = noisy_draws(rng, 30, 4, 900)
    plain = fangs.estimate(draws, seed=3)
    weighted = fangs.estimate(fangs.Samples(draws, weights=[5] * 900), seed=3)
    assert same(of_estimate(plain, None), of_estimate(weighted, None))
    assert plain.search.starts == weighted.search.starts
    assert plain.search.stopped_because == weighted.search.stopped_because
