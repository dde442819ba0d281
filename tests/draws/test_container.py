"""Samples as a container: slices, masks, chains, joining, copies, equality and printing."""

import copy
import multiprocessing
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fangs
from support.objects import DRAWS, ITEMS
from support.strategies import several_allocations

LABELS = ["warm", "warm", "cold", "cold", "cold", "warm"]
SAMPLES = fangs.Samples(DRAWS, items=ITEMS, chains=LABELS)


def chosen(numbers):
    return fangs.Samples(
        [DRAWS[b] for b in numbers], items=ITEMS, chains=[LABELS[b] for b in numbers]
    )


@pytest.mark.parametrize(
    ("index", "numbers"),
    [
        (slice(2, None), [2, 3, 4, 5]),
        (slice(None, None, -2), [5, 3, 1]),
        (slice(-2, 100), [4, 5]),
        ([0, 5, -1, 0], [0, 5, 5, 0]),
        (np.array([True, False] * 3), [0, 2, 4]),
        ([True] + [False] * 5, [0]),
        ((1, 2), [1, 2]),
    ],
    ids=str,
)
def test_some_draws_are_samples_again(index, numbers):
    assert SAMPLES[index] == chosen(numbers)
    assert not isinstance(index, slice) or len(SAMPLES[index]) == len(numbers)


@pytest.mark.parametrize("dtype", "bBhHiIlLqQ")
def test_draws_are_chosen_by_integers_of_any_size(dtype):
    many = fangs.Samples(DRAWS * 50)
    numbers = np.array([120, 3, 127], dtype=dtype)
    assert many[numbers] == fangs.Samples([DRAWS[b % 6] for b in (120, 3, 127)])
    if np.dtype(dtype).kind == "i":
        assert many[-numbers] == fangs.Samples([DRAWS[b % 6] for b in (180, 297, 173)])


@pytest.mark.parametrize(
    ("index", "error", "words"),
    [
        (np.ones(1000, dtype=bool), IndexError, "mask of 1000 values, but there are 6 draws"),
        (np.zeros(1000), TypeError, r"shape \(1000,\) and type float64"),
        (np.zeros((2, 2), dtype=int), TypeError, r"shape \(2, 2\)"),
        (np.zeros(6, dtype=bool), ValueError, "no draw"),
        (slice(7, None), ValueError, "no draw"),
        ([], ValueError, "no draw"),
        ([0, 6], IndexError, "no draw 6"),
        (np.array([2**63], dtype=np.uint64), IndexError, str(2**63)),
        ("warm", TypeError, "'warm'"),
        (1.0, TypeError, "1.0"),
    ],
    ids=str,
)
def test_wrong_choices_are_refused_in_few_words(index, error, words):
    with pytest.raises(error, match=words) as caught:
        SAMPLES[index]
    assert len(str(caught.value)) < 200


def test_chains_keep_their_labels():
    assert SAMPLES.chains.tolist() == LABELS
    assert SAMPLES.info.chain_names == ("warm", "cold")
    assert SAMPLES.info.chain_codes.tolist() == [0, 0, 1, 1, 1, 0]
    assert SAMPLES.chain("cold") == chosen([2, 3, 4])
    numbers = fangs.Samples(DRAWS, chains=np.array([7, 7, 3, 3, 3, 12], dtype=np.int8))
    assert numbers.chains.tolist() == [7, 7, 3, 3, 3, 12]
    assert numbers.info.chain_names == (3, 7, 12)
    assert len(numbers.chain(7)) == 2
    assert fangs.Samples(DRAWS, chains=[7.0] * 6).chains.dtype == np.int64
    with pytest.raises(ValueError, match="no chain 'hot'; the chains are 'warm', 'cold'"):
        SAMPLES.chain("hot")
    with pytest.raises(ValueError, match="has no chains"):
        fangs.Samples(DRAWS).chain(0)


