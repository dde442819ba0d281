"""Objects that are nearly right are refused with the candidates and the remedy."""

import re

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import fangs
from support.objects import (
    ITEMS,
    by_chain,
    data_array,
    dataset,
    example,
    long_pandas,
    of_arviz,
    padded,
    sparse_array,
    wide_columns,
)

DRAWS = example()
LETTERS = list("abcd")


def with_values(value, rows):
    array = padded(DRAWS).astype(float)
    array[1, rows, 0] = value
    return array


def without_posterior():
    return of_arviz({"prior": {"Z": by_chain(DRAWS)}})


def entries(**columns):
    return pd.DataFrame({"draw": 0, "item": ["a", "b"], "feature": 0, **columns})


NEAR_MISSES = {
    "one draw": (lambda: data_array(DRAWS)[0, 0], ["item: 4, feature: 3", "[array] is one draw"]),
    "unknown dims": (
        lambda: xr.DataArray(padded(DRAWS), dims=("draw", "x", "y")),
        ["'x', 'y'", 'dims={"item": ..., "feature": ...}'],
    ),
    "numbered dims": (lambda: xr.DataArray(padded(DRAWS)), ["'dim_0', 'dim_1', 'dim_2'"]),
    "one dim too many": (lambda: data_array(DRAWS).expand_dims(model=2), ["'model'", "isel"]),
    "no 0 and 1": (
        lambda: dataset(DRAWS)[["W", "alpha"]],
        ["no variable that holds draws", "W (chain, draw, feature, axis)"],
    ),
    "two variables": (
        lambda: dataset(DRAWS).assign(Z2=data_array(DRAWS)),
        ["'Z', 'Z2'", "variable='Z'"],
    ),
    "no posterior": (without_posterior, ["'posterior'", "prior"]),
    "half NaN": (
        lambda: with_values(np.nan, slice(3)),
        ["draws[1]", "nan", "absent", "3 of 4 items"],
    ),
    "half -1": (lambda: with_values(-1, [2]), ["draws[1]", "-1", "item 2", "1 of 4 items"]),
    "half-binary": (
        lambda: data_array(DRAWS, dtype=float) * 0.5,
        ["draws.Z[chain=0, draw=0]", "0.5", "round or threshold"],
    ),
    "other labels": (
        lambda: [pd.DataFrame(DRAWS[0], LETTERS), pd.DataFrame(DRAWS[1], list("abce"))],
        ["draws[1] lacks 'd' and has 'e'", "by name"],
    ),
    "a label twice": (
        lambda: [pd.DataFrame(DRAWS[0], LETTERS), pd.DataFrame(DRAWS[1], list("abcc"))],
        ["draws[1]", "'c' more than once"],
    ),
    "transposed frames": (
        lambda: [pd.DataFrame(draw.T, columns=LETTERS) for draw in DRAWS],
        ["draws[1]", "frame.T"],
    ),
    "transposed arrays": (lambda: [draw.T for draw in DRAWS], ["draws[1]", "transpose"]),
    "a frame, then an array": (
        lambda: [pd.DataFrame(DRAWS[0], LETTERS), DRAWS[1]],
        ["draws[1]", "ndarray", "same form"],
    ),
    "an array, then a frame": (
        lambda: [DRAWS[0], pd.DataFrame(DRAWS[1], LETTERS)],
        ["draws[1]", "DataFrame", "same form"],
    ),
    "labels in one DataArray": (
        lambda: [
            xr.DataArray(DRAWS[0], dims=("item", "feature"), coords={"item": LETTERS}),
            xr.DataArray(DRAWS[1], dims=("item", "feature")),
        ],
        ["draws[1] has no item labels"],
    ),
    "one frame": (lambda: pd.DataFrame(DRAWS[0], LETTERS), ["one table per draw", "'0', '1'"]),
    "text in a frame": (
        lambda: [pd.DataFrame({"name": LETTERS, "f": 1})],
        ["draws[0]", "'name'"],
    ),
    "a column without meaning": (lambda: entries(Z=[1, 0]), ["'Z'", "dims={\"value\": 'Z'}"]),
    "an entry twice": (
        lambda: pd.concat([entries(), entries()]),
        ["draw 0, item 'a', feature 0 more than once"],
    ),
    "a draw that is absent": (
        lambda: long_pandas(DRAWS).query("not (chain == 1 and draw == 1)"),
        ["chain 1", "no draw 1", "empty"],
    ),
    "an item that is absent": (lambda: entries(item=[0, 2]), ["no item 1", "items=range(n)"]),
    "a feature without item": (
        lambda: entries(item=["a", None]),
        ["feature without an item in row 1", "leave the feature empty"],
    ),
    "a value of 2": (lambda: entries(value=[1, 2]), ["value 2", "row 1"]),
    "half a weight": (lambda: entries(weight=[0.5, 0.5]), ["weight 0.5", "whole"]),
    "two weights of a draw": (lambda: entries(weight=[1, 2]), ["one weight per draw"]),
    "a missing entry": (
        lambda: pd.DataFrame(wide_columns(DRAWS)).drop(columns="Z[2,2]"),
        ["item 2, feature 2", "up to item 4, feature 3"],
    ),
    "two wide variables": (
        lambda: pd.DataFrame({**wide_columns(DRAWS), **wide_columns(DRAWS, "Y[{i},{k}]")}),
        ["'Z', 'Y'", "variable="],
    ),
    "chains of other items": (
        lambda: {"a": np.zeros((2, 3, 2)), "b": np.zeros((2, 4, 2))},
        ["draws['b'] has 4 items, but draws['a'] has 3"],
    ),
    "no draws in a dict": (lambda: {"alpha": np.ones(3)}, ["'alpha'", "dict of chains"]),
    "a chain of chains": (
        lambda: {"a": fangs.Samples(DRAWS, chains=[0, 0, 0, 1, 1, 1]), "b": DRAWS},
        ["draws['a'] has 2 chains"],
    ),
    "a bad value in a chain": (
        lambda: {"a": DRAWS, "b": [DRAWS[0], 3 * DRAWS[1]]},
        ["draws['b'][1]", "3"],
    ),
    "sparse with a 2": (
        lambda: sparse_array(2 * padded(DRAWS)),
        ["draws[0]", "value 2"],
    ),
    "a mask for values": (
        lambda: np.ma.masked_equal(padded(DRAWS), 0),
        ["draws[0] has masked values"],
    ),
}


