"""Feature exchange: drop, add or replace a feature, by one that some draw has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fangs.draws.weights import are_equal, choose_copies
from fangs.search.local_search import LocalSearch


@dataclass(frozen=True)
class FeatureExchange:
    """A random perturbation of one feature, as in iterated local search (Lourenço et al. 2003)."""

    def __call__(self, search: LocalSearch, rng: np.random.Generator) -> None:
        """Drop a feature, add one of a random draw, or put such a one in a feature's place."""
        matrix = search.matrix
        is_used = matrix.any(axis=0)
        used, empty = np.flatnonzero(is_used), np.flatnonzero(~is_used)
        info = search.engine.samples_info
        if info.weights is None or are_equal(info.weights):
            chosen = int(rng.integers(info.n_draws))
        else:
            chosen = int(choose_copies(info.weights, 1, rng)[0])
        draw = search.engine.draw(chosen)
        move = int(rng.integers(3))
        if draw.shape[1] == 0 and len(used) == 0:
            return  # nothing to drop, nothing to add
        if draw.shape[1] == 0:
            move = 0
        if len(used) == 0:
            move = 1
        place = int(empty[0]) if move == 1 else int(rng.choice(used))
        feature = draw[:, int(rng.integers(draw.shape[1]))] if move else 0
        matrix[:, place] = feature
        search.move_to(matrix)
