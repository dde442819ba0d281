"""R-hat, effective sample size and Monte Carlo error of one number per draw, over several chains.

Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021), Rank-normalization, folding, and
localization: an improved R-hat. Where chains have equal length and draws count the same, the tests
check that ArviZ gives the same values.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fangs._typing import FloatArray, IntArray

# Draws of a chain from which on their autocorrelation can be told; also chains from which on their
# totals can tell an error where all of them are shorter.
_FEWEST = 10


class MeanError(NamedTuple):
    """How exact the mean of a number over the draws is.

    Attributes
    ----------
    error
        Monte Carlo standard error of the mean.
    effective_draws
        Number of independent draws of equal weight whose mean has this error.
    """

    error: float
    effective_draws: float


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
    scores = _normal_scores(_halves(table))
    return float(_effective_sizes(list(scores[:, :, None]))[0])


def mean_error(
    values: npt.ArrayLike, weights: IntArray | None = None, chains: npt.ArrayLike | None = None
) -> MeanError | None:
    """Monte Carlo error of the mean of one number per draw; None where too few draws can tell.

    Without weights the error is the standard deviation over the root of the effective sample size
    (Vehtari et al. 2021, section 3), of chains that may differ in length. A weighted mean is a
    ratio, so the error is that of its linear part, weight times distance to the mean (Owen 2013,
    Monte Carlo theory, methods and examples, section 9.2), with the autocorrelation of that part.
    Chains of fewer than ten draws cannot tell autocorrelation; ten such chains or more count as
    independent units.

    Parameters
    ----------
    values
        (B,): the number, in the order in which each chain was drawn.
    weights
        (B,): how much each draw counts, 0 or more; None if each counts once.
    chains
        (B,): which chain each draw is from; None if all are from one.

    Examples
    --------
    >>> found = mean_error([3, 3, 3, 5, 5, 6, 2, 2, 2, 4, 4, 4])
    >>> round(found.error, 2), round(found.effective_draws, 1)
    (0.58, 5.2)
    >>> mean_error([3, 5, 4])
    """
    numbers = np.asarray(values, dtype=np.float64)
    times = np.ones(len(numbers)) if weights is None else np.asarray(weights, dtype=np.float64)
    counted = times > 0
    numbers, times = numbers[counted], times[counted] / times[counted].mean()
    n_draws = len(numbers)
    distances = numbers - np.average(numbers, weights=times)
    parts = times * distances
    by_chain = _by_chain(parts[:, None], None if chains is None else np.asarray(chains)[counted])
    if max(len(by_chain), *map(len, by_chain)) < _FEWEST:
        return None
    if np.ptp(numbers) == 0:
        return MeanError(0.0, float(n_draws**2 / (times @ times)))
    squared_error = float(_squared_errors(by_chain)[0])
    variance = float(parts @ distances / (n_draws - 1))
    return MeanError(squared_error**0.5, variance / squared_error)


def sum_errors(parts: FloatArray, chains: IntArray) -> FloatArray:
    """(m,): Monte Carlo error of the sums over (B, m) parts whose expectation is 0.

    As for `mean_error`, whose parts are those of a weighted mean; NaN where too few can tell.
    """
    by_chain = _by_chain(parts, chains)
    if max(len(by_chain), *map(len, by_chain)) < _FEWEST:
        return np.full(parts.shape[1], np.nan)
    return np.asarray(len(parts) * np.sqrt(_squared_errors(by_chain)), dtype=np.float64)


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


def _by_chain(values: FloatArray, chains: npt.NDArray[Any] | None) -> list[FloatArray]:
    if chains is None:
        return [values]
    order = np.argsort(chains, kind="stable")
    sorted_chains = chains[order]
    return np.split(values[order], np.flatnonzero(sorted_chains[1:] != sorted_chains[:-1]) + 1)


def _squared_errors(by_chain: list[FloatArray]) -> FloatArray:
    """(m,): squared Monte Carlo error of the mean of all values, (draws, m) by chain."""
    n_draws = sum(map(len, by_chain))
    variance = np.concatenate(by_chain).var(axis=0, ddof=1)
    if max(map(len, by_chain)) < _FEWEST:
        totals = np.array([chain.sum(axis=0) for chain in by_chain])
        least = variance / (n_draws * np.log10(n_draws))
        squared = totals.var(axis=0, ddof=1) * len(totals) / n_draws**2
        return np.asarray(np.maximum(squared, least), dtype=np.float64)
    pieces = []
    for chain in by_chain:
        half = len(chain) // 2
        pieces += [chain[:half], chain[-half:]] if half else [chain]
    return np.asarray(variance / _effective_sizes(pieces), dtype=np.float64)


def _effective_sizes(pieces: list[FloatArray]) -> FloatArray:
    """(m,): effective sample size of the mean over pieces of chains, (draws, m) each.

    Vehtari et al. (2021), equations 10 to 13. Where pieces have different lengths, sums over all
    draws take the place of means over chains.
    """
    lengths = np.array([len(piece) for piece in pieces])
    n_pieces, n_draws = len(pieces), int(lengths.sum())
    covariance = _autocovariance(pieces)
    within = covariance[0] * n_draws / max(n_draws - n_pieces, 1)
    means = np.array([piece.mean(axis=0) for piece in pieces])
    distances = means - lengths @ means / n_draws
    between = lengths @ distances**2 / n_draws * n_pieces / max(n_pieces - 1, 1)
    total = covariance[0] + between
    rho = 1.0 - (within - covariance) / np.where(total > 0, total, 1.0)
    rho[0] = 1.0
    # Only draws in the middle of odd chains differ where the total is 0.
    times = np.where(total > 0, _autocorrelation_times(rho), 1.0)
    return np.asarray(n_draws / np.maximum(times, 1.0 / np.log10(n_draws)), dtype=np.float64)


def _autocorrelation_times(rho: FloatArray) -> FloatArray:
    """(m,): sum of the autocorrelations (lags, m) over lags of both signs.

    Geyer's initial monotone sequence: sums of neighbouring lags while they are positive, none
    larger than the one before. The even lag of the first sum left out still counts.
    """
    n_sums = 1 + max(len(rho) - 3, 0) // 2
    sums = rho[0 : 2 * n_sums : 2] + rho[1 : 2 * n_sums : 2]
    is_last = sums <= 0
    is_last[-1] = True
    last = is_last.argmax(axis=0)
    kept = np.where(np.arange(n_sums)[:, None] < last, np.minimum.accumulate(sums), 0.0)
    at_last = np.take_along_axis(rho, 2 * last[None], axis=0)[0]
    return np.asarray(-1.0 + 2.0 * kept.sum(axis=0) + np.maximum(at_last, 0.0), dtype=np.float64)


def _autocovariance(pieces: list[FloatArray]) -> FloatArray:
    """(lags, m): sum of products within the pieces around their means, over the draws."""
    lengths = [len(piece) for piece in pieces]
    products = np.zeros((max(lengths), pieces[0].shape[1]))
    for length in set(lengths):
        rows = np.stack([piece for piece in pieces if len(piece) == length])
        centred = rows - rows.mean(axis=1, keepdims=True)
        spectrum = np.fft.rfft(centred, n=1 << (2 * length - 1).bit_length(), axis=1)
        squares = spectrum.real**2 + spectrum.imag**2
        # Sums of transforms are transforms of sums.
        products[:length] += np.fft.irfft(squares.sum(axis=0), axis=0)[:length]
    return products / sum(lengths)
