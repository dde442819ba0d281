"""Draws of different widths in one array, padded with zeros, a block of draws at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix
from fangs.samples import Samples

__all__ = ["Padded", "attributes", "coordinates"]

Slices = tuple[slice, ...]


class Padded:
    """Samples as an array over (chain, draw, item, feature), or (sample, item, feature).

    The first where all chains have as many draws and lie one after another, as in ArviZ; else the
    second, with the chains as a coordinate.
    """

    def __init__(self, samples: Samples, block_bytes: int) -> None:
        self.samples = samples
        n, k = samples.n_items, int(samples.n_columns.max())
        n_chains = _equal_chains(samples)
        n_along = len(samples) // n_chains if n_chains else len(samples)
        self.shape: tuple[int, ...] = (n_along, n, k)
        self.dims: tuple[str, ...] = ("sample", "item", "feature")
        if n_chains:
            self.shape, self.dims = (n_chains, *self.shape), ("chain", "draw", "item", "feature")
        per_draw = max(n_chains, 1) * n * k
        self.length = min(max(1, block_bytes // max(per_draw, 1)), n_along)
        # A few hundred draws of one chain to a chunk: few files, and blocks that are fast to skip.
        chunk = max(1, min(self.length, 2**22 // max(n * k, 1)))
        self.chunks = (1, chunk, n, k) if n_chains else (chunk, n, k)
        self.length -= self.length % chunk

    def blocks(self) -> Iterator[tuple[Slices, BinaryMatrix]]:
        """Where each block belongs, and the block."""
        *chains, n_along, n, k = self.shape
        for start in range(0, n_along, self.length):
            here = slice(start, min(start + self.length, n_along))
            block = np.zeros((*chains, here.stop - start, n, k), dtype=np.uint8)
            flat = block if chains else block[None]
            for chain in range(len(flat)):
                for row, b in enumerate(range(here.start, here.stop)):
                    at = chain * n_along + b
                    flat[chain, row][:, self.samples.columns(at)] = self.samples[at]
            everything = slice(None)
            yield (*(everything for _ in chains), here, everything, everything), block


def coordinates(padded: Padded) -> dict[str, tuple[tuple[str, ...], npt.NDArray[Any]]]:
    """Coordinates by name: their dimensions and values."""
    samples = padded.samples
    found: dict[str, tuple[tuple[str, ...], npt.NDArray[Any]]] = {}
    if "chain" in padded.dims:
        found["chain"] = (("chain",), _labels(samples.info.chain_names))
        found["draw"] = (("draw",), np.arange(padded.shape[1]))
    elif samples.chains is not None:
        found["chain"] = (("sample",), _labels(samples.chains.tolist()))
    if samples.items is not None:
        found["item"] = (("item",), np.array(samples.items, dtype=object))
    if samples.weights is not None:
        dims = padded.dims[:-2]
        found["weight"] = (dims, samples.weights.reshape(padded.shape[: len(dims)]))
    return found


def attributes(samples: Samples) -> dict[str, Any]:
    """What the file says about itself."""
    return {"description": "draws of a feature allocation; columns of zeros are no features"}


def _equal_chains(samples: Samples) -> int:
    """Number of chains if they are equally long and in order, else 0."""
    if samples.chains is None:
        return 0
    codes, n_chains = samples.info.chain_codes, len(samples.info.chain_names)
    is_even = len(codes) % n_chains == 0
    wanted = np.repeat(np.arange(n_chains), len(codes) // n_chains)
    return n_chains if is_even and np.array_equal(codes, wanted) else 0


def _labels(chains: Sequence[str | int]) -> npt.NDArray[Any]:
    """Labels of chains in a form that files keep."""
    is_text = any(isinstance(label, str) for label in chains)
    return np.array(chains, dtype=object if is_text else np.int64)
