"""Files that R saved: every container, every kind of value, every place of draws in them.

The files are in tests/data/r, with the script that made them.
"""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

import fangs
from fangs import inspect
from fangs.formats import read_values

DATA = Path(__file__).parents[2] / "data" / "r"
ITEMS = ("ann", "bob", "cy", "dee", "eve")
WORKSPACES = ("workspace.v2.RData", "workspace.v3.RData")


def draw(b, k):
    """As in make.R: entry (i, j) is 1 where i + b is divisible by j + 1; the last column is 0."""
    matrix = np.array([[(i + b) % (j + 1) == 0 for j in range(1, k + 1)] for i in range(1, 6)])
    matrix = matrix.reshape(5, k).astype(int)
    matrix[:, k - 1 :] = 0
    return matrix


DRAWS = [draw(b, (b - 1) % 5) for b in range(1, 7)]


def check(samples, wanted, items=ITEMS):
    """The same draws column by column; empty columns count for positions only."""
    assert samples.items == items
    assert samples.n_columns.tolist() == [matrix.shape[1] for matrix in wanted]
    for b, matrix in enumerate(wanted):
        assert np.array_equal(samples[b], matrix[:, samples.columns(b)])
        assert matrix.sum() == samples.n_ones[b]


CONTAINERS = (
    "ascii.rda native.rds v2.RData v2.ascii.rds v2.bzip2.rds v2.gzip.rds v2.plain.rds v2.xz.rds "
    "v3.RData v3.ascii.rds v3.bzip2.rds v3.gzip.rds v3.plain.rds v3.xz.rds"
)


@pytest.mark.parametrize("container", CONTAINERS.split())
def test_every_container_holds_the_same_draws(container):
    check(fangs.read(DATA / f"draws.{container}"), DRAWS)


def test_a_draw_may_have_numbers_of_any_type_or_be_a_data_frame_or_sparse():
    for name in ("integer.rds", "logical.rds"):
        check(fangs.read(DATA / name), DRAWS, items=None)
    for name in ("frames.rds", "sparse.rds"):
        check(fangs.read(DATA / name), DRAWS[1:])


def test_rows_are_put_into_order_by_name():
    samples = fangs.read(DATA / "permuted.rds")
    order = [samples.items.index(name) for name in ITEMS]
    assert order != [0, 1, 2, 3, 4]
    for b, matrix in enumerate(DRAWS):
        assert np.array_equal(samples[b][order], matrix[:, samples.columns(b)])


@pytest.mark.parametrize("name", WORKSPACES)
def test_a_workspace_is_read_past_all_that_it_holds(name):
    check(fangs.read(DATA / name, variable="samplesA"), DRAWS)
    check(fangs.read(DATA / name, variable="samplesA[[]]"), DRAWS)
    check(fangs.read(DATA / name, variable="samplesB"), DRAWS[::-1], items=None)
    check(fangs.read(DATA / name, variable="tibble$z"), DRAWS[4:])
    check(fangs.read(DATA / name, variable='tibble[["z"]][[]]'), DRAWS[4:])


@pytest.mark.parametrize("name", WORKSPACES)
@pytest.mark.parametrize(
    ("variable", "wanted"),
    [
        ("sequence", np.arange(1, 2001)),
        ("reals", np.arange(2.0, 21, 2)),
        ("names", np.array(["1", "2", "3"])),
        ("wrapped", np.array([3.0, 1.0, 2.0])),
        ("kinds", np.array([1, 2, 1])),
        ("kinds@levels", np.array(["u", "v"])),
        ("complex", np.array([1 + 3j, 2 + 3j])),
        ("bytes", np.array([1, 2, 3])),
        ("words", np.array(["café", "", 'a b\n"c"'])),
        ("latin", np.array(["café"])),
        ("missing", np.array([1, np.nan, 3])),
        ("holes", np.array([1.5, np.nan, np.inf])),
        ("object@size", np.array([2.0])),
        ("table$m", np.array([[1, 4], [2, 5], [3, 6]])),
        ("truth", draw(1, 3)),
    ],
)
def test_any_value_can_be_read(name, variable, wanted):
    (value,) = read_values(DATA / name, variable=variable)
    np.testing.assert_array_equal(value, wanted)


