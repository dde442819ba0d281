"""Ragged draws: the features of all draws as rows of one array, and how many each draw has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from fangs.draws.samples import Samples

__all__ = ["RaggedForm", "kept_columns", "runs"]


class RaggedForm(Form):
    """Rows of features, (features, n_items) of 0 and 1, one draw after the other.

    Where `n_items` is given, the rows are of bits, eight items to a byte. `n_features` is the
    number of rows of each draw. `columns` and `n_columns`, the column of each row in its draw and
    the number of columns of each draw, say where draws have empty columns, and `n_ones` how many
    ones each has. `known` are further attributes of the `DrawSource`.
    """

    def __init__(
        self,
        rows: Any,
        n_features: Any,
        name: str,
        *,
        columns: Any = None,
        n_columns: Any = None,
        n_ones: Any = None,
        n_items: int | None = None,
        what: str = "ragged rows",
        known: Mapping[str, Any] | None = None,
    ) -> None:
        self._rows, self._name, self._n_bits, self._what = rows, name, n_items, what
        self._n_items = int(rows.shape[1]) if n_items is None else n_items
        self._sizes = _whole(n_features, "n_features")
        self._ends = np.cumsum(self._sizes)
        self._known = dict(known or {})
        self._n_ones = None if n_ones is None else _whole(n_ones, "n_ones")
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
        source = DrawSource(
            n_draws=len(self._sizes),
            read=self._read,
            n_features=int(self._sizes.sum()),
            **{"name": numbered(self._name)} | self._known,
        )
        return source.counted(self._n_ones)

    def _read(self, at: IntArray) -> Iterator[npt.NDArray[Any]]:
        size = 1 if self._n_bits is not None else self._rows.dtype.itemsize
        together = [
            adjacent[first:last]
            for adjacent in np.split(at, np.flatnonzero(np.diff(at) != 1) + 1)
            for first, last in runs(self._sizes[adjacent] * (self._n_items * size))
        ]
        starts = self._ends - self._sizes
        spans = [slice(int(starts[near[0]]), int(self._ends[near[-1]])) for near in together]
        for near, block in zip(together, self._blocks(spans), strict=True):
            if self._n_bits is not None:
                block = np.unpackbits(block, axis=1, count=self._n_bits, bitorder="little")
            ends = self._ends[near[:-1]] - starts[near[0]]
            for b, rows in zip(near, np.split(block, ends), strict=True):
                yield self._matrix(b, rows.T)

    def _matrix(self, b: int, features: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The features of a draw with its empty columns, where these are known."""
        if self._columns is None:
            return features
        matrix = np.zeros((self._n_items, self._widths[b]), dtype=features.dtype)
        matrix[:, self._columns[self._ends[b] - self._sizes[b] : self._ends[b]]] = features
        return matrix

    def _blocks(self, spans: Sequence[slice]) -> Iterator[npt.NDArray[Any]]:
        """The rows of each span; an array of an archive can only be read in order."""
        in_order = getattr(self._rows, "spans", None)
        parts = (self._rows[here] for here in spans) if in_order is None else in_order(spans)
        return (as_array(part, name=self._name) for part in parts)


def kept_columns(samples: Samples) -> npt.NDArray[Any]:
    """The column of each feature in its draw, for all draws one after the other."""
    n_features = int(samples.n_features.sum())
    columns = np.empty(n_features, dtype=np.min_scalar_type(samples.n_columns.max()))
    end = 0
    for b, size in enumerate(samples.n_features.tolist()):
        columns[end : end + size] = samples.columns(b)
        end += size
    return columns


def runs(n_bytes: Iterable[int], at_most: int | None = None) -> Iterator[tuple[int, int]]:
    """Runs of draws, first and last, whose unpacked size is about that of a block."""
    at_most = BLOCK_BYTES if at_most is None else at_most
    first = size = last = 0
    for last, one in enumerate(n_bytes, start=1):
        size += int(one)
        if size >= at_most or last - first >= 4096:
            yield first, last
            first, size = last, 0
    if last > first:
        yield first, last


def _whole(values: Any, name: str) -> IntArray:
    array = as_array(values, name=name)
    if array.ndim != 1 or array.dtype.kind not in "iu" or (array < 0).any():
        raise ValueError(f"{name} has values other than numbers of features")
    return array.astype(np.int64)
