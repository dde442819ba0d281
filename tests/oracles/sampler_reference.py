"""The sampler in plain Python, slow and obvious, with the two classic mistakes as switches."""

from __future__ import annotations

import math
import operator
import random
from functools import cache

import numpy as np


def log_density(x, matrix, *, sigma_x, sigma_a):
    """Each column of x is N(0, sigma_x^2 I + sigma_a^2 Z Z'), written down as such."""
    z = np.asarray(matrix, dtype=float)
    covariance = sigma_x**2 * np.eye(len(z)) + sigma_a**2 * z @ z.T
    sign, log_det = np.linalg.slogdet(2 * np.pi * covariance)
    assert sign > 0
    quadratic = np.sum(x * np.linalg.solve(covariance, x))
    return -0.5 * x.shape[1] * log_det - 0.5 * quadratic


def labelled_log_pmf(prior, matrix, alpha):
    """Log pmf of the matrix with its columns in this order, all orders being equally likely."""
    z = np.asarray(matrix)
    repeats = np.unique(z, axis=1, return_counts=True)[1] if z.shape[1] else []
    orders = math.lgamma(z.shape[1] + 1) - sum(math.lgamma(r + 1) for r in repeats)
    return prior.log_pmf(z, alpha=alpha) - orders


def as_class(matrix):
    """The allocation whatever the order of its columns."""
    return tuple(sorted(tuple(column) for column in np.asarray(matrix).T.tolist()))


class ReferenceSampler:
    """IBP, fixed alpha and scales. A feature is a bit mask of its items; oldest feature first.

    Few items: each allocation's covariance is inverted once and kept.
    """

    def __init__(self, n, *, alpha, sigma_x, sigma_a, seed, clear_first=False, fixed_order=False):
        self.n, self.alpha, self.sigma_x, self.sigma_a = n, alpha, sigma_x, sigma_a
        self.clear_first, self.fixed_order = clear_first, fixed_order
        self.rng = random.Random(seed)
        self.features: list[int] = []

        @cache
        def factored(features):
            z = as_array(features, n).astype(float)
            covariance = sigma_x**2 * np.eye(n) + sigma_a**2 * z @ z.T
            precision = np.linalg.inv(covariance)
            return tuple(precision.ravel().tolist()), float(np.linalg.slogdet(covariance)[1])

        self.factored = factored

    def set_data(self, x):
        self.dims = x.shape[1]
        self.scatter = (x @ x.T).ravel().tolist()

    def log_likelihood(self, features):
        precision, log_det = self.factored(tuple(sorted(features)))
        quadratic = sum(map(operator.mul, precision, self.scatter))
        return -0.5 * (self.dims * log_det + quadratic)

    def sweep(self):
        for item in range(self.n):
            self.update(item)

    def update(self, item):
        bit = 1 << item
        shared = [f for f in self.features if f != bit]
        singles = [] if self.clear_first else [f for f in self.features if f == bit]
        scan = list(range(len(shared)))
        if not self.fixed_order:
            self.rng.shuffle(scan)
        for k in scan:
            others = (shared[k] & ~bit).bit_count()
            logs = []
            for value in (shared[k] & ~bit, shared[k] | bit):
                shared[k] = value
                weight = others if value & bit else self.n - others
                logs.append(math.log(weight) + self.log_likelihood(shared + singles))
            odds = math.exp(min(logs[1] - logs[0], 700.0))
            if self.rng.random() * (1 + odds) >= odds:
                shared[k] &= ~bit
        rate = self.alpha / self.n
        logs = [
            s * math.log(rate) - math.lgamma(s + 1) + self.log_likelihood(shared + [bit] * s)
            for s in range(12)
        ]
        top = max(logs)
        (fresh,) = self.rng.choices(range(12), weights=[math.exp(v - top) for v in logs])
        self.features = shared + [bit] * fresh

    def matrix(self):
        return as_array(self.features, self.n)


def as_array(features, n):
    bits = [[(f >> i) & 1 for f in features] for i in range(n)]
    return np.array(bits, dtype=np.uint8).reshape(n, len(features))
