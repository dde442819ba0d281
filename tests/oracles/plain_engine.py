"""An engine in plain NumPy: slow, obvious, and good for the whole search.

Draws are a list of matrices, weights a list of whole numbers. A total overlap is the greatest
weight of a matching, the support of a flip is what the total changes by when the flip is made and
everything is matched again.
"""

import numpy as np

import fangs
from fangs.engine import Aligned, Evaluation
from fangs.engine.chain_separation import separate_chains
from oracles import fingerprint, matching, programme, template

WORD = 64
ROUNDS = 2


class PlainEngine:
    def __init__(self, draws, draw_numbers=None, keep_empty=False, weights=None, chains=None):
        draws = [np.asarray(draw).astype(np.int64) for draw in draws]
        self.draws = draws if keep_empty else [draw[:, draw.any(axis=0)] for draw in draws]
        self.draw_numbers = np.arange(len(draws)) if draw_numbers is None else draw_numbers
        self.weights = None if weights is None else np.array(weights, dtype=np.int64)
        self.chains = None if chains is None else np.array(chains)

    @property
    def times(self):
        return [1] * len(self.draws) if self.weights is None else self.weights.tolist()

    def total(self, matrix):
        return sum(w * int(m) for w, m in zip(self.times, self.overlaps(matrix), strict=True))

    @property
    def samples_info(self):
        return fangs.draws.info.SamplesInfo(
            n_items=len(self.draws[0]),
            n_features=np.array([draw.shape[1] for draw in self.draws]),
            n_ones=np.array([draw.sum() for draw in self.draws]),
            items=None,
            chains=self.chains,
            weights=self.weights,
            find_hashes=lambda: np.array([fingerprint.hash_of(d) for d in self.draws], np.uint64),
        )

    @property
    def chain_separation(self):
        return separate_chains(self.samples_info, self.select)

    def limited(self, seconds):
        return self

    def draw(self, b):
        return self.draws[b].astype(np.uint8)

    def overlaps(self, matrix):
        matrix = np.asarray(matrix).astype(np.int64)
        return np.array([matching.total(matrix.T @ draw) for draw in self.draws])

    def permutations(self, matrix):
        matrix = np.asarray(matrix).astype(np.int64)
        mates = [matching.solve(matrix.T @ draw) for draw in self.draws]
        permutations = np.array(mates, dtype=np.int32).reshape(len(self.draws), matrix.shape[1])
        counts, overlaps = self.count_aligned(permutations), self.overlaps(matrix)
        return permutations, Aligned(counts, overlaps, self.weights)

    def count_aligned(self, permutations):
        counts = np.zeros((len(self.draws[0]), permutations.shape[1]), dtype=np.int64)
        for draw, mates, times in zip(self.draws, permutations, self.times, strict=True):
            for column, mate in enumerate(mates):
                if mate >= 0:
                    counts[:, column] += times * draw[:, mate]
        return counts

    def align(self, matrix):
        return self.permutations(matrix)[1]

    def place(self, matrix, n_columns):
        permutations, _ = self.permutations(matrix)
        wider = np.full((len(self.draws), n_columns), -1, dtype=np.int32)
        wider[:, : permutations.shape[1]] = permutations
        for mates, draw in zip(wider, self.draws, strict=True):
            left = [k for k in range(draw.shape[1]) if k not in mates]
            mates[np.flatnonzero(mates < 0)[: len(left)]] = left
        return self.count_aligned(wider)

    def flip_support(self, matrix):
        matrix = np.asarray(matrix).astype(np.int64)
        before = self.total(matrix)
        support = np.zeros(matrix.shape, dtype=np.int64)
        for entry in np.ndindex(*matrix.shape):
            flipped = matrix.copy()
            flipped[entry] = 1 - flipped[entry]
            support[entry] = abs(self.total(flipped) - before)
        return support

    def evaluate(self, matrix):
        support = self.flip_support(np.pad(matrix, ((0, 0), (0, 1))))
        return Evaluation(matrix, self.align(matrix), support[:, :-1], support[:, -1])

    def neighbourhood(self, matrix):
        return PlainNeighbourhood(self, matrix)

    def select(self, draws, weights=None):
        if weights is None and self.weights is not None:
            weights = self.weights[draws]
        chains = None if self.chains is None else self.chains[draws]
        return PlainEngine([self.draws[b] for b in draws], weights=weights, chains=chains)

    def subsample(self, n_draws, rng):
        if n_draws >= min(len(self.draws), sum(self.times)):
            return self
        if len(set(self.times)) == 1:
            chosen = np.sort(rng.choice(len(self.draws), size=n_draws, replace=False))
            some = self.select(chosen)
        else:
            copies = [b for b, times in enumerate(self.times) for _ in range(times)]
            picked = [copies[c] for c in rng.choice(len(copies), size=n_draws, replace=False)]
            chosen, times = np.unique(picked, return_counts=True)
            some = self.select(chosen, times)
        some.draw_numbers = self.draw_numbers[chosen]
        return some

    def subsample_items(self, n_items, rng):
        total, wanted = len(self.draws[0]) // WORD, n_items // WORD
        if wanted >= total:
            return self
        words = np.sort(rng.choice(total, size=wanted, replace=False))
        items = (WORD * words[:, None] + np.arange(WORD)).ravel()
        some = [draw[items] for draw in self.draws]
        return PlainEngine(some, self.draw_numbers, True, self.weights)

    def grow_templates(self, walks):
        return [template.grow(self.draws, walk, ROUNDS) for walk in walks]

    def first_equal(self):
        keys = [tuple(sorted(map(bytes, draw.T.astype(np.uint8)))) for draw in self.draws]
        return np.array([keys.index(key) for key in keys])

    def pricing(self, members, weights, *, scale, item_cost):
        return PlainPricing([self.draws[b] for b in members], weights, scale, item_cost)


