"""stability(): what replicates say, against plain estimates from lists with draws repeated."""

import os
from glob import glob
from time import process_time

import numpy as np
import pytest

import fangs
from fangs.distributed import shard
from fangs.engine import as_engine
from fangs.posterior.stability.api import _Compared
from fangs.posterior.stability.bootstrap import BlockBootstrap
from fangs.posterior.stability.replicates import ReplicateParams, Replicates
from fangs.search import SearchParams, SearchSettings, run_search
from oracles import reference as ref
from oracles.plain_engine import PlainEngine
from support.strategies import noisy_draws

ONE = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [0, 0], [0, 0]], dtype=np.uint8)
OTHER = np.array([[1, 0], [1, 0], [0, 0], [0, 0], [0, 1], [0, 1]], dtype=np.uint8)


@pytest.fixture(scope="module")
def arrests():
    return fangs.datasets.arrests()


@pytest.fixture(scope="module")
def arrests_estimate(arrests):
    return fangs.estimate(arrests, seed=1)


@pytest.fixture(scope="module")
def found(arrests, arrests_estimate):
    return fangs.stability(arrests_estimate, arrests, seed=1)


def replicates(estimate, samples, seed=1, params=None):
    """The replicates that `fangs.stability` makes, with their weights."""
    engine, losses = as_engine(samples), fangs.align(estimate, samples).losses(estimate.a)
    bootstrap = BlockBootstrap.of(engine.samples_info, losses)
    return Replicates(engine, estimate.matrix, estimate.a, seed, bootstrap, params)


def same(one, other):
    """Two results are equal to the bit."""
    assert bits(one) == bits(other)


def bits(value):
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, tuple):
        return [bits(part) for part in value]
    if isinstance(value, fangs.Estimate):
        return bits(value.matrix), bits(value.losses)
    if isinstance(value, fangs.results.Stability | fangs.results.HeldOutLoss):
        return {name: bits(part) for name, part in vars(value).items()}
    return value


def small(seed=3, n_draws=40, **labels):
    draws = noisy_draws(np.random.default_rng(seed), 6, 3, n_draws, noise=0.25)
    return fangs.Samples(draws, **labels)


@pytest.mark.parametrize("a", [0.6, 1.0, 1.4])
def test_losses_are_those_of_a_list_with_draws_repeated(a):
    samples = small()
    estimate = fangs.estimate(samples, a=a, seed=1)
    found, made = fangs.stability(estimate, samples, n=8, seed=5), replicates(estimate, samples, 5)
    for number in range(8):
        times = made.weights(number)
        listed = [draw for draw, n in zip(samples, times, strict=True) for _ in range(n)]
        assert len(listed) == len(samples)
        assert ref.expected_loss(found.matrices[number], listed, a) == pytest.approx(
            found.losses[number], abs=1e-12
        )
        again = fangs.estimate(listed, a=a, seed=1)
        assert again.expected_loss == found.losses[number]


def test_arrests_are_estimated_as_well_as_from_lists(arrests, arrests_estimate, found):
    made = replicates(arrests_estimate, arrests)
    for number in range(0, 50, 5):
        times = made.weights(number)
        listed = arrests.select(np.repeat(np.arange(1000), times))
        assert fangs.estimate(listed, seed=1).expected_loss == found.losses[number]


def test_the_known_shares_of_the_arrests(found):
    assert 0.15 <= found.identical <= 0.35
    assert 0.8 <= found.distances.mean() <= 1.8


def test_shares_are_those_of_the_replicates_aligned(arrests_estimate, found):
    again = list(found.matrices)
    aligned = fangs.align(arrests_estimate, again)
    assert np.allclose(found.entries, aligned.draws().mean(axis=0))
    present = fangs.summary(arrests_estimate, again).features.present
    assert np.allclose(found.features, present)
    wanted = [fangs.faro_loss(arrests_estimate, matrix) for matrix in again]
    assert found.distances.tolist() == wanted
    assert found.n_features.tolist() == [matrix.shape[1] for matrix in again]
    assert found.identical == np.mean([np.array_equal(arrests_estimate, m) for m in again])


