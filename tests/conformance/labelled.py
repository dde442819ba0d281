"""Labelled arrays: what xarray and ArviZ hold, and the names that people give to dimensions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import xarray as xr

from conformance.contents import EVERY, LABELS, SHAPES, SOME, WEIGHTED, Content, Form, refused
from support.objects import by_arviz

DIMS = ("chain", "draw", "item", "feature")


def array(
    c: Content,
    dims: tuple[str, ...] = DIMS,
    order: tuple[str, ...] | None = None,
    weight: str = "weight",
    has_items: bool = True,
    **values: Any,
) -> xr.DataArray:
    """(chain, draw, item, feature) or (draw, item, feature) under these names, in that order."""
    leading = dims[:-2]
    coords: dict[str, Any] = {dims[-2]: list(c.items)} if has_items else {}
    if len(leading) == 2:
        stack, coords[leading[0]] = c.by_chain(**values), list(c.chains[::3])
    else:
        stack, coords["chain"] = c.padded(**values), (leading, list(c.chains))
    if c.weights:
        coords[weight] = (leading, np.reshape(c.weights, stack.shape[:-2]))
    return xr.DataArray(stack, dims=dims, coords=coords, name="Z").transpose(*(order or dims))


def dataset(c: Content, weight: str = "weights", **more: Any) -> xr.Dataset:
    """Draws beside other variables, as a sampler returns them."""
    rng, Z = np.random.default_rng(0), array(replace(c, weights=None))
    W = (("chain", "draw", "feature", "axis"), rng.normal(size=(2, 3, Z.shape[-1], 2)))
    data = {"alpha": (("chain", "draw"), rng.random((2, 3))), "Z": Z, "W": W}
    if c.weights:
        data[weight] = (("chain", "draw"), np.reshape(c.weights, (2, 3)))
    return xr.Dataset(data | more)


def beside(c: Content) -> dict[str, Any]:
    """The truth, an estimate and binary data, none of them draws."""
    X = np.random.default_rng(1).integers(2, size=(4, 5))
    one = (("item", "feature"), c.padded()[1])
    return {"Z_true": one, "Z_hat": one, "X": (("item", "site"), X)}


def tree(c: Content, **groups: Any) -> xr.DataTree:
    return xr.DataTree.from_dict({"/posterior": dataset(c), **groups})


def groups(c: Content) -> dict[str, Any]:
    """A prior with draws of its own, and binary data that was observed."""
    data = xr.Dataset({"X": (("item", "site"), np.eye(4, dtype=np.int8))})
    return {"/prior": array(reverse(c)).to_dataset(), "/observed_data": data}


def reverse(c: Content) -> Content:
    return replace(c, draws=c.draws[::-1])


def inference(c: Content, **labels: Any) -> Any:
    values = {"Z": c.by_chain(), "alpha": np.random.default_rng(0).random((2, 3))}
    if c.weights:
        values["weights"] = np.reshape(c.weights, (2, 3))
    return by_arviz({"posterior": values}, **labels)


def by_person(c: Content) -> Any:
    return inference(c, coords={"person": list(c.items)}, dims={"Z": ["person", "feature"]})


def by_run(c: Content) -> xr.DataArray:
    return array(c, dims=DIMS[1:]).rename(chain="run")


def of(holds: str = "items chains", options: Any = None, **form: Any) -> Form:
    """An array with these dimensions."""
    return Form("labelled", partial(array, **form), holds, options=options or {})


def named(a: str, b: str, **options: Any) -> Form:
    """An array whose last dimensions are the features `a`, then the items `b`."""
    return of(dims=("chain", "draw", b, a), order=("chain", "draw", a, b), **options)


def weighted(name: str, options: Any = None, make: Any = array) -> Form:
    """Decimal weights under this name."""
    return Form("labelled", partial(make, weight=name), LABELS, WEIGHTED, options or {})


PEOPLE = named("skill", "person", options={"dims": {"item": "person", "feature": "skill"}})
SAMPLES = {"dims": {"draw": "iteration", "item": "sample"}}
BIOLOGY = of(dims=("iteration", "sample", "feature"), options=SAMPLES)
TWO = Form(
    "labelled", lambda c: dataset(c, Y=array(reverse(c))), "items chains", options={"variable": "Z"}
)
PAIR = ("chain", "draw", "Z_dim_0", "Z_dim_1")

FORMS = {
    "DataArray": Form("labelled", array, LABELS, EVERY),
    "DataArray of draws": Form("labelled", partial(array, dims=DIMS[1:]), LABELS, SOME),
    "Dataset": Form("labelled", dataset, LABELS, SOME),
    "DataTree": Form("labelled", tree, LABELS, SOME),
    "DataTree with other groups": Form("labelled", lambda c: tree(c, **groups(c)), "items chains"),
    "group of a DataTree": Form("", lambda c: tree(c)["posterior"], "items chains"),
    "InferenceData": Form("arviz", inference, "numbered weights", (*SHAPES, *WEIGHTED)),
    "InferenceData with a named dimension": Form("arviz", by_person, "items numbered"),
    "group of InferenceData": Form("", lambda c: inference(c)["posterior"], "numbered"),
    "DataArray in chunks": Form("labelled", lambda c: array(c).chunk({"draw": 2}), "items chains"),
    "stacked DataArray": Form("", lambda c: array(c).stack(s=("chain", "draw")), "items chains"),
    "features first": of(order=DIMS[::-1]),
    "Z_dim_0, Z_dim_1": of("chains", dims=PAIR, has_items=False),
    "Z_dim_1, Z_dim_0": of("chains", dims=PAIR, order=(*PAIR[:2], *PAIR[:1:-1]), has_items=False),
    "skill, person with dims": PEOPLE,
    "skill, person": refused(PEOPLE, "dims=", "skill", "person"),
    "item, k": of(dims=("chain", "draw", "item", "k")),
    "feature, person": named("feature", "person"),
    "features, items": named("features", "items"),
    "capitals": of(dims=("Chain", "Draw", "Item", "Feature")),
    "iteration": of(dims=("iteration", "item", "feature")),
    "chain, iteration": of(dims=("chain", "iteration", "item", "feature")),
    "sample": of(dims=("sample", "item", "feature")),
    "iteration, sample, feature": refused(BIOLOGY, "iteration", "sample", "dims="),
    "iteration, sample, feature with dims": BIOLOGY,
    "NaN padding": of(fill=np.nan, dtype=float),
    "-1 padding": of(fill=-1),
    "TRUE and FALSE": of(dtype=bool),
    "a coordinate weights": weighted("weights"),
    "a variable weight": weighted("weight", make=dataset),
    "a variable w": weighted("w", {"weights": "w"}, dataset),
    "a coordinate w with dims": weighted("w", {"dims": {"weight": "w"}}),
    "a coordinate run": Form(
        "labelled", by_run, "items chains", ("chains of text",), {"chains": "run"}
    ),
    "a second variable": refused(TWO, r"\bY\b", r"\bZ\b", "variable="),
    "a second variable, one named": TWO,
    "truth and data": Form("labelled", lambda c: dataset(c, **beside(c)), "items chains"),
}
FORMS = {f"xarray: {name}": form for name, form in FORMS.items()}
