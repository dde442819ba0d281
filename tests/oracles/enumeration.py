"""Every allocation of a few items and all their overlaps at once, to know the true optimum.

The same exhaustive search as `reference.best_estimate`, with the overlaps of all pairs of
allocations tabulated, so that thousands of problems share the work.
"""

from functools import cache
from itertools import permutations

import numpy as np

from oracles import reference as ref


class Enumeration:
    """All estimates of up to `max_features` features against all draws of up to `draw_features`."""

    def __init__(self, n_items, draw_features, max_features):
        self.n_items, self.draw_features, self.max_features = n_items, draw_features, max_features
        self.estimates = list(ref.allocations(n_items, max_features))
        self.draws = list(ref.allocations(n_items, draw_features))
        self._positions = {ref.left_ordered(Z).T.tobytes(): b for b, Z in enumerate(self.draws)}
        self.n_ones = np.array([E.sum() for E in self.estimates])
        self.draw_ones = np.array([Z.sum() for Z in self.draws])
        width = max(max_features, draw_features)
        estimate_codes = self._codes(self.estimates, width)
        draw_codes = self._codes(self.draws, draw_features)
        features = (np.arange(2**n_items)[:, None] >> np.arange(n_items)) & 1
        shared = (features @ features.T).astype(np.int8)
        self.overlaps = np.zeros((len(self.draws), len(self.estimates)), dtype=np.int8)
        for order in permutations(range(width), draw_features):
            total = np.zeros_like(self.overlaps)
            for k, j in enumerate(order):
                total += shared[draw_codes[:, k, None], estimate_codes[None, :, j]]
            np.maximum(self.overlaps, total, out=self.overlaps)

    @staticmethod
    def _codes(matrices, width):
        """Each feature as a number, empty features filling up to `width`."""
        powers = 2 ** np.arange(matrices[0].shape[0])
        codes = np.zeros((len(matrices), width), dtype=np.int64)
        for row, matrix in zip(codes, matrices, strict=True):
            row[: matrix.shape[1]] = powers @ matrix
        return codes

    def losses(self, chosen, a):
        """Expected loss of every estimate when the draws are `self.draws[b] for b in chosen`."""
        total = self.overlaps[chosen].sum(axis=0, dtype=np.int64)
        draw_ones = self.draw_ones[chosen].sum()
        return a * self.n_ones + ((2 - a) * draw_ones - 2 * total) / len(chosen)

    def best_loss(self, chosen, a):
        draws = [self.draws[b] for b in chosen]
        assert ref.most_useful_features(draws, a) <= self.max_features
        return self.losses(chosen, a).min()

    def best_draw_loss(self, chosen, a):
        """Return the lowest expected loss among the draws themselves.

        Estimates and draws are listed by one generator, narrow ones first: draw b is estimate b.
        """
        return self.losses(chosen, a)[chosen].min()

    def uniform_problem(self, rng, n_draws):
        """Draws that have nothing to do with each other."""
        return rng.integers(len(self.draws), size=n_draws)

    def noisy_problem(self, rng, n_draws, noise=0.2):
        """Draws scattered around one truth, as a posterior's would be."""
        truth = self.draws[rng.integers(len(self.draws))]
        truth = ref.pad(truth, self.draw_features)
        flips = rng.random((n_draws, *truth.shape)) < noise
        return np.array([self._position(ref.left_ordered(truth ^ flip)) for flip in flips])

    def _position(self, draw):
        return self._positions[ref.left_ordered(draw).T.tobytes()]


@cache
def small_tables():
    return [Enumeration(2, 2, 4), Enumeration(3, 2, 4), Enumeration(4, 2, 2)]


def small_problems(rng, count, penalties):
    """Draws, equal ones among them, a penalty, the lowest loss, and the table that knows it."""
    while count > 0:
        table = small_tables()[rng.integers(len(small_tables()))]
        n_draws, a = int(rng.integers(1, 9)), float(rng.choice(penalties))
        make = table.noisy_problem if rng.random() < 0.6 else table.uniform_problem
        chosen = make(rng, n_draws)
        if rng.random() < 0.5:
            chosen = np.repeat(chosen, rng.integers(1, 4, size=n_draws))
        draws = [table.draws[b] for b in chosen]
        if ref.most_useful_features(draws, a) <= table.max_features:
            count -= 1
            yield draws, a, table.best_loss(chosen, a), table
