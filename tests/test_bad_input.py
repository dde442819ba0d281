"""Bad input is refused with a message that names the argument, the draw and the value."""

import re

import numpy as np
import pytest
import scipy.sparse

import fangs

GOOD = np.array([[1, 0], [1, 1], [0, 1]])


def replaced(value, dtype=None, at=(1, 0)):
    bad = GOOD.astype(dtype or np.asarray(value).dtype)
    bad[at] = value
    return bad


def refuses(error, *words):
    """Expect `error` whose message has each of the words, as a whole word where it is one."""
    pattern = "".join(rf"(?=.*(?<!\w){re.escape(word)}(?!\w))" for word in words)
    return pytest.raises(error, match=rf"(?s){pattern}")


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
def test_values_other_than_0_and_1_in_a_draw_are_refused(kind):
    matrix, value = BAD_VALUES[kind]
    with refuses(ValueError, "draws[2]", value):
        fangs.Samples([GOOD, GOOD, matrix, GOOD])


@pytest.mark.parametrize("kind", BAD_VALUES)
def test_values_other_than_0_and_1_in_an_array_of_draws_are_refused(kind):
    matrix, value = BAD_VALUES[kind]
    with refuses(ValueError, "draws[1]", value):
        fangs.Samples(np.stack([GOOD.astype(matrix.dtype), matrix]))


def test_a_number_next_to_one_is_refused_and_named():
    value = 1 + np.finfo(np.longdouble).eps
    with pytest.raises(ValueError, match=re.escape(str(value))):
        fangs.Samples([replaced(value)])


def test_masked_values_are_refused():
    masked = np.ma.masked_array(GOOD, mask=GOOD == 0)
    with refuses((TypeError, ValueError), "draws[1]"):
        fangs.Samples([GOOD, masked])
    with refuses((TypeError, ValueError), "estimate"):
        fangs.expected_loss(masked, [GOOD])


@pytest.mark.parametrize("kind", ["two", "nan", "half", "257"])
def test_values_other_than_0_and_1_in_a_sparse_draw_are_refused(kind):
    matrix, value = BAD_VALUES[kind]
    with refuses(ValueError, "draws[1]", value):
        fangs.Samples([scipy.sparse.csr_matrix(GOOD), scipy.sparse.csr_matrix(matrix)])


def test_sparse_entries_given_twice_add_up_to_two():
    twice = scipy.sparse.coo_matrix(([1, 1], ([0, 0], [0, 0])), shape=(3, 2))
    with refuses(ValueError, "draws[0]", "2"):
        fangs.Samples([twice])


@pytest.mark.parametrize("kind", BAD_VALUES)
def test_values_other_than_0_and_1_in_a_matrix_are_refused(kind):
    matrix, value = BAD_VALUES[kind]
    with refuses(ValueError, "estimate", value):
        fangs.faro_loss(matrix, GOOD)
    with refuses(ValueError, "draw", value):
        fangs.faro_loss(GOOD, matrix)
    with refuses(ValueError, "estimate", value):
        fangs.expected_loss(matrix, [GOOD])
    with refuses(ValueError, "reference", value):
        fangs.align(matrix, [GOOD])
    with refuses(ValueError, "matrix", value):
        fangs.left_ordered(matrix)


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
    with refuses((TypeError, ValueError), "draws[1]"):
        fangs.Samples([GOOD, NOT_NUMBERS[kind]])
    with refuses((TypeError, ValueError), "estimate"):
        fangs.expected_loss(NOT_NUMBERS[kind], [GOOD])


@pytest.mark.parametrize("nothing", [None, 3, 1.5, True, object(), b"draws"])
def test_draws_that_are_no_collection_are_refused(nothing):
    with refuses(TypeError, "draws"):
        fangs.Samples(nothing)
    with refuses(TypeError, "draws"):
        fangs.estimate(nothing)


def test_a_single_matrix_is_not_a_collection_of_draws():
    with refuses(ValueError, "draws"):
        fangs.Samples(GOOD)
    with refuses((TypeError, ValueError), "draws"):
        fangs.Samples(scipy.sparse.csr_matrix(GOOD))


@pytest.mark.parametrize("none", [[], (), np.zeros((0, 3, 2)), iter([])])
def test_no_draws_are_refused(none):
    with refuses(ValueError, "draws"):
        fangs.Samples(none)


def test_no_sets_are_refused():
    with refuses(ValueError, "draws"):
        fangs.Samples.from_sets([], 3)


@pytest.mark.parametrize("shape", [(), (3,), (3, 2, 1)])
def test_draws_of_other_dimensions_are_refused(shape):
    with refuses(ValueError, "draws[1]"):
        fangs.Samples([GOOD, np.zeros(shape)])
    with refuses(ValueError, "estimate"):
        fangs.faro_loss(np.zeros(shape), GOOD)


