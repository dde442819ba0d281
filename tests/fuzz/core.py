"""Problems of odd shapes drive the core, the search and the bounds against plain references."""

from dataclasses import dataclass
from fractions import Fraction
from time import perf_counter

import numpy as np

import fangs
from fangs.engine import ThreadedEngine
from oracles.reference import best_estimate, most_useful_features
from oracles.scipy_overlap import largest_total

ITEMS = (1, 2, 3, 4, 5, 9, 16, 31, 63, 64, 65, 127, 128, 129, 200)
PENALTIES = (1.0, 0.5, 1.5, 0.1, 1.9, 0.001, 1.999, 2 / 3)
WEIGHTS = (1, 2, 7, 255, 256, 65_537, 2**31 - 1, 2**31, 2**40)


@dataclass
class Problem:
    """Draws, perhaps with weights, an allocation to compare them with, and a penalty."""

    draws: list
    weights: np.ndarray | None
    matrix: np.ndarray
    a: float

    @property
    def times(self):
        """How often each draw counts."""
        return [1] * len(self.draws) if self.weights is None else self.weights.tolist()

    def totals(self, matrix):
        """Total overlap of a matrix with each draw, by scipy's assignment."""
        wide = matrix.astype(np.int64)
        return [int(largest_total(wide.T @ draw.astype(np.int64))) for draw in self.draws]

    def weighed(self, numbers):
        """Sum of one number per draw, by weight."""
        return sum(w * int(x) for w, x in zip(self.times, numbers, strict=True))

    def loss(self, matrix):
        """The expected loss by its definition, exactly."""
        a = Fraction(repr(self.a))
        ones, total = int(matrix.sum()), sum(self.times)
        missed = self.weighed([draw.sum() for draw in self.draws])
        overlap = self.weighed(self.totals(matrix))
        return a * ones + (2 - a) * Fraction(missed, total) - 2 * Fraction(overlap, total)


def make_problem(rng):
    """A random problem: often small, often with copies, empty columns or weights."""
    n = int(rng.choice(ITEMS))
    n_draws, width = int(rng.integers(1, 7)), int(rng.choice([0, 1, 2, 3, 4, 6, 17], p=WIDTHS))
    truth = rng.random((n, width)) < rng.choice([0.0, 0.1, 0.4, 0.9, 1.0])
    noise = rng.choice([0.0, 0.05, 0.3, 0.5])

    def one_draw():
        draw = truth ^ (rng.random(truth.shape) < noise)
        kept = rng.permutation(width)[: rng.integers(0, width + 1) if rng.random() < 0.4 else width]
        draw = draw[:, kept]
        if width and rng.random() < 0.2:
            draw = np.hstack([draw, draw[:, : rng.integers(0, draw.shape[1] + 1)]])  # copies
        if rng.random() < 0.2:
            draw = np.insert(draw, rng.integers(draw.shape[1] + 1), False, axis=1)  # empty
        return draw.astype(np.uint8)

    draws = [one_draw() for _ in range(n_draws)]
    if rng.random() < 0.2:
        draws += [draws[0]] * int(rng.integers(1, 9))
    weights = None
    if rng.random() < 0.3:
        weights = rng.choice(WEIGHTS, size=len(draws))
        weights[rng.random(len(draws)) < 0.2] = 0
        weights[0] = max(weights[0], 1)
    matrix = draws[-1] if rng.random() < 0.3 else one_draw()
    return Problem(draws, weights, np.ascontiguousarray(matrix), float(rng.choice(PENALTIES)))


WIDTHS = [0.05, 0.15, 0.25, 0.25, 0.15, 0.1, 0.05]


