"""Bad draws, matrices and labels are refused with the argument, the draw and the value."""

import re

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import fangs
from support.refusals import refuses

GOOD = np.array([[1, 0], [1, 1], [0, 1]])


def replaced(value, dtype=None):
    bad = GOOD.astype(dtype or np.asarray(value).dtype)
    bad[1, 0] = value
    return bad


BAD_VALUES = {
    "two": (replaced(2), "2"),
    "minus one": (replaced(-1), "-1"),
    "256": (replaced(256), "256"),  # 0 in eight bits
    "257": (replaced(257), "257"),  # 1 in eight bits
    "nan": (replaced(np.nan), "nan"),
    "infinity": (replaced(np.inf), "inf"),
    "half": (replaced(0.5), "0.5"),
    "float16 half": (replaced(0.5, np.float16), "0.5"),
    "nearly one": (replaced(0.9999999), "0.9999999"),
    "large unsigned": (replaced(2**63, np.uint64), str(2**63)),
}


@pytest.mark.parametrize("kind", BAD_VALUES)
def test_values_other_than_0_and_1_in_draws_are_refused(kind):
    matrix, value = BAD_VALUES[kind]
    for draws in ([GOOD, matrix, GOOD], np.stack([GOOD.astype(matrix.dtype), matrix])):
        with refuses("draws[1]", value, error=ValueError):
            fangs.Samples(draws)


@pytest.mark.parametrize("kind", BAD_VALUES)
def test_values_other_than_0_and_1_in_a_matrix_are_refused(kind):
    matrix, value = BAD_VALUES[kind]
    for name, call in {
        "estimate": lambda: fangs.faro_loss(matrix, GOOD),
        "draw": lambda: fangs.faro_loss(GOOD, matrix),
        "reference": lambda: fangs.align(matrix, [GOOD]),
        "matrix": lambda: fangs.left_ordered(matrix),
    }.items():
        with refuses(name, value, error=ValueError):
            call()
    with refuses("estimate", value, error=ValueError):
        fangs.expected_loss(matrix, [GOOD])


def test_a_number_next_to_one_is_refused_and_named():
    value = 1 + np.finfo(np.longdouble).eps
    with pytest.raises(ValueError, match=re.escape(str(value))):
        fangs.Samples([replaced(value)])


def test_masked_values_are_refused():
    masked = np.ma.masked_array(GOOD, mask=GOOD == 0)
    with refuses("draws[1]", "masked"):
        fangs.Samples([GOOD, masked])
    with refuses("estimate", "masked"):
        fangs.expected_loss(masked, [GOOD])


@pytest.mark.parametrize("kind", ["two", "nan", "half", "257"])
def test_values_other_than_0_and_1_in_a_sparse_draw_are_refused(kind):
    matrix, value = BAD_VALUES[kind]
    with refuses("draws[1]", value, error=ValueError):
        fangs.Samples([scipy.sparse.csr_matrix(GOOD), scipy.sparse.csr_matrix(matrix)])


def test_sparse_entries_given_twice_add_up_to_two():
    twice = scipy.sparse.coo_matrix(([1, 1], ([0, 0], [0, 0])), shape=(3, 2))
    with refuses("draws[0]", "2", error=ValueError):
        fangs.Samples([twice])


NOT_NUMBERS = {
    "strings": GOOD.astype(str),
    "bytes": GOOD.astype("S1"),
    "objects": GOOD.astype(object),
    "complex": GOOD.astype(complex),
    "dates": GOOD.astype("datetime64[s]"),
    "None": None,
    "text": "010",
    "dict": {"Z": GOOD},
}


@pytest.mark.parametrize("kind", NOT_NUMBERS)
def test_things_that_are_not_numeric_arrays_are_refused(kind):
    with refuses("draws[1]"):
        fangs.Samples([GOOD, NOT_NUMBERS[kind]])
    with refuses("estimate"):
        fangs.expected_loss(NOT_NUMBERS[kind], [GOOD])


@pytest.mark.parametrize("nothing", [None, 3, 1.5, True, object(), b"draws"])
def test_draws_that_are_no_collection_are_refused(nothing):
    for call in (fangs.Samples, fangs.estimate):
        with refuses("draws", error=TypeError):
            call(nothing)


@pytest.mark.parametrize("none", [[], (), np.zeros((0, 3, 2)), iter([]), {}])
def test_no_draws_are_refused(none):
    with refuses("draws", error=ValueError):
        fangs.Samples(none)


@pytest.mark.parametrize(
    ("draws", "words"),
    [
        (GOOD, ["draws", "(3, 2)", "[matrix]"]),
        (scipy.sparse.csr_matrix(GOOD), ["draws", "[matrix]"]),
        (np.zeros((1, 2, 2, 3, 2)), ["draws", "(1, 2, 2, 3, 2)"]),
        ([GOOD, GOOD, np.zeros((4, 2)), GOOD], ["draws[2]", "4", "3"]),
        ([np.zeros((0, 2))], ["draws[0]"]),
        ([GOOD, np.zeros(())], ["draws[1]", "()"]),
        ([GOOD, np.zeros(3)], ["draws[1]", "(3,)"]),
        ([GOOD, np.zeros((3, 2, 1))], ["draws[1]", "(3, 2, 1)"]),
    ],
)
def test_draws_of_other_shapes_are_refused(draws, words):
    with refuses(*words):
        fangs.Samples(draws)


