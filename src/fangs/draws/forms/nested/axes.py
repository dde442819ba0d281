"""What the dimensions of an array are: by their names, or by sizes that are stored beside it.

Where these leave a choice, the user makes it: ``variable="Z[draw, item, feature]"``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.draws.forms.dimensions import find_dims
from fangs.draws.forms.nested.places import Found, kind_of
from fangs.draws.forms.nested.values import Array, List
from fangs.draws.forms.stack import StackForm
from fangs.draws.request import Request
from fangs.draws.source import DrawSource

__all__ = ["readings", "stack_source"]

_SIZES = {
    "draw": ("b", "ndraws", "nsamples", "niter", "niterations", "numsamples", "numdraws"),
    "item": ("n", "nitems", "nobs", "numitems", "numobs", "numobjects"),
    "feature": ("kmax", "maxk", "maxfeatures"),
}
_N_FEATURES = ("k", "kplus", "nfeatures", "numfeatures", "nfeat")


def readings(found: Found) -> list[tuple[str, ...]]:
    """The names that the dimensions may have; several where nothing in the file decides.

    R leaves item and feature without names where it names iteration and chain.
    """
    array = found.value
    assert isinstance(array, Array)
    names, labels = list(array.dimensions), array.labels
    labelled = [p for p, name in enumerate(names) if not name and labels[p]]
    if any(names):
        if len(labelled) == 1 and "item" not in names:
            names[labelled[0]] = "item"
        return [tuple(name or f"dim_{p}" for p, name in enumerate(names))]
    if len(names) != 3:
        raise ValueError(
            f"{found} is {kind_of(array)}, whose dimensions have no names; say what they are, such "
            f"as variable='{found.place}[item, feature, draw, chain]'"
        )
    possible = [
        names
        for names in permutations(_SIZES)
        if _fits(array, found.record, names) and labelled in ([], [names.index("item")])
    ]
    if not possible:
        raise ValueError(
            f"{found} is {kind_of(array)}, which does not fit the sizes stored with it; say what "
            "its axes are: draw, item and feature, in their order"
        )
    return possible


def stack_source(found: Found, names: Sequence[str], request: Request) -> DrawSource:
    """The draws of an array whose dimensions have these names, or are told."""
    array = found.value
    if not isinstance(array, Array) or len(set(names)) != len(array.shape):
        raise ValueError(f"{found} is {kind_of(array)}; its axes cannot be {', '.join(names)}")
    dims = find_dims(dict(zip(names, array.shape, strict=True)), request.dims, name=str(found))
    at = {role: names.index(str(dim)) for role, dim in dims.items()}
    order = [at[role] for role in ("chain", "draw", "item", "feature") if role in at]
    source = StackForm(array.array().transpose(order), str(found)).draws(None, Request())
    labelled = source.labelled(array.labels[at["item"]])
    return replace(labelled, name=lambda b: f"draw {b + 1} of {found}")


def _fits(array: Array, record: List | None, names: tuple[str, ...]) -> bool:
    """Whether the sizes that are stored beside an array allow it to have these dimensions."""
    size = dict(zip(names, array.shape, strict=True))
    for role, usual in _SIZES.items():
        for number in _numbers(record, usual):
            if number.size == 1 and number.item() in array.shape and number.item() != size[role]:
                return False
    for widths in _numbers(record, _N_FEATURES):
        if widths.size > 1 and widths.size in array.shape:
            if widths.size != size["draw"] or widths.max() > size["feature"]:
                return False
            stack = array.array().transpose([names.index(role) for role in _SIZES])
            in_use = (stack == 1).any(axis=1)
            if (in_use & (np.arange(size["feature"]) >= widths.reshape(-1, 1))).any():
                return False
    return True


def _numbers(record: List | None, usual: Sequence[str]) -> list[npt.NDArray[Any]]:
    """Numbers in a record that have one of these names."""
    return [
        value.array()
        for name, value in (zip(record.names, record.items, strict=False) if record else ())
        if name.lower().replace("_", "").replace(".", "") in usual
        and isinstance(value, Array)
        and value.kind in ("integer", "double")
    ]
