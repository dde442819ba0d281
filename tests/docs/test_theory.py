"""What the page on theory claims, checked from the definitions."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from oracles.reference import faro_loss, pad

PENALTIES = [Fraction(1, 10), Fraction(1), Fraction(7, 4)]


def distance(x, y, a):
    """Generalized Hamming distance of two matrices of one shape."""
    return a * int(((x == 1) & (y == 0)).sum()) + (2 - a) * int(((x == 0) & (y == 1)).sum())


def star(x, y, a):
    """The function whose triangle inequality the paper's proof relies on."""
    orders = permutations(range(y.shape[1]))
    return max(distance(x, 1 - y[:, list(order)], a) for order in orders)


def column(*entries):
    return np.array([entries]).T


@pytest.mark.parametrize("a", PENALTIES)
def test_the_function_of_the_papers_proof_breaks_the_triangle_inequality(a):
    u, v, w = column(1, 1, 0), column(0, 0, 1), column(1, 0, 0)
    assert star(u, v, a) + star(v, w, a) < star(u, w, a)
    if a == 1:
        assert (star(u, v, a), star(v, w, a), star(u, w, a)) == (0, 1, 2)


@pytest.mark.parametrize("a", PENALTIES)
def test_each_function_under_its_maximum_breaks_it_too(a):
    """So the theorem on maxima, which is right, has nothing to apply to."""
    x, y = column(1), column(0)
    assert distance(x, 1 - y, a) + distance(y, 1 - x, a) == 0 < distance(x, 1 - x, a)


@pytest.mark.parametrize("a", PENALTIES)
def test_the_function_falls_as_the_loss_rises(a):
    rng = np.random.default_rng(2)
    for _ in range(20):
        x, y = rng.integers(0, 2, size=(2, 3, 3))
        ones = int(x.sum())
        assert star(x, y, a) == a * ones + (2 - a) * (x.size - ones) - faro_loss(x, y, a)


def test_composed_orders_are_the_proof():
    """The steps of the proof, each as it is written on the page."""
    rng = np.random.default_rng(3)
    a = Fraction(1, 2)
    for _ in range(30):
        u, v, w = (pad(rng.integers(0, 2, size=(4, k)), 3) for k in (1, 3, 2))
        orders = [list(order) for order in permutations(range(3))]
        sigma = min(orders, key=lambda order: distance(u, v[:, order], a))
        tau = min(orders, key=lambda order: distance(v, w[:, order], a))
        both = w[:, tau][:, sigma]
        assert distance(v, w[:, tau], a) == distance(v[:, sigma], both, a)
        total = faro_loss(u, v, a) + faro_loss(v, w, a)
        assert total == distance(u, v[:, sigma], a) + distance(v[:, sigma], both, a)
        assert total >= distance(u, both, a) >= faro_loss(u, w, a)
