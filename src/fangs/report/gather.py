"""Everything that a report says, computed once, and what was left out because it takes long."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fangs.bounds import MAX_SECONDS, Certificate, certify
from fangs.check.arguments import as_level
from fangs.distributed import ShardedSamples
from fangs.draws.samples import Samples
from fangs.estimate import Estimate
from fangs.loss import Objective
from fangs.modes import Modes, modes
from fangs.path.sparsity import GRID, SparsityPath, sparsity_path
from fangs.posterior.alignment import Alignment, align
from fangs.posterior.assess import for_draws
from fangs.posterior.ball import CredibleBall, credible_ball
from fangs.posterior.chains import ChainComparison, compare_chains
from fangs.posterior.summary import Summary, summary
from fangs.report.improvement import better_estimate

EFFORTS = ("auto", "quick", "full")
FEWEST_DRAWS = 8
"""Draws that every chain must have to be compared with others."""
NEAREST = 8
"""Draws nearest to the estimate among which the best one is looked for."""
MOST_MODES = 4
"""Modes that a report looks for."""


BEST_BOUND = "the best lower bound"
"""What is left out where column generation would take long."""


@dataclass(frozen=True, kw_only=True)
class Budget:
    """Work up to which effort "auto" adds each part, in the unit of `alignment_work`."""

    path: float = 10_000_000
    """Estimates for other penalties."""
    chains: float = 50_000_000
    """The comparison of the chains."""
    modes: float = 5_000_000
    """Several estimates, if one is not enough."""
    dual: float = 2_000_000
    """The dual bound."""
    pairs: float = 100_000_000
    """The bound by pairs of draws. The bound by items is always computed."""
    columns: int = 100
    """Items up to which the best bound is tried too, by column generation."""
    seconds: float = 5.0
    """Time that column generation may take."""
    full_seconds: float = MAX_SECONDS
    """The same for effort "full"."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Facts:
    """What is known about an estimate, and what was left out."""

    estimate: Estimate
    samples: Samples | ShardedSamples
    level: float
    summary: Summary
    ball: CredibleBall
    certificate: Certificate
    path: SparsityPath | None
    chains: ChainComparison | None
    modes: Modes | None
    left_out: tuple[str, ...]
    better: Estimate | None
    """A better estimate at the same penalty, if one was met."""
    empty_loss: float
    """Expected loss of a matrix without features."""
    draw_loss: float | None
    """The lowest expected loss of the draws nearest to the estimate; None if it was left out."""