def test_an_array_of_five_dimensions_is_refused():
    with refuses(ValueError, "draws", "(1, 2, 2, 3, 2)"):
        fangs.Samples(np.zeros((1, 2, 2, 3, 2)))


def test_rows_that_differ_between_draws_are_refused():
    with refuses(ValueError, "draws[2]", "4", "3"):
        fangs.Samples([GOOD, GOOD, np.zeros((4, 2)), GOOD])


def test_draws_without_items_are_refused():
    with refuses(ValueError, "draws[0]"):
        fangs.Samples([np.zeros((0, 2))])


def test_matrices_of_other_items_than_the_draws_are_refused():
    four = np.ones((4, 2))
    with refuses(ValueError, "estimate", "4", "3"):
        fangs.expected_loss(four, [GOOD])
    with refuses(ValueError, "reference", "4", "3"):
        fangs.align(four, [GOOD])
    with refuses(ValueError, "4", "3"):
        fangs.faro_loss(four, GOOD)


@pytest.mark.parametrize("items", [["x", "y"], ["x", "y", "z", "t"], []])
def test_a_label_count_that_does_not_fit_is_refused(items):
    with refuses(ValueError, "items", str(len(items)), "3"):
        fangs.Samples([GOOD], items=items)
    with refuses(ValueError, "items", str(len(items)), "3"):
        fangs.Samples.from_sets([[[0]]], 3, items=items)


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_missing_label_is_refused(missing):
    with refuses(ValueError, "items[1]", str(missing)):
        fangs.Samples([GOOD], items=["x", missing, "z"])


@pytest.mark.parametrize("items", [3, "xyz"])
def test_items_that_are_no_labels_are_refused(items):
    with refuses(TypeError, "items"):
        fangs.Samples([GOOD], items=items)


def test_labels_given_twice_are_refused():
    with refuses(ValueError, "items", "x"):
        fangs.Samples([GOOD], items=["x", "y", "x"])


@pytest.mark.parametrize("chains", [[0], [0, 1, 1]])
def test_a_chain_count_that_does_not_fit_is_refused(chains):
    with refuses(ValueError, "chains", str(len(chains)), "2"):
        fangs.Samples([GOOD, GOOD], chains=chains)


@pytest.mark.parametrize("item", [3, -1, 1.5, "x", None])
def test_sets_with_unknown_items_are_refused(item):
    with refuses((TypeError, ValueError), "draws[1]", str(item)):
        fangs.Samples.from_sets([[[0]], [[0, 1], [item]]], 3)


@pytest.mark.parametrize("sets", [[3], [[0], 1], 5])
def test_draws_that_are_not_collections_of_sets_are_refused(sets):
    with refuses(TypeError, "draws[0]"):
        fangs.Samples.from_sets([sets], 9)


@pytest.mark.parametrize("draws", [5, None])
def test_sets_that_are_no_collection_of_draws_are_refused(draws):
    with refuses(TypeError, "draws"):
        fangs.Samples.from_sets(draws, 9)


@pytest.mark.parametrize("n_items", [0, -3])
def test_an_impossible_number_of_items_is_refused(n_items):
    with refuses(ValueError, "n_items", str(n_items)):
        fangs.Samples.from_sets([[]], n_items)


@pytest.mark.parametrize("n_items", [1.5, "3", True])
def test_a_number_of_items_that_is_no_integer_is_refused(n_items):
    with refuses(TypeError, "n_items", str(n_items)):
        fangs.Samples.from_sets([[]], n_items)


USES_OF_A = {
    "faro_loss": lambda a: fangs.faro_loss(GOOD, GOOD, a=a),
    "expected_loss": lambda a: fangs.expected_loss(GOOD, [GOOD], a=a),
    "losses": lambda a: fangs.align(GOOD, [GOOD]).losses(a=a),
    "estimate": lambda a: fangs.estimate([GOOD], a=a),
}


@pytest.mark.parametrize("use", USES_OF_A)
@pytest.mark.parametrize("a", [0, 2, 0.0, 2.0, -0.5, 2.5, np.nan, np.inf])
def test_a_penalty_outside_0_to_2_is_refused(use, a):
    with refuses(ValueError, "a", str(a)):
        USES_OF_A[use](a)


@pytest.mark.parametrize("use", USES_OF_A)
@pytest.mark.parametrize("a", ["1", None, [1.0], 1j, True])
def test_a_penalty_that_is_no_number_is_refused(use, a):
    with refuses(TypeError, "a", str(a).strip("()")):
        USES_OF_A[use](a)


SMALLEST = {"n_init": 1, "n_sweet": 1, "n_iter": 0, "n_threads": 1}


