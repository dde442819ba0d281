"""The draws method: the answer of all B^2 matchings, for much less work."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fangs
from fangs.alternatives import consensus, draws
from fangs.alternatives.best_draw import best_draw
from fangs.engine import as_engine
from oracles import reference as ref
from support import strategies as some


def naive_best(samples, a):
    """The first draw of lowest expected loss, by all overlaps and in exact arithmetic."""
    engine, exact = as_engine(samples), Fraction(repr(a))
    scores = [
        exact * len(samples) * int(samples.n_ones[b]) - 2 * int(engine.overlaps(samples[b]).sum())
        for b in range(len(samples))
    ]
    return scores.index(min(scores))


def all_overlaps(samples):
    engine = as_engine(samples)
    return np.array([engine.overlaps(Z) for Z in samples])


def all_agreements(samples):
    """Items in which matched features agree: with complements below them, they overlap there."""
    return all_overlaps(fangs.Samples([np.vstack([Z, 1 - Z]) for Z in samples]))


def chosen_draw(estimate):
    return estimate.search.starts[0].draw


def search(samples, n_threads):
    """The search itself, at a = 1."""
    offsets = [Fraction(len(samples), 2) * int(ones) for ones in samples.n_ones]
    return best_draw(as_engine(samples, n_threads), offsets=offsets)


@st.composite
def repeating_draws(draw):
    """Draws with many equal ones among them, in other column orders, so that ties abound."""
    distinct = draw(some.several_allocations(draw(st.integers(1, 4)), max_items=4, max_features=3))
    picks = draw(st.lists(st.integers(0, len(distinct) - 1), min_size=1, max_size=9))
    return [distinct[p][:, :: draw(st.sampled_from([1, -1]))] for p in picks]


@given(repeating_draws(), some.penalties)
def test_is_the_first_draw_of_lowest_expected_loss(matrices, a):
    losses = [ref.expected_loss(Z, matrices, a) for Z in matrices]
    found = draws(matrices, a=a)
    assert chosen_draw(found) == losses.index(min(losses))
    assert found.expected_loss == min(losses)


@pytest.mark.parametrize("a", [0.1, 0.7, 1.0, 1.3, 1.9])
@pytest.mark.parametrize(
    ("n_items", "n_features", "n_draws", "noise"),
    [
        *((12, 5, 150, 0.2), (62, 30, 150, 0.02), (70, 3, 150, 0.3), (9, 20, 150, 0.4)),
        (400, 4, 60, 0.3),  # large features take the wide way
    ],
)
def test_equals_the_naive_method(n_items, n_features, n_draws, noise, a):
    rng = np.random.default_rng(n_items)
    samples = fangs.Samples(some.noisy_draws(rng, n_items, n_features, n_draws, noise=noise))
    found = draws(samples, a=a)
    assert chosen_draw(found) == naive_best(samples, a)
    assert found.expected_loss == fangs.expected_loss(samples[chosen_draw(found)], samples, a=a)


def consensus_scores(samples):
    """Distances to all draws without excess columns: entries compared less agreements."""
    n_compared = np.minimum(samples.n_features[:, None], samples.n_features)
    return (samples.n_items * n_compared - all_agreements(samples)).sum(axis=1).tolist()


@pytest.mark.parametrize(
    ("n_items", "n_features", "noise"), [(12, 5, 0.2), (62, 20, 0.02), (130, 8, 0.05), (9, 20, 0.1)]
)
def test_consensus_equals_the_naive_method(n_items, n_features, noise):
    rng = np.random.default_rng(n_items)
    samples = fangs.Samples(some.noisy_draws(rng, n_items, n_features, 120, noise=noise))
    scores = consensus_scores(samples)
    assert chosen_draw(consensus(samples)) == scores.index(min(scores))


def test_consensus_skips_most_matchings_though_widths_differ():
    rng = np.random.default_rng(2)
    truth = some.random_allocation(rng, 40, 24, density=0.15)
    matrices = [truth ^ (rng.random(truth.shape) < 0.02) for _ in range(400)]
    samples = fangs.Samples([Z[:, rng.permutation(24)[: rng.integers(18, 25)]] for Z in matrices])
    found = consensus(samples)
    scores = consensus_scores(samples)
    assert chosen_draw(found) == scores.index(min(scores))
    n_matchings = int(found.search.stopped_because.split("; ")[1].split()[0].replace(",", ""))
    assert n_matchings < 0.15 * 400**2


def test_the_wide_core_agrees():
    rng = np.random.default_rng(4)
    thin = some.noisy_draws(rng, 30, 3, 25)
    wide = [np.repeat(Z, 400, axis=0) for Z in thin]
    assert len(wide[0]) > 10922  # more items than the narrow core can count
    assert chosen_draw(draws(wide)) == naive_best(fangs.Samples(thin), 1.0)


@pytest.mark.parametrize("count", [all_overlaps, all_agreements])
@pytest.mark.parametrize("n_references", [0, 1, 5])
@pytest.mark.parametrize("n_items", [20, 300])
def test_bounds_are_never_below_the_overlaps(count, n_references, n_items):
    rng = np.random.default_rng(1)
    matrices = some.noisy_draws(rng, n_items, 8, 37)
    samples = fangs.Samples([*matrices, matrices[0][:, :3], matrices[1][:, :1], matrices[2][:, :0]])
    weights = rng.integers(1, 4, size=40)
    agreements = count is all_agreements
    bounds = as_engine(samples, 2).draw_bounds(
        np.arange(40), weights, n_blocks=7, agreements=agreements
    )
    candidates = np.arange(39, -1, -1)
    upper = bounds.bounds(np.arange(n_references), candidates)
    overlaps = weights * count(samples)
    for b, bound in zip(candidates.tolist(), upper, strict=True):
        exact = [int(overlaps[b, block::7].sum()) for block in range(7)]
        assert [bounds.overlap(b, block) for block in range(7)] == exact
        assert (bound >= exact).all()


@pytest.mark.parametrize("count", [all_overlaps, all_agreements])
def test_the_bound_of_the_only_reference_is_exact(count):
    rng = np.random.default_rng(8)
    samples = fangs.Samples([np.zeros((40, 0)), *some.noisy_draws(rng, 40, 24, 299)])
    members, weights = np.arange(0, 300, 2), rng.integers(1, 4, size=150)
    features = {feature.tobytes() for b in members for feature in samples[b].T}
    assert len(features) > 1024  # more than are priced together
    agreements = count is all_agreements
    bounds = as_engine(samples, 1).draw_bounds(members, weights, n_blocks=1, agreements=agreements)
    exact = count(samples)[np.ix_(members, members)] @ weights
    for at in range(0, 150, 7):
        assert bounds.bounds(np.array([at]), np.arange(150))[at] == exact[at]


def test_prices_learnt_from_matchings_tighten_the_bounds():
    rng = np.random.default_rng(1)
    samples = fangs.Samples(some.noisy_draws(rng, 20, 8, 40))
    ones, everyone = np.ones(40, dtype=np.int64), np.arange(40)
    bounds = as_engine(samples, 1).draw_bounds(everyone, ones, n_blocks=1, agreements=False)
    exact = sum(int(as_engine(samples).overlaps(Z).sum()) for Z in samples)
    without = bounds.bounds(everyone[:0], everyone).sum() - exact
    assert 0 <= bounds.bounds(everyone[:10], everyone).sum() - exact < 0.6 * without


def test_most_matchings_are_skipped():
    rng = np.random.default_rng(2)
    truth = some.random_allocation(rng, 40, 20, density=0.15)
    matrices = [truth ^ (rng.random(truth.shape) < 0.02) for _ in range(600)]
    samples = fangs.Samples([rng.permutation(Z, axis=1) for Z in matrices])
    best = search(samples, 2)
    assert best.draw == naive_best(samples, 1.0)
    assert best.share_done < 0.15


def test_work_and_answer_do_not_depend_on_threads():
    rng = np.random.default_rng(5)
    samples = fangs.Samples(some.noisy_draws(rng, 30, 12, 200))
    assert len({search(samples, n_threads) for n_threads in (1, 2, 7)}) == 1


def test_equal_draws_are_found_whatever_their_column_order():
    Z = np.array([[1, 0, 1], [0, 1, 1]])
    samples = fangs.Samples([Z, Z[:, [0, 1]], Z[:, [2, 0, 1]], np.zeros((2, 3)), Z[:, [1, 0]]])
    assert as_engine(samples).first_equal().tolist() == [0, 1, 0, 3, 1]
