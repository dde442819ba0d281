"""k-means in the space of allocations: assign each draw, improve each centre, repeat.

Lloyd (1982), with the descent of our search in the place of the mean. Seeding by distance: Arthur
and Vassilvitskii (2007); our losses are not squared, so neither are the weights.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fangs._typing import BinaryMatrix, FloatArray
from fangs.draws.info import SamplesInfo
from fangs.engine import Engine
from fangs.loss import Objective
from fangs.modes.partition import Centre, Partition
from fangs.search.local_search import LocalSearch


def settle(engine: Engine, partition: Partition) -> Partition:
    """Improve each centre on its own draws and assign all draws again, until nothing changes.

    The total never rises: a descent lowers the loss of a centre's own draws or leaves it, and so
    does each draw's move to a nearer centre. A centre without draws is moved to the draw that is
    farthest from its own; if all losses are 0, it is dropped.
    """
    settled: dict[bytes, bytes] = {}  # the members that each centre was last improved on
    while True:
        partition = _without_empty(engine, partition)
        centres = list(partition.centres)
        for mode in range(partition.n_modes):
            members = partition.members(mode)
            if settled.get(centres[mode].key) == members.tobytes():
                continue
            matrix = _improved(engine.select(members), centres[mode].matrix, partition.a)
            centre = Centre.of(engine, matrix, partition.a)
            settled[centre.key] = members.tobytes()
            centres[mode] = centre
        found = partition.with_centres(centres)
        if found.total == partition.total:
            # Descents keep the sparser of equally good centres.
            return found if np.array_equal(found.labels, partition.labels) else partition
        partition = found


def seed_partition(
    engine: Engine,
    a: float,
    centres: Sequence[Centre],
    n_modes: int,
    rng: np.random.Generator,
) -> Partition:
    """Add draws as centres until there are `n_modes`, each drawn in proportion to weight and loss.

    There are fewer if all draws have loss 0 before.
    """
    chosen, info = list(centres), engine.samples_info
    if not chosen:
        first = _choose(info, np.ones(info.n_draws), rng)
        chosen.append(Centre.of(engine, engine.draw(first), a))
    partition = Partition.of(info, a, chosen)
    while partition.n_modes < n_modes and partition.total > 0:
        nearest = partition.nearest
        draw = _choose(info, (nearest / nearest.max()).astype(np.float64), rng)
        chosen.append(Centre.of(engine, engine.draw(draw), a))
        partition = partition.with_centres(chosen)
    return partition


def _choose(info: SamplesInfo, odds: FloatArray, rng: np.random.Generator) -> int:
    """A draw, with these odds times the weights.

    Draws are laid out by their hashes, not in their order. So the same allocation is chosen whether
    a draw has a weight or copies, wherever these are.
    """
    weighted = odds if info.weights is None else odds * info.weights
    order = np.arange(info.n_draws) if info.hashes is None else np.argsort(info.hashes)
    ends = np.cumsum(weighted[order])
    # The first end beyond a random point: never that of a draw without odds.
    return int(order[np.searchsorted(ends, rng.random() * ends[-1], side="right")])


def _improved(engine: Engine, matrix: BinaryMatrix, a: float) -> BinaryMatrix:
    """A flip-optimal allocation for these draws, reached from a matrix."""
    search = LocalSearch(engine, Objective.of(engine.samples_info, a), matrix)
    search.descend()
    return search.matrix


def _without_empty(engine: Engine, partition: Partition) -> Partition:
    """Every centre with draws: empty ones are moved to far draws, or dropped."""
    while (empty := np.flatnonzero(partition.counts == 0)).size:
        kept = [c for m, c in enumerate(partition.centres) if m != empty[0]]
        partition = partition.with_centres(kept)
        if partition.total > 0:
            draw = Centre.of(engine, engine.draw(partition.farthest), partition.a)
            partition = partition.with_centres([*kept, draw])
    return partition
