"""Objects that are nearly right are refused with the candidates and the remedy."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import fangs
from conformance.contents import PLAIN
from conformance.labelled import array as data_array
from conformance.labelled import dataset
from support.objects import BY_CHAIN, DRAWS, ITEMS, STACK, by_arviz, sparse_array
from support.refusals import refuses

LETTERS = list("abcd")


def with_values(value, rows):
    array = STACK.astype(float)
    array[1, rows, 0] = value
    return array


def frame(draw, labels=LETTERS, **options):
    return pd.DataFrame(draw, labels, **options)


def labelled(draw, **options):
    return xr.DataArray(draw, dims=("item", "feature"), **options)


NEAR_MISSES = {
    "one draw": (lambda: data_array(PLAIN)[0, 0], "item: 4, feature: 3", "[array]"),
    "numbered dims": (
        lambda: xr.DataArray(STACK),
        'dims={"draw": "dim_0", "item": "dim_1", "feature": "dim_2"}',
    ),
    "one dim too many": (lambda: data_array(PLAIN).expand_dims(model=2), "'model'", "isel"),
    "no 0 and 1": (
        lambda: dataset(PLAIN)[["W", "alpha"]],
        "W",
        "(chain, draw, feature, axis)",
        "0 and 1",
    ),
    "no posterior": (lambda: by_arviz({"prior": {"Z": BY_CHAIN}}), "variable='prior/Z'"),
    "half NaN": (
        lambda: with_values(np.nan, slice(3)),
        "draws[1]", "nan", "absent", "3 of 4 items",
    ),
    "half -1": (lambda: with_values(-1, [2]), "draws[1]", "-1.0", "item 2", "1 of 4 items"),
    "probabilities": (
        lambda: data_array(PLAIN, dtype=float) * 0.5,
        "draws.Z[chain=0, draw=0]", "0.5", "draw each entry",
    ),
    "other labels": (
        lambda: [frame(DRAWS[0]), frame(DRAWS[1], list("abce"))],
        "draws[1]", "lacks 'd'", "has 'e'",
    ),
    "a label twice": (
        lambda: [frame(DRAWS[0]), frame(DRAWS[1], list("abcc"))],
        "draws[1]", "'c'", "more than once",
    ),
    "transposed frames": (
        lambda: [pd.DataFrame(draw.T, columns=LETTERS) for draw in DRAWS],
        "draws[1]", "transpose",
    ),
    "transposed arrays": (lambda: [draw.T for draw in DRAWS], "draws[1]", "transpose"),
    "a frame, then an array": (
        lambda: [frame(DRAWS[0]), DRAWS[1]],
        "draws[1]", "ndarray", "same form",
    ),
    "an array, then a frame": (
        lambda: [DRAWS[0], frame(DRAWS[1])],
        "draws[1]", "DataFrame", "same form",
    ),
    "labels in one array": (
        lambda: [labelled(DRAWS[0], coords={"item": LETTERS}), labelled(DRAWS[1])],
        "draws[1]", "no item labels",
    ),
    "sparse with a 2": (lambda: sparse_array(2 * STACK), "draws[0]", "2"),
    "a mask for values": (
        lambda: np.ma.masked_equal(STACK, 0),
        "draws[0]", "masked values",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", NEAR_MISSES)
def test_near_misses_are_refused_with_a_remedy(case):
    make, *words = NEAR_MISSES[case]
    with refuses(*words):
        fangs.Samples(make())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"variable": "Q"}, ["'Q'", "Z (chain, draw, item, feature)"]),
        ({"variable": "W"}, ["draws.W", "0 and 1"]),
        ({"variable": "Z", "dims": {"item": "person"}}, ["'person'", "'item'", "'feature'"]),
        ({"dims": {"rows": "item"}}, ["'rows'", "'chain'", "'draw'", "'item'"]),
        ({"dims": {"item": "item", "feature": "item"}}, ["dims", "'item'", "two meanings"]),
        ({"items": ["x", *ITEMS[1:]]}, ["items", "lacks 'x'", "has 'ann'"]),
        ({"items": ITEMS[:2]}, ["items", "has 'cy', 'dee'"]),
    ],
)
def test_wrong_names_are_refused(options, words):
    with refuses(*words, error=ValueError):
        fangs.Samples(dataset(PLAIN), **options)


def test_names_for_what_has_none_are_refused():
    for options, words in [
        ({"variable": "Z"}, ["variable='Z'"]),
        ({"dims": {"item": "x"}}, ["dims", "'x'"]),
        ({"dims": "item"}, ["dims", "'item'"]),
        ({"variable": 3}, ["variable", "3"]),
    ]:
        with refuses(*words, error=TypeError):
            fangs.Samples(STACK, **options)
    for given in (DRAWS, fangs.Samples(DRAWS)):
        with refuses("variable", error=TypeError):
            fangs.Samples(given, variable="Z")
