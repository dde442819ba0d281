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

from fangs.check.arguments import as_matrix
from fangs.draws.form import Form, NamedMatrix, refuse_names
from fangs.draws.forms.stack import describe
from fangs.draws.labels import same_order
from fangs.draws.open import form_of, is_path, library, open_form
from fangs.draws.packing import pack
from fangs.draws.request import Request
from fangs.draws.source import DrawSource, joined, numbered
from fangs.draws.sparse import SparseColumns, rows_at
from fangs.draws.variables import Variable

__all__ = ["ListForm", "by_number", "depth", "is_list_of_chains", "of", "of_matrices"]

_LABELLED = ("pandas", "polars", "pyarrow", "xarray")


class ListForm(Form):
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
        self._open.close()

    def variables(self, request: Request) -> list[Variable]:
        """The draws, counted."""
        source = self.draws(None, request)
        shapes = [
            draw.shape
            if isinstance(draw, SparseColumns)
            else as_matrix(draw, name=self._name).shape
            for draw in source.all()
        ]
        what = "list of draws" if source.chains is None else "list of chains"
        return [describe(source, what, shapes[0][0], [shape[1] for shape in shapes])]

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """The draws; of files or chains with several variables, those of this one."""
        if not self._first:
            raise ValueError(f"{self._name} is empty; at least one draw is needed")
        first = self._first[0]
        if is_path(first):
            return self._of_files(variable, request)
        if depth(first) >= 3 or self._is_chain(first, request):
            return self._of_chains(list(self._stream), variable, request)
        is_labelled = library(first) in _LABELLED
        what = f"{self._name} is a plain list"
        refuse_names(what, variable, Request() if is_labelled else request)

        def one(draw: Any, b: int) -> NamedMatrix:
            kind = "" if type(draw) is np.ndarray else library(draw)
            if (kind in _LABELLED) != is_labelled:
                raise ValueError(
                    f"{self._name}[{b}] is of type {type(draw).__name__}, but {self._name}[0] is "
                    f"of type {type(first).__name__}; give all draws in the same form"
                )
            if not kind:
                return NamedMatrix(draw)
            return form_of(draw, name=f"{self._name}[{b}]").matrix(request.inner())

        return of_matrices(self._values, self._stream, one, numbered(self._name))

    def _is_chain(self, value: Any, request: Request) -> bool:
        """Whether a table holds many draws, and not one."""
        if library(value) not in ("pandas", "polars", "pyarrow"):
            return False
        from fangs.draws.forms import table

        return table.of(value, f"{self._name}[0]").holds_draws(request)

    def _of_chains(self, values: list[Any], variable: str | None, request: Request) -> DrawSource:
        names = [
            repr(os.fspath(value)) if is_path(value) else f"{self._name}[{c}]"
            for c, value in enumerate(values)
        ]
        parts = [
            self._open.enter_context(open_form(value, name=name)).draws(variable, request)
            for value, name in zip(values, names, strict=True)
        ]
        return joined(parts, names, range(len(parts)), request.items)

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


def of_matrices(
    values: Sequence[Any] | None,
    stream: Iterator[Any],
    one: Callable[[Any, int], NamedMatrix],
    called: Callable[[int], str],
) -> DrawSource:
    """Draws one by one, their rows in the order of the first.

    What can be gone through only once is packed while it is gone through.
    """
    first: list[NamedMatrix] = []

    def in_order(value: Any, b: int) -> Any:
        draw = one(value, b)
        first[:] = first or [draw]
        return _rows_as(draw, first[0], called(b), called(0))

    if values is None:
        each = (in_order(value, b) for b, value in enumerate(stream))
        packed = pack(DrawSource(n_draws=0, read=lambda at: each, name=called))
        source = DrawSource.of_packed(packed, name=called)
    else:
        in_order(values[0], 0)
        shapes: list[Any] = [getattr(value, "shape", ()) for value in values]
        source = DrawSource(
            n_draws=len(values),
            read=lambda at: (in_order(values[b], b) for b in at.tolist()),
            name=called,
            n_features=sum(int(shape[1]) for shape in shapes if len(shape) == 2),
        )
    return source.labelled(first[0].items, first[0].first_item)


def _rows_as(draw: NamedMatrix, first: NamedMatrix, name: str, other: str) -> Any:
    """The values of a draw, with its rows in the order of the first."""
    has_same_columns = draw.features and draw.features == first.features
    if has_same_columns and set(draw.items or ()) != set(first.items or ()):
        raise ValueError(
            f"{name} has other row labels than {other}, but the same column labels, such as "
            f"{draw.features[0]!r}; rows must be items: give frame.T if the columns are"
        )
    order = same_order(draw.items, first.items, name=name, other=other)
    return draw.values if order is None else rows_at(draw.values, order)


def is_list_of_chains(values: Any, request: Request) -> bool:
    """Whether something is a list of files that hold draws each, and not one draw each."""
    is_list = isinstance(values, Sequence) and len(values) > 0 and not is_path(values)
    if not is_list or not all(map(is_path, values)):
        return False
    with open_form(values[0]) as form:
        if request.variable is not None or any(r.holds_draws for r in form.variables(request)):
            return True
        try:
            form.matrix(request.inner())
        except (TypeError, ValueError):
            return True  # which then says why it holds no draws
        return False


def depth(value: Any) -> int:
    """Number of dimensions; of nested lists, how deep they go.

    Examples
    --------
    >>> depth([[0, 1], [1, 1]]), depth([[[0]]]), depth(7)
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


of = ListForm
