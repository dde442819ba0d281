"""Block bootstrap of draws within their chains, through whole-number weights.

Draws of one chain depend on their neighbours. So blocks of neighbours are drawn again, not single
draws: the circular block bootstrap of Politis and Romano (1992), whose last block is joined to the
first, so that every draw is equally likely. The length of the blocks follows from the
autocorrelation of one number per draw, here the loss: the rule of Politis and White (2004) as
corrected by Patton, Politis and White (2009).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fangs._typing import FloatArray, IntArray
from fangs.draws.info import SamplesInfo

CRITICAL = 2.0
"""Standard errors above which an autocorrelation counts, as Politis and White (2004) advise."""


@dataclass(frozen=True, eq=False)
class BlockBootstrap:
    """How draws are drawn again: the draws of each chain in order, and the length of its blocks."""

    n_draws: int
    members: tuple[IntArray, ...]
    """The draws of each chain whose weight is not 0."""
    lengths: tuple[int, ...]
    """The length of the blocks in each chain."""

    @classmethod
    def of(cls, info: SamplesInfo, losses: FloatArray) -> BlockBootstrap:
        """For these draws, which are in the order of their chains; blocks by their losses."""
        members = tuple(chain_members(info))
        return cls(info.n_draws, members, tuple(block_length(losses[m]) for m in members))

    def counts(self, rng: np.random.Generator) -> IntArray:
        """(B,): how often each draw is drawn again; in each chain as often as it has draws."""
        counts: IntArray = np.zeros(self.n_draws, dtype=np.int64)
        for draws, length in zip(self.members, self.lengths, strict=True):
            n_draws = len(draws)
            first = rng.integers(0, n_draws, size=-(-n_draws // length))
            places = (first[:, None] + np.arange(length)).ravel()[:n_draws] % n_draws
            counts[draws] = np.bincount(places, minlength=n_draws)
        return counts


def chain_members(info: SamplesInfo) -> list[IntArray]:
    """The draws of each chain whose weight is not 0, in order; without chains, all are one."""
    if info.chains is None:
        return [info.counted]
    codes = info.chain_codes[info.counted]
    return [info.counted[codes == code] for code in np.unique(codes)]


def block_length(values: FloatArray) -> int:
    """Length of blocks for the circular block bootstrap of the mean of a stationary series.

    Patton, Politis and White (2009), section 2. Autocovariances count up to twice the lag after
    which autocorrelations are no longer significant, with the weights of a flat-top window. Blocks
    are never longer than 3 square roots of the number of draws, or a third of the draws.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> block_length(rng.normal(size=1000))
    1
    >>> walk = np.zeros(1000)
    >>> for t in range(1, 1000):
    ...     walk[t] = 0.9 * walk[t - 1] + rng.normal()
    >>> block_length(walk)
    31
    """
    n_draws = len(values)
    if n_draws < 3 or np.ptp(values) == 0:
        return 1
    covariances = _autocovariances(values)
    last = _last_lag(covariances)
    lags = np.arange(1, last + 1)
    windowed = np.minimum(1.0, 2.0 * (1.0 - lags / last)) * covariances[1 : last + 1]
    spread = 2.0 * float(lags @ windowed)
    density = float(covariances[0] + 2.0 * windowed.sum())
    if density <= 0.0:
        return 1
    length = (1.5 * n_draws * (spread / density) ** 2) ** (1.0 / 3.0)
    longest = math.ceil(min(3.0 * math.sqrt(n_draws), n_draws / 3.0))
    return int(min(max(1, round(length)), longest))


def _autocovariances(values: FloatArray) -> FloatArray:
    """Sample autocovariances at all lags."""
    n_draws = len(values)
    spectrum = np.fft.rfft(values - values.mean(), n=2 * n_draws)
    products = np.fft.irfft(spectrum * spectrum.conj())[:n_draws]
    return np.asarray(products / n_draws, dtype=np.float64)


def _last_lag(covariances: FloatArray) -> int:
    """The lag up to which autocovariances count.

    It is twice the largest lag before a run of autocorrelations that are not significant; that lag
    is at least 1.
    """
    n_draws = len(covariances)
    log = math.log10(n_draws)
    run = max(5, math.ceil(math.sqrt(log)))
    most = min(n_draws - 1, math.ceil(math.sqrt(n_draws)) + run)
    small = np.abs(covariances[1:]) < CRITICAL * math.sqrt(log / n_draws) * covariances[0]
    for lag in range(most):
        if small[lag : lag + run].all():
            return min(2 * max(lag, 1), most)
    return most
