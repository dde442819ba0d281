"""The linear-Gaussian feature model X = Z A + noise: data, likelihood, loadings."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fangs.check.arguments import as_count
from fangs.simulate.priors import Seed
from fangs.simulate.validate import as_data, as_features, as_positive


@dataclass(frozen=True, eq=False, repr=False)
class LinearGaussianData:
    """Data of the linear-Gaussian model, with the truth behind them.

    Attributes
    ----------
    data
        (n_items, n_dims): what is observed.
    matrix
        (n_items, K): the true allocation.
    loadings
        (K, n_dims): the true features' values.
    """

    data: NDArray[np.float64]
    matrix: NDArray[np.uint8]
    loadings: NDArray[np.float64]

    def __repr__(self) -> str:
        n_items, n_dims = self.data.shape
        return (
            f"<LinearGaussianData: {n_items} items in {n_dims} dimensions, from "
            f"{self.matrix.shape[1]} features>"
        )


def linear_gaussian(
    matrix: ArrayLike, *, n_dims: int, sigma_x: float, sigma_a: float, seed: Seed = None
) -> LinearGaussianData:
    """Draw loadings and data given an allocation.

    Parameters
    ----------
    matrix : (n_items, K) array_like of 0/1
        The allocation Z.
    n_dims : int
        Number of observed coordinates of each item.
    sigma_x : float
        Standard deviation of the noise.
    sigma_a : float
        Standard deviation of the loadings.
    seed : int, SeedSequence, Generator or None
        Source of randomness.

    Examples
    --------
    >>> truth = linear_gaussian([[1, 0], [1, 1]], n_dims=3, sigma_x=0.1, sigma_a=1.0, seed=1)
    >>> truth.data.shape, truth.loadings.shape
    ((2, 3), (2, 3))
    """
    z = as_features(matrix)
    dims = as_count(n_dims, name="n_dims", minimum=0)
    rng = np.random.default_rng(seed)
    loadings = as_positive(sigma_a, "sigma_a") * rng.standard_normal((z.shape[1], dims))
    noise = as_positive(sigma_x, "sigma_x") * rng.standard_normal((z.shape[0], dims))
    return LinearGaussianData(data=z @ loadings + noise, matrix=z, loadings=loadings)


def log_likelihood(data: ArrayLike, matrix: ArrayLike, *, sigma_x: float, sigma_a: float) -> float:
    """Log density of the data given the allocation, the loadings integrated out.

    Each column of the data is N(0, sigma_x^2 I + sigma_a^2 Z Z').

    Examples
    --------
    >>> round(log_likelihood([[2.0]], [[1]], sigma_x=1.0, sigma_a=1.0), 4)  # N(2; 0, 2)
    -2.2655
    """
    x = as_data(data)
    z = as_features(matrix, n_items=x.shape[0])
    sx, sa = as_positive(sigma_x, "sigma_x"), as_positive(sigma_a, "sigma_a")
    (n, d), k = x.shape, z.shape[1]
    gram, cross = _gram(x, z, (sx / sa) ** 2)
    log_det = float(np.linalg.slogdet(gram)[1]) if k else 0.0
    left = float((x * x).sum() - (cross * np.linalg.solve(gram, cross)).sum())
    return float(
        -0.5 * n * d * math.log(2 * math.pi)
        - (n - k) * d * math.log(sx)
        - k * d * math.log(sa)
        - 0.5 * d * log_det
        - max(left, 0.0) / (2 * sx * sx)
    )


def expected_loadings(
    data: ArrayLike, matrix: ArrayLike, *, sigma_x: float, sigma_a: float
) -> NDArray[np.float64]:
    """Posterior mean of the loadings given one allocation: (K, n_dims).

    One row per non-empty column of the matrix, in its order: a parameter to average over aligned
    draws.

    Examples
    --------
    >>> expected_loadings([[2.0]], [[1]], sigma_x=1.0, sigma_a=1.0)
    array([[1.]])
    """
    x = as_data(data)
    z = as_features(matrix, n_items=x.shape[0])
    ratio = as_positive(sigma_x, "sigma_x") / as_positive(sigma_a, "sigma_a")
    gram, cross = _gram(x, z, ratio**2)
    return np.asarray(np.linalg.solve(gram, cross), dtype=np.float64)


def _gram(
    x: NDArray[np.float64], z: NDArray[np.uint8], ridge: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    ones = z.astype(np.float64)
    return ones.T @ ones + ridge * np.eye(z.shape[1]), ones.T @ x