@pytest.mark.parametrize("name", SMALLEST)
@pytest.mark.parametrize("value", [1.5, "4", [1], np.nan, True])
def test_counts_that_are_no_integers_are_refused(name, value):
    with refuses(TypeError, name, str(value)):
        fangs.estimate([GOOD], **{name: value})


@pytest.mark.parametrize("name", SMALLEST)
def test_counts_that_are_too_small_are_refused(name):
    for value in (SMALLEST[name] - 1, -7):
        with refuses(ValueError, name, str(value)):
            fangs.estimate([GOOD], **{name: value})
    fangs.estimate([GOOD], **{name: np.int64(SMALLEST[name])})


@pytest.mark.parametrize("value", [0, -1, np.nan, -np.inf])
def test_an_impossible_time_limit_is_refused(value):
    with refuses(ValueError, "max_seconds", str(value)):
        fangs.estimate([GOOD], max_seconds=value)


@pytest.mark.parametrize("value", ["1", [3], True])
def test_a_time_limit_that_is_no_number_is_refused(value):
    with refuses(TypeError, "max_seconds", str(value)):
        fangs.estimate([GOOD], max_seconds=value)


@pytest.mark.parametrize(("error", "seed"), [(ValueError, -1), (TypeError, "x"), (TypeError, 1.5)])
def test_a_bad_seed_is_refused(error, seed):
    with refuses(error, "seed", str(seed)):
        fangs.estimate([GOOD], seed=seed)


@pytest.mark.parametrize("progress", ["yes", 1])
def test_progress_that_cannot_be_called_is_refused(progress):
    with refuses(TypeError, "progress"):
        fangs.estimate([GOOD], progress=progress)


def test_options_are_keyword_only():
    with pytest.raises(TypeError):
        fangs.estimate([GOOD], 1.0)
    with pytest.raises(TypeError):
        fangs.faro_loss(GOOD, GOOD, 1.0)
    with pytest.raises(TypeError):
        fangs.Samples([GOOD], ["x", "y", "z"])


def test_reading_a_file_that_is_not_there_names_it(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere\.npz"):
        fangs.read(tmp_path / "nowhere.npz")


@pytest.mark.parametrize("draws", [fangs.Samples([[[1]]]), [np.eye(2)], np.ones((2, 2, 1)), 3])
def test_reading_draws_that_are_no_file_says_what_to_do(draws):
    with refuses(TypeError, "give a file or a list of files", "fangs.Samples(draws)"):
        fangs.read(draws)
    with refuses(TypeError, "give the .npz file of a saved estimate"):
        fangs.load(draws)


def test_reading_a_file_of_something_else_names_it(tmp_path):
    path = tmp_path / "other.npz"
    np.savez(path, something=np.arange(3))
    with pytest.raises(ValueError, match=r"other\.npz"):
        fangs.read(path)
    path.write_bytes(b"not a zip file")
    with pytest.raises(ValueError, match=r"other\.npz"):
        fangs.read(path)


def swapped_calls():
    draws = fangs.datasets.example()
    found = fangs.assess(draws[0], draws)
    return {
        "expected_loss": lambda: fangs.expected_loss(draws, found),
        "assess": lambda: fangs.assess(draws, found),
        "summary": lambda: fangs.summary(draws, found),
        "credible_ball": lambda: fangs.credible_ball(draws, found),
        "align": lambda: fangs.align(draws, found),
        "certify": lambda: fangs.certify(draws, found),
        "faro_loss": lambda: fangs.faro_loss(draws, found),
    }


@pytest.mark.parametrize("call", list(swapped_calls()))
def test_swapped_arguments_are_recognised(call):
    with pytest.raises(TypeError, match="swap them"):
        swapped_calls()[call]()


def test_a_report_says_which_argument_comes_first(draws, estimate):
    with pytest.raises(TypeError, match=r'estimate\.report\("report\.html", draws\)'):
        estimate.report(draws, "report.html")


def test_one_penalty_and_several_are_told_apart(draws):
    with pytest.raises(TypeError, match=r"fangs\.estimate\(samples, a=1\.0\)"):
        fangs.sparsity_path(draws, a=1.0)
    with pytest.raises(TypeError, match=r"fangs\.sparsity_path"):
        fangs.estimate(draws, a=[0.5, 1.0])


def test_a_path_serves_wherever_draws_are_wanted(draws, estimate, tmp_path):
    draws.save(tmp_path / "draws.npz")
    for path in (tmp_path / "draws.npz", str(tmp_path / "draws.npz")):
        assert fangs.Samples(path) == draws
        assert fangs.expected_loss(estimate, path) == estimate.expected_loss
    assert fangs.plot.n_features(tmp_path / "draws.npz").get_xlabel() == "Number of features"