def test_a_feature_of_the_estimate_that_replicates_lack_is_not_found():
    draws = [ONE] * 10 + [ONE[:, :1]] * 9
    order = np.random.default_rng(0).permutation(19)
    samples = fangs.Samples([draws[b] for b in order])
    found = fangs.stability(fangs.assess(ONE, samples), samples, n=60, seed=1)
    two = found.n_features == 2
    assert 0.1 < two.mean() < 0.9
    assert found.features.tolist() == [1.0, two.mean()]
    assert np.allclose(found.entries, ONE * [1.0, two.mean()])
    assert found.distances.tolist() == np.where(two, 0.0, 2.0).tolist()


def test_equal_draws_are_wholly_stable():
    samples = fangs.Samples([ONE] * 30, chains=np.arange(30) // 10)
    found = fangs.stability(fangs.estimate(samples, seed=1), samples, n=12, seed=2)
    assert (found.identical, found.identical_error, found.n) == (1.0, 0.0, 12)
    assert found.entries.tolist() == found.matrix.tolist()
    assert found.features.tolist() == [1.0, 1.0]
    assert found.block_lengths == (1, 1, 1)
    assert "12 of 12 replicates (100 %)" in str(found)


def test_two_estimates_that_are_as_likely_share_the_replicates():
    order = np.random.default_rng(4).permutation(201)
    samples = fangs.Samples([(ONE, OTHER)[k % 2] for k in order])
    found = fangs.stability(fangs.estimate(samples, seed=1), samples, n=200, seed=1)
    assert 0.4 < found.identical < 0.6
    assert set(found.distances.tolist()) == {0.0, 4.0}


def test_fresh_starts_find_what_the_estimate_hides():
    """From a poor matrix, the replicates end where a search from nothing ends."""
    samples = small(seed=8, n_draws=60)
    poor = fangs.assess(np.zeros((6, 0)), samples)
    best = fangs.estimate(samples, seed=1)
    ours, theirs = (fangs.stability(one, samples, n=20, seed=3) for one in (poor, best))
    made = replicates(poor, samples, 3)
    for number, loss in enumerate(ours.losses):
        weights = made.weights(number)
        some = as_engine(samples).select(np.flatnonzero(weights), weights[weights > 0])
        assert run_search(some, 1.0, SearchSettings(seed=1)).expected_loss == loss
    assert ours.features.shape == (0,)
    assert ours.expected_loss > theirs.expected_loss


PLAIN = ReplicateParams(search=SearchParams(final_tries=()))
"""Without perturbations."""


def hard(seed):
    """Draws for which fresh starts and perturbations lead to better replicates."""
    draws = noisy_draws(np.random.default_rng(seed), 9, 5, 40, noise=0.3)
    return fangs.Samples(draws)


@pytest.mark.parametrize("seed", [6, 15, 38])
def test_nothing_that_one_replicate_finds_is_better_for_another(seed):
    samples = hard(seed)
    made = replicates(fangs.estimate(samples, seed=1), samples, params=PLAIN)
    made.solve(24)
    for number, found in enumerate(made.found):
        times = made.weights(number)
        for other in made.found:
            overlaps = as_engine(samples).overlaps(other.matrix)
            score = found.objective.score(int(other.matrix.sum()), int(overlaps @ times))
            assert found.score <= score


@pytest.mark.parametrize("seed", [12, 39])
def test_perturbations_find_what_descents_miss(seed):
    samples = hard(seed)
    estimate = fangs.estimate(samples, seed=1)
    losses = []
    for params in (PLAIN, None):
        made = replicates(estimate, samples, params=params)
        made.solve(24)
        losses.append([found.expected_loss for found in made.found])
    assert all(ours <= theirs for theirs, ours in zip(*losses, strict=True))
    assert sum(ours < theirs for theirs, ours in zip(*losses, strict=True)) >= 3


def test_copies_multiply_the_weights_of_the_draws():
    weights = np.arange(40) % 4
    samples = small(weights=weights)
    estimate = fangs.estimate(samples, seed=1)
    found = fangs.stability(estimate, samples, n=6, seed=5)
    bootstrap = BlockBootstrap.of(samples.info, estimate.losses)
    for number in range(6):
        counts = bootstrap.counts(np.random.default_rng([5, number]))
        assert counts.sum() == 30  # those of weight 0 are left out
        times = counts * weights
        listed = [draw for draw, n in zip(samples, times, strict=True) for _ in range(n)]
        assert ref.expected_loss(found.matrices[number], listed, 1.0) == pytest.approx(
            found.losses[number], abs=1e-12
        )


@pytest.mark.parametrize(
    ("shared", "extra", "has"),
    [(1, 2, False), (2, 1, False), (2, 0, True), (3, 2, True), (4, 4, True), (4, 5, False)],
)
def test_a_feature_is_there_from_a_jaccard_index_of_a_half_on(shared, extra, has):
    matrix, other = np.zeros((2, 12, 1), dtype=np.uint8)
    matrix[:4] = 1
    other[4 - shared : 4 + extra] = 1
    found = _Compared.of(matrix, other)
    assert (shared / (4 + extra) >= 0.5) == has
    assert found.features.tolist() == [has]
    assert found.entries.tolist() == (other == 1).tolist()
    assert found.distance == 4 - shared + extra


@pytest.mark.parametrize("n_threads", [2, 7])
def test_threads_do_not_matter(arrests, arrests_estimate, found, n_threads):
    same(fangs.stability(arrests_estimate, arrests, seed=1, n_threads=n_threads), found)
    same(fangs.stability(arrests_estimate, arrests, seed=1, n_threads=1), found)


@pytest.mark.parametrize("weighted", [False, True])
def test_any_engine_gives_the_same_bits(weighted, monkeypatch):
    monkeypatch.setattr("fangs.distributed.sharded_engine.BROUGHT_BYTES", -1)
    weights = np.arange(40) % 4 if weighted else None
    chains = np.arange(40) // 20
    samples = small(chains=chains, weights=weights)
    estimate = fangs.estimate(samples, seed=1)
    wanted = fangs.stability(estimate, samples, n=6, seed=1)
    plain = PlainEngine(list(samples), weights=weights, chains=chains)
    same(fangs.stability(estimate, plain, n=6, seed=1), wanted)
    with shard(samples, n_shards=3) as sharded:
        same(fangs.stability(estimate, sharded, n=6, seed=1), wanted)
        same(fangs.held_out_loss(sharded, seed=1), fangs.held_out_loss(samples, seed=1))


def test_an_alignment_will_do_and_columns_keep_their_order(arrests, arrests_estimate, found):
    alignment = fangs.align(arrests_estimate, arrests)
    same(fangs.stability(arrests_estimate, alignment, seed=1), found)
    other = arrests_estimate.named(list("dcba")).ordered("size")
    sorted_by_size = fangs.stability(other, arrests, seed=1)
    assert sorted_by_size.feature_names == other.feature_names
    places = [
        arrests_estimate.matrix.T.tolist().index(column) for column in other.matrix.T.tolist()
    ]
    assert np.array_equal(sorted_by_size.entries, found.entries[:, places])
    assert np.array_equal(sorted_by_size.features, found.features[places])


def test_a_matrix_without_features():
    samples = fangs.Samples([np.zeros((3, 0))] * 5)
    found = fangs.stability(np.zeros((3, 0)), samples, n=4, seed=1)
    assert (found.identical, found.entries.shape) == (1.0, (3, 0))
    assert "4 of 4 replicates" in str(found)
    assert "fangs.Stability" in found._repr_html_()


def test_other_draws_are_noted(arrests, arrests_estimate):
    half = arrests.select(np.arange(0, 1000, 2))
    found = fangs.stability(arrests_estimate, half, n=2, seed=1)
    assert "other draws" in found.note
    assert found.note in str(found)
    assert found.note in found._repr_html_()


def test_a_table_with_a_row_per_replicate(found):
    table = found.to_frame()
    assert table.index.name == "replicate"
    assert table["distance"].tolist() == found.distances.tolist()
    assert table["n_ones"].tolist() == [int(matrix.sum()) for matrix in found.matrices]


def test_print_and_notebook_say_the_same(found):
    printed, shown = str(found), found._repr_html_()
    assert found.verdict in printed
    assert found.verdict.replace(" %", "\u00a0%") in shown
    for words in found.described.values():
        assert words in printed
        assert words in shown


class Stop:
    """Ctrl-C once so many replicates are done."""

    def __init__(self, at):
        self.at, self.seen = at, []

    def __call__(self, progress):
        self.seen.append((progress.phase, progress.done, progress.total))
        if progress.done == self.at:
            raise KeyboardInterrupt


def test_an_interrupt_leaves_the_replicates_that_are_done(arrests, arrests_estimate, found):
    stop = Stop(at=7)
    with pytest.raises(fangs.results.Interrupted) as raised:
        fangs.stability(arrests_estimate, arrests, seed=1, progress=stop)
    partial = raised.value.partial
    assert raised.value.estimate is arrests_estimate
    assert partial.n == 7
    assert partial.losses.tolist() == found.losses[:7].tolist()
    assert stop.seen == [("replicates", done, 50) for done in range(8)]
    with pytest.raises(fangs.results.Interrupted) as raised:
        fangs.stability(arrests_estimate.matrix, arrests, seed=1, progress=Stop(at=0))
    assert (raised.value.estimate, raised.value.partial) == (None, None)


@pytest.mark.parametrize("chains", [None, np.arange(40) % 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_each_half_is_judged_by_the_other(chains, weighted):
    weights = np.arange(40) % 4 if weighted else None
    samples = small(chains=chains, weights=weights)
    found = fangs.held_out_loss(samples, a=1.2, seed=1)
    codes = np.zeros(40) if chains is None else chains
    first, second = [], []
    for chain in np.unique(codes):
        draws = [b for b in range(40) if codes[b] == chain and (weights is None or weights[b])]
        first += draws[: len(draws) // 2]
        second += draws[len(draws) // 2 :]
    halves = samples.select(sorted(first)), samples.select(sorted(second))
    for k, (own, other) in enumerate((halves, halves[::-1])):
        estimate = fangs.estimate(own, a=1.2, seed=1)
        assert found.estimates[k].matrix.tolist() == estimate.matrix.tolist()
        assert found.own[k] == estimate.expected_loss
        assert found.held_out[k] == fangs.expected_loss(estimate, other, a=1.2)
    assert found.gap == pytest.approx(found.held_out.mean() - found.own.mean())


def test_held_out_losses_of_equal_halves_are_the_same():
    found = fangs.held_out_loss([ONE, OTHER] * 10, seed=1)
    assert found.own.tolist() == found.held_out.tolist()
    assert found.gap == 0.0


def test_one_draw_has_no_halves():
    with pytest.raises(ValueError, match="two draws"):
        fangs.held_out_loss([ONE], seed=1)


def test_an_interrupted_half_is_no_estimate_of_all(arrests):
    def stop(progress):
        raise KeyboardInterrupt

    with pytest.raises(fangs.results.Interrupted) as raised:
        fangs.held_out_loss(arrests, seed=1, progress=stop)
    assert raised.value.estimate is None


REAL = os.environ.get("REAL", "")
THOUSANDS = {
    "aibd10": ("out.10.1000.*.RData", {"variable": "samplesAIBD"}),
    "ibp10": ("out.10.1000.*.RData", {"variable": "samplesIBP"}),
    "aibd30": ("out.30.1000.*.RData", {"variable": "samplesAIBD"}),
    "ibp30": ("out.30.1000.*.RData", {"variable": "samplesIBP"}),
    "USArrests": ("USArrests*.RData", {}),
    "discode": ("chain_ibp_1000.mat", {}),
    "arrests": (None, {}),
}
"""Posteriors of 1,000 draws, made by others but for the last."""


@pytest.mark.skipif(not REAL, reason="REAL names the folder of posteriors made by others")
@pytest.mark.parametrize("name", THOUSANDS)
def test_real_posteriors_within_twenty_estimates_and_as_good_as_searches(name):
    pattern, options = THOUSANDS[name]
    samples = fangs.datasets.arrests()
    if pattern is not None:
        samples = fangs.read(glob(os.path.join(REAL, pattern))[0], **options)
    estimate = fangs.estimate(samples, seed=1)
    times = []
    for seed in range(15):  # searches of some seeds are longer; processor time: others may run
        began = process_time()
        fangs.estimate(samples, seed=seed)
        between = process_time()
        found = fangs.stability(estimate, samples, seed=1)
        times.append((between - began, process_time() - between))
    one, fifty = np.median(times, axis=0)
    assert fifty <= 20.0 * one
    made, engine = replicates(estimate, samples), as_engine(samples)
    losses = []
    for number in range(50):
        weights = made.weights(number)
        some = engine.select(np.flatnonzero(weights), weights[weights > 0])
        settings = SearchSettings(seed=number)
        losses.append(run_search(some, 1.0, settings, start=estimate.matrix).expected_loss)
    assert np.count_nonzero(found.losses > np.array(losses) + 1e-9) <= 5
    assert found.losses.mean() <= np.mean(losses) * 1.0005
