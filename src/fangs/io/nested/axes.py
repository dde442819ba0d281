"""Which axis of a three-dimensional array counts draws, which items and which features.

Only evidence in the file decides: names of the dimensions, or sizes that are stored with the array.
Where they leave a choice, the user makes it: ``variable="Z[draw, item, feature]"``.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from fangs.interop.given import is_binary
from fangs.io.nested.dialect import AXES, Dialect
from fangs.io.nested.values import Array, List
from fangs.io.nested.walk import Found, kind_of

__all__ = ["AmbiguousError", "Axes", "axes_of"]

Axes = tuple[int, int, int]

_WORDS = {
    "draw": ("draw", "draws", "iteration", "iterations", "iter", "sample", "samples"),
    "item": ("item", "items", "observation", "observations", "obs", "row", "rows"),
    "feature": ("feature", "features", "column", "columns", "component", "k"),
}
_SIZES = {
    "draw": ("b", "ndraws", "nsamples", "niter", "niterations", "numsamples", "numdraws"),
    "item": ("n", "nitems", "nobs", "numitems", "numobs", "numobjects"),
    "feature": ("kmax", "maxk", "maxfeatures"),
}
_N_FEATURES = ("k", "kplus", "nfeatures", "numfeatures", "nfeat")


class AmbiguousError(ValueError):
    """An array of 0 and 1 whose axes only the user knows."""


def axes_of(found: Found, dialect: Dialect) -> Axes:
    """The axes of draws, items and features of an array, or a complaint that lists the choices."""
    assert isinstance(found.value, Array)
    array = found.value
    possible = _by_names(array, [(a, b, c) for a, b, c in permutations(range(3))])
    possible = _by_sizes(array, found.record, possible)
    possible = _by_n_features(array, found.record, possible)
    if len(possible) == 1:
        return possible[0]
    if not possible:
        raise ValueError(
            f"{found} is {kind_of(array)}, which does not fit the sizes stored with it; say what "
            f"its axes are: variable={found.place + dialect.axes((0, 1, 2))!r} or another order"
        )
    if not is_binary(array.array()):
        raise ValueError(f"{found} is {kind_of(array)} with values other than 0 and 1")
    shown = possible if len(possible) <= 3 else [(0, 1, 2), (2, 0, 1)]
    choices = " or ".join(repr(found.place + dialect.axes(axes)) for axes in shown)
    choices += " or another order" if len(shown) < len(possible) else ""
    raise AmbiguousError(
        f"{found} is {kind_of(array)}, and nothing in the file says what its axes are; write "
        f"variable={choices}"
    )


def _by_names(array: Array, possible: list[Axes]) -> list[Axes]:
    """Dimensions that have a name; or the only one whose positions have labels: the items."""
    for position, name in enumerate(array.dimensions):
        for axis, words in zip(range(3), _WORDS.values(), strict=True):
            if name.lower() in words:
                possible = [axes for axes in possible if axes[axis] == position]
    labelled = [position for position, labels in enumerate(array.labels) if labels]
    if len(labelled) == 1 and not any(array.dimensions):
        possible = [axes for axes in possible if axes[1] == labelled[0]]
    return possible


def _by_sizes(array: Array, record: List | None, possible: list[Axes]) -> list[Axes]:
    """Sizes stored with the array under a usual name, such as N."""
    for axis, name in enumerate(AXES):
        for values in _numbers(record, _SIZES[name]):
            if values.size == 1 and values.item() in array.shape:
                possible = [x for x in possible if array.shape[x[axis]] == values.item()]
    return possible


def _by_n_features(array: Array, record: List | None, possible: list[Axes]) -> list[Axes]:
    """K of each draw: there are as many draws, and what follows the first K columns is empty."""
    for n_features in _numbers(record, _N_FEATURES):
        if n_features.size > 1 and n_features.size in array.shape:
            possible = [axes for axes in possible if _fits(array, n_features.ravel(), axes)]
    return possible


def _fits(array: Array, n_features: np.ndarray, axes: Axes) -> bool:
    if array.shape[axes[0]] != n_features.size or n_features.max() > array.shape[axes[2]]:
        return False
    in_use = (array.array().transpose(axes) == 1).any(axis=1)
    beyond = np.arange(in_use.shape[1]) >= n_features[:, None]
    return not bool((in_use & beyond).any())


def _numbers(record: List | None, names: tuple[str, ...]) -> list[np.ndarray]:
    if record is None:
        return []
    return [
        value.array()
        for name, value in zip(record.names, record.items, strict=False)
        if name.lower().replace("_", "").replace(".", "") in names
        and isinstance(value, Array)
        and value.kind in ("integer", "double")
    ]
