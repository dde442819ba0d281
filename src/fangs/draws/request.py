"""Request: what a caller says about the draws, in the same words for every form and file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fangs.check.arguments import as_count
from fangs.check.labels import as_labels
from fangs.draws.roles import ROLES

__all__ = ["Request"]


@dataclass(frozen=True, eq=False)
class Request:
    """What a caller says about the draws; `Samples` says what each means."""

    variable: str | tuple[str, ...] | None = None
    """Several are chains."""
    dims: Mapping[str, str] = field(default_factory=dict)
    """Also has ``weights`` or ``chains`` that are the name of a variable or column."""
    items: tuple[str, ...] | None = None
    chains: Any = None
    weights: Any = None
    """One number per draw of the source, or the file with them."""
    burn_in: int = 0
    thin: int = 1
    keep_chains: Any = None

    @classmethod
    def of(
        cls,
        *,
        variable: Any = None,
        dims: Any = None,
        items: Any = None,
        chains: Any = None,
        weights: Any = None,
        burn_in: Any = 0,
        thin: Any = 1,
        keep_chains: Any = None,
    ) -> Request:
        """Check what a caller gave.

        Examples
        --------
        >>> request = Request.of(dims={"item": "person"}, weights="w")
        >>> dict(request.dims), request.weights
        ({'item': 'person', 'weight': 'w'}, None)
        """
        told = _checked_dims(dims)
        if isinstance(weights, str) and not os.path.isfile(weights):
            told, weights = told | {"weight": weights}, None
        if isinstance(chains, str):
            told, chains = told | {"chain": chains}, None
        if len(set(told.values())) < len(told):
            raise ValueError(f"dims gives one name to two meanings: {told!r}")
        return cls(
            _checked_variable(variable),
            told,
            as_labels(list(items) if hasattr(items, "__next__") else items, n_items=None),
            chains,
            weights,
            as_count(burn_in, name="burn_in", minimum=0),
            min(as_count(thin, name="thin"), 2**62),
            keep_chains,
        )

    def inner(self) -> Request:
        """What also holds for each part of a list: names of dimensions, and the variable."""
        return Request(variable=self.variable, dims=self.dims)


def _checked_variable(variable: Any) -> str | tuple[str, ...] | None:
    if variable is None or isinstance(variable, str):
        return variable
    is_list = isinstance(variable, list | tuple) and len(variable) > 0
    if is_list and all(isinstance(name, str) for name in variable):
        return tuple(variable)
    raise TypeError(f"variable is {variable!r}; give a name, or a list of names of chains")


def _checked_dims(dims: Any) -> dict[str, str]:
    if dims is None:
        return {}
    if not isinstance(dims, Mapping):
        raise TypeError(f'dims is {dims!r}; give names by meaning, such as {{"item": "person"}}')
    for role in dims:
        if role not in ROLES:
            known = ", ".join(repr(known) for known in ROLES)
            raise ValueError(f"dims names {role!r}, which is none of {known}")
    return dict(dims)
