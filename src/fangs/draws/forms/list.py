"""Lists: matrices or tables (one draw each), files, and chains of anything that holds draws."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np

from fangs._typing import IntArray
from fangs.check.arguments import as_matrix
from fangs.draws.form import Form, NamedMatrix
from fangs.draws.forms.stack import is_binary
from fangs.draws.labels import first_number, labels_or_none, matched_order
from fangs.draws.open import form_of, is_path, library, open_form
from fangs.draws.packing import pack
from fangs.draws.request import Request
from fangs.draws.source import DrawSource, joined, numbered
from fangs.draws.sparse import SparseColumns
from fangs.draws.variables import Variable

__all__ = ["ListForm", "by_number", "depth", "is_list_of_chains", "of", "of_matrices"]

_LABELLED = ("pandas", "polars", "pyarrow", "xarray")


def of(value: Any, name: str) -> ListForm:
    """The form of such an object."""
    return ListForm(value, name)


class ListForm:
    """A list of draws, of files or of chains; or anything else that can be gone through once."""

    def __init__(self, values: Iterable[Any], name: str) -> None:
        self._name = name
        self._open = ExitStack()
        self._values: Sequence[Any] | None = values if isinstance(values, Sequence) else None
        rest = iter(values)
        self._first = list(islice(rest, 1))
        self._stream = chain(self._first, rest)

    @classmethod
    def of_folder(cls, path: Path) -> ListForm:
        """The files of a folder, in the order of the numbers in their names."""
        files = [one for one in path.iterdir() if one.is_file() and not one.name.startswith(".")]
        return cls(sorted(files, key=lambda file: by_number(file.name)), str(path))

    def __enter__(self) -> ListForm:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the files go that it opened."""
        self._open.close()

    def variables(self, request: Request) -> list[Variable]:
        """The draws, counted."""
        source = self.draws(None, request)
        shapes, problem = [], None
        for draw in source.all():
            draw = draw if isinstance(draw, SparseColumns) else as_matrix(draw, name=self._name)
            shapes.append(draw.shape)
            if len(shapes) == 1 and not is_binary(draw):
                problem = "the first draw has values other than 0 and 1"
        widths = [shape[1] for shape in shapes]
        n_items = shapes[0][0]
        chains = None if source.chains is None else len(set(source.chains.tolist()))
        what = "list of draws" if chains is None else "list of chains"
        sizes = (source.n_draws, n_items, (min(widths), max(widths)), chains, source.items)
        return [Variable("", what, *sizes, problem=problem)]

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """The draws; of files or chains with several variables, those of this one."""
        if not self._first:
            raise ValueError(f"{self._name} is empty; at least one draw is needed")
        first = self._first[0]
        if is_path(first):
            return self._of_files(variable, request)
        if depth(first) >= 3 or self._is_chain(first, request):
            return self._of_chains(list(self._stream), variable, request)
        if variable is not None:
            raise TypeError(
                f"variable={variable!r} names one of several; {self._name} is a plain list"
            )
        if request.dims and library(first) not in _LABELLED:
            raise TypeError(
                f"dims={dict(request.dims)!r} names dimensions; {self._name} is a plain list"
            )
        one = self._labelled if library(first) in _LABELLED else self._plain
        called = numbered(self._name)
        return of_matrices(self._values, self._stream, lambda x, b: one(x, b, request), called)

    def matrix(self, request: Request) -> NamedMatrix:
        """The rows as one matrix."""
        return NamedMatrix(as_matrix(list(self._stream), name=self._name))

    def _is_chain(self, value: Any, request: Request) -> bool:
        """Whether a table holds many draws, and not one."""
        if library(value) not in ("pandas", "polars", "pyarrow"):
            return False
        from fangs.draws.forms.table import TableForm

        return TableForm.of(value, f"{self._name}[0]").holds_draws(request)

    def _of_chains(self, values: list[Any], variable: str | None, request: Request) -> DrawSource:
        names = [
            repr(os.fspath(value)) if is_path(value) else f"{self._name}[{c}]"
            for c, value in enumerate(values)
        ]
        forms = [
            self._open.enter_context(open_form(value, name=name))
            for value, name in zip(values, names, strict=True)
        ]
        parts = [form.draws(variable, request) for form in forms]
        return joined(parts, names, range(len(parts)))

    def _of_files(self, variable: str | None, request: Request) -> DrawSource:
        paths = list(self._stream)
        for path in paths:
            if not is_path(path):
                raise TypeError(f"{self._name} mixes files and {type(path).__name__}; give files")
        if is_list_of_chains(paths, request):
            return self._of_chains(paths, variable, request)

        def one(path: Any, b: int) -> NamedMatrix:
            with open_form(path) as form:
                return form.matrix(request.inner())

        return of_matrices(paths, iter(paths), one, numbered(self._name))

    def _labelled(self, draw: Any, b: int, request: Request) -> NamedMatrix:
        if library(draw) not in _LABELLED:
            raise ValueError(
                f"{self._name}[{b}] is of type {type(draw).__name__}, but {self._name}[0] is a "
                "labelled table or array; give all draws in the same form"
            )
        return form_of(draw, name=f"{self._name}[{b}]").matrix(request.inner())

    def _plain(self, draw: Any, b: int, request: Request) -> NamedMatrix:
        if type(draw) is np.ndarray or isinstance(draw, list | tuple | SparseColumns):
            return NamedMatrix(draw)
        if library(draw) in _LABELLED:
            raise ValueError(
                f"{self._name}[{b}] is a labelled {type(draw).__name__}, but {self._name}[0] has "
                "no labels; give all draws in the same form"
            )
        if library(draw) in ("scipy", "sparse"):
            return form_of(draw, name=f"{self._name}[{b}]").matrix(request.inner())
        return NamedMatrix(draw)


