"""The subsample on which starts are made and first improved."""

from __future__ import annotations

import numpy as np

from fangs._typing import BinaryMatrix
from fangs.engine import Engine, LocalEngine, pass_seconds
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
        self._extended: list[tuple[BinaryMatrix, BinaryMatrix]] = []

    def on_all_items(self, matrix: BinaryMatrix, seconds: float | None = None) -> BinaryMatrix:
        """Extend an allocation of some items to all of them, by the draws aligned to it.

        `seconds` takes the place of the time that the engine was granted. As many draws are used as
        can be counted in half of it; the other half is for memory that has not been touched before.
        """
        if self.engine is self._all_items:
            return matrix
        for known, extended in self._extended:  # after an interrupt there is no time to repeat it
            if np.array_equal(known, matrix):
                return extended
        some, everything = self.engine, self._all_items
        if seconds is not None:
            info = everything.samples_info
            fitting = max(1, int(seconds / 2 * info.n_draws / pass_seconds(info, 0)))
            if fitting < info.n_draws:
                some, everything = some.at_hand(fitting), everything.at_hand(fitting)
            some, everything = some.limited(seconds), everything.limited(seconds)
        permutations, _ = some.permutations(matrix)
        counts = everything.count_aligned(permutations)
        extended = Objective.of(everything.samples_info, self.objective.a).threshold(counts)
        if seconds is None:
            self._extended.append((matrix.copy(), extended))
        return extended
