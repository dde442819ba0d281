"""Reads the wanted draws of an array that is elsewhere, a block at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray

__all__ = ["BLOCK_BYTES", "read_blocks"]

BLOCK_BYTES = 2**24
"""Unpacked draws that are held at a time: more takes memory, less reads a chunk more often."""


def read_blocks(
    read: Callable[..., npt.NDArray[Any]],
    sizes: Sequence[int],
    at: IntArray,
    *,
    draw_bytes: int,
    chunk: int = 1,
) -> Iterator[npt.NDArray[Any]]:
    """Yield the draws at these positions, ascending, as (n, K) arrays.

    Parameters
    ----------
    read
        Takes a slice of draws, or one of chains and one of draws, and gives that part of the array,
        with these dimensions first.
    sizes
        Number of draws, or of chains and of the draws of each; chains lie one after another.
    at
        Positions of the draws.
    draw_bytes, chunk
        What a draw takes, and how many draws of a chain are stored together.
    """
    if not len(at):
        return
    places = np.unravel_index(at, tuple(sizes))
    room, n_along = max(1, BLOCK_BYTES // max(1, draw_bytes)), sizes[-1]
    # Several chains only where each is read whole, so that blocks come in the order of the draws.
    steps = [max(1, room // n_along), min(n_along, chunk * max(1, room // chunk))][-len(sizes) :]
    blocks = [place // step for place, step in zip(places, steps, strict=True)]
    _, first = np.unique(np.stack(blocks), axis=1, return_index=True)
    for part in np.split(np.arange(len(at)), first[1:]):
        spans = [_span(place[part]) for place in places]
        values = read(*spans)
        inside = (
            (place[part] - span.start) // span.step
            for place, span in zip(places, spans, strict=True)
        )
        for here in zip(*inside, strict=True):
            yield values[here]


def _span(places: IntArray) -> slice:
    """The smallest slice that has all of these."""
    first = int(places.min())
    step = int(np.gcd.reduce(places - first))
    return slice(first, int(places.max()) + 1, max(1, step))
