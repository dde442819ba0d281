"""Reads the wanted draws of a lazy array of xarray, a block at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray

__all__ = ["BLOCK_BYTES", "read_blocks"]

BLOCK_BYTES = 2**24
"""Unpacked draws that are held at a time: more takes memory, less reads a chunk more often."""


def read_blocks(
    array: Any,
    dims: Mapping[str, Hashable],
    at: IntArray,
    load: Callable[[Any], npt.NDArray[Any]],
) -> Iterator[npt.NDArray[Any]]:
    """Yield the draws at these positions, ascending, as (n, K) arrays.

    Parameters
    ----------
    array
        A variable of xarray.
    dims
        Its dimensions by what they mean; chains lie one after another.
    at
        Positions of the draws.
    load
        Reads or computes a part of the array.
    """
    leading = [dims[role] for role in ("chain", "draw") if role in dims]
    if not len(at):
        return
    sizes = [array.sizes[dim] for dim in leading]
    places = np.unravel_index(at, sizes)
    steps = _steps(array, leading)
    blocks = [place // step for place, step in zip(places, steps, strict=True)]
    _, first = np.unique(np.stack(blocks), axis=1, return_index=True)
    for part in np.split(np.arange(len(at)), first[1:]):
        spans = [_span(place[part]) for place in places]
        # What is not in memory cannot be transposed before it is read: xarray would then look up
        # every entry on its own.
        some = array.isel(dict(zip(leading, spans, strict=True)))
        order = [some.dims.index(dim) for dim in (*leading, dims["item"], dims["feature"])]
        values = load(some).transpose(order)
        inside = (
            (place[part] - span.start) // span.step
            for place, span in zip(places, spans, strict=True)
        )
        for here in zip(*inside, strict=True):
            yield values[here]


def _steps(array: Any, leading: Sequence[Hashable]) -> list[int]:
    """How many chains and draws are read at once: whole chunks of draws, about `BLOCK_BYTES`."""
    per_draw = math.prod(size for dim, size in array.sizes.items() if dim not in leading)
    room = max(1, BLOCK_BYTES // max(1, per_draw * array.dtype.itemsize))
    chunks = array.chunksizes or array.encoding.get("preferred_chunks") or {}
    *chain, draw = leading
    n_along, chunk = max(1, array.sizes[draw]), int(np.max(chunks.get(draw, 1)))
    along = min(n_along, chunk * max(1, room // chunk))
    # Several chains only where each is read whole, so that blocks come in the order of the draws.
    return [*([max(1, room // n_along)] if chain else []), along]


def _span(places: IntArray) -> slice:
    """The smallest slice that has all of these."""
    first = int(places.min())
    step = int(np.gcd.reduce(places - first))
    return slice(first, int(places.max()) + 1, max(1, step))
