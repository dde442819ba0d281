"""Parameters in every form that draws come in, and tables of them."""

import numpy as np
import pytest
import xarray as xr

import fangs
from support.objects import DRAWS, ITEMS, by_arviz, padded
from support.refusals import refuses

LABELS = ["warm", "cold", "warm", "cold", "cold", "warm"]
SAMPLES = fangs.Samples(padded(DRAWS, fill=-1), items=ITEMS, chains=LABELS)
REFERENCE = DRAWS[1]
RNG = np.random.default_rng(3)
LISTED = [RNG.normal(size=(3, 2)) for _ in DRAWS]
ARRAY = np.stack(LISTED)
WARM, COLD = [0, 2, 5], [1, 3, 4]


def labelled(chains=("cold", "warm"), dims=("chain", "draw", "feature", "axis")):
    parts = {"warm": ARRAY[WARM], "cold": ARRAY[COLD]}
    array = xr.DataArray(
        np.stack([parts[name] for name in chains]),
        dims=("chain", "draw", "feature", "axis"),
        coords={"chain": list(chains), "axis": ["x", "y"]},
        name="W",
    )
    return array.transpose(*dims)


FORMS = {
    "list": LISTED,
    "tuple of lists": tuple(values.tolist() for values in LISTED),
    "padded": ARRAY,
    "wider": np.pad(ARRAY, ((0, 0), (0, 4), (0, 0)), constant_values=np.nan),
    "without empty columns": [
        values[: draw.shape[1]] for values, draw in zip(LISTED, DRAWS, strict=True)
    ],
    "(chain, draw, K, ...)": np.stack([ARRAY[WARM], ARRAY[COLD]]),
    "list of chains": [ARRAY[WARM], [LISTED[b] for b in COLD]],
    "dict of chains": {"cold": ARRAY[COLD], "warm": [LISTED[b] for b in WARM]},
    "DataArray": labelled(),
    "DataArray, warm first": labelled(("warm", "cold")),
    "DataArray, any order": labelled(dims=("axis", "feature", "draw", "chain")),
    "stacked": labelled().stack(sample=("chain", "draw")),
    "chunks": labelled().chunk({"draw": 1}),
    "numbered dims": labelled().rename(feature="W_dim_0", axis="W_dim_1"),
    "Dataset": labelled().to_dataset(),
    "DataTree": xr.DataTree.from_dict({"/posterior": labelled().to_dataset()}),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_parameters(form):
    alignment = fangs.align(REFERENCE, SAMPLES)
    wanted = alignment.apply(LISTED)
    assert np.array_equal(alignment.apply(FORMS[form]), wanted, equal_nan=True)
    assert np.array_equal(alignment.unmatched.apply(FORMS[form]), alignment.unmatched.apply(LISTED))


def test_arviz_holds_parameters():
    values = {"W": np.stack([ARRAY[WARM], ARRAY[COLD]]), "alpha": np.ones((2, 3))}
    data = by_arviz({"posterior": values}, coords={"chain": ["warm", "cold"]})
    alignment = fangs.align(REFERENCE, SAMPLES)
    found = alignment.apply(data, variable="W")
    assert np.array_equal(found, alignment.apply(LISTED), equal_nan=True)
    with pytest.raises(ValueError, match=r"variable=.*W, alpha"):
        alignment.apply(data)


def test_chains_without_names_are_read_one_after_the_other():
    alignment = fangs.align(REFERENCE, padded(DRAWS))
    for form in (
        ARRAY.reshape(2, 3, 3, 2),
        xr.DataArray(ARRAY.reshape(1, 6, 3, 2), dims=labelled().dims),
    ):
        assert np.array_equal(alignment.apply(form), alignment.apply(LISTED), equal_nan=True)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        (labelled().assign_coords(chain=["cold", "hot"]), ("warm", "hot")),
        ({"cold": ARRAY[COLD]}, ("warm",)),
        ({"cold": ARRAY[COLD], "warm": ARRAY[:2]}, ("warm", "2", "3")),
        (labelled()[:, :2], ("4", "6")),
        (labelled().rename(feature="trait"), ("feature_dim",)),
        (labelled().rename(draw="step"), ("step", "draw")),
    ],
)
def test_parameters_with_other_labels_are_refused(parameters, words):
    with refuses(*words):
        fangs.align(REFERENCE, SAMPLES).apply(parameters)


def test_the_dimension_of_features_can_be_named():
    alignment = fangs.align(REFERENCE, SAMPLES)
    found = alignment.apply(labelled().rename(feature="k"), feature_dim="k")
    assert np.array_equal(found, alignment.apply(LISTED), equal_nan=True)


def test_a_dict_of_chains_needs_draws_with_chains():
    with pytest.raises(ValueError, match="chains"):
        fangs.align(REFERENCE, DRAWS).apply({"cold": ARRAY})


def test_a_table_is_made_of_the_draws_that_have_the_feature():
    alignment = fangs.align(REFERENCE, SAMPLES)
    table = alignment.table(labelled(), level=0.5)
    frame = table.to_frame()
    assert frame.index.names == ["feature", "axis"]
    assert list(frame.columns) == ["mean", "sd", "25 %", "75 %", "matched"]
    for j in range(REFERENCE.shape[1]):
        some = np.flatnonzero(alignment.permutations[:, j] >= 0)
        for c, axis in enumerate("xy"):
            values = np.sort([alignment.apply(LISTED)[b, j, c] for b in some])
            row = frame.loc[(j + 1, axis)]
            assert row["mean"] == pytest.approx(values.mean(), rel=1e-12)
            assert row["sd"] == pytest.approx(values.std(ddof=1), rel=1e-12)
            assert row["matched"] == len(some) / 6
            # At most a quarter of the values is beyond either end.
            assert (values < row["25 %"]).mean() <= 0.25 <= (values <= row["25 %"]).mean()
            assert (values > row["75 %"]).mean() <= 0.25 <= (values >= row["75 %"]).mean()
    assert str(table).splitlines()[0].split()[:3] == ["feature", "axis", "mean"]
    assert len(str(table).splitlines()) == 1 + 2 * REFERENCE.shape[1]


def test_a_table_says_where_no_draw_has_the_feature():
    table = fangs.align([[1, 0], [0, 1]], [[[1], [0]], [[1], [0]]]).table([[2], [4]])
    assert table.mean[0] == 3
    assert np.isnan(table.mean[1])
    assert table.matched.tolist() == [1, 0]
    empty = fangs.align(np.zeros((2, 0)), [[[1], [0]]]).table([[2]])
    assert len(empty.to_frame()) == 0
