"""R-hat and effective sample size of one number per draw, over several chains of equal length.

Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021), Rank-normalization, folding, and
localization: an improved R-hat. The tests check that ArviZ gives the same values.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from fangs._typing import FloatArray


def rhat(values: npt.ArrayLike) -> float:
    """Rank-normalised split R-hat of a (chains, draws) array.

    It is 1 if all values are equal, and infinite if chains differ and do not move.

    Examples
    --------
    >>> round(rhat([[1, 2, 3, 4, 2, 3, 1, 4], [2, 4, 1, 3, 3, 1, 4, 2]]), 2)
    0.87
    >>> rhat([[3, 3, 3, 3], [3, 3, 3, 3]]), rhat([[3, 3, 3, 3], [4, 4, 4, 4]])
    (1.0, inf)
    """
    table = np.asarray(values, dtype=np.float64)
    if np.ptp(table) == 0:
        return 1.0
    halves = _halves(table)
    if np.ptp(halves, axis=1).max() == 0:
        return np.inf
    # The distances to the median notice chains that differ only in spread.
    return max(_plain_rhat(_normal_scores(x)) for x in (halves, abs(halves - np.median(halves))))


def bulk_ess(values: npt.ArrayLike) -> float:
    """Bulk effective sample size of a (chains, draws) array; all draws if their values are equal.

    Examples
    --------
    >>> round(bulk_ess([[1, 2, 3, 4, 2, 3, 1, 4], [2, 4, 1, 3, 3, 1, 4, 2]]))
    19
    """
    table = np.asarray(values, dtype=np.float64)
    if np.ptp(table) == 0:
        return float(table.size)
    halves = _normal_scores(_halves(table))
    n_draws = halves.shape[1]
    covariance = _autocovariance(halves).mean(axis=0)
    within = covariance[0] * n_draws / (n_draws - 1)
    total = covariance[0] + halves.mean(axis=1).var(ddof=1)
    rho = 1.0 - (within - covariance) / total
    rho[0] = 1.0
    # Geyer's initial monotone sequence: sums of neighbouring lags while they are positive, none
    # larger than the one before. The even lag of the first sum left out still counts.
    n_sums = 1 + max(n_draws - 3, 0) // 2
    sums = rho[0 : 2 * n_sums : 2] + rho[1 : 2 * n_sums : 2]
    falling = np.append(np.flatnonzero(sums <= 0), n_sums - 1)[0]
    kept = np.minimum.accumulate(sums[:falling])
    time = -1.0 + 2.0 * kept.sum() + max(rho[2 * falling], 0.0)
    return float(halves.size / max(time, 1.0 / np.log10(halves.size)))


def chance_rhat(n_chains: int, n_draws: int) -> float:
    """R-hat that independent draws of one distribution exceed about once in a thousand times.

    For such draws the variance of the means of half chains, relative to its expectation, is a
    chi-square over its degrees of freedom. Wilson and Hilferty (1931) give its quantile.

    Examples
    --------
    >>> [round(chance_rhat(4, n_draws), 3) for n_draws in (10, 100, 1000)]
    [1.225, 1.025, 1.003]
    """
    half, freedom = n_draws // 2, 2 * n_chains - 1
    spread = 2 / (9 * freedom)
    ratio = (1 - spread + NormalDist().inv_cdf(0.999) * spread**0.5) ** 3
    return float(((half - 1 + ratio) / half) ** 0.5)


def _halves(table: FloatArray) -> FloatArray:
    """Cut every chain in two, leaving out the middle draw of an odd number."""
    half = table.shape[1] // 2
    return np.concatenate([table[:, :half], table[:, -half:]])


def _normal_scores(table: FloatArray) -> FloatArray:
    """Replace values by the normal quantiles of their ranks; ties have their mean rank."""
    _, which, counts = np.unique(table, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2
    normal = NormalDist()
    quantiles = [normal.inv_cdf(p) for p in (ranks - 3 / 8) / (table.size + 1 / 4)]
    scores: FloatArray = np.array(quantiles)[which].reshape(table.shape)
    return scores


def _plain_rhat(table: FloatArray) -> float:
    n_draws = table.shape[1]
    within = table.var(axis=1, ddof=1).mean()
    between = table.mean(axis=1).var(ddof=1)
    if within == 0:
        return np.inf if between > 0 else 1.0
    return float(np.sqrt(between / within + (n_draws - 1) / n_draws))


def _autocovariance(table: FloatArray) -> FloatArray:
    n_draws = table.shape[1]
    centred = table - table.mean(axis=1, keepdims=True)
    spectrum = np.fft.rfft(centred, n=2 * n_draws, axis=1)
    products = np.fft.irfft(spectrum * spectrum.conj(), axis=1)[:, :n_draws]
    return np.asarray(products / n_draws, dtype=np.float64)