def gather(
    estimate: Estimate,
    samples: Any,
    *,
    level: float = 0.95,
    effort: str = "auto",
    seed: int | None = 0,
    n_threads: int | None = None,
    budget: Budget | None = None,
) -> Facts:
    """Compute what a report says. The draws are aligned to the estimate once.

    An estimate that was made from other draws is assessed over these.

    Parameters
    ----------
    estimate
        What the report is about.
    samples
        The posterior draws, or their `Alignment` to the estimate.
    level
        Share of the draws that intervals and the credible ball hold.
    effort
        "quick" leaves out the path over `a`, the chains, the modes and the better bounds, "full"
        nothing, "auto" what would exceed the budget.
    seed, n_threads
        For the searches along the path and by chain.
    budget
        Limits of "auto"; by default a report of a few seconds.
    """
    if effort not in EFFORTS:
        raise ValueError(f"effort = {effort!r} is unknown; choose one of {', '.join(EFFORTS)}")
    level, budget = as_level(level), budget or Budget()
    alignment = align(estimate, samples, n_threads=n_threads)
    estimate = for_draws(estimate, alignment.engine)
    engine = alignment.engine
    samples = engine if isinstance(engine, ShardedSamples) else alignment.samples
    work = np.inf if effort == "quick" else 0.0 if effort == "full" else alignment_work(samples)
    left_out: list[str] = []
    path = chains = several = None
    if work <= budget.path:
        grid = sorted({*GRID, estimate.a})
        path = sparsity_path(samples, a=grid, seed=seed, n_threads=n_threads)
    else:
        left_out.append("estimates for other values of a")
    if _can_compare(samples):
        if work <= budget.chains:
            chains = compare_chains(samples, estimate=estimate, seed=seed, n_threads=n_threads)
        else:
            left_out.append("the comparison of the chains")
    better = better_estimate(estimate, alignment, path=path, chains=chains)
    if work <= budget.modes:
        several = modes(alignment.engine, max_modes=MOST_MODES, a=estimate.a, seed=seed)
    else:
        left_out.append("modes")
    certificate, is_best = _certificate(estimate, alignment, work, effort, budget)
    if not is_best:
        left_out.append(BEST_BOUND)
    met = [found for found in (better, certificate.better) if found is not None]
    better = min(met, key=lambda found: found.expected_loss, default=None)
    return Facts(
        estimate=estimate,
        samples=samples,
        level=level,
        summary=summary(estimate, alignment, level=level),
        ball=credible_ball(estimate, alignment, level=level),
        certificate=certificate,
        path=None if path is None else _through(better or estimate, path),
        chains=chains,
        modes=several,
        left_out=tuple(left_out),
        better=better,
        empty_loss=Objective.of(alignment.engine.samples_info, estimate.a).expected_loss(0, 0),
        draw_loss=_best_draw(estimate, alignment) if work <= budget.chains else None,
    )


def _best_draw(estimate: Estimate, alignment: Alignment) -> float:
    """The lowest expected loss of a draw, of the few nearest to the estimate."""
    engine = alignment.engine
    info = engine.samples_info
    objective = Objective.of(info, estimate.a)
    near = info.counted[np.argsort(estimate.losses[info.counted], kind="stable")[:NEAREST]]

    def loss(draw: int) -> float:
        matrix = engine.draw(draw)
        return objective.expected_loss(int(matrix.sum()), info.weigh(engine.overlaps(matrix)))

    return min(loss(int(draw)) for draw in near)


def _certificate(
    estimate: Estimate, alignment: Alignment, work: float, effort: str, budget: Budget
) -> tuple[Certificate, bool]:
    """The certificate that the budget allows, and whether no better bound was left out."""
    method = "dual" if work <= budget.dual else "pairs" if work <= budget.pairs else "items"
    n_items = alignment.engine.samples_info.n_items
    if effort == "full" or (method == "dual" and n_items <= budget.columns):
        method = "columns"
    seconds = budget.full_seconds if effort == "full" else budget.seconds
    certificate = certify(estimate, alignment, method=method, max_seconds=seconds)
    return certificate, method == "columns" or certificate.is_global_optimum


def alignment_work(samples: Samples | ShardedSamples) -> float:
    """About how many words of 64 items are compared when all draws are aligned once.

    Examples
    --------
    >>> alignment_work(Samples([[[1, 0], [1, 1]], [[1], [1]]]))
    5.0
    """
    words = -(-samples.n_items // 64)
    return float((samples.n_features.astype(np.float64) ** 2).sum() * words)


def _through(estimate: Estimate, path: SparsityPath) -> SparsityPath:
    """Put the best estimate known at its penalty into the path."""
    estimates = tuple(
        estimate if e.a == estimate.a and e.expected_loss >= estimate.expected_loss else e
        for e in path.estimates
    )
    return replace(path, estimates=estimates)


def _can_compare(samples: Samples | ShardedSamples) -> bool:
    """Whether there are two or more chains, none of them tiny; draws of weight 0 do not count."""
    if samples.chains is None:
        return False
    chains = samples.chains if samples.weights is None else samples.chains[samples.weights > 0]
    counts = np.unique(chains, return_counts=True)[1]
    return len(counts) >= 2 and int(counts.min()) >= FEWEST_DRAWS
