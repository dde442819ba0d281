"""Tables: the obvious loop over rows says what they hold, and what is refused is named."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fangs
from conformance.contents import PLAIN
from conformance.tables import long
from support.objects import DRAWS
from support.refusals import refuses


def frame(**columns):
    return pd.DataFrame(columns)


def lists(samples):
    return [draw.tolist() for draw in samples]


# Long tables


def by_the_definition(rows, n_items):
    """Matrices from (draw, item, feature) rows, counted from 1, one row at a time."""
    matrices = []
    for wanted in sorted({draw for draw, _, _ in rows}):
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
    shuffled = data.draw(st.permutations(rows))
    draw, item, feature = (list(column) for column in zip(*shuffled, strict=True))
    found = fangs.Samples(frame(draw=draw, item=item, feature=pd.array(feature, dtype="Int64")))
    assert lists(found) == by_the_definition(rows, n_items)
    assert found.items is None


def test_items_that_no_draw_has_can_be_named():
    table = frame(draw=[0, 1], item=[2, 0], feature=[0, 0])
    assert fangs.Samples(table, items=range(4))[0].tolist() == [[0], [0], [1], [0]]
    with refuses("items", "'2'", error=ValueError):
        fangs.Samples(table, items=["0", "1"])
    assert fangs.Samples(frame(draw=[0, 0], item=[1005, 1001], feature=0)).items == ("1001", "1005")


def test_draws_are_sorted_by_number_within_chains():
    table = frame(chain=["b", "b", "a", "a"], draw=[2, 1, 2, 1], item=1, feature=[1, 2, 3, 4])
    samples = fangs.Samples(table)
    assert samples.chains.tolist() == ["b", "b", "a", "a"]
    assert [samples.columns(b).tolist() for b in range(4)] == [[1], [0], [3], [2]]
    assert len(fangs.Samples(frame(draw=[10, 20, 30], item=0, feature=0))) == 3  # thinned


def test_chains_with_a_shorter_step_show_a_gap():
    table = frame(chain=[1, 1, 1, 2, 2], draw=[1, 2, 3, 1, 3], item=1, feature=1)
    with refuses("chain 2", "draw 2", error=ValueError):
        fangs.Samples(table)
    table["draw"] = [1, 3, 5, 2, 4]  # two thinned chains, numbered together
    assert fangs.Samples(table).chains.tolist() == [1, 2, 1, 2, 1]


ENTRY = {"draw": [1, 2, 3], "item": ["a", "b", "a"], "feature": [1, 1, 1]}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"item": None}, ["draw", "feature", '"item"']),
        ({"draw": [1, 2, 4]}, ["no draw 3", "feature is empty"]),
        ({"draw": [1, 2, 4], "chain": 7}, ["chain 7", "no draw 3"]),
        ({"item": [0, 2, 0]}, ["no item 1", "items=range(n)"]),
        ({"item": ["a", "a", None]}, ["feature without an item", "row 2"]),
        ({"feature": [1, -1, 1]}, ["-1"]),
        ({"feature": [1, 10**12, 1]}, ["1000000000000"]),
        ({"draw": 1, "item": ["a", "a", "b"]}, ["draw 1", "item 'a'", "more than once"]),
        ({"value": [1, 2, 0]}, ["value", "2"]),
        ({"weight": [1, 1, "x"]}, ["weight", "x"]),
        ({"draw": [1, 1, 2], "weight": [1, 2, 1]}, ["weight", "2", "1"]),
        ({"Z": [1, 0, 3]}, ["'Z'"]),
    ],
)  # fmt: skip
def test_near_misses_of_long_tables_are_named(change, words):
    columns = {name: v for name, v in (ENTRY | change).items() if v is not None}
    with refuses(*words):
        fangs.Samples(pd.DataFrame(columns))


def test_a_draw_that_is_absent_is_no_empty_draw():
    with refuses("chain 1", "no draw 2", error=ValueError):
        fangs.Samples(pd.DataFrame(long(PLAIN)).query("chain == 0 or draw != 2"))


# Wide tables


@pytest.mark.parametrize(
    ("names", "options", "words"),
    [
        (["a", "b"], {}, ["a", "b"]),
        (["Z[1]", "Z[2]"], {}, ["Z[1]", "Z[2]"]),
        (["Z[1,1]", "W[1,1]"], {}, ["variable='Z'", "variable='W'"]),
        (["Z[1,1]"], {"variable": "W"}, ["'W'", "'Z'"]),
        (["Z[1,1]", "Z[2,2]"], {}, ["item 1, feature 2"]),
        (["Z[1,1]", "Z.1.1"], {}, ["Z[1,1]"]),
        (["Z[1,1]", "Z[999999999,1]"], {}, ["item 2, feature 1"]),
    ],
)
def test_near_misses_of_wide_tables_are_named(names, options, words):
    with refuses(*words):
        fangs.Samples(pd.DataFrame(np.ones((2, len(names)), dtype=int), columns=names), **options)


# One table per draw


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (lambda: [pd.DataFrame(DRAWS[0], columns=list("xx"))], ["draws[0]", "'x'"]),
        (lambda: [pa.Table.from_arrays([[1, 0], [1, 1]], names=["x", "x"])], ["draws[0]", "'x'"]),
        (lambda: [pd.DataFrame({"name": list("abcd"), "f": 1})], ["draws[0]", "'name'"]),
        (lambda: pd.DataFrame(DRAWS[0]), ["0", "1"]),
    ],
)
def test_near_misses_of_one_table_per_draw_are_named(table, words):
    with refuses(*words):
        fangs.Samples(table())