def test_lists_before_the_last_are_chains():
    samples = fangs.read(DATA / "chains.rds", variable="chains[[]][[]]$Z")
    check(samples, [draw(b, (b - 1) % 3 + 1) for b in range(1, 7)])
    assert samples.chains.tolist() == [0, 0, 0, 1, 1, 1]
    one = fangs.read(DATA / "chains.rds", variable="chains[[2]][[]]$Z")
    check(one, [draw(b, b - 3) for b in (4, 5, 6)])
    assert one.chains is None
    assert fangs.read(DATA / "chains.rds", variable="chains") == samples  # the only draws in it
    last = fangs.read(DATA / "chains.rds", variable="$chains[[]][[3]]$Z")
    check(last, [draw(3, 3), draw(6, 3)])


def test_attributes_pass_to_an_alignment():
    path, place = DATA / "chains.rds", "chains[[]][[]]$Z"
    parameters = read_values(path, variable=f"{place}@parameters")
    assert [array.shape for array in parameters] == [(k, 2) for k in (1, 2, 3)] * 2
    np.testing.assert_allclose(parameters[2], 3 + np.arange(1, 7).reshape(2, 3).T / 10)
    samples = fangs.read(path, variable=place)
    aligned = fangs.align(samples[2], samples).apply(parameters)
    assert aligned.shape == (6, 2, 2)
    values = read_values(path, variable="chains[[]][[]]$likelihood")
    assert np.concatenate(values).tolist() == [-1, -2, -3, -4, -5, -6]
    np.testing.assert_allclose(aligned[2], parameters[2][samples.columns(2)])


@pytest.mark.parametrize(
    ("name", "variable", "items"),
    [
        ("stack.rds", "[draw, item, feature]", None),
        ("stack.nkb.rds", "[items,features,draws]", None),
        ("stack.sized.rds", None, None),
        ("stack.sized.rds", "Z", None),
        ("stack.named.rds", None, ITEMS),
    ],
)
def test_arrays_are_read_where_their_axes_are_known(name, variable, items):
    padded = [np.pad(matrix, ((0, 0), (0, 7 - matrix.shape[1]))) for matrix in DRAWS]
    check(fangs.read(DATA / name, variable=variable), padded, items)


def test_candidates_are_listed_with_sizes():
    with pytest.raises(ValueError, match=r"workspace\.v3\.RData") as caught:
        fangs.read(DATA / "workspace.v3.RData")
    assert str(caught.value).splitlines()[1:] == [
        "  variable='samplesA': 6 draws, 5 items, 0 to 3 features",
        "  variable='samplesB': 6 draws, 5 items, 0 to 3 features",
        "  variable='tibble$z': 2 draws, 5 items, 0 to 3 features",
    ]


