"""Fingerprints: what tells one collection of draws from another.

The hash of a draw ignores the order of its columns; the sum of all hashes ignores the order of the
draws. Sums over shards add up to the sum over all draws.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

HashArray = npt.NDArray[np.uint64]

MASK = 2**64 - 1


def hash_sum(hashes: HashArray, weights: npt.NDArray[np.int64]) -> int:
    """Weighted sum of the hashes of draws, modulo 2**64."""
    weighted: npt.NDArray[Any] = hashes * weights.astype(np.uint64)  # wraps around, as it should
    return int(weighted.sum(dtype=np.uint64))


def fingerprint(n_items: int, total_weight: int, total: int) -> str:
    """16 hexadecimal digits for draws of `n_items` items whose weighted hashes have this sum.

    Examples
    --------
    >>> fingerprint(3, 10, 0x1234)
    '25d3069ecb66099a'
    """
    return f"{_mixed(total ^ _mixed(n_items ^ _mixed(total_weight))):016x}"


def _mixed(x: int) -> int:
    """The finaliser of SplitMix64 (Steele, Lea and Flood 2014), as in cpp/storage/hashes.hpp."""
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)
