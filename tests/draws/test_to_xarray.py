"""Draws and results as xarray objects, which ArviZ understands and `Samples` reads back."""

import arviz as az
import numpy as np
import pytest
import xarray as xr

import fangs
from conformance.contents import CONTENTS, LABELS
from fangs.posterior.diagnostics import rhat
from support.objects import DRAWS, ITEMS, N_DRAWS

OF_CHAIN = np.repeat(["warm", "cold"], N_DRAWS)
SAMPLES = fangs.Samples(DRAWS, items=ITEMS, chains=OF_CHAIN)
UNEVEN = ["b", "a", "b", "b", "a", "b"]


LABELLED = {about: c.samples(LABELS) for about, c in CONTENTS.items()}
ORDERS = {
    f"{chains}, items {items}": fangs.Samples(DRAWS, items=items, chains=chains)
    for chains in ([3, 3, 3, 5, 5, 5], [0] * 6, UNEVEN)
    for items in (None, ITEMS)
}


@pytest.mark.parametrize("samples", (LABELLED | ORDERS).values(), ids=LABELLED | ORDERS)
def test_draws_come_back_from_xarray(samples):
    assert fangs.Samples(samples.to_xarray()) == samples


def test_draws_have_the_dimensions_of_arviz():
    array = SAMPLES.to_xarray()
    assert array.dims == ("chain", "draw", "item", "feature")
    assert array.sel(chain="cold", draw=1, item="bob").values.tolist() == DRAWS[4][1].tolist()
    found = az.convert_to_dataset(array.to_dataset())
    assert found["Z"].sizes["draw"] == N_DRAWS
    assert fangs.Samples(DRAWS).to_xarray().coords["chain"].values.tolist() == [0]


def test_draws_of_interleaved_chains_are_put_together():
    samples = fangs.Samples(DRAWS, chains=[1, 0] * 3)
    array = samples.to_xarray()
    assert array.sel(chain=1, draw=2).values[:, :3].tolist() == DRAWS[4].tolist()
    assert fangs.Samples(array).chain(0) == samples.chain(0)


def test_chains_of_other_lengths_become_one_row_of_samples():
    array = fangs.Samples(DRAWS, chains=UNEVEN).to_xarray()
    assert array.dims == ("sample", "item", "feature")
    assert array.coords["chain"].values.tolist() == UNEVEN


@pytest.fixture(scope="module")
def found():
    return fangs.estimate(fangs.datasets.example(), seed=1)


def test_an_estimate_knows_its_draws(found, tmp_path):
    draws = fangs.datasets.example()
    data = found.to_xarray()
    assert np.array_equal(data["Z_hat"], found.matrix)
    assert np.array_equal(data["probability"], found.proportions)
    for name, values in {"loss": found.losses, "K": draws.n_features, "ones": draws.n_ones}.items():
        assert data[name].dims == ("chain", "draw")
        for c in range(4):
            assert np.array_equal(data[name].sel(chain=c), values[draws.chains == c])
    assert data["item"].values.tolist() == list(draws.items)
    assert (data.attrs["expected_loss"], data.attrs["a"]) == (found.expected_loss, found.a)
    found.save(tmp_path / "estimate.npz")
    assert fangs.load(tmp_path / "estimate.npz").to_xarray().identical(data)


def test_arviz_computes_with_an_estimate(found):
    data = found.to_xarray()
    found = az.rhat(data[["loss", "K", "ones"]])
    for name in ("loss", "K", "ones"):
        assert float(found[name]) == pytest.approx(rhat(data[name].values), rel=1e-6)


def test_relabelled_draws_and_parameters_go_to_arviz(found):
    draws = fangs.datasets.example()
    rng = np.random.default_rng(0)
    parameters = [rng.normal(size=(k, 2)) for k in draws.n_features]
    alignment = fangs.align(found, draws)
    data = alignment.to_xarray({"A": parameters, "size": [w[:, 0] for w in parameters]})
    assert data["Z"].dims == ("chain", "draw", "item", "feature")
    assert data["A"].dims == ("chain", "draw", "feature", "A_dim_0")
    stacked = alignment.draws().reshape(4, 100, *found.matrix.shape)
    assert np.array_equal(data["Z"], stacked)
    values = alignment.apply(parameters).reshape(4, 100, -1, 2)
    assert np.array_equal(data["A"], values, equal_nan=True)
    assert np.array_equal(data["matched"], ~np.isnan(values[..., 0]))
    everywhere = data["matched"].all(("chain", "draw"))
    assert everywhere.sum() >= 3
    mixing = az.rhat(data[["A"]])["A"]
    assert np.isfinite(mixing.isel(feature=everywhere.values)).all()


def test_parameters_keep_their_names(found):
    draws = fangs.datasets.example()
    width = int(draws.n_columns.max())
    A = xr.DataArray(
        np.random.default_rng(0).normal(size=(4, 100, width, 2)),
        dims=("chain", "draw", "feature", "pixel"),
        coords={"chain": range(4), "pixel": ["left", "right"]},
    )
    data = fangs.align(found, draws).to_xarray({"A": A})
    assert data["A"].dims == ("chain", "draw", "feature", "pixel")
    assert data["pixel"].values.tolist() == ["left", "right"]
    with pytest.raises(ValueError, match="'Z'"):
        fangs.align(found, draws).to_xarray({"Z": A})
