"""How draws of different widths are laid out in one array: by chain and draw, padded with zeros."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix, IntArray

if TYPE_CHECKING:
    from fangs.draws.info import SamplesInfo
    from fangs.draws.samples import Samples

__all__ = ["Layout", "padded"]

Coords = dict[str, tuple[tuple[str, ...], npt.NDArray[Any]]]


@dataclass(frozen=True, eq=False)
class Layout:
    """Where each draw is: (chain, draw) where chains are equally long, else (sample,).

    Examples
    --------
    >>> Layout.of(4, np.array([0, 1, 0, 1]), ["warm", "cold"]).order
    array([[0, 2],
           [1, 3]])
    """

    dims: tuple[str, ...]
    """The dimensions of the draws."""
    order: IntArray
    """The number of the draw in each place, in the shape of the dimensions."""
    coords: Coords
    """Dimensions and values of each coordinate of the draws."""

    @classmethod
    def of(
        cls, n_draws: int, codes: IntArray, names: Sequence[str | int], *, exact: bool = False
    ) -> Layout:
        """Lay out draws by the codes and names of their chains.

        ArviZ needs a chain, so draws without any become chain 0, and draws of chains that take
        turns are put together. With ``exact`` they come back as they were, from a file.
        """
        if not names and not exact:
            codes, names = np.zeros(n_draws, dtype=np.int64), [0]
        is_even = len(names) > 0 and len(set(np.bincount(codes).tolist())) == 1
        if is_even and not (exact and (np.diff(codes) < 0).any()):
            order = np.argsort(codes, kind="stable").reshape(len(names), -1)
            coords: Coords = {
                "chain": (("chain",), np.array(names)),
                "draw": (("draw",), np.arange(order.shape[1])),
            }
            return cls(("chain", "draw"), order, coords)
        coords = {"sample": (("sample",), np.arange(n_draws))}
        if names:
            coords["chain"] = ("sample",), np.array(names)[codes]
        return cls(("sample",), np.arange(n_draws), coords)

    @classmethod
    def of_info(cls, info: SamplesInfo, *, exact: bool = False) -> Layout:
        """Lay out all draws of samples, with their weights."""
        made = cls.of(info.n_draws, info.chain_codes, info.chain_names, exact=exact)
        if info.weights is not None:
            made.coords["weight"] = made.dims, made.put(info.weights)
        return made

    def put(self, values: npt.NDArray[Any], *, copy: bool = True) -> npt.NDArray[Any]:
        """Values by draw, (B, ...), in the shape of the layout; without a copy if that can be."""
        if copy or (np.diff(self.order.ravel()) != 1).any():
            return values[self.order]
        return values.reshape(*self.order.shape, *values.shape[1:])

    def chunks(self, per_draw: int, n_bytes: int) -> tuple[int, ...]:
        """How many chains and draws come to about so many bytes, as whole chains where they fit.

        Examples
        --------
        >>> Layout.of(12, np.repeat([0, 1, 2], 4), "abc").chunks(10, 90)
        (2, 4)
        """
        found: list[int] = []
        room = max(1, n_bytes // max(1, per_draw))
        for size in reversed(self.order.shape):
            found.insert(0, min(size, room))
            room = max(1, room // size)
        return tuple(found)

    def blocks(
        self, samples: Samples, chunks: tuple[int, ...]
    ) -> Iterator[tuple[tuple[slice, ...], BinaryMatrix]]:
        """Where each chunk belongs, and its draws."""
        sizes = self.order.shape
        for starts in product(*map(range, (0,) * len(sizes), sizes, chunks)):
            stops = map(sum, zip(starts, chunks, strict=True))
            here = tuple(map(slice, starts, map(min, stops, sizes)))
            yield here, padded(samples, self.order[here])


def padded(samples: Samples, draws: IntArray) -> BinaryMatrix:
    """These draws in one array (..., n, K), each column in the place that it was given in."""
    width = int(samples.n_columns.max())
    out = np.zeros((draws.size, samples.n_items, width), dtype=np.uint8)
    for row, b in zip(out, draws.ravel().tolist(), strict=True):
        row[:, samples.columns(b)] = samples[b]
    return out.reshape(*draws.shape, *out.shape[1:])


def item_coord(items: Sequence[str] | None, n_items: int, first_item: int) -> Coords:
    """The labels of items; their numbers where a source counts from 0; else none."""
    if items is None and first_item == 1:
        return {}
    labels = np.arange(n_items) if items is None else np.array(list(map(str, items)), object)
    return {"item": (("item",), labels)}
