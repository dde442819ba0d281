"""Labelled arrays of xarray and ArviZ, in memory or lazy: what has names is matched by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.check.arguments import as_array
from fangs.check.labels import as_chains, as_labels
from fangs.draws.form import NamedMatrix
from fangs.draws.forms.blocks import read_blocks
from fangs.draws.forms.dimensions import find_dims, is_numbered
from fangs.draws.labels import first_number, labels_or_none, text_of
from fangs.draws.request import Request
from fangs.draws.roles import found_roles
from fangs.draws.source import DrawSource
from fangs.draws.variables import Variable, choose

__all__ = ["LabelledForm", "computed", "of"]

HOME = ("", "posterior")
"""Groups whose variables need no group in their name, and may be the draws."""

ESTIMATE = "Z_hat"
"""What `Estimate.to_xarray` calls the matrix."""

_NOT_BINARY = "its first draw has values other than 0 and 1"


def computed(variable: Any) -> npt.NDArray[Any]:
    """The values of a variable of xarray, read or computed."""
    return as_array(variable.data, name="draws")


@dataclass(frozen=True)
class _Group:
    """Variables and coordinates together, and which of them are variables."""

    variables: Mapping[Hashable, Any]
    data: tuple[Hashable, ...]


@dataclass(frozen=True)
class _Entry:
    """One variable, where it is and what complaints call it."""

    group: str
    key: Hashable
    array: Any
    name: str


def of(value: Any, name: str) -> LabelledForm:
    """The form of a DataArray, Dataset, DataTree or InferenceData."""
    return LabelledForm.of(value, name)


class LabelledForm:
    """Variables with named dimensions, maybe in groups; nothing is read before it is needed."""

    def __init__(
        self,
        datasets: Mapping[str, Any],
        name: str = "draws",
        *,
        load: Callable[[Any], npt.NDArray[Any]] = computed,
    ) -> None:
        self._groups = {
            path: _Group(each.variables, tuple(each.data_vars)) for path, each in datasets.items()
        }
        self._name, self._load = name, load
        self._is_single = False

    @classmethod
    def of(cls, value: Any, name: str) -> LabelledForm:
        """The form of a DataArray, Dataset, DataTree or InferenceData."""
        if hasattr(value, "subtree_with_keys"):
            nodes = value.subtree_with_keys
            return cls({path.strip("./"): node.to_dataset() for path, node in nodes}, name)
        if callable(getattr(value, "groups", None)):  # InferenceData
            return cls({group: value[group] for group in value.groups()}, name)
        if hasattr(value, "data_vars"):
            return cls({"": value}, name)
        if not hasattr(value, "coords"):
            raise TypeError(
                f"{name} is of type {type(value).__name__}; give a DataArray, Dataset or DataTree"
            )
        form = cls({}, name)
        labels = {key: array.variable for key, array in value.coords.items()}
        key = "" if value.name is None or value.name in labels else value.name
        form._groups[""] = _Group({**labels, key: value.variable}, (key,))
        form._is_single = True
        return form

    def variables(self, request: Request) -> list[Variable]:
        """Draws, nearly draws and other variables; of what may be draws, the first one is read."""
        entries = self._entries()
        present = {dim: None for entry in entries.values() for dim in entry.array.dims}
        for group in self._groups.values():
            present |= dict.fromkeys(group.variables)
        found_roles(present, request.dims, name=self._name)  # refuses what is nowhere
        rows = [self._row(called, entry, request) for called, entry in entries.items()]
        return sorted(rows, key=lambda row: (row.problem or "").endswith(_NOT_BINARY))

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """The draws of a variable, read a block at a time."""
        entry = self._entry(variable, request)
        array, dims = entry.array, self._dims(entry, request)
        leading = _sizes(array, dims)
        n_draws = math.prod(leading.values())
        items, first_item = self._items(entry.group, dims["item"])

        def called(b: int) -> str:
            at = zip(leading, np.unravel_index(b, tuple(leading.values())), strict=True)
            return f"{entry.name}[{', '.join(f'{dim}={int(i)}' for dim, i in at)}]"

        return DrawSource(
            n_draws=n_draws,
            read=lambda at: read_blocks(array, dims, at, self._load),
            name=called,
            items=items,
            first_item=first_item,
            chains=as_chains(self._along("chain", entry, dims, request), n_draws=n_draws),
            weights=self._along("weight", entry, dims, request),
        )

    def lazy(self, variable: str | None, request: Request) -> Any:
        """The draws as a lazy DataArray, (draw, item, feature) or with chain, in any order.

        Its dimensions have these names, and it has no coordinates: `draws` knows the labels.
        """
        import xarray

        entry = self._entry(variable, request)
        dims = self._dims(entry, request)
        return xarray.DataArray(entry.array).rename({dim: role for role, dim in dims.items()})

    def matrix(self, request: Request) -> NamedMatrix:
        """The matrix of an estimate, or the only one of 0 and 1 that is there."""
        entries, variable = self._entries(), request.variable
        if self._is_single or isinstance(variable, str):
            entry = self._entry(variable if isinstance(variable, str) else None, request)
        elif ESTIMATE in entries:
            entry = entries[ESTIMATE]
        else:
            flat = {key: entry for key, entry in entries.items() if self._is_matrix(entry)}
            if len(flat) != 1:
                raise ValueError(
                    f"{self._name} needs a variable {ESTIMATE!r} (item, feature), or one alone of "
                    f"two dimensions and 0 and 1; it has {self._listed(flat or entries)}"
                )
            entry = next(iter(flat.values()))
        told = {r: dim for r, dim in request.dims.items() if r in ("item", "feature")}
        dims = find_dims(entry.array.sizes, told, name=entry.name, needs_draws=False)
        values = self._load(entry.array)
        order = [entry.array.dims.index(dims[role]) for role in ("item", "feature")]
        features = self._coordinate(entry.group, dims["feature"])
        names = None if features is None else labels_or_none(features)
        labels = self._coordinate(entry.group, dims["item"])
        items = None if labels is None else tuple(map(text_of, labels))
        return NamedMatrix(values.transpose(order), items, names or ())

    def _entries(self) -> dict[str, _Entry]:
        """All variables, by what ``variable=`` calls them."""
        found: dict[str, _Entry] = {}
        for path, group in self._groups.items():
            for key in group.data:
                called = str(key) if path in HOME else f"{path}/{key}"
                called = f"{path}/{key}" if called in found else called
                name = f"{self._name}.{called}" if called else self._name
                found[called] = _Entry(path, key, group.variables[key], name)
        return found

    def _entry(self, variable: str | None, request: Request) -> _Entry:
        """The variable of this name, or the only one that may be the draws."""
        entries = self._entries()
        variable = request.dims.get("value") if variable is None else variable
        if self._is_single:
            ((called, entry),) = entries.items()
            if variable not in (None, called):
                raise ValueError(
                    f"{self._name} is the single variable {called!r}; leave out {variable=}"
                )
            return entry
        if variable is None:
            return entries[choose(self.variables(request), name=self._name)]
        plain = variable.removeprefix("posterior/")
        if variable not in entries and plain in entries:
            variable = plain
        if variable not in entries:
            raise ValueError(
                f"{self._name} has no variable {variable!r}; it has {self._listed(entries)}"
            )
        return entries[variable]

    def _dims(self, entry: _Entry, request: Request) -> dict[str, Hashable]:
        return find_dims(entry.array.sizes, request.dims, name=entry.name)

    def _row(self, called: str, entry: _Entry, request: Request) -> Variable:
        """What is said of a variable."""
        array = entry.array
        what = f"{array.dtype} ({', '.join(map(str, array.dims))})"
        told = [dim for role, dim in request.dims.items() if role in ("draw", "item", "feature")]
        named = found_roles(array.dims)
        along = [named[role] for role in ("chain", "draw") if role in named]
        if array.ndim < 3 or array.ndim - len(along) < 2 or not set(told) <= set(array.dims):
            return Variable(called, what)
        try:
            dims = self._dims(entry, request)
        except ValueError as error:
            near = self._is_binary(array, along)
            return Variable(called, what, problem=str(error) if near else None)
        leading = _sizes(array, dims)
        if not self._is_binary(array, list(leading)):
            return Variable(called, what, problem=f"{entry.name} is {what}; {_NOT_BINARY}")
        if entry.group not in HOME:
            words = f"{what} of the group {entry.group!r}; read it with variable={called!r}"
            return Variable(called, what, problem=words)
        n_items, width = array.sizes[dims["item"]], array.sizes[dims["feature"]]
        chains = self._along("chain", entry, dims, request)
        n_chains = None if chains is None else len(set(chains.tolist()))
        items = self._items(entry.group, dims["item"])[0]
        n_draws = math.prod(leading.values())
        return Variable(called, what, n_draws, n_items, (width, width), n_chains, items)

    def _is_binary(self, array: Any, along: list[Hashable]) -> bool:
        """Whether the first matrix of two dimensions holds 0, 1, or padding alone."""
        if array.dtype.kind not in "biuf":
            return False
        others = [dim for dim in array.dims if dim not in along]
        if not array.size:
            return True
        first = self._load(array.isel(dict.fromkeys([*along, *others[:-2]], 0)))
        return bool(((first == 0) | (first == 1) | (first == -1) | (first != first)).all())

    def _is_matrix(self, entry: _Entry) -> bool:
        return entry.array.ndim == 2 and self._is_binary(entry.array, [])

    def _coordinate(self, group: str, dim: Hashable) -> npt.NDArray[Any] | None:
        """The labels of a dimension, which may be those of a group above; None if it has none."""
        for path in (group, *(group[:at] for at, c in enumerate(group) if c == "/"), ""):
            array = self._groups[path].variables.get(dim) if path in self._groups else None
            if array is not None and array.dims == (dim,):
                return self._labels(array)
        return None

    def _items(self, group: str, dim: Hashable) -> tuple[tuple[str, ...] | None, int]:
        """Labels of the items or None, and where they count from if they only count."""
        labels = self._coordinate(group, dim)
        if labels is None:
            return None, 1
        as_labels(labels, n_items=None)  # none is missing or twice
        first = first_number(labels)
        is_default = first == 0 and is_numbered(dim)  # ArviZ counts what nobody has named
        return labels_or_none(labels), 1 if first is None or is_default else first

    def _along(
        self, role: str, entry: _Entry, dims: Mapping[str, Hashable], request: Request
    ) -> npt.NDArray[Any] | None:
        """The chain or the weight of each draw; None where nothing has such a name."""
        leading = _sizes(entry.array, dims)
        if role in dims:  # chains of equal length
            labels = self._coordinate(entry.group, dims[role])
            labels = np.arange(leading[dims[role]]) if labels is None else labels
            return np.repeat(labels, leading[dims["draw"]])
        known = {
            key: array
            for key, array in self._groups[entry.group].variables.items()
            if array.dims and set(array.dims) <= set(leading) and key != entry.key
        }
        told = {role: request.dims[role]} if role in request.dims else {}
        found = found_roles(known, told, name=entry.name).get(role)
        if found is None:
            return None
        array = known[found]
        there = [dim for dim in leading if dim in array.dims]
        values = self._labels(array).transpose([array.dims.index(dim) for dim in there])
        values = values.reshape([leading[dim] if dim in there else 1 for dim in leading])
        return np.broadcast_to(values, tuple(leading.values())).ravel()

    def _labels(self, array: Any) -> npt.NDArray[Any]:
        values = self._load(array)
        return np.char.decode(values, "utf-8") if values.dtype.kind == "S" else values

    def _listed(self, entries: Mapping[str, _Entry]) -> str:
        listed = [
            f"{called} ({', '.join(map(str, entry.array.dims))})"
            for called, entry in entries.items()
        ]
        return ", ".join(listed[:8]) or "no variable at all"


def _sizes(array: Any, dims: Mapping[str, Hashable]) -> dict[Hashable, int]:
    """The dimensions of the draws, chains first, and how long they are."""
    leading = (dims[role] for role in ("chain", "draw") if role in dims)
    return {dim: int(array.sizes[dim]) for dim in leading}
