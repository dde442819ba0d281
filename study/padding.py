"""Padding columns: what the paper's padding to the widest draw does to a start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

import numpy as np

import fangs
from fangs._typing import BinaryMatrix, IntArray
from fangs.allocation import without_empty
from fangs.engine import ThreadedEngine, as_engine
from fangs.loss import Objective
from fangs.search.starts import from_baseline
from study.draws import DrawSet
from study.markdown import table

PENALTIES = (1.0, 0.5, 0.1, 0.01)
N_BASELINES = 8


@dataclass(frozen=True)
class Padded:
    """Starts from one baseline: ours, and with padding columns filled in two orders."""

    loss: float
    losses: tuple[float, float]
    surviving: tuple[int, int]
    """Padding columns in which some proportion reaches a/2."""


def measure(
    draws: DrawSet, *, penalties: Sequence[float] = PENALTIES, n_baselines: int = N_BASELINES
) -> dict[float, list[Padded]]:
    """Make starts from a few baselines at every penalty."""
    engine, rng = as_engine(draws.samples), np.random.default_rng(1)
    n_draws = engine.samples_info.n_draws
    chosen = rng.choice(n_draws, size=min(n_baselines, n_draws), replace=False)
    counted = []
    for draw in chosen.tolist():
        in_order = padding_counts(engine, engine.draw(draw), None)
        counted.append((draw, in_order, padding_counts(engine, engine.draw(draw), rng)))
    return {
        a: [_starts(engine, *one, Objective.of(engine.samples_info, a)) for one in counted]
        for a in penalties
    }


def padding_counts(
    engine: ThreadedEngine, baseline: BinaryMatrix, rng: np.random.Generator | None
) -> IntArray:
    """Count items in the padding columns, which take what a draw has beyond the baseline.

    The best alignment leaves their order open. It is the draw's own, or random if `rng` is given.
    """
    samples = engine.samples
    room = int(samples.n_features.max()) - baseline.shape[1]
    counts = np.zeros((samples.n_items, room), dtype=np.int64)
    permutations, _ = engine.permutations(baseline)
    for draw, matched in enumerate(permutations):
        left = np.setdiff1d(np.arange(samples.n_features[draw]), matched)
        if rng is not None:
            rng.shuffle(left)
        # A feature that overlaps with nothing may stand at a free column of the baseline just as
        # well; if there is no room for it in the padding, that is where it must be.
        left = left[:room]
        counts[:, : len(left)] += samples[draw][:, left]
    return counts


def _starts(
    engine: ThreadedEngine, draw: int, first: IntArray, second: IntArray, objective: Objective
) -> Padded:
    ours = from_baseline(engine, draw, objective).matrix
    losses, surviving = [], []
    for counts in (first, second):
        extra = without_empty(objective.threshold(counts))
        surviving.append(extra.shape[1])
        losses.append(_loss(engine, np.column_stack([ours, extra]), objective))
    return Padded(
        _loss(engine, ours, objective), (losses[0], losses[1]), (surviving[0], surviving[1])
    )


def _loss(engine: ThreadedEngine, matrix: BinaryMatrix, objective: Objective) -> float:
    matrix = np.ascontiguousarray(matrix)
    return objective.expected_loss(int(matrix.sum()), int(engine.overlaps(matrix).sum()))


def paragraphs(
    measured: Mapping[str, Mapping[float, Sequence[Padded]]],
    found: Mapping[str, Mapping[float, fangs.Estimate]],
    titles: Mapping[str, str],
) -> list[str]:
    """Tabulate what survives in padding columns, and how it changes the loss."""
    rows = [
        [
            *(titles[name], f"{a:g}"),
            *(f"{mean(one.surviving[order] for one in starts):.1f}" for order in (0, 1)),
            f"{mean(one.loss for one in starts):.2f}",
            *(f"{mean(one.losses[order] for one in starts):.2f}" for order in (0, 1)),
            f"{found[name][a].expected_loss:.2f}",
        ]
        for name, by_penalty in measured.items()
        for a, starts in by_penalty.items()
    ]
    head = [
        "draws of the size of",
        "a",
        "surviving, own order",
        "surviving, random order",
        "start without",
        "with, own order",
        "with, random order",
        "estimate",
    ]
    n_starts = len(next(iter(next(iter(measured.values())).values())))
    return [
        "## Padding columns",
        "The paper fills every draw up to the width of the widest with empty columns before it "
        "aligns them to a baseline. What a draw has beyond the baseline then falls into the "
        "baseline's padding columns, all orders of which are equally good; which one comes out "
        "is up to the assignment program. The proportions there are means over features that "
        "have nothing to do with each other, and where they reach a/2 they stay in the start. "
        "`n_iter=...`, the paper's Algorithm 1, does so here too, in the draws' own order. The "
        "starts of our default search leave these columns out: a start has the baseline's features "
        "or fewer, and features that the baseline lacks come from other starts and from births. "
        "Starts from "
        f"{n_starts} baselines, with padding columns filled in two orders, the draws' own and a "
        "random one: how many padding columns survive the threshold, and the mean expected loss "
        "of the starts before any flip.",
        table(head, rows),
        "Where nothing survives the three starts are the same. Where something does, the start "
        "depends on an order that means nothing. At a small `a` features that few draws share are "
        "worth having, and starts with padding columns may then be lower than ours; what ours lack "
        "is left to births. *Estimate* is where `fangs.sparsity_path` ends at that `a`.",
    ]