def check_passes(problem, engine, rng):
    """Overlaps, alignments and the support of flips, before and after some flips."""
    matrix, totals = problem.matrix, problem.totals(problem.matrix)
    assert engine.overlaps(matrix).tolist() == totals
    permutations, aligned = engine.permutations(matrix)
    assert aligned.overlaps.tolist() == totals
    assert aligned.total_overlap == problem.weighed(totals)
    counts = np.zeros(matrix.shape, dtype=object)
    for draw, mates, times, total in zip(
        problem.draws, permutations, problem.times, totals, strict=True
    ):
        kept = draw[:, draw.any(axis=0)]
        used = mates[mates >= 0]
        assert len(set(used.tolist())) == len(used)
        order = np.hstack([kept, np.zeros((len(kept), 1), np.uint8)])[:, mates]
        assert int((order & matrix).sum()) == total
        counts += times * order.astype(object)
    assert (aligned.counts == counts).all()
    nearby = engine.neighbourhood(matrix)
    now = matrix.copy()
    for _ in range(3):
        evaluation = engine.evaluate(now)
        assert nearby.total_overlap == evaluation.aligned.total_overlap
        assert np.array_equal(nearby.flip_support(), evaluation.flip_support)
        if now.size == 0:
            return
        base = problem.weighed(problem.totals(now))
        assert nearby.total_overlap == base
        for entry in rng.choice(now.size, size=min(4, now.size), replace=False).tolist():
            flipped = now.copy()
            flipped.flat[entry] ^= 1
            change = problem.weighed(problem.totals(flipped)) - base
            assert abs(change) == evaluation.flip_support.flat[entry]
        some = rng.choice(now.size, size=int(rng.integers(1, min(6, now.size) + 1)), replace=False)
        nearby.flip(*np.divmod(some, now.shape[1]))
        now.flat[some] ^= 1


def check_estimate(problem, samples, engine, rng):
    """An estimate, its numbers, its bound; the best of all where all can be tried."""
    a, seed = problem.a, int(rng.integers(1000))
    n_iter = None if rng.random() < 0.7 else int(rng.integers(40))
    found = fangs.estimate(engine, a=a, n_init=4, n_iter=n_iter, seed=seed)
    exact = problem.loss(found.matrix)
    assert found.expected_loss == exact.numerator / exact.denominator
    matrix = np.hstack([found.matrix, np.zeros((len(found.matrix), 1), np.uint8)])
    if n_iter is None and matrix.size <= 200:
        assert found.is_flip_optimal
        for entry in range(matrix.size):
            flipped = matrix.copy()
            flipped.flat[entry] ^= 1
            assert problem.loss(flipped) >= exact
    again = fangs.estimate(samples, a=a, n_init=4, n_iter=n_iter, seed=seed, n_threads=3)
    assert np.array_equal(again.matrix, found.matrix)
    certificate = fangs.certify(found, engine, max_seconds=0.05)
    assert certificate.lower_bound <= found.expected_loss * (1 + 1e-12) + 1e-12
    # The reference tries every allocation, and every order of the columns of both.
    widest = max(draw.shape[1] for draw in problem.draws)
    is_small = (
        len(found.matrix) <= 3 and widest <= 5 and most_useful_features(problem.draws, a) <= 3
    )
    if is_small and problem.weights is None:
        _, best = best_estimate(problem.draws, a)
        assert certificate.lower_bound <= best + 1e-9
        assert found.expected_loss >= best - 1e-9


def check_path(problem, engine):
    """Estimates along the penalty, each with its own loss."""
    path = fangs.sparsity_path(engine, a=[0.3, 1.0, 1.6], seed=1)
    for found in path.estimates:
        exact = Problem(problem.draws, problem.weights, problem.matrix, found.a).loss(found.matrix)
        assert found.expected_loss == exact.numerator / exact.denominator


def check(seed, number):
    """One problem, by the seed of the run and its number."""
    rng = np.random.default_rng([seed, number])
    problem = make_problem(rng)
    samples = fangs.Samples(problem.draws, weights=problem.weights)
    engine = ThreadedEngine(samples, int(rng.choice([1, 3])), merges=bool(rng.random() < 0.5))
    loss = problem.loss(problem.matrix)
    found = fangs.expected_loss(problem.matrix, samples, a=problem.a)
    assert found == loss.numerator / loss.denominator
    check_passes(problem, engine, rng)
    if number % 40 == 0:
        check_estimate(problem, samples, engine, rng)
    if number % 400 == 0:
        check_path(problem, engine)


def run(seconds, seed):
    """Try problems until the time is over; return their number, or raise with the one that failed.

    ``check(seed, number)`` repeats a single problem.
    """
    until, number = perf_counter() + seconds, 0
    while perf_counter() < until:
        try:
            check(seed, number)
        except Exception as error:
            raise AssertionError(f"fuzz.core.check({seed}, {number}) failed: {error!r}") from error
        number += 1
    return number