def of_matrices(
    values: Sequence[Any] | None,
    stream: Iterator[Any],
    one: Callable[[Any, int], NamedMatrix],
    called: Callable[[int], str],
) -> DrawSource:
    """Draws one by one, their rows in the order of the first.

    What can be gone through only once is packed while it is gone through.
    """
    wanted: list[NamedMatrix] = []

    def in_order(value: Any, b: int) -> Any:
        draw = one(value, b)
        if not wanted:
            wanted.append(draw)
        return _rows_as(draw, wanted[0], called(b), called(0))

    if values is None:
        once = DrawSource(
            n_draws=0,
            read=lambda at: (in_order(value, b) for b, value in enumerate(stream)),
            name=called,
        )
        packed = pack(once)
        source = DrawSource(n_draws=len(packed), read=_no_draws, name=called, held=packed)
    else:
        in_order(values[0], 0)
        shapes: list[Any] = [getattr(value, "shape", ()) for value in values]
        source = DrawSource(
            n_draws=len(values),
            read=lambda at: (in_order(values[b], b) for b in at.tolist()),
            name=called,
            n_features=sum(int(shape[1]) for shape in shapes if len(shape) == 2),
        )
    first = wanted[0]
    start = None if first.items is None else first_number(first.items)
    return source.labelled(
        labels_or_none(first.items), first.first_item if start is None else start
    )


def _rows_as(draw: NamedMatrix, first: NamedMatrix, name: str, other: str) -> Any:
    """The values of a draw, with its rows in the order of the first."""
    if (draw.items is None) != (first.items is None):
        without = name if draw.items is None else other
        raise ValueError(f"{without} has no item labels, but other draws have; give all or none")
    if draw.items is None or first.items is None or draw.items == first.items:
        return draw.values
    if draw.features and draw.features == first.features and set(draw.items) != set(first.items):
        raise ValueError(
            f"{name} has other row labels than {other}, but the same column labels, such as "
            f"{draw.features[0]!r}; rows must be items: give frame.T if the columns are"
        )
    order = matched_order(draw.items, first.items, name=name, other=other)
    values = draw.values
    return values.take_rows(order) if isinstance(values, SparseColumns) else values[order]


def _no_draws(at: IntArray) -> Iterator[Any]:
    raise AssertionError("packed draws are not read again")


def is_list_of_chains(values: Any, request: Request) -> bool:
    """Whether something is a list of files that hold draws each, and not one draw each."""
    is_list = isinstance(values, Sequence) and len(values) > 0 and not is_path(values)
    if not is_list or not all(map(is_path, values)):
        return False
    if request.variable is not None:
        return True
    with open_form(values[0]) as form:
        return not _holds_one_matrix(form, request)


def _holds_one_matrix(form: Form, request: Request) -> bool:
    """Whether a file holds one allocation, and so one draw of many."""
    if any(row.holds_draws for row in form.variables(request)):
        return False
    try:
        form.matrix(request.inner())
    except (TypeError, ValueError):
        return False
    return True


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
    if hasattr(value, "shape") and not isinstance(value, list | tuple):
        return len(value.shape)
    if isinstance(value, list | tuple):
        filled = (part for part in value if not isinstance(part, list | tuple) or part)
        return 1 + (depth(next(filled, value[0])) if value else 0)
    return 0


def by_number(name: str) -> list[tuple[bool, int, str]]:
    """Key that sorts draw_2 before draw_10."""
    parts = re.split(r"([0-9]+)", name)
    return [(part.isdigit(), int(part[:18]) if part.isdigit() else 0, part) for part in parts]
