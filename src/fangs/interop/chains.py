"""Chains: dicts and lists of them, told from dicts of variables and lists of draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fangs._validate import as_array
from fangs.interop.arrays import is_array
from fangs.interop.given import ChainsGiven, is_binary, library
from fangs.interop.sparse import is_sparse


def read_mapping(draws: Mapping[Any, Any], name: str, variable: str | None) -> Any:
    """Chains by name; or the one variable of a dict of variables that holds draws."""
    if variable is not None:
        if variable not in draws:
            known = ", ".join(repr(key) for key in draws)
            raise ValueError(f"{name} has no variable {variable!r}; it has {known}")
        return draws[variable]
    depths = {key: depth(value) for key, value in draws.items()}
    binary = [key for key, value in draws.items() if _holds_draws(value, depths[key])]
    if len(binary) == len(draws) > 1 and set(depths.values()) == {3}:
        return named_chains(draws, name)
    if len(binary) == 1:
        return draws[binary[0]]
    known = ", ".join(repr(key) for key in binary or draws)
    if not draws:
        raise ValueError(f"{name} is empty; at least one draw is needed")
    which = "several entries that may hold the draws" if binary else "no entry of draws of 0 and 1"
    raise ValueError(
        f"{name} is a dict with {which}: {known}; give a dict of chains, each a list of (n, K) "
        "matrices or a (B, n, K) array, or name the variable: Samples(..., variable=...)"
    )


def named_chains(chains: Any, name: str) -> ChainsGiven:
    """Chains with their names, or numbered from 0."""
    if isinstance(chains, Mapping):
        return ChainsGiven(list(chains), list(chains.values()), lambda key: f"{name}[{key!r}]")
    parts = list(chains)
    return ChainsGiven(range(len(parts)), parts, lambda c: f"{name}[{c}]")


def depth(value: Any) -> int:
    """Number of dimensions; of nested lists, how deep they go.

    Examples
    --------
    >>> depth([[0, 1], [1, 1]]), depth([np.zeros((3, 2))]), depth(7)
    (2, 3, 0)
    """
    if hasattr(value, "_fangs_depth"):  # Samples
        return int(value._fangs_depth)
    if library(value) in ("pandas", "polars", "pyarrow"):
        return 2
    if is_array(value) or is_sparse(value) or library(value) == "xarray":
        return len(value.shape) if hasattr(value, "shape") else 0
    if isinstance(value, list | tuple):
        filled = (part for part in value if not isinstance(part, list | tuple) or part)
        return 1 + (depth(next(filled, value[0])) if value else 0)
    return 0


def _holds_draws(value: Any, n_dims: int) -> bool:
    """Whether a value has the dimensions of draws, and 0 and 1 in the first draw."""
    if n_dims not in (3, 4):
        return False
    if not is_array(value):
        return True
    if not np.prod(value.shape):
        return len(value) > 0
    return is_binary(as_array(value[(0,) * (n_dims - 2)], name="draws"))