class PlainPricing:
    """Profits from the definition; all columns are listed to search them."""

    def __init__(self, draws, weights, scale, item_cost):
        self.draws, self.weights = draws, weights
        self.scale, self.item_cost = scale, item_cost
        self.prices = None
        self.n_features = sum(draw.shape[1] for draw in draws)

    def set_prices(self, prices):
        self.prices = np.split(prices, np.cumsum([draw.shape[1] for draw in self.draws])[:-1])

    def profits(self, columns):
        columns = np.asarray(columns).astype(np.int64)
        total = -self.item_cost * columns.sum(axis=0)
        for draw, weight, prices in zip(self.draws, self.weights, self.prices, strict=True):
            excess = self.scale * draw.T @ columns - prices[:, None]
            total += weight * excess.max(axis=0, initial=0)
        return total

    def climb(self, columns):
        ends = [self._climb(column) for column in np.asarray(columns).T]
        ends = np.array(ends, dtype=np.uint8).reshape(-1, len(columns)).T
        return ends, self.profits(ends)

    def _climb(self, column):
        column = column.copy()
        while True:
            flips = column[:, None] ^ np.eye(len(column), dtype=np.uint8)
            gains = self.profits(flips) - self.profits(column[:, None])
            if gains.max() <= 0:
                return column
            column[gains.argmax()] ^= 1

    def explore(self, threshold, *, list_all, max_nodes, max_found, seconds):
        n = len(self.draws[0])
        columns = ((np.arange(1, 2**n) >> np.arange(n)[:, None]) & 1).astype(np.uint8)
        profits = self.profits(columns)
        order = np.argsort(-profits, kind="stable")
        order = order[profits[order] > threshold]
        is_complete = len(order) <= max_found
        order = order[:max_found]
        return columns[:, order], profits[order], 2**n, is_complete

    def solve(self, columns, *, least, is_fixed, tolerance, enough, seconds):
        return programme.solve(
            self.draws, self.weights, self.item_cost / self.scale, columns, least, is_fixed
        )


class PlainNeighbourhood:
    def __init__(self, engine, matrix):
        self.engine, self.matrix_ = engine, np.array(matrix, dtype=np.uint8)

    @property
    def matrix(self):
        return self.matrix_.copy()

    @property
    def sizes(self):
        return self.matrix_.sum(axis=0, dtype=np.int64)

    @property
    def total_overlap(self):
        return self.engine.total(self.matrix_)

    def flip_support(self):
        return self.engine.flip_support(self.matrix_)

    def flip(self, items, features, *, with_support=False):
        self.matrix_[items, features] ^= 1
