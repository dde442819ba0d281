"""xarray objects: dimensions are matched by name, never by position."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._validate import as_array
from fangs.interop.arrays import matrices
from fangs.interop.given import Dims, Given, is_binary, labels_of

NAMES = {
    "chain": ("chain",),
    "draw": ("draw", "sample"),
    "item": ("item", "items"),
    "feature": ("feature", "features"),
}
"""What dimensions are called where nobody says otherwise."""


def read_labelled(value: Any, name: str, *, variable: str | None, dims: Dims) -> Given:
    """Draws of a DataArray, or of one variable of a Dataset, with items and chains by name."""
    array = as_data_array(value, name, variable=variable, dims=dims)
    where = name if array.name is None else f"{name}.{array.name}"
    found = find_dims(array, where, dims)
    leading = [found[role] for role in ("chain", "draw") if role in found]
    array = array.transpose(*leading, found["item"], found["feature"])
    n_draws = int(np.prod(array.shape[:-2]))
    return Given(
        matrices(array.data),
        lambda b: f"{where}[{_place(b, array, leading)}]",
        items=labels_along(array, found["item"]),
        chains=chain_labels(array, found),
        size=(n_draws, n_draws * array.shape[-1]),
    )


def read_matrix(value: Any, name: str, dims: Dims) -> tuple[npt.NDArray[Any], Any]:
    """One draw as a labelled array: the matrix, and its coordinate of the items or None."""
    array, item, feature = _one_matrix(value, name, dims)
    array = array.transpose(item, feature)
    labels = array.coords[item].values if item in array.coords else None
    return as_array(array.data, name=name), labels


def feature_labels(value: Any, name: str) -> Any:
    """The coordinate of the features of one matrix; an empty list if it has none."""
    array, _, feature = _one_matrix(value, name, {})
    return array.coords[feature].values if feature in array.coords else []


def _one_matrix(value: Any, name: str, dims: Dims) -> tuple[Any, Any, Any]:
    """The labelled array of one matrix, and its dimensions of items and features."""
    array = as_data_array(value, name, variable=None, dims=dims, needs_draws=False)
    found = find_dims(array, name, dims, needs_draws=False)
    return array, found["item"], found["feature"]


def as_data_array(
    value: Any, name: str, *, variable: str | None, dims: Dims, needs_draws: bool = True
) -> Any:
    """The DataArray itself, or the variable of a Dataset that holds draws."""
    if not hasattr(value, "data_vars"):
        if variable is not None and variable != value.name:
            raise ValueError(f"{name} is the single variable {value.name!r}; leave out {variable=}")
        return value
    known = {str(key): array for key, array in value.data_vars.items()}
    if variable is not None:
        if variable not in known:
            raise ValueError(f"{name} has no variable {variable!r}; {_listed(known)}")
        return known[variable]
    fitting = [key for key, array in known.items() if _may_hold_draws(array, dims, needs_draws)]
    if len(fitting) == 1:
        return known[fitting[0]]
    if fitting:
        choice = ", ".join(repr(key) for key in fitting)
        raise ValueError(
            f"{name} has several variables that may hold the draws: {choice}; name one: "
            f"Samples(..., variable={fitting[0]!r})"
        )
    raise ValueError(f"{name} has no variable that holds draws of 0 and 1; {_listed(known)}")


def find_dims(array: Any, name: str, dims: Dims, *, needs_draws: bool = True) -> dict[str, Any]:
    """Which dimension is which; refused, with the candidates, where names do not tell."""
    found = named_dims(array.dims, name, dims)
    needed = ["item", "feature"]
    if needs_draws:
        needed.insert(0, "draw")
    rest = [dim for dim in array.dims if dim not in found.values()]
    missing = [role for role in needed if role not in found]
    if missing == ["item", "feature"] and len(rest) == 2 and (pair := _numbered_pair(rest)):
        found["item"], found["feature"] = pair
    elif len(rest) == len(missing) == 1:
        found[missing[0]] = rest[0]
    elif rest or missing:
        raise ValueError(_unclear(array, name, rest, missing))
    return found


def named_dims(present: Iterable[Hashable], name: str, dims: Dims) -> dict[str, Any]:
    """The dimensions that are told by the arguments or by their usual names."""
    present = list(present)
    for role, dim in dims.items():
        if dim not in present:
            raise ValueError(
                f"{name} has no dimension {dim!r} for {role!r}; its dimensions are "
                f"{', '.join(repr(d) for d in present)}"
            )
    found: dict[str, Any] = dict(dims)
    for role, usual in NAMES.items():
        free = [dim for dim in usual if dim in present and dim not in found.values()]
        if role not in found and free:
            found[role] = free[0]
    return found


def labels_along(array: Any, dim: Any) -> tuple[str, ...] | None:
    """The labels of a dimension, or None where it has none but numbers from 0."""
    return labels_of(array.coords[dim].values) if dim in array.coords else None


def chain_labels(array: Any, found: Mapping[str, Any]) -> npt.NDArray[Any] | None:
    """(B,): the chain of each draw, from its own dimension or a coordinate of the draws."""
    draw = found["draw"]
    if "chain" in found:
        size, chain = array.sizes[found["chain"]], found["chain"]
        labels = array.coords[chain].values if chain in array.coords else np.arange(size)
        return np.repeat(labels, array.sizes[draw])
    if "chain" in array.coords and array.coords["chain"].dims == (draw,):
        return np.asarray(array.coords["chain"].values)
    return None


def _numbered_pair(dims: list[Any]) -> tuple[Any, Any] | None:
    """Dimensions such as Z_dim_0 and Z_dim_1, which PyMC and ArviZ number in their order."""
    parts = [re.fullmatch(r"(.*)_dim_(\d+)", str(dim)) for dim in dims]
    if None in parts or parts[0][1] != parts[1][1]:  # type: ignore[index]
        return None
    first, second = sorted(dims, key=lambda dim: int(str(dim).rpartition("_")[2]))
    return first, second


def _may_hold_draws(array: Any, dims: Dims, needs_draws: bool) -> bool:
    """Whether a variable has the dimensions of draws, and 0 and 1 in the first draw."""
    usual = {*NAMES["chain"], *NAMES["draw"], dims.get("chain"), dims.get("draw")}
    sample = [dim for dim in array.dims if dim in usual]
    if array.ndim - len(sample) != 2 or (needs_draws and not sample) or not array.size:
        return False
    return is_binary(as_array(array.isel(dict.fromkeys(sample, 0)).data, name="draws"))


def _unclear(array: Any, name: str, rest: list[Any], missing: list[str]) -> str:
    shape = ", ".join(f"{dim}: {size}" for dim, size in array.sizes.items())
    if missing and missing[0] == "draw" and len(rest) < len(missing):
        remedy = "give draws along 'draw', 'chain' and 'draw', or 'sample'; [array] is one draw"
    elif not missing:
        remedy = f"choose one entry of {', '.join(repr(d) for d in rest)} first, with isel or sel"
    else:
        wanted = ", ".join(f'"{role}": ...' for role in missing)
        remedy = f"say which of {', '.join(repr(d) for d in rest)} is which: dims={{{wanted}}}"
    return f"{name} has the dimensions ({shape}); {remedy}"


def _listed(known: Mapping[str, Any]) -> str:
    listed = ", ".join(f"{key} ({', '.join(map(str, a.dims))})" for key, a in known.items())
    return f"it has {listed}" if listed else "it has no variable at all"


def _place(b: int, array: Any, leading: list[Any]) -> str:
    at = np.unravel_index(b, array.shape[:-2])
    return ", ".join(f"{dim}={int(i)}" for dim, i in zip(leading, at, strict=True))
