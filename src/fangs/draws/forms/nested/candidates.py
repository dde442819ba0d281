"""Finds the places in nested values that hold draws, and hands them to the other forms.

The last list counts draws, or the draws of a table or an array; every combination of positions in
the lists before it is a chain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from fangs.check.labels import as_chains
from fangs.draws.forms.entry_labels import EntryLabels
from fangs.draws.forms.list import of_matrices
from fangs.draws.forms.nested.axes import readings, stack_source
from fangs.draws.forms.nested.matrices import (
    as_array,
    check_claims,
    is_matrix,
    labels_of,
    matrix_of,
    table_of,
)
from fangs.draws.forms.nested.places import Found, kind_of, walk
from fangs.draws.forms.nested.values import Array, List, Value
from fangs.draws.forms.numbered import NumberedMatrices, number_of
from fangs.draws.forms.table import TableForm
from fangs.draws.packing import pack
from fangs.draws.request import Request
from fangs.draws.roles import ROLES, found_roles
from fangs.draws.source import DrawSource, joined
from fangs.draws.variables import Variable

__all__ = ["Candidate", "Candidates"]

Candidate = tuple[Variable, DrawSource | None]
"""A place, and its draws if it may hold some."""

_MOST_BRANCHES = 64
"""A list of unlike elements is looked into one by one only up to this length."""

_SAME_DRAWS = {"sims.list", "sims.matrix", "last.values"}
"""Where R2jags and R2WinBUGS keep the draws of sims.array again, in random order."""

_LABELS = ("chain", "item", "weight")
_USUAL = {alias for role in _LABELS for alias in ROLES[role]}


class Candidates:
    """What may be draws, by a request.

    Attributes
    ----------
    entries
        The variables by name.
    incomplete
        Places beside which there may have been another chain, and what is said of them.
    """

    def __init__(self, root: Found, name: str, request: Request) -> None:
        self._root, self._dialect, self._name, self._request = root, root.dialect, name, request
        self.entries = _entries(root.value) if table_of(root) is None else {}
        self.incomplete: dict[str, str] = {}
        self._hidden = set(self._labels([root]).keys.values())
        known = {*self._hidden, *self.entries}
        told = {role: told for role, told in request.dims.items() if told not in known}
        self._left = Request(dims=told)
        """What dims says of names in arrays and tables."""

    def below(self, group: list[Found], place: str) -> Iterator[Candidate]:
        """Look at all values of one pattern at once, such as at Z of all trees of all chains."""
        if not group:
            return
        group = [replace(here, value=as_array(here.value)) for here in group]
        values = [here.value for here in group]
        try:
            table = self._table(group[0])
            is_stack = all(isinstance(value, Array) and value.n_dims > 2 for value in values)
            possible = readings(group[0]) if is_stack and table is None else []
        except ValueError as error:
            yield Variable(place, kind_of(values[0]), problem=str(error)), None
            return
        if table is not None:
            yield from self._of_tables(group, table, place)
        elif possible:
            yield from self.of_stacks(group, place, possible)
        elif all(isinstance(value, List) and not is_matrix(value) for value in values):
            is_record = any(isinstance(value, List) and value.is_record for value in values)
            yield from (self._of_records if is_record else self._of_lists)(group, place)
        elif group[0].at and any(map(is_matrix, values)):
            yield self._candidate(group, place, "list of draws")

    def of_stacks(
        self, group: list[Found], place: str, possible: Sequence[tuple[str, ...]]
    ) -> Iterator[Candidate]:
        """Arrays of three or four dimensions, with the names that these may have."""
        found = []
        for names in possible:
            words = self._dialect.axes.format(", ".join(names))
            called = self._dialect.short(place) + words if len(possible) > 1 else place
            of_one = partial(stack_source, names=names, request=self._left)
            found.append(self._candidate(group, called, f"array{words}", of_one))
        yield from found if any(row.holds_draws for row, _ in found) else found[:1]

    def _of_tables(self, group: list[Found], table: TableForm, place: str) -> Iterator[Candidate]:
        for row in table.variables(self._left):
            called = self._dialect.short(place)
            called = self._dialect.named(row.name, called) if row.name else called
            of_one = partial(self._of_table, column=row.name or None)
            if row.holds_draws:
                yield self._candidate(group, called, row.what, of_one)
            elif row.problem or not place:
                yield replace(row, name=called), None

    def _table(self, here: Found) -> TableForm | None:
        """The table that a value is, if it holds draws."""
        table = table_of(here)
        return table if table is not None and table.holds_draws(self._left) else None

    def _of_table(self, here: Found, column: str | None) -> DrawSource:
        table = self._table(here)
        if table is None:
            raise ValueError(f"{here} is {kind_of(here.value)}, where others are tables of draws")
        return table.draws(column, self._left)

    def _of_records(self, group: list[Found], place: str) -> Iterator[Candidate]:
        names = [here.value.names for here in group if isinstance(here.value, List)]
        hidden = _SAME_DRAWS if "sims.array" in names[0] else set()
        is_root = group[0].value is self._root.value
        if is_root:
            hidden = hidden | self._hidden
            yield from self._numbered()
        shared = set.intersection(*map(set, names)) - hidden - {""}
        alike: dict[str, list[tuple[Found, list[Candidate]]]] = {}
        for name in dict.fromkeys(names[0]):
            if name in shared:
                inner = [here.step("name", name) for here in group]
                called = self._dialect.named(name, place)
                found = list(self.below(inner, called))
                stem, number = number_of(name)
                if number is not None and len(group) == 1:
                    alike.setdefault(stem, []).append((inner[0], found))
                if is_root and not found:
                    found = [(Variable(called, kind_of(inner[0].value)), None)]
                yield from found
        for parts in alike.values():
            self._note_missing_chains(parts)

    def _numbered(self) -> Iterator[Candidate]:
        """Variables that are a matrix each, such as Z1, Z2."""
        flat = {
            name: value.array()
            for name, value in self.entries.items()
            if isinstance(value, Array) and value.n_dims == 2
        }
        for one in NumberedMatrices.among(flat, self._hidden, self._name, least=2):
            found = [replace(self._root.step("name", x), at=(x,)) for x in one.matrices]
            row, source = self._candidate(found, one.variable, "list of draws")
            yield replace(row, problem=row.problem or one.describe().problem), source

    def _of_lists(self, group: list[Found], place: str) -> Iterator[Candidate]:
        """What all elements of lists hold together; or of unlike elements, what each one holds.

        Only the first list of unlike elements is split: else the time could double at each level.
        """
        inner = [one for here in group for one in here.elements()]
        found = list(self.below(inner, place + self._dialect.every))
        is_split = not any(row.holds_draws for row, _ in found)
        if is_split and len(group) == 1 and 1 < len(inner) <= _MOST_BRANCHES:
            alone = [replace(one, at=group[0].at) for one in inner]
            parts = [(one, list(self.below([one], one.place))) for one in alone]
            self._note_missing_chains(parts)
            found += [one for _, inside in parts for one in inside]
        yield from found

    def _note_missing_chains(self, parts: Sequence[tuple[Found, list[Candidate]]]) -> None:
        """Parts that are only numbered may be chains, and none of them may be left out silently."""
        empty = [x for x, inside in parts if not any(row.holds_draws for row, _ in inside)]
        for here, inside in parts:
            missing = [one for one in empty if _may_be_chain(one.value, here.value)]
            for row in [row for row, _ in inside if row.holds_draws and missing]:
                self.incomplete[row.name] = (
                    f"{here} holds draws, but {missing[0]}, which may be another chain, is "
                    f"{kind_of(missing[0].value)}; leave it out of the list, or read the draws of "
                    f"{here} alone with variable={row.name!r}"
                )

    def _candidate(
        self,
        group: list[Found],
        place: str,
        what: str,
        of_one: Callable[[Found], DrawSource] | None = None,
    ) -> Candidate:
        """The draws, packed, or the reason why they are none; without `of_one` one each."""
        name = self._dialect.short(place)  # a list at the end of a place is walked through anyway
        try:
            source = self._matrices(group) if of_one is None else _joined(group, of_one)
            source = self._labels(group).apply(source)
            packed = pack(source, name)
        except (TypeError, ValueError) as error:
            return Variable(name, what, problem=str(error)), None
        row = source.describe(name, what, packed.n_items, packed.n_features().tolist())
        return row, replace(source, held=packed)

    def _matrices(self, group: list[Found]) -> DrawSource:
        found_roles(self.entries, self._left.dims, name=self._name)  # refuses what nothing has
        check_claims([here.value for here in group])
        source = of_matrices(group, iter(group), lambda x, _: matrix_of(x), lambda b: str(group[b]))
        chains = _chains([here.at[:-1] for here in group])
        return replace(source, chains=as_chains(chains, n_draws=len(group)))

    def _labels(self, group: list[Found]) -> EntryLabels:
        """The labels among the variables, and in the record that the draws are in."""
        record = group[0].record
        is_shared = all(here.record is record for here in group)
        entries = self.entries | (_entries(record) if is_shared else {})
        told = [place for role, place in self._request.dims.items() if role in _LABELS]
        for place in told:
            with suppress(ValueError):  # what no place is may be a column
                for here in walk(self._root, self._dialect.parse(place))[:1]:
                    entries[place] = here.value
        found = {
            name: labels_of(value, is_told=name in told)
            for name, value in entries.items()
            if name in told or name.lower() in _USUAL
        }
        found = {name: labels for name, labels in found.items() if labels is not None}
        return EntryLabels(found, self._name, self._request)


def _entries(value: Value) -> dict[str, Value]:
    """The elements of a list by their names."""
    if not isinstance(value, List):
        return {}
    return {name: one for name, one in zip(value.names, value.items, strict=False) if name}


def _may_be_chain(value: Value, other: Value) -> bool:
    """Whether it may stand for a chain beside another: numbers of another form are other data."""
    if not isinstance(value, Array) or math.prod(value.shape) == 1:
        return True
    return isinstance(other, Array) and len(value.shape) == len(other.shape)


def _joined(group: Sequence[Found], of_one: Callable[[Found], DrawSource]) -> DrawSource:
    """The draws of several arrays or tables, each a chain."""
    sources = [of_one(here) for here in group]
    if len(sources) == 1 and (not group[0].at or sources[0].chains is not None):
        return sources[0]
    return joined(sources, [str(here) for here in group], _chains([here.at for here in group]))


def _chains(keys: Sequence[tuple[str | int, ...]]) -> list[Any] | None:
    """A label for each way through the lists: the name in a single list, else a number."""
    if not any(keys):
        return None
    words = [key[0] for key in keys if len(key) == 1 and isinstance(key[0], str)]
    if len(words) == len(keys):
        return list(map(int, words)) if all(map(str.isdigit, words)) else words
    numbers: dict[Any, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]
