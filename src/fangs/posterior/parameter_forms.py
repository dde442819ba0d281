"""Parameters of features in the forms that draws come in, as one list or padded array."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs.check.arguments import as_array
from fangs.draws.forms.list import depth
from fangs.draws.forms.stack import is_array
from fangs.draws.labels import matched_order
from fangs.draws.open import is_path, library
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
    n_draws: int,
    codes: IntArray,
    names: Sequence[str | int],
    *,
    variable: str | None = None,
    feature_dim: str | None = None,
) -> Parameters:
    """Parameters in any form, in the order of the draws.

    Parameters
    ----------
    parameters
        A list of (K_b, ...) arrays; a padded (B, K_max, ...) or (chain, draw, K_max, ...) array; a
        list or dict of chains of these; an xarray or ArviZ object; or a file of R or MATLAB.
    n_draws, codes, names
        Number of draws; the chain of each as a position in the chains' names.
    variable, feature_dim
        Names in an xarray object, where they are not clear; in a file the place of the values, such
        as ``"samples[[]]@parameters"``, where ``@`` leads to an attribute.
    """
    if is_path(parameters):
        from fangs.formats import read_values

        if variable is None:
            raise TypeError("parameters is a file; say where they are in it with variable=")
        return Parameters(read_values(parameters, variable=variable))
    kind = library(parameters)
    if kind in ("arviz", "arviz_base", "xarray"):
        return _labelled(parameters, n_draws, codes, names, variable, feature_dim)
    if variable is not None or feature_dim is not None:
        raise TypeError("variable and feature_dim name parts of an xarray object")
    if kind in ("pandas", "polars", "pyarrow"):
        raise TypeError(
            f"parameters is a {kind} table; give a list of (K_b, ...) arrays, one per draw, or a "
            "padded (B, K_max, ...) array"
        )
    if isinstance(parameters, Mapping):
        return Parameters(_by_chain(parameters, n_draws, codes, names))
    if is_array(parameters):
        return Parameters(_array(as_array(parameters, name="parameters"), n_draws, codes, names))
    if isinstance(parameters, list | tuple) and _is_chains(parameters, n_draws, codes, names):
        return Parameters(
            _by_chain(dict(zip(names, parameters, strict=True)), n_draws, codes, names)
        )
    return Parameters(parameters)


def _is_chains(
    parts: Sequence[Any], n_draws: int, codes: IntArray, names: Sequence[str | int]
) -> bool:
    """Whether a list holds one part per chain, each as long as the chain, and not one per draw."""
    if len(parts) == n_draws or len(parts) != len(names) or any(depth(part) < 2 for part in parts):
        return False
    lengths = np.bincount(codes, minlength=len(names))
    return all(len(part) == length for part, length in zip(parts, lengths, strict=True))


def _array(
    array: npt.NDArray[Any], n_draws: int, codes: IntArray, names: Sequence[str | int]
) -> npt.NDArray[Any]:
    """(B, K_max, ...): chains, where they are the first dimension, one after the other."""
    if array.ndim < 3 or len(array) == n_draws:
        return array
    lengths = np.bincount(codes, minlength=len(names)) if names else np.array([n_draws])
    if array.shape[0] == len(lengths) and (lengths == array.shape[1]).all():
        return _interleaved(array.reshape(-1, *array.shape[2:]), codes, names)
    if not names and array.shape[0] * array.shape[1] == n_draws:
        return array.reshape(-1, *array.shape[2:])
    return array


def _by_chain(
    chains: Mapping[Any, Any], n_draws: int, codes: IntArray, names: Sequence[str | int]
) -> list[Any]:
    """One entry per draw, out of the chain that the draw is in."""
    if not names:
        raise ValueError(
            "parameters is a dict of chains, but the draws have no chains; label them: "
            "Samples(draws, chains=labels)"
        )
    keys = [str(key) for key in chains]
    order = matched_order(keys, [str(n) for n in names], name="parameters", other="the draws")
    parts = [list(chains[list(chains)[c]]) for c in order]
    for c, part in enumerate(parts):
        length = int((codes == c).sum())
        if len(part) != length:
            raise ValueError(
                f"parameters has {len(part)} draws of chain {names[c]!r}, but there are {length}"
            )
    flat = [values for part in parts for values in part]
    first = np.argsort(np.argsort(codes, kind="stable"), kind="stable")
    return [flat[i] for i in first]


def _interleaved(
    rows: npt.NDArray[Any], codes: IntArray, names: Sequence[str | int]
) -> npt.NDArray[Any]:
    """Rows chain by chain, put into the order of the draws."""
    if not names:
        return rows
    return rows[np.argsort(np.argsort(codes, kind="stable"), kind="stable")]


def _labelled(
    value: Any,
    n_draws: int,
    codes: IntArray,
    names: Sequence[str | int],
    variable: str | None,
    feature_dim: str | None,
) -> Parameters:
    array = _variable(_dataset(value), variable)
    where = "parameters" if array.name is None else f"parameters.{array.name}"
    told = {} if feature_dim is None else {"feature": feature_dim}
    found: dict[str, Any] = dict(found_roles(array.dims, told, name=where))
    found = {role: found[role] for role in ("chain", "draw", "feature") if role in found}
    if "draw" not in found:
        raise ValueError(
            f"{where} has the dimensions {', '.join(map(str, array.dims))}, none of which is draw "
            "or sample; rename that of the draws"
        )
    if "feature" not in found:
        found["feature"] = _feature_dim(array, found, where)
    leading = [found[role] for role in ("chain", "draw") if role in found]
    rest = [dim for dim in array.dims if dim not in found.values()]
    array = array.transpose(*leading, found["feature"], *rest)
    labels = _chain_labels(array, found)
    rows = as_array(array.data, name=where).reshape(-1, *array.shape[len(leading) :])
    if len(rows) != n_draws:
        raise ValueError(f"{where} has {len(rows)} draws, but there are {n_draws}")
    if labels is not None and names:
        rows = _matched_chains(rows, labels, codes, names, where)
    coords = {str(dim): array.coords[dim].values for dim in rest if dim in array.coords}
    name = None if array.name is None else str(array.name)
    return Parameters(rows, name, tuple(str(dim) for dim in rest), coords)


def _dataset(value: Any) -> Any:
    """The group posterior of what has groups; anything else as it is."""
    if hasattr(value, "children"):  # DataTree
        return value.children.get("posterior", value).to_dataset()
    if callable(getattr(value, "groups", None)):  # InferenceData
        if "posterior" not in value.groups():
            listed = ", ".join(value.groups()) or "none"
            raise ValueError(f"parameters has no group 'posterior'; its groups: {listed}")
        return value["posterior"]
    return value


def _chain_labels(array: Any, found: Mapping[str, Any]) -> npt.NDArray[Any] | None:
    """(B,): the chain of each draw, from its dimension or from a coordinate of the draws."""
    draw = found["draw"]
    if "chain" in found:
        size, chain = array.sizes[found["chain"]], found["chain"]
        labels = array.coords[chain].values if chain in array.coords else np.arange(size)
        return np.repeat(labels, array.sizes[draw])
    if "chain" in array.coords and array.coords["chain"].dims == (draw,):
        return np.asarray(array.coords["chain"].values)
    return None


def _variable(value: Any, variable: str | None) -> Any:
    if not hasattr(value, "data_vars"):
        return value
    known = [str(key) for key in value.data_vars]
    if variable is None and len(known) == 1:
        return value[known[0]]
    if variable is None or variable not in known:
        problem = "has several variables" if variable is None else f"has no variable {variable!r}"
        raise ValueError(f"parameters {problem}; choose one with variable=: {', '.join(known)}")
    return value[variable]


def _feature_dim(array: Any, found: Mapping[str, Any], where: str) -> Any:
    """The dimension of the features: the only one, or number 0 of those that are numbered."""
    rest = [dim for dim in array.dims if dim not in found.values()]
    numbered = [dim for dim in rest if str(dim).endswith("_dim_0")]
    if len(rest) == 1 or len(numbered) == 1:
        return (numbered or rest)[0]
    candidates = ", ".join(repr(dim) for dim in rest) or "none"
    raise ValueError(
        f"{where} does not tell which dimension is that of the features (candidates: "
        f"{candidates}); name it: feature_dim=..."
    )


def _matched_chains(
    rows: npt.NDArray[Any],
    labels: npt.NDArray[Any],
    codes: IntArray,
    names: Sequence[str | int],
    where: str,
) -> npt.NDArray[Any]:
    """Rows in the order of the draws, chains matched by name and draws by their order in them."""
    given = list(dict.fromkeys(labels.tolist()))
    place = matched_order(
        [str(name) for name in given], [str(n) for n in names], name=where, other="the draws"
    )
    own = {given[c]: i for i, c in enumerate(place)}
    of_row = np.array([own[label] for label in labels.tolist()], dtype=np.int64)
    lengths, wanted = np.bincount(of_row), np.bincount(codes)
    if not np.array_equal(lengths, wanted):
        c = int(np.argmax(lengths != wanted))
        raise ValueError(
            f"{where} has {lengths[c]} draws of chain {names[c]!r}, but there are {wanted[c]}"
        )
    out = np.empty_like(rows)
    out[np.argsort(codes, kind="stable")] = rows[np.argsort(of_row, kind="stable")]
    return out