def test_samples_are_joined_by_the_names_of_items():
    turned = fangs.Samples(
        [np.pad(Z[::-1], ((0, 0), (1, 1))) for Z in DRAWS], items=ITEMS[::-1], chains=["new"] * 6
    )
    joined = fangs.Samples.concatenate([SAMPLES, turned])
    assert joined == fangs.Samples(DRAWS * 2, items=ITEMS, chains=LABELS + ["new"] * 6)
    assert [joined.columns(b).tolist() for b in (1, 7)] == [[0, 1, 2], [1, 2, 3]]
    plain = fangs.Samples(DRAWS)
    assert fangs.Samples.concatenate([plain, plain]) == fangs.Samples(DRAWS * 2)


@given(st.integers(1, 3).flatmap(lambda count: several_allocations(2 * count, 9, 5)))
def test_parts_join_to_the_whole(draws):
    whole, half = fangs.Samples(draws), len(draws) // 2
    joined = fangs.Samples.concatenate([whole[:half], whole[half:]])
    assert joined == whole
    assert joined.n_columns.tolist() == whole.n_columns.tolist()


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([], "empty"),
        ([SAMPLES, DRAWS], r"samples\[1\] is of type list"),
        ([SAMPLES, fangs.Samples(DRAWS, items=ITEMS)], r"samples\[1\] has no chains"),
        ([fangs.Samples(DRAWS), fangs.Samples([Z[1:] for Z in DRAWS])], "3 rows.*has 4"),
        ([fangs.Samples(DRAWS), fangs.Samples(DRAWS, items=ITEMS)], r"\[0\] has no item labels"),
        (
            [fangs.Samples(DRAWS, items=ITEMS), fangs.Samples(DRAWS, items=["x", *ITEMS[1:]])],
            r"samples\[1\] lacks 'ann' and has 'x'",
        ),
    ],
)
def test_samples_that_do_not_fit_are_not_joined(parts, words):
    with pytest.raises((TypeError, ValueError), match=words):
        fangs.Samples.concatenate(parts)


@given(st.integers(1, 4).flatmap(lambda count: several_allocations(count, 70, 5)))
def test_copies_are_equal(draws):
    samples = fangs.Samples(draws)
    for same in (pickle.loads(pickle.dumps(samples)), copy.deepcopy(samples)):
        assert same == samples
        assert same.n_columns.tolist() == samples.n_columns.tolist()
        for b in range(len(draws)):
            assert np.array_equal(same[b], samples[b])
            assert same.columns(b).tolist() == samples.columns(b).tolist()


def total_ones(samples):
    return int(samples.n_ones.sum())


def test_samples_go_to_other_processes():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(total_ones, [SAMPLES]) == [total_ones(SAMPLES)]


@pytest.mark.parametrize(
    "other",
    [
        fangs.Samples(DRAWS, items=ITEMS),
        fangs.Samples(DRAWS, chains=LABELS),
        fangs.Samples(DRAWS, items=ITEMS, chains=[0] * 6),
        fangs.Samples(DRAWS, items=ITEMS[::-1], chains=LABELS),
        fangs.Samples(DRAWS[::-1], items=ITEMS, chains=LABELS),
        fangs.Samples(DRAWS[:5], items=ITEMS, chains=LABELS[:5]),
        fangs.Samples([1 - DRAWS[0], *DRAWS[1:]], items=ITEMS, chains=LABELS),
        DRAWS,
    ],
)
def test_other_samples_are_not_equal(other):
    assert other != SAMPLES


def test_labels_cannot_be_assigned_unchecked():
    with pytest.raises(AttributeError):
        SAMPLES.items = ["x"]
    with pytest.raises(AttributeError):
        SAMPLES.chains = [1]
    with pytest.raises(ValueError, match="read-only"):
        SAMPLES.chains[0] = "x"


def test_printing_counts_what_there_is():
    assert repr(SAMPLES) == "Samples(6 draws, 4 items, 0 to 3 features, 2 chains)"
    twice = fangs.Samples.concatenate([SAMPLES, SAMPLES])
    assert repr(twice) == "Samples(12 draws (6 distinct), 4 items, 0 to 3 features, 2 chains)"
    assert repr(fangs.Samples([[[1]]])) == "Samples(1 draw, 1 item, 1 feature)"
    shuffled = fangs.Samples([DRAWS[1], DRAWS[1][:, ::-1]])
    assert shuffled.n_distinct == 1
