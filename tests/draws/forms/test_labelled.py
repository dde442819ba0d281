"""Labelled arrays: which group and variable, what is read at a time, and labels along the draws."""

import numpy as np
import pytest
import xarray as xr

import fangs
from conformance.contents import PLAIN
from conformance.labelled import array as data_array
from conformance.labelled import dataset
from fangs.draws.forms import blocks
from fangs.draws.open import form_of
from fangs.draws.request import Request
from support.objects import BY_CHAIN, DRAWS, ITEMS, OF_CHAIN, by_arviz
from support.refusals import refuses

WANTED = fangs.Samples(DRAWS, items=ITEMS, chains=OF_CHAIN)


@pytest.mark.parametrize("n_bytes", [1, 30, 2**25])
@pytest.mark.parametrize(
    "dims", [("chain", "draw", "item", "feature"), ("feature", "draw", "item", "chain")]
)
@pytest.mark.parametrize("chunk", [None, 2])
def test_blocks_of_any_size_give_the_same_draws(n_bytes, dims, chunk, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK_BYTES", n_bytes)
    array = data_array(PLAIN, order=dims)
    array = array if chunk is None else array.chunk({"draw": chunk})
    assert fangs.Samples(array) == WANTED
    for options in ({"burn_in": 1}, {"thin": 2}, {"keep_chains": 1, "thin": 2}):
        assert fangs.Samples(array, **options) == fangs.Samples(WANTED, **options)


def test_groups_other_than_the_posterior_are_named():
    data = by_arviz({"posterior": {"Z": BY_CHAIN}, "prior": {"Z": BY_CHAIN[::-1, ::-1]}})
    wanted = fangs.Samples(DRAWS, chains=OF_CHAIN)
    for variable in (None, "Z", "posterior/Z"):
        assert fangs.Samples(data, variable=variable) == wanted
    prior = fangs.Samples(data, variable="prior/Z")
    assert prior == fangs.Samples(DRAWS[::-1], chains=OF_CHAIN)
    with refuses("'Y'", "prior/Z"):
        fangs.Samples(data, variable="Y")
    assert fangs.Samples(data_array(PLAIN), variable="Z") == WANTED  # it has no other
    with refuses("'Z'", "variable='Y'"):
        fangs.Samples(data_array(PLAIN), variable="Y")


@pytest.mark.parametrize("name", ["weight", "weights", ".weight"])
@pytest.mark.parametrize("dims", [("chain", "draw"), ("draw", "chain")])
def test_weights_may_lie_along_chains_and_draws_in_any_order(name, dims):
    weights = xr.DataArray(np.arange(6).reshape(2, 3), dims=("chain", "draw")).transpose(*dims)
    found = fangs.Samples(dataset(PLAIN).assign({name: weights}))
    assert found == fangs.Samples(WANTED, weights=np.arange(6))
    by_draw = xr.DataArray([1, 2, 3], dims="draw")
    found = fangs.Samples(data_array(PLAIN).assign_coords({name: by_draw}))
    assert found == fangs.Samples(WANTED, weights=[1, 2, 3] * 2)


def test_labels_of_bytes_are_text():
    array = data_array(PLAIN).assign_coords(item=np.array(["é", "b", "c", "d"]).astype("U"))
    array = array.assign_coords(item=np.char.encode(array["item"].values, "utf-8"))
    assert fangs.Samples(array).items == ("é", "b", "c", "d")


@pytest.mark.parametrize(
    ("labels", "words"),
    [(list("aabc"), ["'a'", "more than once"]), ([1.0, np.nan, 2.0, 3.0], ["items[1]", "nan"])],
)  # fmt: skip
def test_labels_that_tell_nothing_apart_are_refused(labels, words):
    with refuses(*words):
        fangs.Samples(data_array(PLAIN).assign_coords(item=labels))


def test_a_matrix_is_an_estimate_or_the_only_one():
    Z = xr.DataArray(DRAWS[0].T, dims=("feature", "person"), coords={"person": list(ITEMS)})
    for given in (Z, xr.Dataset({"Z_hat": Z, "Z_true": Z}), xr.Dataset({"Z_true": Z, "p": Z / 2})):
        found = form_of(given).matrix(Request())
        assert (found.values.tolist(), found.items) == (DRAWS[0].tolist(), ITEMS)
    with refuses("Z_hat", "A (feature, person)", "B (feature, person)"):
        form_of(xr.Dataset({"A": Z, "B": Z})).matrix(Request())
    with refuses("'draw'", "isel"):
        form_of(data_array(PLAIN)[0, :, :, 0]).matrix(Request())
