"""ModeSolver: the best partitions found into 1, 2, 3, ... modes, each at least as good as the last.

A partition into one more mode starts from several seedings: the modes found for one mode fewer with
a draw added (global k-means; Likas, Vlassis and Verbeek 2003), and draws alone. Where draws are
many, seedings compete on a subsample. All draws decide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from fangs.engine import Engine
from fangs.estimate import Estimate
from fangs.modes.kmeans import seed_partition, settle
from fangs.modes.params import ModesParams
from fangs.modes.partition import Centre, Partition
from fangs.search import Progress, run_search
from fangs.search.record import Search, SearchSettings


class ModeSolver:
    """Finds partitions of the draws into modes."""

    def __init__(
        self,
        engine: Engine,
        a: float,
        seed: int,
        *,
        params: ModesParams | None = None,
        report: Callable[[Progress], None] | None = None,
    ) -> None:
        self.engine = engine
        self.a = a
        self.seed = seed
        self.params = params or ModesParams()
        self.settings = SearchSettings(seed=seed)
        self.partitions: list[Partition] = []
        """The best partition found into 1, 2, 3, ... modes."""
        self.single: Estimate | None = None
        """The estimate of all draws."""
        self._report = report
        self._rng = np.random.default_rng(seed)
        self._found: dict[tuple[bytes, bytes], tuple[Estimate, Estimate]] = {}

    def solve(self, n_modes: int) -> None:
        """Find partitions into up to `n_modes` modes.

        There are fewer if a partition with no loss at all is found before.
        """
        if not self.partitions:
            self._search_for_one()
        while len(self.partitions) < n_modes and self.partitions[-1].total > 0:
            if self._report is not None:
                loss = self.partitions[-1].expected_loss
                self._report(Progress("modes", len(self.partitions), n_modes, loss))
            self.partitions.append(self._polished(self._best_seeded(len(self.partitions) + 1)))

    def _search_for_one(self) -> None:
        self.single = run_search(self.engine, self.a, self.settings, report=self._report)
        info, centre = self.engine.samples_info, Centre.of(self.engine, self.single.matrix, self.a)
        everything = np.arange(info.n_draws)
        self._found[everything.tobytes(), centre.key] = self.single, self.single
        self.partitions.append(Partition.of(info, self.a, [centre]))

    def estimates(self, partition: Partition) -> tuple[Estimate, ...]:
        """Each centre as an estimate of its own draws, with the record of the search there."""
        estimates = []
        for mode in range(partition.n_modes):
            found, ours = self._searched(partition, mode)
            if not np.array_equal(found.matrix, ours.matrix):
                why = "the search for modes had found an allocation as good, or better"
                record = replace(
                    found.search or Search(seed=self.settings.seed), stopped_because=why
                )
                found = ours.with_search(record)
            estimates.append(found)
        return tuple(estimates)

    def _best_seeded(self, n_modes: int) -> Partition:
        """The best settled partition over all seedings."""
        few, last = self._subsample(), self.partitions[-1]
        known = last.centres
        if few is not self.engine:
            known = tuple(Centre.of(few, centre.matrix, self.a) for centre in known)
        fresh: Sequence[Centre] = ()
        starts = [known] * self.params.n_additions + [fresh] * self.params.n_seedings
        ends = [
            settle(few, seed_partition(few, self.a, start, n_modes, self._rng)) for start in starts
        ]
        best = min(ends, key=lambda end: end.total)
        if few is self.engine:
            return best
        centres = [Centre.of(self.engine, centre.matrix, self.a) for centre in best.centres]
        found = settle(self.engine, last.with_centres(centres))
        if found.total < last.total:
            return found
        # The subsample misled: add a draw to what was found over all draws.
        added = seed_partition(self.engine, self.a, last.centres, n_modes, self._rng)
        return settle(self.engine, added)

    def _subsample(self) -> Engine:
        info = self.engine.samples_info
        # Passes match equal draws once.
        n_distinct = info.n_draws if info.hashes is None else len(np.unique(info.hashes))
        if n_distinct < 2 * self.params.subsample_draws:
            return self.engine
        return self.engine.subsample(self.params.subsample_draws, self._rng)

    def _polished(self, partition: Partition) -> Partition:
        """Search in full for each mode's estimate, and settle again, until that finds nothing."""
        while True:
            searched = [self._searched(partition, mode) for mode in range(partition.n_modes)]
            centres = [
                Centre.of(self.engine, found.matrix, self.a) if _key(found) < _key(ours) else centre
                for (found, ours), centre in zip(searched, partition.centres, strict=True)
            ]
            found = settle(self.engine, partition.with_centres(centres))
            if found.total >= partition.total:
                return partition
            partition = found

    def _searched(self, partition: Partition, mode: int) -> tuple[Estimate, Estimate]:
        """What a search over a mode's draws finds, and the centre as an estimate of them."""
        members, centre = partition.members(mode), partition.centres[mode]
        key = members.tobytes(), centre.key
        if key not in self._found:
            engine = self.engine.select(members)
            found = run_search(engine, self.a, self.settings)
            self._found[key] = found, Estimate.of(engine, centre.matrix, self.a)
        return self._found[key]


def _key(estimate: Estimate) -> tuple[float, int]:
    """What estimates are compared by: the loss, and of equal ones the sparser."""
    return estimate.expected_loss, estimate.n_ones
