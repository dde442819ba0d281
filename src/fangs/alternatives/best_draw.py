"""The draw of lowest expected loss, found exactly without comparing every two draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from fangs import _core
from fangs.alternatives.result import Run
from fangs.result import Estimate
from fangs.samples import IntArray, Samples

# Matchings of this many draws with all others set the prices that the bounds rest on.
_REFERENCES = 24
_REFERENCES_PER_KIND = 2
# A candidate is looked at in this many steps, and given up as soon as it cannot win.
_BLOCKS = 64


def draws(samples: Any, *, a: float = 1.0, n_threads: int | None = None) -> Estimate:
    """Return the draw with the lowest expected FARO loss: the draws method (Dahl 2006).

    The estimate is a draw, so it carries that draw's noise; the more features there are, the
    further it lies from the allocation of lowest expected loss. Where several draws are best, the
    first is taken.

    Naively this takes a matching for every two draws. Here equal draws are counted once, and an
    upper bound on the overlap of each draw with all others, from dual prices that a few exact
    matchings provide, shows most draws to be out of the running; the rest are given up as soon as
    their exact part and the bound on what is left cannot win. The answer is that of the naive
    method, and `search.stopped_because` says how much of the work was done.

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
    run = Run.begin("draws", samples, a=a, n_threads=n_threads)
    samples = run.samples
    price = run.objective.price
    offsets = [price * int(ones) for ones in samples.n_ones]
    best = best_draw(samples, offsets=offsets, n_threads=run.engine.n_threads)
    return run.finish_with_draw(best.draw, because=str(best))


@dataclass(frozen=True)
class BestDraw:
    """Which draw is best, and how much work it took to know."""

    draw: int
    n_draws: int
    n_distinct: int
    n_matchings: int

    @property
    def share_done(self) -> float:
        """Matchings made, as a share of the naive method's."""
        return self.n_matchings / self.n_draws**2

    def __str__(self) -> str:
        return (
            f"draw {self.draw} is the best of {self.n_draws:,} ({self.n_distinct:,} different); "
            f"{self.n_matchings:,} of {self.n_draws**2:,} matchings were needed "
            f"({self.share_done:.1%})"
        )


def best_draw(
    samples: Samples,
    *,
    offsets: Sequence[Fraction | int],
    n_threads: int,
    chosen: IntArray | None = None,
    agreements: bool = False,
    kinds: IntArray | None = None,
    n_references: int = _REFERENCES,
) -> BestDraw:
    """Find the draw x for which ``offsets[x]`` minus its total overlap with all draws is lowest.

    Parameters
    ----------
    samples
        The draws.
    offsets
        One number per draw; equal draws must have equal ones.
    n_threads
        Threads to use.
    chosen
        Only these draws take part, as candidates and as what they are compared with.
    agreements
        Count not the items that two features share but all in which they agree.
    kinds
        A label per draw; draws of a kind are bounded together, at prices that suit them. None means
        one kind.
    n_references
        How many draws are matched with all others to set prices; a few of each kind at least.
    """
    first = _core.first_equal(samples._draws)
    members, weights = np.unique(first if chosen is None else first[chosen], return_counts=True)
    n_blocks = min(_BLOCKS, len(members))
    core = _core.DrawBounds(
        samples._draws, members, weights.astype(np.int64), n_blocks, agreements, n_threads
    )
    kind = np.zeros(len(members)) if kinds is None else kinds[members]
    labels = np.unique(kind)
    upper = np.empty((len(members), n_blocks), dtype=np.int64)
    n_matchings = 0
    for label in labels:
        same = np.flatnonzero(kind == label)
        n_learnt = min(max(n_references // len(labels), _REFERENCES_PER_KIND), len(same))
        references = same[np.linspace(0, len(same) - 1, n_learnt).astype(int)]
        upper[same] = core.bounds(references, same)
        n_matchings += n_learnt * len(members)
    block_sizes = [len(range(block, len(members), n_blocks)) for block in range(n_blocks)]

    offset = [offsets[member] for member in members.tolist()]
    lowest = [o - total for o, total in zip(offset, upper.sum(axis=1).tolist(), strict=True)]
    # By promise; among equals the first draw goes first, and later it keeps its place.
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
    assert best is not None
    n_draws = len(samples) if chosen is None else len(chosen)
    draw = int(members[best[1]])
    if chosen is not None:  # the first of the chosen ones that equals it
        draw = int(chosen[np.flatnonzero(first[chosen] == draw)[0]])
    return BestDraw(draw, n_draws, len(members), n_matchings)
