"""Weights of draws: whole numbers inside, so that every sum over draws is exact.

A weight of 3 means the same as three copies of the draw, and a weight of 0 the same as no draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray

RESOLUTION = 2**31
"""Total to which weights are scaled that have no common unit. A larger one slows down counting."""
MAX_TOTAL = 2**53
"""Largest total of whole weights, so that shares of it are correctly rounded."""


def as_weights(weights: Any, *, n_draws: int) -> tuple[IntArray, float]:
    """Check one weight per draw; whole numbers (B,), and how far they are from what was given.

    Whole numbers are taken as they are. Other numbers are taken as the decimals that they print
    as. If these are multiples of a common unit, such as 0.25, the weights count units, exactly.
    Otherwise they are scaled to a total of about 2^31 and rounded. No share of the draws is then
    off by more than the second result, which is at most about B / 2^32.

    Examples
    --------
    >>> as_weights([0.25, 1.0, 0.5], n_draws=3)
    (array([1, 4, 2]), 0.0)
    >>> whole, error = as_weights([1.0, 2**0.5, 0.0], n_draws=3)
    >>> whole.tolist(), error < 1e-9
    ([889516852, 1257966796, 0], True)
    """
    given = np.asarray(weights)
    if given.dtype.kind not in "iuf":
        raise TypeError(
            f"weights holds values of type {given.dtype}; give one number per draw, 0 or more"
        )
    if given.shape != (n_draws,):
        raise ValueError(
            f"weights has shape {given.shape}, but there are {n_draws} draws; give one weight each"
        )
    bad = np.flatnonzero(~(np.isfinite(given) & (given >= 0)))
    if len(bad):
        raise ValueError(
            f"weights[{bad[0]}] is {given[bad[0]]}; a weight is a finite number, 0 or more: give "
            "weights themselves, not their logarithms"
        )
    if not given.any():
        raise ValueError("weights are all 0; at least one draw must count")
    whole, error = _as_whole(given) if given.dtype.kind == "f" else (given, 0.0)
    total = sum(whole.tolist())
    if total > MAX_TOTAL:
        raise ValueError(
            f"weights add up to {total}, more than 2^53; divide them by a common factor, or give "
            "shares as decimal numbers"
        )
    return whole.astype(np.int64), error


def effective_number(weights: IntArray) -> float:
    """Number of equal draws with the same variance of a mean: Kish's effective sample size.

    Examples
    --------
    >>> effective_number(np.array([2, 2, 2])), effective_number(np.array([98, 1, 1]))
    (3.0, 1.04...)
    """
    whole = weights.tolist()  # Python's own numbers: squares may not fit into 64 bits
    return float(sum(whole) ** 2 / sum(times * times for times in whole))


def are_equal(weights: IntArray | None) -> bool:
    """Whether all draws count the same."""
    return weights is None or bool(weights.min() == weights.max())


def draws_of_copies(weights: IntArray, copies: npt.NDArray[np.int64]) -> IntArray:
    """The draw of each copy, where copies are numbered through, those of a draw in a row."""
    return np.searchsorted(np.cumsum(weights), copies, side="right")


def choose_draws(
    weights: IntArray | None, n_draws: int, size: int, rng: np.random.Generator
) -> IntArray:
    """Choose different draws at random, with probabilities by their weights; `size` at most."""
    if weights is None or are_equal(weights):
        return rng.choice(n_draws, size=min(size, n_draws), replace=False)
    size = min(size, int(np.count_nonzero(weights)))
    return rng.choice(n_draws, size=size, replace=False, p=weights / weights.sum())


def choose_copies(weights: IntArray, size: int, rng: np.random.Generator) -> IntArray:
    """Choose different copies at random, `size` at most; the draw of each, which may repeat."""
    total = int(weights.sum())
    return draws_of_copies(weights, rng.choice(total, size=min(size, total), replace=False))


def evenly_spaced_copies(weights: IntArray, at_most: int) -> IntArray:
    """The draws of all copies in order or, where these are more than `at_most`, of that many.

    Examples
    --------
    >>> evenly_spaced_copies(np.array([2, 1]), 10), evenly_spaced_copies(np.array([600, 300]), 3)
    (array([0, 0, 1]), array([0, 0, 1]))
    """
    total = int(weights.sum())
    if total <= at_most:
        return np.repeat(np.arange(len(weights)), weights)
    middles = (2 * np.arange(at_most) + 1) / (2 * at_most)
    return draws_of_copies(weights, (middles * total).astype(np.int64))


def weights_by_chain(weights: Any, names: Sequence[str | int], codes: IntArray) -> npt.NDArray[Any]:
    """One weight per draw from those of each chain: an array each, or a number for all its draws.

    Examples
    --------
    >>> weights_by_chain({"warm": 2, "cold": [1, 3]}, ["cold", "warm"], np.array([1, 0, 0]))
    array([2, 1, 3])
    """
    if isinstance(weights, Mapping):
        if set(weights) != set(names):
            raise ValueError(f"weights has the chains {list(weights)}, but there are {list(names)}")
        weights = [weights[name] for name in names]
    given = [np.asarray(one) for one in weights]
    if len(given) != len(names):
        raise ValueError(
            f"weights has {len(given)} entries, but there are {len(names)} chains; give one array, "
            "or one number, per chain"
        )
    every = np.zeros(len(codes), dtype=np.result_type(*given))
    for chain, one in enumerate(given):
        here = codes == chain
        if one.ndim and one.shape != (int(here.sum()),):
            raise ValueError(
                f"weights of chain {names[chain]!r} have shape {one.shape}, but it has "
                f"{int(here.sum())} draws; give one each"
            )
        every[here] = one
    return every


def check_sums(weights: IntArray, n_ones: IntArray) -> None:
    """Refuse weights with which a sum over all draws might not fit into 64 bits.

    Sums are of ones, or of twice as many quarters of a one (the bounds of `alternatives.draws`).
    """
    total, ones = int(weights.sum()), int(n_ones.max())
    if total * max(ones, 1) >= 2**59:
        raise ValueError(
            f"weights add up to {total}, too much for draws of up to {ones} ones; divide them by "
            "a common factor, or give shares as decimal numbers"
        )


def _as_whole(given: npt.NDArray[Any]) -> tuple[IntArray, float]:
    values, which = np.unique(given, return_inverse=True)
    unit = _common_unit(values, given)
    if unit is not None:
        counts = [int(Fraction(str(value)) / unit) for value in values]
        return np.array(counts, dtype=np.int64)[which], 0.0
    shares = (given / given.max()).astype(np.float64)
    shares /= shares.sum()
    whole = np.rint(shares * RESOLUTION).astype(np.int64)
    # The total variation distance between the distributions over the draws.
    return whole, 0.5 * float(np.abs(whole / whole.sum() - shares).sum())


def _common_unit(values: npt.NDArray[Any], given: npt.NDArray[Any]) -> Fraction | None:
    """The largest number that all values are multiples of; None if the total is too many units.

    Where all values are whole numbers, the unit is 1.
    """
    total = Fraction(float((given / given.max()).sum())) * Fraction(str(given.max()))
    unit = Fraction(0)
    for value in values:
        exact = Fraction(str(value))
        scale = unit.denominator * exact.denominator
        divisor = gcd(unit.numerator * exact.denominator, exact.numerator * unit.denominator)
        unit = Fraction(divisor, scale)
        if unit > 0 and total > RESOLUTION * unit:
            return None
    return Fraction(1) if unit.denominator == 1 and total <= RESOLUTION else unit