@pytest.mark.parametrize("case", NEAR_MISSES)
def test_near_misses_are_refused_with_a_remedy(case):
    make, words = NEAR_MISSES[case]
    pattern = "".join(f"(?=.*{re.escape(word)})" for word in words)
    with pytest.raises((TypeError, ValueError), match=f"(?s){pattern}") as caught:
        fangs.Samples(make())
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"variable": "Q"}, "no variable 'Q'.*Z .chain, draw, item, feature"),
        ({"variable": "W"}, r"draws\.W.*round or threshold"),
        ({"variable": "Z", "dims": {"item": "person"}}, "no dimension 'person'.*'item', 'feature'"),
        ({"dims": {"rows": "item"}}, "'rows'.*none of 'chain', 'draw', 'item'"),
        ({"dims": {"item": "item", "feature": "item"}}, "two meanings"),
        ({"items": ["x", *ITEMS[1:]]}, "lacks 'x' and has 'ann'"),
        ({"items": ITEMS[:2]}, "has 'cy', 'dee', which items lacks"),
    ],
)
def test_wrong_names_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        fangs.Samples(dataset(DRAWS), **options)


def test_names_for_plain_arrays_are_refused():
    with pytest.raises(TypeError, match="variable='Z'"):
        fangs.Samples(DRAWS, variable="Z")
    with pytest.raises(TypeError, match="dims="):
        fangs.Samples(padded(DRAWS), dims={"item": "x"})
    with pytest.raises(TypeError, match="dims is 'item'"):
        fangs.Samples(padded(DRAWS), dims="item")
    with pytest.raises(TypeError, match="leave out variable"):
        fangs.Samples(fangs.Samples(DRAWS), variable="Z")


@pytest.mark.parametrize(
    ("chains", "words"),
    [
        ([None, 1], "None for draw 0"),
        ([1, np.nan], "nan for draw 1"),
        ([True, 1], "True for draw 0"),
        ([1.5, 1], "1.5 for draw 0"),
        (["a", 1], "'a' for draw 0 and 1 for draw 1"),
        ([(1, 2), (3, 4)], r"shape \(2, 2\)"),
    ],
)
def test_chains_that_are_no_labels_are_refused(chains, words):
    with pytest.raises((TypeError, ValueError), match=words):
        fangs.Samples(DRAWS[:2], chains=chains)
