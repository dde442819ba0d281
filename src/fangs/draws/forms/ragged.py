"""Ragged draws: the features of all draws as rows of one array, and how many each draw has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs.check.arguments import as_array
from fangs.draws.form import NamedMatrix
from fangs.draws.forms.stack import BLOCK_BYTES, starts_binary
from fangs.draws.request import Request
from fangs.draws.source import DrawSource, numbered
from fangs.draws.variables import Variable

__all__ = ["RaggedForm", "runs"]


class RaggedForm:
    """Rows of features, one draw after the other.

    Parameters
    ----------
    rows
        (features, n_items) of 0 and 1; or of bits, eight items to a byte, where `n_items` is given.
    n_features
        Number of rows of each draw.
    name
        What complaints call it.
    columns, n_columns
        The column of each feature in its draw, and the number of columns of each draw, where draws
        have empty columns.
    n_items
        Number of items of rows of bits.
    what
        What it is, in words.
    known
        What else is known of the draws: fields of `DrawSource`.
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
        if not starts_binary(source):
            problem = f"{self._what}: its first draw has values other than 0 and 1"
            return [Variable("", self._what, problem=problem)]
        widths = (int(min(self._sizes, default=0)), int(max(self._sizes, default=0)))
        chains = None if source.chains is None else len(np.unique(source.chains))
        shape = (source.n_draws, self._n_items, widths, chains, source.items)
        return [Variable("", self._what, *shape)]

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """The draws."""
        if variable is not None or request.dims:
            told = f"{variable=}" if variable is not None else f"dims={dict(request.dims)!r}"
            raise TypeError(f"{self._name} has nothing to choose from; leave out {told}")
        return DrawSource(
            n_draws=len(self._sizes),
            read=self._read,
            n_features=int(self._sizes.sum()),
            **{"name": numbered(self._name)} | self._known,
        )

    def matrix(self, request: Request) -> NamedMatrix:
        """Refused: draws are many."""
        raise ValueError(f"{self._name} holds draws, not one matrix; fangs.read(path) reads them")

    def _read(self, at: IntArray) -> Iterator[npt.NDArray[Any]]:
        size = 1 if self._n_bits is not None else self._rows.dtype.itemsize
        for first, last in runs(self._sizes[at] * (self._n_items * size)):
            near = at[first:last]
            starts = self._ends[near] - self._sizes[near]
            if near[-1] - near[0] + 1 == len(near):  # without gaps: at once
                block = self._unpacked(slice(int(starts[0]), int(self._ends[near[-1]])))
                parts: Iterable[Any] = np.split(block, starts[1:] - starts[0])
            else:
                parts = (
                    self._unpacked(slice(int(s), int(self._ends[b])))
                    for s, b in zip(starts, near, strict=True)
                )
            for b, start, rows in zip(near, starts, parts, strict=True):
                if self._columns is None:
                    yield rows.T
                else:
                    matrix = np.zeros((self._n_items, self._widths[b]), dtype=rows.dtype)
                    matrix[:, self._columns[start : self._ends[b]]] = rows.T
                    yield matrix

    def _unpacked(self, here: slice) -> npt.NDArray[Any]:
        rows = as_array(self._rows[here], name=self._name)
        if self._n_bits is None:
            return rows
        return np.unpackbits(rows, axis=1, count=self._n_bits, bitorder="little")


def runs(n_bytes: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Runs of draws whose unpacked size is about that of a block.

    Examples
    --------
    >>> list(runs([1, 2**22, 5, 6]))
    [(0, 2), (2, 4)]
    """
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
