"""Arrays without names, and mappings of them: what NumPy, h5py, MATLAB and JSON hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import permutations
from typing import Any

import dask.array
import jax.numpy as jnp
import numpy as np

from conformance.contents import LABELS, NAMED, SHAPES, SOME, WEIGHTED, Content, Form, refused
from support.objects import sparse_array

Arrays = dict[str, Any]


def sampler(c: Content, **more: Any) -> Arrays:
    """Draws by chain beside parameters, as NumPyro returns them."""
    rng, Z = np.random.default_rng(0), c.by_chain()
    W = rng.normal(size=(2, 3, Z.shape[-1], 2))
    return {"alpha": rng.random((2, 3)), "W": W, "Z": Z} | more


def labels(c: Content, items: str = "items", chains: str = "chains", weights: str = "weights"):
    """The entries that say something about the draws."""
    found = {items: np.array(c.items), chains: np.array(c.chains)}
    return found | ({weights: np.array(c.weights)} if c.weights else {})


def labelled(c: Content, **names: str) -> Arrays:
    return {"Z": c.padded()} | labels(c, **names)


def cells(c: Content, **names: str) -> Arrays:
    return {"Z": list(c.draws)} | labels(c, **names)


def beside(c: Content) -> Arrays:
    """The truth, an estimate and binary data: a single matrix each."""
    X = np.random.default_rng(1).integers(2, size=(4, 5))
    return {"Z_true": c.padded()[1], "truth": c.padded()[2], "X": X}


def halves(make: Callable[[Content], Any]) -> Callable[[Content], Arrays]:
    """Two variables that are chains."""
    return lambda c: {f"chain{at + 1}": make(c.of_chain(at)) for at in (0, 1)}


def two(make: Callable[[Content], Any]) -> Callable[[Content], Arrays]:
    """Two variables that may both be the draws, beside one that is not."""
    X = np.full((6, 4, 3), 0.5)
    return lambda c: {"X": X, "Y": make(replace(c, draws=c.draws[::-1])), "Z": make(c)}


def struct(c: Content, order: tuple[int, ...] = (0, 1, 2), **values: Any) -> Arrays:
    """A padded array in any order of its axes, and how many features are meant."""
    widths = np.array([[draw.shape[1]] for draw in c.draws])
    Z = c.padded(**values).transpose(order)
    return {"chain": {"Z": Z, "K": widths, "alpha": np.ones((6, 1))}}


def file(kind: str, make: Any, holds: str = "", contents: Any = ("plain",), **options: Any):
    """What a writer takes, but `Samples` does not."""
    return Form(kind, make, holds, contents, options, is_object=False)


def mapping(make: Any, holds: str = "", contents: Any = ("plain",), **form: Any) -> Form:
    return Form("mapping", make, holds, contents, **form)


ONE = {"variable": "Z"}
SEVERAL = {"variable": ["chain1", "chain2"]}
NAMES = Content(chains=("chain1",) * 3 + ("chain2",) * 3)
TWO = mapping(two(Content.padded), options=ONE)
TWO_CELLS = file("matlab", two(lambda c: list(c.draws)), **ONE)
UNTOLD = file("matlab", lambda c: {"Z": c.padded()}, variable="Z(draw, item, feature)")

FORMS = {
    "3-D": Form("numpy", Content.padded, "", SHAPES),
    "4-D": Form("numpy", Content.by_chain, "numbered", SHAPES),
    "4-D of jax": Form("", lambda c: jnp.asarray(c.by_chain()), "numbered"),
    "4-D of dask": Form("", lambda c: dask.array.from_array(c.by_chain()), "numbered"),
    "4-D sparse": Form("", lambda c: sparse_array(c.by_chain()), "numbered"),
    "Fortran order": Form("numpy", lambda c: np.asfortranarray(c.padded())),
    "Fortran order, 4-D": Form("numpy", lambda c: np.asfortranarray(c.by_chain()), "numbered"),
    "TRUE and FALSE": Form("numpy", partial(Content.padded, dtype=bool)),
    "bytes in the other order": Form("numpy", partial(Content.padded, dtype=">i8")),
    "NaN padding": Form("numpy", partial(Content.by_chain, fill=np.nan, dtype=float), "numbered"),
    "-1 padding": Form("numpy", partial(Content.padded, fill=-1)),
    "dict": mapping(sampler, "numbered", SHAPES),
    "dict with labels": mapping(labelled, LABELS, NAMED),
    "dict with labels, one of each": mapping(
        partial(labelled, items="item", chains="chain", weights="weight"), LABELS, WEIGHTED
    ),
    "dict with weights by chain": mapping(
        lambda c: sampler(c, weights=np.reshape(c.weights, (2, 3))), "numbered weights", WEIGHTED
    ),
    "dict with named labels": mapping(
        partial(labelled, chains="run", weights="w"),
        LABELS,
        WEIGHTED,
        options={"chains": "run", "weights": "w"},
    ),
    "dict with NaN padding": mapping(lambda c: sampler(c, Z=c.by_chain(np.nan, float)), "numbered"),
    "dict with -1 padding": mapping(lambda c: sampler(c, Z=c.by_chain(-1)), "numbered"),
    "a second variable": refused(TWO, r"\bY\b", r"\bZ\b", "variable="),
    "a second variable, one named": TWO,
    "dict beside truth and data": mapping(lambda c: sampler(c, **beside(c)), "numbered"),
    "3-D beside truth and data": mapping(lambda c: {"Z": c.padded()} | beside(c)),
    "variables as chains": mapping(halves(Content.padded), "chains", options=SEVERAL, wanted=NAMES),
    # MATLAB
    "struct": file("matlab", struct, "", ("plain", "one item")),
    **{
        f"struct, axes {order}": file("matlab", partial(struct, order=order))
        for order in permutations(range(3))
    },
    "struct with NaN padding": file("matlab", partial(struct, fill=np.nan, dtype=float)),
    "struct with -1 padding": file("matlab", partial(struct, fill=-1)),
    "axes untold": refused(UNTOLD, "draw, item, feature"),
    "axes told": UNTOLD,
    "cell": file("matlab", cells, LABELS, SOME),
    "cell beside truth and data": file("matlab", lambda c: {"Z": list(c.draws)} | beside(c)),
    "two cells": refused(TWO_CELLS, r"\bY\b", r"\bZ\b", "variable="),
    "two cells, one named": TWO_CELLS,
    "cell with w": file("matlab", partial(cells, weights="w"), LABELS, WEIGHTED, weights="w"),
    "cells as chains": Form(
        "matlab", halves(lambda c: list(c.draws)), "chains", options=SEVERAL, wanted=NAMES
    ),
    "dict of matrices with labels": Form("", cells, LABELS, ("plain", *WEIGHTED)),
}
FORMS = {f"stack: {name}": form for name, form in FORMS.items()}
