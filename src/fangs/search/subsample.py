"""The subsample on which starts are made and first improved."""

from __future__ import annotations

from math import inf

import numpy as np

from fangs._typing import BinaryMatrix
from fangs.engine import Engine, LocalEngine
from fangs.loss import Objective
from fangs.search.params import SearchParams


class Subsample:
    """Some draws on some items; all of them where there are not many more."""

    def __init__(
        self, engine: Engine, a: float, params: SearchParams, rng: np.random.Generator
    ) -> None:
        info = engine.samples_info
        n_items = params.subsample_items
        is_wide = info.n_features.mean() > params.narrow
        n_draws = params.wide_subsample_draws if is_wide else params.subsample_draws
        deciding = 2 * params.deciding_draws / min(a, 2 - a)
        n_draws = max(n_draws, round(min(deciding, info.n_draws)))
        has_many = info.n_draws >= max(params.min_draws, 1.5 * n_draws)
        self._all_items = engine.subsample(n_draws if has_many else info.n_draws, rng)
        self.engine: LocalEngine = self._all_items.subsample_items(
            n_items if info.n_items >= 2 * n_items else info.n_items, rng
        )
        self.objective = Objective.of(self.engine.samples_info, a)
        some = self.engine.samples_info
        self.is_all = (some.n_draws, some.n_items) == (info.n_draws, info.n_items)

    def on_all_items(self, matrix: BinaryMatrix, *, has_limit: bool = True) -> BinaryMatrix:
        """Extend an allocation of some items to all of them, by the draws aligned to it.

        Without a limit the engine's time does not count.
        """
        if self.engine is self._all_items:
            return matrix
        some, everything = self.engine, self._all_items
        if not has_limit:
            some, everything = some.limited(inf), everything.limited(inf)
        permutations, _ = some.permutations(matrix)
        counts = everything.count_aligned(permutations)
        return Objective.of(everything.samples_info, self.objective.a).threshold(counts)
