"""Arrays of draws, (B, n, K) or (chain, draw, n, K), of any library that NumPy can read.

Arrays of files are such arrays, too: what has a shape, a dtype and either slices or ``matrices``,
which gives the last two dimensions at positions in order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fangs._typing import IntArray
from fangs.check.arguments import as_array, as_matrix, plain_tensor
from fangs.draws.form import NamedMatrix
from fangs.draws.forms.sparse import is_sparse, sparse_columns, sparse_draws
from fangs.draws.request import Request
from fangs.draws.source import DrawSource
from fangs.draws.sparse import SparseColumns
from fangs.draws.variables import Variable

__all__ = ["BLOCK_BYTES", "StackForm", "is_array", "is_binary", "kind_of", "of", "starts_binary"]

BLOCK_BYTES = 2**22
"""What is not NumPy's is read in blocks of about this many bytes."""


def is_array(value: Any) -> bool:
    """Whether something is an array: a shape, and a way to NumPy.

    Examples
    --------
    >>> is_array(np.zeros((2, 2))), is_array([[0]])
    (True, False)
    """
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


def starts_binary(source: DrawSource) -> bool:
    """Whether the first draw, if there is any, holds 0 and 1."""
    first = iter(source.read(np.zeros(min(1, source.n_draws), dtype=np.int64)))
    return is_binary(next(first, np.zeros((0, 0))))  # a file goes on to its checksum at the end


def kind_of(array: Any) -> str:
    """What an array is, in words."""
    shape = tuple(int(extent) for extent in array.shape)
    if len(shape) == 2:
        return f"a {shape[0]} x {shape[1]} matrix"
    return f"{getattr(array, 'dtype', type(array).__name__)} array {shape}"


def of(value: Any, name: str) -> StackForm:
    """The form of such an object."""
    return StackForm(value, name)


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
        source = self._source()
        if not is_sparse(self._array) and not starts_binary(source):  # checked when it is read
            problem = f"{what}; its first draw has values other than 0 and 1"
            return [Variable("", what, problem=problem)]
        n_chains = self._shape[0] if len(self._shape) == 4 else None
        n_items, width = self._shape[-2:]
        return [Variable("", "array", source.n_draws, n_items, (width, width), n_chains)]

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """The draws; there is only one variable."""
        what = f"one {type(self._array).__name__} without names"
        if variable is not None:
            raise TypeError(f"{self._name} is {what}; leave out {variable=}")
        if request.dims:
            raise TypeError(
                f"{self._name} is {what}: dims={dict(request.dims)!r} names nothing in it; give "
                "labels and weights as lists, or weights as the name of a file"
            )
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
            read=lambda at: matrices(self._array, at, self._name),
            name=called,
            chains=np.repeat(np.arange(lead[0]), lead[1]) if len(lead) == 2 else None,
            n_features=n_draws * width,
        )


def matrices(array: Any, positions: IntArray, name: str) -> Iterator[Any]:
    """The last two dimensions at positions, never holding more than a block of a foreign array."""
    lead = array.shape[:-2]
    if hasattr(array, "matrices"):
        yield from array.matrices(positions)
    elif is_sparse(array):
        yield from sparse_draws(array, positions, name)
    elif isinstance(array, np.ndarray):
        for b in positions:
            yield array[np.unravel_index(b, lead)]
    elif len(positions):
        yield from _in_blocks(array, positions)


def _in_blocks(array: Any, positions: IntArray) -> Iterator[Any]:
    """Draws of one chain that are near each other are read at once."""
    n_along = array.shape[-3]
    length = _block_length(array)
    at = positions // n_along, positions % n_along // length
    breaks = np.flatnonzero(np.diff(at[0]) | np.diff(at[1])) + 1
    for near in np.split(positions, breaks):
        chain, first = divmod(int(near[0]), n_along)
        here = slice(first, int(near[-1]) % n_along + 1)
        block = as_array(array[here] if len(array.shape) == 3 else array[chain, here], name="draws")
        for b in near:
            yield block[b % n_along - first]


def _block_length(array: Any) -> int:
    """Draws of a block: whole chunks, where the array has some."""
    axis = len(array.shape) - 3
    chunk = (getattr(array, "chunks", None) or (1,) * (axis + 1))[axis]
    chunk = max(1, max(chunk) if isinstance(chunk, tuple) else int(chunk))
    size = getattr(getattr(array, "dtype", None), "itemsize", 8)
    per_chunk = chunk * int(np.prod(array.shape[-2:])) * size
    return chunk * max(1, BLOCK_BYTES // max(1, per_chunk))
