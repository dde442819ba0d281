"""Arrays of many draws, (B, n, K) or (chain, draw, n, K), of any library that NumPy can read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._validate import as_array, plain_tensor
from fangs.interop.given import Given, numbered
from fangs.interop.sparse import is_sparse, sparse_draws

# Arrays that are not in memory as NumPy's are read in blocks of about this many entries.
_BLOCK = 1 << 22


def is_array(value: Any) -> bool:
    """Whether something is an array: a shape, and a way to NumPy.

    Examples
    --------
    >>> is_array(np.zeros((2, 2))), is_array([[0]])
    (True, False)
    """
    if isinstance(value, np.ndarray):
        return not value.dtype.hasobject
    return hasattr(value, "shape") and (hasattr(value, "__array__") or hasattr(value, "__dlpack__"))


def read_array(array: Any, name: str, *, chains: npt.NDArray[Any] | None = None) -> Given:
    """Draws of one array (B, n, K) or (chain, draw, n, K); chains are numbered from 0."""
    array = plain_tensor(array)
    shape = tuple(int(extent) for extent in array.shape)
    if len(shape) not in (3, 4):
        hint = ""
        if len(shape) == 2:
            hint = ": [matrix] for a single draw; a matrix and draws go in this order"
        raise ValueError(
            f"{name} is one array of shape {shape}; give a (B, n, K) or a (chain, draw, n, K) "
            f"array, or a list of (n, K) matrices{hint}"
        )
    n_draws = int(np.prod(shape[:-2]))
    if len(shape) == 4 and chains is None:
        chains = np.repeat(np.arange(shape[0]), shape[1])

    def called(b: int) -> str:
        at = (b,) if len(shape) == 3 else divmod(b, shape[1])
        return f"{name}[{', '.join(str(i) for i in at)}]"

    return Given(
        matrices(array),
        called if len(shape) == 4 else numbered(name),
        chains=chains,
        size=(n_draws, n_draws * shape[-1]),
    )


def matrices(array: Any) -> Iterator[Any]:
    """Yield the last two dimensions, never holding more than a block of what is not NumPy's."""
    if is_sparse(array):
        yield from sparse_draws(array)
    elif isinstance(array, np.ndarray):
        for at in product(*(range(extent) for extent in array.shape[:-2])):
            yield array[at]
    elif len(array.shape) > 3:
        for part in range(array.shape[0]):
            yield from matrices(array[part])
    else:
        some = max(1, _BLOCK // max(1, int(np.prod(array.shape[1:]))))
        for first in range(0, array.shape[0], some):
            yield from as_array(array[first : first + some], name="draws")
