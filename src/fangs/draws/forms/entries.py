"""Mappings of names to arrays, lists and other mappings: draws, and what is beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from fangs.draws.form import Form, NamedMatrix
from fangs.draws.forms.entry_labels import EntryLabels
from fangs.draws.forms.list import depth
from fangs.draws.forms.numbered import NumberedMatrices, number_of, stems_of
from fangs.draws.forms.ragged import RaggedForm
from fangs.draws.forms.stack import is_array, is_binary, kind_of
from fangs.draws.labels import labels_or_none, text_of
from fangs.draws.open import form_of, library
from fangs.draws.request import Request
from fangs.draws.roles import NOT_DRAWS, ROLES, found_roles
from fangs.draws.source import DrawSource, joined
from fangs.draws.variables import Variable, choose

__all__ = ["EntriesForm", "Other", "of"]

_RAGGED = ("n_features", "columns", "n_columns", "n_ones")
_KNOWN = {"x", "y", *NOT_DRAWS, *(alias for aliases in ROLES.values() for alias in aliases)}

Rows = Mapping[str, Sequence[Variable]]
"""What each entry holds."""


@dataclass(frozen=True)
class Other:
    """Something in a file that holds no draws, in words."""

    what: str


class EntriesForm:
    """Named things: a dict, the arrays of an archive, a group of a file.

    Entries with the names of labels are labels. Matrices whose names differ by a number are a draw
    each. Entries that are draws each are chains if their names differ by a number, or in a dict;
    elsewhere they may be anything.

    `is_part` says that it is an entry itself, so that even a single numbered matrix is a draw, and
    `is_dict` that it is a dict of Python, and not a file.
    """

    def __init__(
        self,
        entries: Mapping[Any, Any],
        name: str,
        *,
        is_part: bool = False,
        is_dict: bool = False,
    ) -> None:
        self._entries = {str(key): value for key, value in entries.items()}
        self._keys = {str(key): key for key in entries}
        self._name, self._is_part, self._is_dict = name, is_part, is_dict

    def variables(self, request: Request) -> list[Variable]:
        """All entries that are no labels; chains together are one variable without a name."""
        labels = self._labels(request)
        numbered = self._numbered(labels, request)
        hidden = {key for one in numbered for key in one.matrices}
        if any(map(self._is_ragged, self._entries)):
            hidden.update(_RAGGED)
        rows = {k: v for k, v in self._rows(labels, request).items() if k not in hidden}
        found = [one.describe() for one in numbered]
        if not numbered and (chains := _chains(rows, any_names=self._is_dict)):
            parts = [row for key in chains for row in rows.pop(key) if row.holds_draws]
            widths = [width for part in parts for width in part.n_features or ()]
            n_draws = sum(part.n_draws or 0 for part in parts)
            sizes = (n_draws, parts[0].n_items, (min(widths), max(widths)), len(parts))
            found = [Variable("", "dict of chains", *sizes, parts[0].items)]
        found += [row for of_entry in rows.values() for row in of_entry]
        return [labels.describe(row) if row.holds_draws else row for row in found]

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """The draws of an entry, of numbered matrices such as ``"arr_*"``, or of all chains."""
        labels = self._labels(request)
        if variable is None and request.dims.get("value") in self._entries:
            variable = request.dims["value"]
        if variable is None:
            variable = choose(self.variables(request), name=self._name)
            self._refuse_lost_chain(variable)
        if variable == "":
            return labels.apply(self._joined(labels, request))
        for one in self._numbered(labels, request):
            if variable == one.variable and variable not in self._entries:
                return labels.apply(one.draws())
        key, inside = self._place(variable)
        value, inner = self._entries[key], labels.inner(request)
        if inner.dims and not (isinstance(value, Mapping) or library(value)):
            found_roles(self._entries, request.dims, name=self._name)  # names that nothing has
        return labels.apply(self._form(key).draws(inside, inner))

    def _refuse_lost_chain(self, variable: str) -> None:
        """Refuse draws beside an entry numbered like them that may be a chain which failed."""
        stem, number = number_of(variable)
        if number is None or variable not in self._entries:
            return
        draws = self._entries[variable]
        for key, value in self._entries.items():
            stem_there, number_there = number_of(key)
            is_numbered_alike = stem_there == stem and number_there is not None and key != variable
            is_lost = value is None or isinstance(value, str | list | int | float)
            if is_numbered_alike and (is_lost or depth(value) == depth(draws)):
                raise ValueError(
                    f"{self._name}[{variable!r}] holds draws, but {self._name}[{key!r}], which is "
                    "numbered like it, does not; leave it out, or read the one alone with "
                    f"{variable=}"
                )

    def matrix(self, request: Request) -> NamedMatrix:
        """The only matrix of 0 and 1 among the entries."""
        labels = self._labels(request)
        flat = [
            key
            for key, value in self._entries.items()
            if depth(value) == 2 and request.variable in (None, key)
        ]
        inner = labels.inner(request)
        found = {k: self._form(k).matrix(inner) for k in flat if k not in labels.keys.values()}
        found = {key: one for key, one in found.items() if is_binary(one.values)}
        if len(found) != 1:
            listed = ", ".join(found or self._entries) or "nothing"
            raise ValueError(f"{self._name} is to hold one matrix of 0 and 1; it has {listed}")
        (one,) = found.values()
        items, names = one.items, None
        if items is None and "item" in labels.keys:
            items = tuple(map(text_of, labels.of("item")))
        if "feature" in labels.keys:
            names = labels_or_none(labels.of("feature"))
        return replace(one, items=items, features=names or one.features)

    def _labels(self, request: Request) -> EntryLabels:
        return EntryLabels(self._entries, self._name, request)

    def _numbered(self, labels: EntryLabels, request: Request) -> list[NumberedMatrices]:
        hidden = set(labels.keys.values())
        groups = NumberedMatrices.among(
            self._entries, hidden, self._name, least=1 if self._is_part else 2
        )

        def holds_draws(key: str) -> bool:  # a table may
            return any(row.holds_draws for row in self._inside(key, labels.inner(request)))

        return [one for one in groups if not holds_draws(next(iter(one.matrices)))]

    def _rows(self, labels: EntryLabels, request: Request) -> Rows:
        """What each entry holds that is no label."""
        inner, hidden = labels.inner(request), labels.keys.values()
        return {key: self._inside(key, inner) for key in self._entries if key not in hidden}

    def _inside(self, key: str, inner: Request) -> list[Variable]:
        """What an entry holds; names within it come after a slash, where it has several."""
        value = self._entries[key]
        is_thing = isinstance(value, Mapping) or library(value) or self._is_ragged(key)
        if not is_thing and depth(value) < 3:
            return [Variable(key, _what(value))]
        try:
            rows = self._form(key).variables(inner)
        except (TypeError, ValueError) as error:
            return [Variable(key, _what(value), problem=str(error))]
        draws = [row for row in rows if row.holds_draws]
        return [
            replace(row, name=key if not row.name or draws == [row] else f"{key}/{row.name}")
            for row in rows
        ]

    def _is_ragged(self, key: str) -> bool:
        """Whether an entry may be the rows of ragged draws."""
        value, sizes = self._entries[key], self._entries.get("n_features")
        is_known = key in _RAGGED or sizes is None
        return not is_known and is_array(value) and depth(value) == 2 and depth(sizes) == 1

    def _form(self, key: str) -> Form:
        value, name = self._entries[key], f"{self._name}[{key!r}]"
        if isinstance(value, Mapping):
            return EntriesForm(value, name, is_part=True)
        if self._is_ragged(key):
            sizes, *more = (self._entries.get(known) for known in _RAGGED)
            beside: dict[str, Any] = dict(zip(_RAGGED[1:], more, strict=True))
            return RaggedForm(value, sizes, name, **beside)
        if depth(value) < 2 and not library(value):
            raise TypeError(f"{name} is {_what(value)}, which holds no draws")
        return form_of(value, name=name)

    def _place(self, variable: str) -> tuple[str, str | None]:
        """The entry that a variable names, and the variable inside of it."""
        if variable in self._entries:
            return variable, None
        for key in self._entries:
            if variable.startswith(f"{key}/"):
                return key, variable[len(key) + 1 :]
        listed = ", ".join(list(self._entries)[:12]) or "nothing"
        raise ValueError(f"{self._name} has no variable {variable!r}; it has {listed}")

    def _joined(self, labels: EntryLabels, request: Request) -> DrawSource:
        """All chains."""
        keys = _chains(self._rows(labels, request), any_names=self._is_dict)
        inner = labels.inner(request)
        parts = [self._form(key).draws(None, inner) for key in keys]
        names = [f"{self._name}[{key!r}]" for key in keys]
        return joined(parts, names, _chain_labels([self._keys[key] for key in keys]), inner.items)


def _what(value: Any) -> str:
    """What an entry is, in words."""
    if isinstance(value, Other):
        return value.what
    return kind_of(value) if is_array(value) else type(value).__name__


def _chains(rows: Rows, *, any_names: bool) -> list[str]:
    """The entries that are a chain each; none if their names are those of different things."""
    found = {key: [row for row in of_entry if row.holds_draws] for key, of_entry in rows.items()}
    found = {key: draws for key, draws in found.items() if draws}
    has_more = any(len(draws) > 1 or _has_four_axes(draws[0]) for draws in found.values())
    if len(found) < 2 or has_more:
        return []
    stems = stems_of(list(found))
    if stems <= {*ROLES["chain"]}:
        return list(found)
    is_named = len(stems) == 1 or (any_names and not any(key.lower() in _KNOWN for key in found))
    return list(found) if is_named and len(found) == len(rows) else []


def _has_four_axes(row: Variable) -> bool:
    return row.what == "array" and row.chains is not None


def _chain_labels(keys: Sequence[Any]) -> list[Any]:
    """The names of chains; their numbers where a file or `numpy.savez` has only numbered them."""
    numbers = [number_of(str(key)) for key in keys]
    if all(stem in ("", "arr_") and number is not None for stem, number in numbers):
        return [number for _, number in numbers]
    return list(keys)


of = partial(EntriesForm, is_dict=True)
