"""Long and wide tables: the obvious loop over rows says what they hold."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fangs
from fangs.io.tables import draws_of_long, draws_of_wide, find_grid, long_blocks, role_of


def draws_of_table(columns, n_rows=4096):
    """The draws of a wide table that comes in blocks of rows."""
    frame = pd.DataFrame(columns)
    cells, others = find_grid(list(frame)).names, list(role_of(list(frame)).values())
    blocks = (frame.iloc[start : start + n_rows] for start in range(0, len(frame), n_rows))
    pairs = ((b[cells].to_numpy(), {name: b[name].to_numpy() for name in others}) for b in blocks)
    return draws_of_wide(list(frame), pairs)


def by_the_definition(rows, n_items):
    """Matrices from (draw, item, feature) rows, counted from 1, one row at a time."""
    draws = sorted({draw for draw, _, _ in rows})
    matrices = []
    for wanted in draws:
        ones = [(i, k) for draw, i, k in rows if draw == wanted and k is not None]
        matrix = np.zeros((n_items, max((k for _, k in ones), default=0)), dtype=int)
        for i, k in ones:
            matrix[i - 1, k - 1] = 1
        matrices.append(matrix[:, matrix.any(axis=0)].tolist())
    return matrices


@given(st.data())
def test_long_tables_agree_with_the_definition(data):
    n_items, n_draws = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    cells = [(i, k) for i in range(1, n_items + 1) for k in range(1, 4)]
    rows = []
    for draw in range(1, n_draws + 1):
        chosen = data.draw(st.lists(st.sampled_from(cells), unique=True))
        rows += [(draw, i, k) for i, k in chosen]
        rows += [(draw, i, None) for i in range(1, n_items + 1)]
    wanted = by_the_definition(rows, n_items)
    shuffled = data.draw(st.permutations(rows))
    if not any(k == 1 or k is None for _, _, k in rows):
        return
    draw, item, feature = zip(*shuffled, strict=True)
    found = draws_of_long(
        {
            "draw": np.array(draw),
            "item": np.array(item),
            "feature": np.array([np.nan if k is None else k for k in feature]),
        }
    ).samples()
    # Features may start at 2, 3: their order is what counts here.
    assert [matrix.tolist() for matrix in found] == wanted
    assert found.items is None


def test_blocks_of_rows_are_joined():
    samples = fangs.datasets.example().select(range(30))
    blocks = list(long_blocks(samples, n_rows=100))
    assert len(blocks) > 5
    found = draws_of_long(blocks).samples()
    assert [draw.tolist() for draw in found] == [draw.tolist() for draw in samples]
    assert found.chains.tolist() == samples.chains.tolist()


def test_draws_are_sorted_by_number_within_chains():
    columns = {
        "chain": ["b", "b", "a", "a"],
        "draw": [2, 1, 2, 1],
        "item": [1, 1, 1, 1],
        "feature": [1, 2, 3, 4],
    }
    source = draws_of_long(columns)
    assert source.chains.tolist() == ["b", "b", "a", "a"]
    assert [source.samples().columns(b).tolist() for b in range(4)] == [[1], [0], [3], [2]]


def test_names_of_features_are_enough():
    columns = {"draw": [1, 1, 2], "item": ["a", "b", "b"], "feature": ["x", "y", "z"]}
    samples = draws_of_long(columns).samples()
    assert [draw.tolist() for draw in samples] == [[[1, 0], [0, 1]], [[0], [1]]]


def test_items_complete_a_table():
    columns = {"draw": [1, 2], "item": ["c", "a"], "feature": [1, 1]}
    samples = draws_of_long(columns).samples(items=["a", "b", "c"])
    assert [draw.tolist() for draw in samples] == [[[0], [0], [1]], [[1], [0], [0]]]
    with pytest.raises(ValueError, match="items= lacks 'c'"):
        draws_of_long(columns).samples(items=["a", "b"])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"item": None}, "needs a column 'item'; the table has draw, feature"),
        ({"draw": [1, 2]}, "different lengths"),
        ({"draw": [1, 2, 4]}, "no draw 3, though it has lower.*a row whose feature is empty"),
        ({"item": ["a", "a", ""]}, "feature without an item in row 3"),
        ({"feature": [1, -1, 1]}, "the table has the feature -1; count features from 1"),
        ({"feature": [1, 10**12, 1]}, "feature with the number 1000000000000"),
        (
            {"draw": [1, 1, 1], "item": ["a", "a", "b"]},
            "draw 1, item 'a', feature 1 more than once",
        ),
        ({"value": [1, 2, 0]}, "the value 2 in row 2; an allocation holds only 0 and 1"),
        ({"weight": [1, 1, "x"]}, "the weight x in row 3; give whole numbers"),
        (
            {"draw": [1, 1, 2], "item": ["a", "b", "a"], "weight": [1, 2, 1]},
            "weight 2 in row 2, but 1 in another row of the same draw",
        ),
    ],
)
def test_near_misses_are_named(change, reason):
    columns = {"draw": [1, 2, 3], "item": ["a", "b", "a"], "feature": [1, 1, 1]} | change
    with pytest.raises(ValueError, match=reason):
        draws_of_long({name: v for name, v in columns.items() if v is not None}).samples()


def test_values_of_zero_name_items_only():
    columns = {"draw": [1, 1], "item": ["a", "b"], "feature": [1, 1], "value": [1, 0]}
    assert draws_of_long(columns).samples()[0].tolist() == [[1], [0]]


@pytest.mark.parametrize("form", ["Z[{},{}]", "Z[{}, {}]", "Z.{}.{}", "Z[{}][{}]"])
def test_wide_tables_are_read_by_name(form):
    stack = np.random.default_rng(1).integers(2, size=(7, 3, 2))
    columns = {form.format(i + 1, k + 1): stack[:, i, k] for k in (1, 0) for i in (2, 0, 1)}
    found = draws_of_table(columns | {"lp__": np.ones(7), "theta[1]": np.ones(7)}, n_rows=3)
    wanted = fangs.Samples(stack)
    assert [draw.tolist() for draw in found.samples()] == [draw.tolist() for draw in wanted]


def test_wide_rows_are_sorted_by_draw_within_chains():
    columns = {".chain": [2, 1, 2, 1], ".draw": [2, 2, 1, 1], "Z[1,1]": [1, 0, 0, 1]}
    source = draws_of_table(columns)
    assert source.chains.tolist() == [2, 1, 2, 1]
    assert source.samples().n_ones.tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize(
    ("names", "variable", "reason"),
    [
        (["a", "b"], None, r"nor columns such as Z\[1,1\] or Z.1.1; it has a, b"),
        (["Z[1]", "Z[2]"], None, r"it has Z\[1\], Z\[2\]"),
        (
            ["Z[1,1]", "W[1,1]"],
            None,
            r"several variables that may hold the draws: 'Z', 'W'.*variable='Z'",
        ),
        (["Z[1,1]"], "W", r"no columns W\[1,1\], .*it has those of 'Z'"),
        (
            ["Z[1,1]", "Z[2,2]"],
            None,
            "no column of Z for item 1, feature 2.*up to item 2, feature 2",
        ),
        (["Z[1,1]", "Z.1.1"], None, r"two columns for Z\[1,1\]"),
        (["Z[1,1]", "Z[999999999,1]"], None, "no column of Z for item 2, feature 1"),
    ],
)
def test_other_names_are_refused(names, variable, reason):
    with pytest.raises(ValueError, match=reason):
        find_grid(names, variable)


def test_arrays_of_three_dimensions_are_left_alone():
    assert find_grid(["Z.1.1", "theta.1.1.1", "theta.1.1.2"]).variable == "Z"
