"""Local searches over given draws, and their scores by the plain definition."""

from fractions import Fraction

import numpy as np

from fangs.engine import ThreadedEngine
from fangs.loss import Objective
from fangs.search.local_search import LocalSearch
from oracles import scipy_overlap
from support.checks import exact_loss

# Decimal numbers with few and with many digits; the last ones need integers beyond 64 bits.
ANY_PENALTY = [0.125, 0.1, 1.0, 4 / 3, 1.9, 0.1234567890123456, 1e-19, 5e-324]

# No single flip improves {13}, {3} over these draws; {123}, {1} is the optimum.
STUCK_DRAWS = [
    np.array([[1], [1], [1]]),
    np.array([[1, 1], [0, 0], [1, 1]]),
    np.array([[0, 1], [1, 0], [1, 0]]),
]
STUCK = np.array([[1, 0], [0, 0], [1, 1]], dtype=np.uint8)


def search_from(matrix, draws, a, **options):
    engine = ThreadedEngine(draws, 1)
    matrix = np.asarray(matrix, dtype=np.uint8)
    return LocalSearch(engine, Objective.of(engine.samples_info, a), matrix, **options)


def score_by_definition(matrix, draws, a):
    """What varies of B times the expected loss, in units of the denominator of `a`."""
    exact = Fraction(repr(a))
    constant = (2 - exact) * sum(int(draw.sum()) for draw in draws)
    score = (exact_loss(matrix, draws, a) * len(draws) - constant) * exact.denominator
    assert score.denominator == 1
    return int(score)


def overlap_score(search, draws):
    """The score by scipy, for sizes that permutations cannot reach."""
    overlap = sum(scipy_overlap.max_overlap(search.matrix, draw) for draw in draws)
    return search.objective.score(int(search.matrix.sum()), overlap)
