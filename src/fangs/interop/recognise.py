"""Draws of any library, recognised by the type's module name, so that nothing is imported early.

A new library is a line here and a module that makes `Given` of its objects.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from itertools import chain, islice
from typing import Any

from fangs._validate import holds_draws
from fangs.interop.arrays import is_array, read_array
from fangs.interop.chains import depth, named_chains, read_mapping
from fangs.interop.given import ChainsGiven, Dims, Given, library
from fangs.interop.sparse import is_sparse

ROLES = ("chain", "draw", "item", "feature", "weight", "value")


def recognise(
    draws: Any,
    *,
    name: str = "draws",
    variable: str | None = None,
    dims: Mapping[str, str] | None = None,
    items: tuple[str, ...] | None = None,
) -> Given | ChainsGiven:
    """Draws in any form that fangs knows, ready to be packed."""
    told = _as_dims(dims)
    kind = library(draws)
    if kind in ("arviz", "arviz_base", "xarray"):
        from fangs.interop.inference_data import as_dataset, is_group_tree
        from fangs.interop.labelled import read_labelled

        value = as_dataset(draws, name) if is_group_tree(draws) else draws
        return read_labelled(value, name, variable=variable, dims=told)
    if kind in ("pandas", "polars", "pyarrow"):
        from fangs.interop.tables import read_table

        return read_table(draws, name, variable=variable, dims=told, items=items)
    if isinstance(draws, Mapping):
        read = read_mapping(draws, name, variable)
        if isinstance(read, ChainsGiven):
            return read
        return recognise(read, name=name, dims=dims, items=items)
    if variable is not None:
        raise TypeError(
            f"variable={variable!r} names one of several; {name} is a plain {_kind(draws)}"
        )
    if is_array(draws) or (is_sparse(draws) and len(draws.shape) != 2):
        _refuse_dims(told, name, draws)
        return read_array(draws, name)
    if hasattr(draws, "matrix") and hasattr(draws, "expected_loss"):
        raise TypeError(
            f"{name} is an Estimate, where the posterior draws are wanted; give the draws. "
            "Calls with both take the estimate first, as fangs.assess(estimate, draws): swap them"
        )
    if (remedy := holds_draws(draws)) is not None:
        raise TypeError(f"{name} is {remedy}")
    if not isinstance(draws, Iterable) or isinstance(draws, str | bytes) or is_sparse(draws):
        raise TypeError(
            f"{name} is of type {_kind(draws)}; give a list of (n, K) matrices of 0 and 1, or a "
            "(B, n, K) array"
        )
    return _read_iterable(draws, name, told)


def _read_iterable(draws: Iterable[Any], name: str, dims: Dims) -> Given | ChainsGiven:
    from fangs.interop.frames import read_list

    if isinstance(draws, list | tuple):
        if draws and isinstance(draws[0], str | os.PathLike):
            raise TypeError(
                f"{name} is a list of text, beginning with {os.fspath(draws[0])!r}; if these are "
                "files, fangs.read(files) reads each of them as a chain"
            )
        n_dims = depth(draws) - 1
    else:
        rest = iter(draws)
        first = list(islice(rest, 1))
        n_dims = depth(first) - 1
        draws = chain(first, rest)
    if n_dims >= 3:
        _refuse_dims(dims, name, draws)
        return named_chains(draws, name)
    return read_list(draws, name, dims)


def _as_dims(dims: Any) -> Dims:
    if dims is None:
        return {}
    if not isinstance(dims, Mapping):
        raise TypeError(f'dims is {dims!r}; give names by meaning, such as {{"item": "person"}}')
    for role in dims:
        if role not in ROLES:
            known = ", ".join(repr(known) for known in ROLES)
            raise ValueError(f"dims names {role!r}, which is none of {known}")
    if len(set(dims.values())) < len(dims):
        raise ValueError(f"dims gives one name to two meanings: {dict(dims)!r}")
    return dict(dims)


def _refuse_dims(dims: Dims, name: str, draws: Any) -> None:
    if dims:
        raise TypeError(f"dims={dims!r} names dimensions; {name} is a plain {_kind(draws)}")


def _kind(value: Any) -> str:
    return type(value).__name__
