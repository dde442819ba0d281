"""Labelled arrays of xarray and ArviZ, in memory or lazy: what has names is matched by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs.check.arguments import as_array
from fangs.check.labels import as_chains, as_labels
from fangs.draws.form import NamedMatrix
from fangs.draws.forms.blocks import read_blocks
from fangs.draws.forms.dimensions import find_dims, is_numbered
from fangs.draws.forms.stack import is_binary
from fangs.draws.labels import first_number, labels_or_none, text_of
from fangs.draws.request import Request
from fangs.draws.roles import found_roles
from fangs.draws.source import DrawSource
from fangs.draws.variables import Variable, choose

__all__ = ["HOME", "N_ONES", "Entry", "LabelledForm", "computed", "counted_of", "of"]

HOME = ("", "posterior")
"""Groups whose variables need no group in their name, and may be the draws."""

ESTIMATE = "Z_hat"
"""What `Estimate.to_xarray` calls the matrix."""

N_ONES = "n_ones"
"""What our files call the number of ones of each draw."""

_NOT_BINARY = "its first draw has values other than 0 and 1"


def counted_of(name: str, n_items: int, n_columns: int) -> dict[str, Any]:
    """What `N_ONES` says of the array that it counts: parts of it, in memory, have other ones."""
    return {"of": name, "n_items": n_items, "n_columns": n_columns}


def computed(variable: Any) -> npt.NDArray[Any]:
    """The values of a variable of xarray, read or computed."""
    return as_array(variable.data, name="draws")


@dataclass(frozen=True)
class Entry:
    """One variable, where it is and what complaints call it."""

    group: str
    key: Hashable
    array: Any
    name: str


class LabelledForm:
    """Variables with named dimensions, maybe in groups; nothing is read before it is needed.

    `groups` are datasets by their path, `load` reads a variable or a part of one, and `is_single`
    says that it is one array, whose name nobody needs.
    """

    def __init__(
        self,
        groups: Mapping[str, Any],
        name: str = "draws",
        *,
        load: Callable[[Any], npt.NDArray[Any]] = computed,
        is_single: bool = False,
    ) -> None:
        self._groups, self._name, self._load, self._is_single = groups, name, load, is_single

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
        called = "" if value.name is None or value.name in value.coords else value.name
        return cls({"": value.to_dataset(name=called)}, name, is_single=True)

    def variables(self, request: Request) -> list[Variable]:
        """Draws, nearly draws and other variables; of what may be draws, the first one is read."""
        entries = self.entries()
        groups = self._groups.values()
        present = [name for group in groups for name in (*group.dims, *group.variables)]
        found_roles(present, request.dims, name=self._name)  # refuses what is nowhere
        rows = [self._row(called, entry, request) for called, entry in entries.items()]
        return sorted(rows, key=lambda row: (row.problem or "").endswith(_NOT_BINARY))

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """The draws of a variable, read a block at a time."""
        entry = self._entry(variable, request)
        array, dims = entry.array, self._dims(entry, request)
        leading = _sizes(array, dims)
        n_draws = math.prod(leading.values())

        def called(b: int) -> str:
            at = zip(leading, np.unravel_index(b, tuple(leading.values())), strict=True)
            return f"{entry.name}[{', '.join(f'{dim}={int(i)}' for dim, i in at)}]"

        source = DrawSource(
            n_draws=n_draws,
            read=lambda at: self._blocks(array, dims, at),
            name=called,
            chains=as_chains(self.along("chain", entry, dims, request), n_draws=n_draws),
            weights=self.along("weight", entry, dims, request),
        )
        items = self._items(entry.group, dims["item"])
        source = source.counted(self._counts(entry, dims))
        return source.labelled(None if items is None else list(items))

    def lazy(self, variable: str | None, request: Request) -> Any:
        """The draws as a lazy DataArray (chain, draw, item, feature), in any order, with items."""
        import xarray

        entry = self._entry(variable, request)
        dims = self._dims(entry, request)
        array = xarray.DataArray(entry.array).rename({dim: role for role, dim in dims.items()})
        items = self._items(entry.group, dims["item"])
        return array if items is None else array.assign_coords(item=items)

    def matrix(self, request: Request) -> NamedMatrix:
        """The matrix of an estimate, or the only one of 0 and 1 that is there."""
        entries, variable = self.entries(), request.variable
        if self._is_single or isinstance(variable, str):
            entry = self._entry(variable if isinstance(variable, str) else None, request)
        else:
            flat = {key: entry for key, entry in entries.items() if self._is_matrix(entry)}
            flat = {ESTIMATE: entries[ESTIMATE]} if ESTIMATE in entries else flat
            if len(flat) != 1:
                raise ValueError(
                    f"{self._name} needs a variable {ESTIMATE!r} (item, feature), or one alone of "
                    f"two dimensions and 0 and 1; it has {self._listed(flat or entries)}"
                )
            (entry,) = flat.values()
        told = {r: dim for r, dim in request.dims.items() if r in ("item", "feature")}
        dims = find_dims(entry.array.sizes, told, name=entry.name, needs_draws=False)
        values = self._load(entry.array)
        if entry.array.dims.index(dims["item"]) == 1:
            values = values.T
        items, features = (self.coordinate(entry.group, dims[r]) for r in ("item", "feature"))
        names = None if items is None else tuple(map(text_of, items))
        return NamedMatrix(values, names, labels_or_none(features) or ())

    def entries(self) -> dict[str, Entry]:
        """All variables, by what ``variable=`` calls them."""
        found: dict[str, Entry] = {}
        for path, group in self._groups.items():
            for key in group.data_vars:
                called = str(key) if path in HOME else f"{path}/{key}"
                called = f"{path}/{key}" if called in found else called
                name = f"{self._name}.{called}" if called else self._name
                found[called] = Entry(path, key, group.variables[key], name)
        return found

    def _entry(self, variable: str | None, request: Request) -> Entry:
        """The variable of this name, or the only one that may be the draws."""
        entries = self.entries()
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
        for called in (variable, variable.removeprefix("posterior/")):
            if called in entries:
                return entries[called]
        raise ValueError(
            f"{self._name} has no variable {variable!r}; it has {self._listed(entries)}"
        )

    def _dims(self, entry: Entry, request: Request) -> dict[str, Hashable]:
        return find_dims(entry.array.sizes, request.dims, name=entry.name)

    def _row(self, called: str, entry: Entry, request: Request) -> Variable:
        """What is said of a variable."""
        array = entry.array
        what = f"{array.dtype} ({', '.join(map(str, array.dims))})"
        told = [dim for role, dim in request.dims.items() if role in ("draw", "item", "feature")]
        named = found_roles(array.dims)
        along = [named[role] for role in ("chain", "draw") if role in named]
        if array.ndim < 3 or array.ndim - len(along) < 2 or not set(told) <= set(array.dims):
            return Variable(called, what)
        try:
            dims, source = self._dims(entry, request), self.draws(called, request)
        except (TypeError, ValueError) as error:
            near = self._is_binary(array, along)
            return Variable(called, what, problem=str(error) if near else None)
        if not self._is_binary(array, list(_sizes(array, dims))):
            return Variable(called, what, problem=f"{entry.name} is {what}; {_NOT_BINARY}")
        if entry.group not in HOME:
            words = f"{what} of the group {entry.group!r}; read it with variable={called!r}"
            return Variable(called, what, problem=words)
        n_items, width = (array.sizes[dims[role]] for role in ("item", "feature"))
        return source.describe(called, what, n_items, [width])

    def _blocks(
        self, array: Any, dims: Mapping[str, Hashable], at: IntArray
    ) -> Iterator[npt.NDArray[Any]]:
        """The draws at these positions, read a block at a time."""
        leading = _sizes(array, dims)

        def read(*spans: slice) -> npt.NDArray[Any]:
            # What is not in memory cannot be transposed before it is read: xarray would then look
            # up every entry on its own.
            part = array.isel(dict(zip(leading, spans, strict=True)))
            order = (*leading, dims["item"], dims["feature"])
            return self._load(part).transpose([part.dims.index(dim) for dim in order])

        entries = array.sizes[dims["item"]] * array.sizes[dims["feature"]]
        chunks = array.chunksizes or array.encoding.get("preferred_chunks") or {}
        return read_blocks(
            read,
            list(leading.values()),
            at,
            draw_bytes=entries * array.dtype.itemsize,
            chunk=int(np.max(chunks.get(dims["draw"], 1))),
        )

    def _is_binary(self, array: Any, along: list[Hashable]) -> bool:
        """Whether the first matrix of two dimensions holds 0, 1, or padding alone."""
        if array.dtype.kind not in "biuf":
            return False
        others = [dim for dim in array.dims if dim not in along]
        if not array.size:
            return True
        first = self._load(array.isel(dict.fromkeys([*along, *others[:-2]], 0)))
        return is_binary(first) or is_binary(first.T)

    def _is_matrix(self, entry: Entry) -> bool:
        return entry.array.ndim == 2 and self._is_binary(entry.array, [])

    def coordinate(self, group: str, dim: Hashable) -> npt.NDArray[Any] | None:
        """The labels of a dimension, which may be those of a group above; None if it has none."""
        for path in (group, *(group[:at] for at, c in enumerate(group) if c == "/"), ""):
            array = self._groups[path].variables.get(dim) if path in self._groups else None
            if array is not None and array.dims == (dim,):
                return self._labels(array)
        return None

    def _items(self, group: str, dim: Hashable) -> npt.NDArray[Any] | None:
        """The labels of the items, but for the numbers by which ArviZ counts what has no name."""
        labels = self.coordinate(group, dim)
        as_labels(labels, n_items=None)  # none is missing or twice
        is_default = labels is not None and is_numbered(dim) and first_number(labels) == 0
        return None if is_default else labels

    def along(
        self, role: str, entry: Entry, dims: Mapping[str, Hashable], request: Request
    ) -> npt.NDArray[Any] | None:
        """The chain or the weight of each draw; None where nothing has such a name."""
        leading = _sizes(entry.array, dims)
        if role in dims:  # chains of equal length
            labels = self.coordinate(entry.group, dims[role])
            labels = np.arange(leading[dims[role]]) if labels is None else labels
            return np.repeat(labels, leading[dims["draw"]])
        variables = self._groups[entry.group].variables
        known = {k: v for k, v in variables.items() if v.dims and {*v.dims} <= {*leading}}
        told = {role: request.dims[role]} if role in request.dims else {}
        found = found_roles(known, told, name=entry.name).get(role)
        if found is None:
            return None
        return self._by_draw(known[found], leading)

    def _counts(self, entry: Entry, dims: Mapping[str, Hashable]) -> npt.NDArray[Any] | None:
        """The number of ones of each draw, where our file said it of an array of this shape."""
        array, leading = self._groups[entry.group].variables.get(N_ONES), _sizes(entry.array, dims)
        entries = [entry.array.sizes[dims[role]] for role in ("item", "feature")]
        if array is None or not {*array.dims} <= {*leading}:
            return None
        is_of = counted_of(str(entry.key), *entries).items() <= array.attrs.items()
        return self._by_draw(array, leading) if is_of else None

    def _by_draw(self, array: Any, leading: Mapping[Hashable, int]) -> npt.NDArray[Any]:
        """The value of each draw of a variable that has some of their dimensions."""
        there = [dim for dim in leading if dim in array.dims]
        values = self._labels(array).transpose([array.dims.index(dim) for dim in there])
        values = values.reshape([leading[dim] if dim in there else 1 for dim in leading])
        return np.broadcast_to(values, tuple(leading.values())).ravel()

    def _labels(self, array: Any) -> npt.NDArray[Any]:
        values = self._load(array)
        return np.char.decode(values, "utf-8") if values.dtype.kind == "S" else values

    def _listed(self, entries: Mapping[str, Entry]) -> str:
        dims = {called: ", ".join(map(str, entry.array.dims)) for called, entry in entries.items()}
        return ", ".join(f"{c} ({d})" for c, d in dims.items()) or "no variable at all"


def _sizes(array: Any, dims: Mapping[str, Hashable]) -> dict[Hashable, int]:
    """The dimensions of the draws, chains first, and how long they are."""
    leading = (dims[role] for role in ("chain", "draw") if role in dims)
    return {dim: int(array.sizes[dim]) for dim in leading}


of = LabelledForm.of
