"""Parameters of features in the forms that draws come in, as one list or padded array."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs.check.arguments import as_array
from fangs.draws.forms.labelled import HOME, Entry, LabelledForm
from fangs.draws.forms.list import depth
from fangs.draws.forms.stack import is_array
from fangs.draws.info import SamplesInfo
from fangs.draws.labels import matched_order
from fangs.draws.open import is_path, library
from fangs.draws.request import Request
from fangs.draws.roles import found_roles


@dataclass(frozen=True)
class Parameters:
    """Values by draw and feature, with the names of any further dimensions."""

    values: Any
    """A list of (K_b, ...) arrays, or one padded (B, K_max, ...) array."""
    name: str | None = None
    dims: tuple[str, ...] = ()
    """Names of the dimensions behind the features, where they have names."""
    coords: dict[str, Any] = field(default_factory=dict)


def as_parameters(
    parameters: Any,
    info: SamplesInfo,
    *,
    variable: str | None = None,
    feature_dim: str | None = None,
) -> Parameters:
    """Parameters in any form that `Alignment.apply` takes, in the order of the draws.

    In a file of R or MATLAB `variable` is the place of the values, such as
    ``"samples[[]]@parameters"``, where ``@`` leads to an attribute.
    """
    if isinstance(parameters, Parameters):
        return parameters
    if is_path(parameters):
        from fangs.formats import read_values

        if variable is None:
            raise TypeError("parameters is a file; say where they are in it with variable=")
        return Parameters(read_values(parameters, variable=variable))
    kind = library(parameters)
    if kind in ("arviz", "arviz_base", "xarray"):
        return _labelled(parameters, info, variable, feature_dim)
    if variable is not None or feature_dim is not None:
        raise TypeError("variable and feature_dim name parts of an xarray object")
    if kind in ("pandas", "polars", "pyarrow"):
        raise TypeError(
            f"parameters is a {kind} table; give a list of (K_b, ...) arrays, one per draw, or a "
            "padded (B, K_max, ...) array"
        )
    if isinstance(parameters, list | tuple) and _is_chains(parameters, info):
        parameters = dict(zip(info.chain_names, parameters, strict=True))
    if isinstance(parameters, Mapping):
        return Parameters(_by_chain(parameters, info))
    if is_array(parameters):
        return Parameters(_padded(as_array(parameters, name="parameters"), info))
    return Parameters(parameters)


def _is_chains(parts: Sequence[Any], info: SamplesInfo) -> bool:
    """Whether a list holds one part per chain, each as long as the chain, and not one per draw."""
    n_chains = len(info.chain_names)
    if len(parts) == info.n_draws or len(parts) != n_chains or any(depth(p) < 2 for p in parts):
        return False
    lengths = np.bincount(info.chain_codes, minlength=n_chains)
    return all(len(part) == length for part, length in zip(parts, lengths, strict=True))


def _padded(array: npt.NDArray[Any], info: SamplesInfo) -> npt.NDArray[Any]:
    """(B, K_max, ...): chains, where they are the first dimension, one after the other."""
    is_by_draw = array.ndim < 3 or len(array) == info.n_draws
    if is_by_draw or array.shape[0] * array.shape[1] != info.n_draws:
        return array
    rows, names = array.reshape(-1, *array.shape[2:]), info.chain_names
    if not names:
        return rows
    chains = np.repeat(np.arange(len(array)), array.shape[1])
    given = names if len(names) == len(array) else range(len(array))
    return rows[_order_of_draws(chains, given, info, "parameters")]


def _by_chain(chains: Mapping[Any, Any], info: SamplesInfo) -> list[Any]:
    """One entry per draw, out of the chain that the draw is in."""
    if info.chains is None:
        raise ValueError(
            "parameters is a dict of chains, but the draws have no chains; label them: "
            "Samples(draws, chains=labels)"
        )
    parts = [list(part) for part in chains.values()]
    of_row = np.repeat(np.arange(len(parts)), list(map(len, parts)))
    rows = [values for part in parts for values in part]
    return [rows[i] for i in _order_of_draws(of_row, list(chains), info, "parameters")]


def _order_of_draws(
    chains: IntArray, given: Sequence[Any], info: SamplesInfo, where: str
) -> IntArray:
    """The row of each draw: chains are matched by name, draws by their order in them.

    `chains` are the chains of the rows as positions in `given`.
    """
    order = np.empty(info.n_draws, dtype=np.int64)
    labels = [str(name) for name in info.chain_names]
    place = matched_order([str(name) for name in given], labels, name=where, other="the draws")
    for c, name in enumerate(info.chain_names):
        rows, draws = np.flatnonzero(chains == place[c]), np.flatnonzero(info.chain_codes == c)
        if len(rows) != len(draws):
            raise ValueError(
                f"{where} has {len(rows)} draws of chain {name!r}, but there are {len(draws)}"
            )
        order[draws] = rows
    return order


def _labelled(
    value: Any, info: SamplesInfo, variable: str | None, feature_dim: str | None
) -> Parameters:
    """A variable of an xarray or ArviZ object."""
    form = LabelledForm.of(value, "parameters")
    entry = _entry(form, variable)
    array, where = entry.array, entry.name
    told = {} if feature_dim is None else {"feature": feature_dim}
    roles = found_roles(array.dims, told, name=where)
    dims: dict[str, Hashable] = {
        role: roles[role] for role in ("chain", "draw", "feature") if role in roles
    }
    if "draw" not in dims:
        raise ValueError(
            f"{where} has the dimensions {', '.join(map(str, array.dims))}, none of which is draw "
            "or sample; rename that of the draws"
        )
    rest = [dim for dim in array.dims if dim not in dims.values()]
    if "feature" not in dims:
        dims["feature"] = _feature_dim(rest, where)
        rest.remove(dims["feature"])
    leading = [dims[role] for role in ("chain", "draw") if role in dims]
    array = array.transpose(*leading, dims["feature"], *rest)
    rows = as_array(array.data, name=where).reshape(-1, *array.shape[len(leading) :])
    if len(rows) != info.n_draws:
        raise ValueError(f"{where} has {len(rows)} draws, but there are {info.n_draws}")
    chains = form.along("chain", entry, dims, Request())
    if chains is not None and info.chains is not None:
        given, of_row = np.unique(chains, return_inverse=True)
        rows = rows[_order_of_draws(of_row, given.tolist(), info, where)]
    coords = {str(dim): form.coordinate(entry.group, dim) for dim in rest}
    coords = {dim: labels for dim, labels in coords.items() if labels is not None}
    return Parameters(rows, str(entry.key) or None, tuple(map(str, rest)), coords)


def _entry(form: LabelledForm, variable: str | None) -> Entry:
    """The variable of this name, or the only one of the posterior."""
    entries = form.entries()
    usual = [name for name, entry in entries.items() if entry.group in HOME]
    if variable is None and len(usual) == 1:
        return entries[usual[0]]
    if variable is None or variable not in entries:
        problem = "has several variables" if variable is None else f"has no variable {variable!r}"
        known = ", ".join(usual or entries)
        raise ValueError(f"parameters {problem}; choose one with variable=: {known}")
    return entries[variable]


def _feature_dim(rest: Sequence[Any], where: str) -> Any:
    """The dimension of the features: the only one, or number 0 of those that are numbered."""
    numbered = [dim for dim in rest if str(dim).endswith("_dim_0")]
    if len(rest) == 1 or len(numbered) == 1:
        return (numbered or rest)[0]
    candidates = ", ".join(repr(dim) for dim in rest) or "none"
    raise ValueError(
        f"{where} does not tell which dimension is that of the features (candidates: "
        f"{candidates}); name it: feature_dim=..."
    )