def test_matrices_of_other_shapes_are_refused():
    four = np.ones((4, 2))
    for name, call in {
        "estimate": lambda: fangs.expected_loss(four, [GOOD]),
        "reference": lambda: fangs.align(four, [GOOD]),
        "4": lambda: fangs.faro_loss(four, GOOD),
    }.items():
        with refuses(name, "4", "3", error=ValueError):
            call()
    for shape in [(), (3,), (3, 2, 1)]:
        with refuses("estimate", str(shape), error=ValueError):
            fangs.faro_loss(np.zeros(shape), GOOD)


@pytest.mark.parametrize(
    ("items", "words"),
    [
        (["x", "y"], ["2", "3"]),
        (["x", "y", "z", "t"], ["4", "3"]),
        ([], ["0", "3"]),
        (["x", None, "z"], ["items[1]", "None"]),
        (["x", float("nan"), "z"], ["items[1]", "nan"]),
        ([np.float32("nan"), 1, 2], ["items[0]", "nan"]),
        (pd.array([None, 1, 2]), ["items[0]"]),
        (np.array(["NaT", "2020-01-01", "2021-01-01"], dtype="M8[D]"), ["items[0]", "NaT"]),
        (pd.Series([pd.NaT, pd.Timestamp(2020, 1, 1), pd.Timestamp(2021, 1, 1)]), ["items[0]"]),
        (np.ma.array([1, 2, 3], mask=[1, 0, 0]), ["items[0]", "masked"]),
        (["x", "y", "x"], ["'x'"]),
        (3, ["int"]),
        ("xyz", ["str"]),
        (np.array(3), ["int64"]),
    ],
    ids=str,
)
def test_items_that_are_no_labels_are_refused(items, words):
    with pytest.raises((TypeError, ValueError), match="items") as caught:
        fangs.Samples([GOOD], items=items)
    for word in words:
        assert word in str(caught.value)


def test_a_label_that_comes_twice_is_found_at_once():
    labels = [*map(str, range(200_000)), "199999"]  # comparing all pairs takes minutes
    with refuses("'199999'", "more than once", error=ValueError):
        fangs.Samples([np.ones((200_001, 1))], items=labels)


@pytest.mark.parametrize(
    ("chains", "words"),
    [
        ([0], ["1", "2"]),
        ([0, 1, 1], ["3", "2"]),
        ([None, 1], ["None", "draw 0"]),
        ([1, np.nan], ["nan", "draw 1"]),
        ([True, 1], ["True", "draw 0"]),
        ([1.5, 1], ["1.5", "draw 0"]),
        (["a", 1], ["'a' for draw 0", "1 for draw 1"]),
        ([(1, 2), (3, 4)], ["(2, 2)"]),
        ([2**70, 1], [str(2**70), "draw 0"]),
        ([1, 1e300], ["1e+300", "draw 1"]),
        (np.array([1, 2**64 - 1], dtype=np.uint64), ["18446744073709551615", "draw 1"]),
        (["a\0", "a"], [r"'a\x00'", "draw 0"]),
        (np.ma.array([1, 2], mask=[0, 1]), ["chains[1]", "masked"]),
    ],
    ids=str,
)
def test_chains_that_are_no_labels_are_refused(chains, words):
    with refuses("chains", *words):
        fangs.Samples([GOOD, GOOD], chains=chains)


def test_chains_at_the_edges_of_64_bits_are_kept():
    edges = [2**63 - 1, -(2**63)]
    assert fangs.Samples([GOOD, GOOD], chains=edges).chains.tolist() == edges
    small = np.array([1, 255], dtype=np.uint8)
    assert fangs.Samples([GOOD, GOOD], chains=small).chains.tolist() == [1, 255]
    assert type(fangs.Samples([GOOD, GOOD], chains=np.ma.array([1, 2])).chains) is np.ndarray


@pytest.mark.parametrize(
    ("draws", "n_items", "words"),
    [
        ([], 3, ["draws"]),
        *(([[[0]], [[0, 1], [item]]], 3, ["draws[1]", str(item)]) for item in (3, -1, 1.5, "x")),
        *(([sets], 9, ["draws[0]"]) for sets in ([3], [[0], 1], 5)),
        *((draws, 9, ["draws"]) for draws in (5, None)),
        *(([[]], n_items, ["n_items", str(n_items)]) for n_items in (0, -3, 1.5, "3", True)),
    ],
)  # fmt: skip
def test_bad_sets_are_refused(draws, n_items, words):
    with refuses(*words):
        fangs.Samples.from_sets(draws, n_items)
