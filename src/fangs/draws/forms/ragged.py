"""Ragged draws: the features of all draws as rows of one array, and how many each draw has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs.check.arguments import as_array
from fangs.draws.form import Form, refuse_names
from fangs.draws.forms.blocks import BLOCK_BYTES
from fangs.draws.forms.stack import describe
from fangs.draws.request import Request
from fangs.draws.source import DrawSource, numbered
from fangs.draws.variables import Variable

__all__ = ["RaggedForm", "runs"]


class RaggedForm(Form):
    """Rows of features, (features, n_items) of 0 and 1, one draw after the other.

    Where `n_items` is given, the rows are of bits, eight items to a byte. `n_features` is the
    number of rows of each draw. `columns` and `n_columns`, the column of each row in its draw and
    the number of columns of each draw, say where draws have empty columns. `known` are further
    attributes of the `DrawSource`.
    """

    def __init__(
        self,
        rows: Any,
        n_features: Any,
        name: str,
        *,
        columns: Any = None,
        n_columns: Any = None,
        n_items: int | None = None,
        what: str = "ragged rows",
        known: Mapping[str, Any] | None = None,
    ) -> None:
        self._rows, self._name, self._n_bits, self._what = rows, name, n_items, what
        self._n_items = int(rows.shape[1]) if n_items is None else n_items
        self._sizes = _whole(n_features, "n_features")
        self._ends = np.cumsum(self._sizes)
        self._known = dict(known or {})
        if int(self._sizes.sum()) != rows.shape[0]:
            raise ValueError(
                f"{name} has {rows.shape[0]} rows, but n_features adds up to "
                f"{int(self._sizes.sum())}; there must be a row for each feature"
            )
        self._columns, self._widths = None, self._sizes
        if columns is not None and n_columns is not None:
            self._columns, self._widths = _whole(columns, "columns"), _whole(n_columns, "n_columns")
            fits = len(self._columns) == rows.shape[0] and len(self._widths) == len(self._sizes)
            if not fits or (self._columns >= np.repeat(self._widths, self._sizes)).any():
                raise ValueError(f"{name}: columns and n_columns do not fit n_features")

    def variables(self, request: Request) -> list[Variable]:
        """The draws, if the first one is of 0 and 1."""
        source = self.draws(None, request)
        return [describe(source, self._what, self._n_items, self._sizes)]

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """The draws."""
        refuse_names(f"{self._name} has nothing to choose from", variable, request)
        return DrawSource(
            n_draws=len(self._sizes),
            read=self._read,
            n_features=int(self._sizes.sum()),
            **{"name": numbered(self._name)} | self._known,
        )

    def _read(self, at: IntArray) -> Iterator[npt.NDArray[Any]]:
        size = 1 if self._n_bits is not None else self._rows.dtype.itemsize
        for adjacent in np.split(at, np.flatnonzero(np.diff(at) != 1) + 1):
            for first, last in runs(self._sizes[adjacent] * (self._n_items * size)):
                near = adjacent[first:last]
                ends, start = self._ends[near], self._ends[near[0]] - self._sizes[near[0]]
                block = self._unpacked(slice(int(start), int(ends[-1])))
                for b, rows in zip(near, np.split(block, ends[:-1] - start), strict=True):
                    yield self._matrix(b, rows.T)

    def _matrix(self, b: int, features: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The features of a draw with its empty columns, where these are known."""
        if self._columns is None:
            return features
        matrix = np.zeros((self._n_items, self._widths[b]), dtype=features.dtype)
        matrix[:, self._columns[self._ends[b] - self._sizes[b] : self._ends[b]]] = features
        return matrix

    def _unpacked(self, here: slice) -> npt.NDArray[Any]:
        rows = as_array(self._rows[here], name=self._name)
        if self._n_bits is None:
            return rows
        return np.unpackbits(rows, axis=1, count=self._n_bits, bitorder="little")


def runs(n_bytes: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Runs of draws, first and last, whose unpacked size is about that of a block."""
    first = size = last = 0
    for last, one in enumerate(n_bytes, start=1):
        size += int(one)
        if size >= BLOCK_BYTES or last - first >= 4096:
            yield first, last
            first, size = last, 0
    if last > first:
        yield first, last


def _whole(values: Any, name: str) -> IntArray:
    array = as_array(values, name=name)
    if array.ndim != 1 or array.dtype.kind not in "iu" or (array < 0).any():
        raise ValueError(f"{name} has values other than numbers of features")
    return array.astype(np.int64)
