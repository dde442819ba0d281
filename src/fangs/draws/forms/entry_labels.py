"""Entries that say something about the draws beside them: labels of items and chains, weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.check.arguments import as_array
from fangs.check.labels import as_chains
from fangs.draws.forms.list import depth
from fangs.draws.forms.stack import is_array
from fangs.draws.labels import labels_or_none, text_of
from fangs.draws.request import Request
from fangs.draws.roles import ROLES, found_roles
from fangs.draws.source import DrawSource
from fangs.draws.variables import Variable

__all__ = ["EntryLabels"]


class EntryLabels:
    """The labels among entries, by their role; `keys` are the entries that they are in."""

    def __init__(self, entries: Mapping[str, Any], name: str, request: Request) -> None:
        self._entries, self._name = entries, name
        self._request = request
        told = {role: key for role, key in request.dims.items() if key in entries}
        found = found_roles(entries, told, name=name)
        self.keys = {
            role: key
            for role, key in found.items()
            if role != "value" and (role in told or self._may_label(role, key))
        }

    def of(self, role: str) -> list[Any]:
        """The labels or weights of a role."""
        key = self.keys[role]
        values = as_array(self._entries[key], name=f"{self._name}[{key!r}]").ravel().tolist()
        return [text_of(value) if isinstance(value, bytes) else value for value in values]

    def inner(self, request: Request) -> Request:
        """What is left for an entry: what ``dims`` says of names that are not here."""
        left = {role: key for role, key in request.dims.items() if key not in self._entries}
        items = None if "item" in self.keys else request.items
        return replace(request, dims=left, variable=None, items=items)

    def describe(self, row: Variable) -> Variable:
        """What is said of draws, with these labels."""
        chains = len(set(self.of("chain"))) if "chain" in self.keys else row.chains
        items = labels_or_none(self.of("item")) if "item" in self.keys else None
        return replace(row, chains=chains, items=row.items or items)

    def apply(self, source: DrawSource) -> DrawSource:
        """The draws with these labels; what the request gives itself is left to it."""
        found: dict[str, Any] = {}
        if "item" in self.keys and source.items is None:
            source = source.labelled(self.of("item"))
        if "chain" in self.keys and self._request.chains is None:
            labels = self.of("chain")
            if source.chains is not None and len(labels) < source.n_draws:
                each, codes = np.unique(source.chains, return_inverse=True)
                if len(labels) == len(each):  # a label for each chain of the array
                    labels = [labels[code] for code in codes]
            self._check("chain", len(labels), source)
            found["chains"] = as_chains(labels, n_draws=source.n_draws)
        if "weight" in self.keys and self._request.weights is None:
            weights = np.array(self.of("weight"))
            self._check("weight", len(weights), source)
            found["weights"] = weights
        return replace(source, **found)

    def _check(self, role: str, n_found: int, source: DrawSource) -> None:
        """Refuse labels that are not one for each draw, or lie as (draw, chain)."""
        value, fits = self._entries[self.keys[role]], n_found == source.n_draws
        shape = np.shape(value)
        if fits and source.chains is not None and not _is_vector(value) and len(shape) == 2:
            fits = shape[0] == len(np.unique(source.chains))
        if not fits:
            raise ValueError(
                f"{self._name}[{self.keys[role]!r}] has {n_found} values of shape {shape}, but "
                f"there are {source.n_draws} draws; give one for each: {role}s=[...]"
            )

    def _may_label(self, role: str, key: str) -> bool:
        """Whether an entry with the name of a role has the form of labels or weights."""
        value = self._entries[key]
        if role in ("chain", "weight") and depth(value) == 2:  # (chain, draw)
            return True
        if not _is_vector(value):
            return False
        if role != "item" or key.lower() in ROLES["item"][:2]:
            return True
        values: npt.NDArray[Any] = as_array(value, name=key)
        return values.dtype.kind in "OSU"  # numbers that are called obs may be the data


def _is_vector(value: Any) -> bool:
    """Whether it has one dimension, or one row or column as MATLAB's vectors have."""
    if is_array(value):
        return len(value.shape) in (1, 2) and sum(extent != 1 for extent in value.shape) <= 1
    return isinstance(value, list | tuple) and depth(value) == 1
