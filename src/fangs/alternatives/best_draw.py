"""The draw of lowest expected loss, found exactly without comparing every two draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from fangs._typing import IntArray
from fangs.alternatives.result import NotApplicableError, Run
from fangs.engine import ThreadedEngine
from fangs.estimate import Estimate
from fangs.posterior.intervals import Distribution

REFERENCES = 24
"""Draws matched with all others, to set the dual prices of the bounds. More tighten the bounds."""
REFERENCES_PER_KIND = 2
"""The fewest of them for each kind of draw."""
BLOCKS = 64
"""Steps in which a candidate is compared with all draws; it is dropped once it cannot win."""


def draws(samples: Any, *, a: float = 1.0, n_threads: int | None = None) -> Estimate:
    """Return the draw with the lowest expected FARO loss: the draws method (Dahl 2006).

    The estimate is a draw, so it carries the noise of that draw. The more features there are, the
    further it lies from the allocation of lowest expected loss. If several draws are best, the
    first is taken.

    The plain method matches every two draws. Here bounds exclude most draws, without changing the
    answer; `search.stopped_because` says how many matchings were made.

    Parameters
    ----------
    samples
        The posterior draws: `Samples`, or anything it accepts.
    a
        Price of a one that the estimate has and a draw lacks, between 0 and 2.
    n_threads
        Threads to use; None means all cores.

    Returns
    -------
    Estimate
        ``search.starts[0].draw`` is the position of the draw.

    Examples
    --------
    >>> found = draws([[[1], [0]], [[1], [1]], [[1, 0], [1, 1]]])
    >>> found.search.starts[0].draw, found.expected_loss
    (1, 0.6666666666666666)
    """
    with Run.begin("draws", samples, a=a, n_threads=n_threads) as run:
        offsets = [run.objective.threshold_count * int(ones) for ones in run.samples.n_ones]
        best = best_draw(run.engine, offsets=offsets, keep=run.keep_draw)
        return run.finish_with_draw(best.draw, because=best.describe(run.number(best.draw)))


@dataclass(frozen=True)
class BestDraw:
    """The best draw, and the work that it took to find it."""

    draw: int
    n_draws: int
    n_distinct: int
    n_matchings: int

    @property
    def share_done(self) -> float:
        """Matchings made, as a share of those of the plain method."""
        return self.n_matchings / self.n_draws**2

    def describe(self, number: int) -> str:
        """What was done, where the draw is called by this number."""
        return (
            f"draw {number} is the best of {self.n_draws:,} ({self.n_distinct:,} different); "
            f"{self.n_matchings:,} of {self.n_draws**2:,} matchings were needed "
            f"({self.share_done:.1%})"
        )


def best_draw(
    engine: ThreadedEngine,
    *,
    offsets: Sequence[Fraction | int],
    agreements: bool = False,
    kinds: IntArray | None = None,
    keep: Callable[[int], None] = lambda draw: None,
) -> BestDraw:
    """Find the draw x for which ``offsets[x]`` minus its total overlap with all draws is lowest.

    There is one offset per draw; equal draws must have equal ones. With `agreements` all items
    count in which two features agree, instead of those that they share. Draws of one of the
    `kinds`, a label per draw, are bounded together, at prices of their own. `keep` is called with
    the best draw so far.
    """
    info = engine.samples_info
    if agreements and 8 * info.total_weight * info.n_items * int(info.n_features.max()) >= 2**62:
        raise NotApplicableError(
            f"weights add up to {info.total_weight}, too much to count the agreements of draws of "
            f"{info.n_items} items; divide them by a common factor"
        )
    distinct = Distribution.of(engine.first_equal(), info.weights)
    members, weights = distinct.values, distinct.counts
    n_blocks = min(BLOCKS, len(members))
    core = engine.draw_bounds(members, weights, n_blocks=n_blocks, agreements=agreements)
    kind = np.zeros(len(members)) if kinds is None else kinds[members]
    labels = np.unique(kind)
    upper = np.empty((len(members), n_blocks), dtype=np.int64)
    n_matchings = 0
    for label in labels:
        same = np.flatnonzero(kind == label)
        n_learnt = min(max(REFERENCES // len(labels), REFERENCES_PER_KIND), len(same))
        references = same[np.linspace(0, len(same) - 1, n_learnt).astype(int)]
        upper[same] = core.bounds(references, same)
        n_matchings += n_learnt * len(members)
    block_sizes = [len(range(block, len(members), n_blocks)) for block in range(n_blocks)]

    offset = [offsets[member] for member in members.tolist()]
    lowest = [o - total for o, total in zip(offset, upper.sum(axis=1).tolist(), strict=True)]
    # The most promising first; of equal ones the first draw goes first, and keeps its place.
    order = sorted(range(len(members)), key=lambda m: (lowest[m], m))
    best: tuple[Fraction | int, int] | None = None
    for m in order:
        if best is not None and lowest[m] > best[0]:
            break
        score = lowest[m]
        for block, bound in enumerate(upper[m].tolist()):
            if best is not None and (score, m) > best:
                break
            score += bound - core.overlap(m, block)
            n_matchings += block_sizes[block]
        if best is None or (score, m) < best:
            best = score, m
            keep(int(members[m]))
    assert best is not None
    return BestDraw(int(members[best[1]]), info.n_draws, len(members), n_matchings)
