"""A reference with labels is matched with the items of the draws by name."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import xarray as xr

import fangs
from support.objects import DRAWS, ITEMS

SAMPLES = fangs.Samples(DRAWS, items=ITEMS)
REFERENCE = DRAWS[1]
FRAME = pd.DataFrame(REFERENCE, index=list(ITEMS))
ARRAY = xr.DataArray(REFERENCE, dims=("item", "feature"), coords={"item": list(ITEMS)})

LABELLED = {
    "frame": FRAME,
    "frame, turned": FRAME.iloc[::-1],
    "DataArray": ARRAY,
    "DataArray, transposed": ARRAY.T,
    "DataArray, turned": ARRAY[::-1],
    "polars": pl.DataFrame({"item": list(ITEMS), **{str(k): c for k, c in enumerate(REFERENCE.T)}}),
}
USES = {
    "align": lambda r, s: fangs.align(r, s).counts.tolist(),
    "align again": lambda r, s: fangs.align(r, fangs.align(REFERENCE, s)).counts.tolist(),
    "expected_loss": lambda r, s: fangs.expected_loss(r, s),
    "assess": lambda r, s: fangs.assess(r, s).matrix.tolist(),
    "certify": lambda r, s: fangs.certify(r, s).lower_bound,
    "credible_ball": lambda r, s: fangs.credible_ball(r, s).radius,
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("form", LABELLED)
def test_rows_of_a_reference_are_matched_by_name(use, form):
    assert USES[use](LABELLED[form], SAMPLES) == USES[use](REFERENCE, SAMPLES)


@pytest.mark.parametrize("form", LABELLED)
def test_two_labelled_matrices_are_matched(form):
    assert fangs.faro_loss(LABELLED[form], FRAME) == 0
    assert fangs.faro_loss(FRAME.sample(frac=1, random_state=1), LABELLED[form]) == 0


@pytest.mark.parametrize("use", ["align", "expected_loss", "assess", "certify"])
def test_other_labels_are_refused(use):
    name = {"align": "reference", "assess": "matrix"}.get(use, "estimate")
    with pytest.raises(ValueError, match=f"{name} lacks 'ann' and has 'eve'"):
        USES[use](FRAME.rename({"ann": "eve"}), SAMPLES)


def test_an_estimate_in_another_order_is_refused():
    found = fangs.estimate(SAMPLES, seed=1)
    turned = fangs.Samples([Z[::-1] for Z in DRAWS], items=ITEMS[::-1])
    with pytest.raises(ValueError, match=r"another order.*estimate\.to_frame"):
        fangs.expected_loss(found, turned)
    assert fangs.expected_loss(found.to_frame(), turned) == found.expected_loss
    assert fangs.faro_loss(found, fangs.estimate(turned, seed=1)) >= 0


def test_what_has_no_labels_is_read_by_position():
    assert fangs.expected_loss(FRAME, DRAWS) == fangs.expected_loss(REFERENCE, SAMPLES)
    assert np.array_equal(fangs.left_ordered(ARRAY.T), fangs.left_ordered(REFERENCE))


def test_names_of_columns_are_kept():
    named = fangs.estimate(SAMPLES, seed=1).ordered("size")
    named = named.named([f"f{j}" for j in range(named.n_features)])
    forms = [
        named.to_frame(),
        named.to_xarray()["Z_hat"],
        pl.from_pandas(named.to_frame().reset_index()),
    ]
    for form in forms:
        found = fangs.assess(form, SAMPLES)
        assert found.feature_names == named.feature_names
        assert np.array_equal(found.matrix, named.matrix)
        assert fangs.align(form, SAMPLES).feature_names == named.feature_names
    wide = named.to_frame().assign(empty=0).iloc[:, ::-1]
    assert fangs.assess(wide, SAMPLES).feature_names == named.feature_names[::-1]
    numbered = FRAME.set_axis(range(1, FRAME.shape[1] + 1), axis=1)
    left = fangs.left_ordered(REFERENCE)
    assert np.array_equal(fangs.assess(numbered, SAMPLES).matrix, left)
    assert fangs.assess(FRAME, DRAWS).items == ITEMS
