"""Arrays of draws, (B, n, K) or (chain, draw, n, K), of any library that NumPy can read.

Arrays of files are such arrays, too: what has a shape, a dtype and either slices or ``matrices``,
which gives the last two dimensions at positions in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from fangs._typing import IntArray
from fangs.check.arguments import as_array, as_matrix, plain_tensor
from fangs.draws.form import NamedMatrix, refuse_names
from fangs.draws.forms.blocks import BLOCK_BYTES, read_blocks
from fangs.draws.forms.sparse import is_sparse, sparse_columns, sparse_draws
from fangs.draws.request import Request
from fangs.draws.source import DrawSource
from fangs.draws.sparse import SparseColumns
from fangs.draws.variables import Variable

__all__ = ["BLOCK_BYTES", "StackForm", "describe", "is_array", "is_binary", "kind_of", "of"]


def is_array(value: Any) -> bool:
    """Whether something is an array: a shape, and a way to NumPy."""
    if isinstance(value, np.ndarray):
        return not value.dtype.hasobject or value.dtype.names is not None
    ways = ("__array__", "__dlpack__", "matrices")
    return is_sparse(value) or (hasattr(value, "shape") and any(hasattr(value, w) for w in ways))


def is_binary(matrix: Any) -> bool:
    """Whether all values are 0 and 1, but for columns of nothing but NaN or -1.

    Examples
    --------
    >>> is_binary(np.array([[1, -1], [0, -1]])), is_binary(np.array([[1, -1], [0, 1]]))
    (True, False)
    """
    if isinstance(matrix, SparseColumns):
        return True
    values = np.asarray(matrix)
    if values.dtype.kind not in "biuf":
        return False
    is_padding = ((values == -1) | (values != values)).all(axis=0)
    return bool(((values == 0) | (values == 1) | is_padding).all())


def describe(
    source: DrawSource, what: str, n_items: int, widths: Iterable[int], *, name: str = "",
    shown: str = "",
) -> Variable:  # fmt: skip
    """What is said of draws after a look at the first; all are checked when they are read.

    `widths` are the numbers of columns, and `shown` is what complaints say that the draws are.
    """
    first = iter(source.read(np.arange(min(1, source.n_draws))))
    if is_binary(next(first, np.zeros((0, 0)))):
        return source.describe(name, what, n_items, widths)
    problem = f"{shown or what}; its first draw has values other than 0 and 1"
    return Variable(name, what, problem=problem)


def kind_of(array: Any) -> str:
    """What an array is, in words."""
    shape = tuple(int(extent) for extent in array.shape)
    if len(shape) == 2:
        return f"a {shape[0]} x {shape[1]} matrix"
    return f"{getattr(array, 'dtype', type(array).__name__)} array {shape}"


class StackForm:
    """One array, whose axes are positions: it has no names."""

    def __init__(self, array: Any, name: str) -> None:
        self._array, self._name = plain_tensor(array), name
        self._shape = tuple(int(extent) for extent in self._array.shape)

    def variables(self, request: Request) -> list[Variable]:
        """The draws, if its shape and its first draw are those of draws."""
        what = kind_of(self._array)
        if self._refusal() is not None:
            return [Variable("", what)]
        n_items, width = self._shape[-2:]
        if is_sparse(self._array):
            return [self._source().describe("", "array", n_items, [width])]
        return [describe(self._source(), "array", n_items, [width], shown=what)]

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """The draws; there is only one variable."""
        what = f"{self._name} is one {type(self._array).__name__} without names"
        refuse_names(what, variable, request)
        if (refusal := self._refusal()) is not None:
            raise refusal
        return self._source()

    def matrix(self, request: Request) -> NamedMatrix:
        """The array, if it is an (n, K) one."""
        if is_sparse(self._array) and len(self._shape) == 2:
            return NamedMatrix(sparse_columns(self._array, self._name))
        return NamedMatrix(as_matrix(self._array, name=self._name))

    def _refusal(self) -> Exception | None:
        """Why these are no draws; None if they may be."""
        dtype = getattr(self._array, "dtype", None)
        names = getattr(dtype, "names", None) or getattr(self._array, "names", None) or ()
        if any(names):
            return TypeError(
                f"{self._name} is an array with the names {', '.join(map(str, names))}; give a "
                "table, pandas.DataFrame(array), or xarray.DataArray(values, dims=names)"
            )
        if getattr(dtype, "kind", "f") not in "biuf":
            return TypeError(
                f"{self._name} holds values of type {dtype}; give an (n, K) array of 0 and 1"
            )
        if len(self._shape) not in (3, 4):
            hint = ""
            if len(self._shape) == 2:
                hint = ": [matrix] for a single draw; a matrix and draws go in this order"
            return ValueError(
                f"{self._name} is one array of shape {self._shape}; give a (B, n, K) or a (chain, "
                f"draw, n, K) array, or a list of (n, K) matrices{hint}"
            )
        return None

    def _source(self) -> DrawSource:
        *lead, _, width = self._shape
        n_draws = int(np.prod(lead))

        def called(b: int) -> str:
            return f"{self._name}[{', '.join(str(i) for i in np.unravel_index(b, lead))}]"

        return DrawSource(
            n_draws=n_draws,
            read=lambda at: _matrices(self._array, at, self._name),
            name=called,
            chains=np.repeat(np.arange(lead[0]), lead[1]) if len(lead) == 2 else None,
            n_features=n_draws * width,
        )


def _matrices(array: Any, at: IntArray, name: str) -> Iterator[Any]:
    """The last two dimensions at positions, never holding more than a block of a foreign array."""
    lead = array.shape[:-2]
    if hasattr(array, "matrices"):
        yield from array.matrices(at)
    elif is_sparse(array):
        yield from sparse_draws(array, at, name)
    elif isinstance(array, np.ndarray):
        yield from (array[np.unravel_index(b, lead)] for b in at)
    else:
        chunk = (getattr(array, "chunks", None) or (1,) * len(lead))[len(lead) - 1]
        size = getattr(getattr(array, "dtype", None), "itemsize", 8)
        yield from read_blocks(
            lambda *spans: as_array(array[spans], name=name),
            lead,
            at,
            draw_bytes=int(np.prod(array.shape[-2:])) * size,
            chunk=int(np.max(chunk)),
        )


of = StackForm