def test_a_file_is_described():
    described = inspect(DATA / "chains.rds")
    variables = described.rows
    for variable in variables:
        if variable.holds_draws:
            assert len(eval(described.call(variable))) == variable.n_draws
    found = {variable.name: variable for variable in variables}
    both = found["chains[[]][[]]$Z"]
    assert (both.n_draws, both.n_items, both.n_features) == (6, 5, (0, 2))
    assert (both.chains, both.items, both.holds_draws) == (2, ITEMS, True)
    assert found["post[[1]][[]]$Z"].n_draws == 3
    assert "0.5" in found["chains[[]][[]]$P"].problem
    assert found["note"].what == "text"
    assert [variable.holds_draws for variable in variables[:3]] == [True, True, False]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("transposed.rds", [r"\[\[2\]\] has 2 rows", "transpose"]),
        ("half.rds", [r"\[\[4\]\] has the value 2\.0", "recode"]),
        ("missing.rds", [r"\[\[2\]\] has the value nan at item 2, feature 0"]),
        ("missing.integer.rds", [r"\[\[2\]\] has the value nan at item 2, feature 0"]),
        ("labels.rds", [r"\[\[3\]\] lacks 'bob' and has 'bert'"]),
        ("bare.rds", [r"\[\[2\]\] has no item labels"]),
        ("dropped.rds", [r"\[\[2\]\] is a vector of 5 numbers", "drop = FALSE"]),
        ("unfilled.rds", [r"\[\[4\]\] is NULL"]),
        ("empty.rds", ["a list of 0"]),
        ("numbers.rds", ["a vector of 3 numbers"]),
        ("stack.rds", [r"variable='\[draw, item, feature\]': 6 draws, 5 items"]),
    ],
)
def test_near_misses_say_what_to_do(name, words):
    for word in [name.replace(".", r"\."), *words]:
        with pytest.raises(ValueError, match=word):
            fangs.read(DATA / name)


@pytest.mark.parametrize(
    ("variable", "words"),
    [
        ("samplesC", "has no name 'samplesC'; it is a list of 25 with samplesA, samplesB"),
        ("truth", "truth .a 5 x 3 matrix"),
        ("words", "words .text"),
        ("one", "one .a function"),
        ("nothing", "nothing .NULL"),
        ("samplesA[[9]]", "samplesA has no index 9; it is a list of 6"),
        ("samplesA[[0]]", "samplesA has no index 0"),
        ("truth[[1]]", "truth has no index 1; it is a 5 x 3 matrix"),
        ("truth[[]]", "truth is a 5 x 3 matrix, and no list"),
        ("samplesA$Z", "samplesA has no name 'Z'"),
        ("samplesA[[]]@parameters", r"samplesA\[\[1\]\] has no attribute 'parameters'"),
        ("samplesA[1]", r"cannot be read from '\[1\]' on.*as in R"),
        ("samplesA[draw, item, feature]", "axes cannot be draw, item, feature"),
        ("samplesA[draw, item, item]", "they are draw, item and feature"),
        ("samplesA[draw, item, feature][[1]]", "axes come last"),
    ],
)
def test_a_wrong_variable_is_explained(variable, words):
    with pytest.raises(ValueError, match=rf"workspace\.v3\.RData.*{words}"):
        fangs.read(DATA / "workspace.v3.RData", variable=variable)


def nested(depth):
    """A list in a list in a list, and so on, around a draw."""
    header = b"X\n" + struct.pack(">iii", 2, 0x40202, 0x20300)
    matrix = struct.pack(">iiiiiii", 13 + 512, 2, 1, 0, 1024 + 2, 1, 9) + struct.pack(">i", 3)
    matrix += b"dim" + struct.pack(">iiiii", 13, 2, 2, 1, 254)
    return header + struct.pack(">ii", 19, 1) * depth + matrix


def test_lists_may_be_nested_deeply(tmp_path):
    path = tmp_path / "deep.rds"
    path.write_bytes(nested(190))
    samples = fangs.read(path)
    assert (len(samples), samples[0].tolist()) == (1, [[1], [0]])
    assert len(inspect(path).rows) == 1
    path.write_bytes(nested(260))
    with pytest.raises(ValueError, match=r"deep\.rds.*nested more than 200"):
        fangs.read(path)


def test_values_of_other_files_are_refused(tmp_path):
    np.save(tmp_path / "draws.npy", np.ones((2, 3, 1)))
    with pytest.raises(ValueError, match=r"draws\.npy.*R or MATLAB"):
        read_values(tmp_path / "draws.npy", variable="Z")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        inspect(tmp_path / "nowhere.rds")
    with pytest.raises(ValueError, match="one is a function, which is no array"):
        read_values(DATA / "workspace.v3.RData", variable="one")
