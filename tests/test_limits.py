"""The ends of what is allowed: sizes, counts, penalties, threads and memory."""

import subprocess
import sys

import numpy as np
import pytest

import fangs
from fangs.engine import ThreadedEngine
from oracles import reference as ref
from support.refusals import refuses


def everything(draws):
    """What most users ask for, on any draws."""
    samples = fangs.Samples(draws)
    found = fangs.estimate(samples, seed=1)
    alignment = fangs.align(found, samples)
    fangs.summary(found, alignment)
    fangs.credible_ball(found, alignment)
    assert fangs.certify(found, samples, max_seconds=1).lower_bound <= found.expected_loss
    assert str(found)
    return found


@pytest.mark.parametrize("n_items", [1, 2, 64])
@pytest.mark.parametrize("n_draws", [1, 2])
@pytest.mark.parametrize("n_features", [0, 1])
def test_the_smallest_sizes(n_items, n_draws, n_features):
    draws = [np.ones((n_items, n_features), dtype=np.uint8)] * n_draws
    found = everything(draws)
    assert found.matrix.shape == (n_items, n_features)
    assert found.expected_loss == 0


def test_all_draws_equal_and_all_different():
    rng = np.random.default_rng(3)
    one = (rng.random((9, 4)) < 0.4).astype(np.uint8)
    assert everything([one] * 300).expected_loss == 0
    different = [np.eye(12, dtype=np.uint8)[:, [b]] for b in range(12)]
    found = everything(different)
    assert found.expected_loss == ref.expected_loss(found.matrix, different) == 1
    assert found.n_features == 0  # no entry is in half of the draws


def test_duplicate_columns_by_the_hundred():
    rng = np.random.default_rng(4)
    base = np.array([[1, 0], [1, 1], [0, 1]], dtype=np.uint8)
    draws = [np.repeat(base, 300, axis=1)[:, rng.permutation(600)] for _ in range(3)]
    draws.append(np.repeat(base, [300, 299], axis=1))
    found = everything(draws)
    assert found.n_features == 600
    assert found.expected_loss == 0.5  # a draw of four lacks a feature of two items, at 1 each


def test_two_thousand_features():
    rng = np.random.default_rng(5)
    truth = rng.random((40, 2_000)) < 0.2
    draws = [truth[:, rng.permutation(2_000)].astype(np.uint8) for _ in range(3)]
    found = fangs.estimate(draws, seed=1)
    assert found.expected_loss == 0
    assert found.n_features == truth.any(axis=0).sum()


def test_forty_thousand_features():
    """All features have item 0 or 1; one of them, the last, is all of the small allocation."""
    wide = np.zeros((3, 40_000), dtype=np.uint8)
    wide[0, ::2] = wide[1, 1::2] = 1
    wide[:, -1] = 1
    small = np.ones((3, 1), dtype=np.uint8)
    assert fangs.faro_loss(small, wide) == fangs.faro_loss(wide, small) == 39_999
    alignment = fangs.align(small, [wide, small])
    assert alignment.permutations.tolist() == [[39_999], [0]]
    assert alignment.losses().tolist() == [39_999, 0]


def test_a_limit_that_not_even_one_matching_could_keep_is_refused():
    draws = np.ones((2, 3, 40_000), dtype=np.uint8)
    with refuses("max_seconds", "40,000 features", "None for no limit", "6 GB"):
        fangs.estimate(draws, max_seconds=5)


def test_a_million_items():
    rng = np.random.default_rng(6)
    truth = (rng.random((10**6, 2)) < 0.3).astype(np.uint8)
    found = fangs.estimate([truth, truth[:, ::-1], np.hstack([truth, 1 - truth[:, :1]])], seed=1)
    assert found.expected_loss == (10**6 - truth[:, 0].sum()) / 3
    assert {*map(bytes, found.matrix.T)} == {*map(bytes, truth.T)}


@pytest.mark.parametrize("n_draws", [255, 256, 32_767, 32_768, 65_535, 65_536])
def test_counts_at_the_edges_of_8_and_16_bits(n_draws):
    draws = np.ones((n_draws, 2, 1), dtype=np.uint8)
    engine = ThreadedEngine(draws, 2, merges=False)
    evaluation = engine.evaluate(draws[0])
    assert evaluation.aligned.counts.tolist() == [[n_draws], [n_draws]]
    assert evaluation.flip_support.tolist() == [[n_draws], [n_draws]]
    assert engine.align(draws[0]).total_overlap == 2 * n_draws


@pytest.mark.parametrize("weight", [2**31 - 2, 2**31 - 1, 2**31, 2**32 - 1, 2**32])
def test_counts_at_the_edges_of_32_bits(weight):
    samples = fangs.Samples([[[1], [1]], [[1], [0]]], weights=[weight, 1])
    evaluation = ThreadedEngine(samples).evaluate(np.ones((2, 1), dtype=np.uint8))
    assert evaluation.aligned.counts.tolist() == [[weight + 1], [weight]]
    assert evaluation.aligned.total_overlap == 2 * weight + 1


@pytest.mark.parametrize("a", [5e-324, 1e-300, 1e-9, 2 - 1e-9, np.nextafter(2, 0)])
def test_penalties_next_to_their_ends_keep_clear_features(a):
    for width in (0, 2):
        draws = [np.ones((3, width), dtype=np.uint8)] * 2
        found = fangs.estimate(draws, a=float(a), seed=1)
        assert found.expected_loss == 0
        assert found.matrix.shape == (3, width)


def test_draws_are_selected_by_narrow_numbers():
    samples = fangs.Samples((np.random.default_rng(0).random((300, 3, 2)) < 0.5).astype(int))
    for dtype in (np.int8, np.uint8):
        chosen = np.array([1, 127, 5], dtype=dtype)
        assert samples.select(chosen).fingerprint == samples.select([1, 127, 5]).fingerprint


def test_units_that_discounts_cannot_hold_are_refused():
    engine = ThreadedEngine([np.ones((3, 1))])
    some = np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)
    most = (2**31 - 1) // 3
    engine.pricing(*some, scale=most, item_cost=1)
    with pytest.raises(ValueError, match="units"):
        engine.pricing(*some, scale=most + 1, item_cost=1)


OUT_OF_MEMORY = """
import resource
import numpy as np
import fangs

wide = np.ones((3, 30_000), dtype=np.uint8)
samples = fangs.Samples([wide, wide])
small = [[[1, 0], [1, 1]], [[1, 0], [1, 1]]]
fangs.estimate(small, seed=1)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**29, resource.RLIM_INFINITY))
for work in (fangs.estimate, lambda samples: fangs.align(wide, samples)):
    try:
        work(samples)
        print("enough")
    except MemoryError:
        print("MemoryError")
print(fangs.estimate(small, seed=1).expected_loss)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits on memory work differently elsewhere")
def test_without_memory_there_is_an_error_and_the_process_goes_on():
    """30,000 by 30,000 overlaps do not fit into what is left."""
    command = [sys.executable, "-c", OUT_OF_MEMORY]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["MemoryError", "MemoryError", "0.0"]
