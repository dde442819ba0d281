"""Everything that a report says, computed once, and what was left out because it takes long."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fangs._typing import IntArray
from fangs.bounds import MAX_SECONDS, Certificate, certify
from fangs.check.arguments import as_level
from fangs.distributed import ShardedSamples
from fangs.draws.info import SamplesInfo
from fangs.draws.samples import Samples
from fangs.estimate import Estimate
from fangs.loss import Objective
from fangs.modes import Modes, modes
from fangs.path.sparsity import GRID, SparsityPath, sparsity_path
from fangs.plot.posterior_map import best_draw_near
from fangs.posterior.alignment import Alignment, align
from fangs.posterior.assess import for_draws
from fangs.posterior.ball import CredibleBall, credible_ball
from fangs.posterior.by_chain import FeaturesByChain
from fangs.posterior.chains import ChainComparison, compare_chains
from fangs.posterior.core import core
from fangs.posterior.core.result import Core
from fangs.posterior.summary import Summary, summary
from fangs.report.improvement import better_estimate

EFFORTS = ("auto", "quick", "full")
FEWEST_DRAWS = 8
"""Draws that every chain must have to be compared with others."""
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
    core: int = 5_000_000
    """Draws times entries up to which the core is looked for."""
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
    core: Core | None
    certificate: Certificate
    path: SparsityPath | None
    chains: ChainComparison | None
    by_chain: FeaturesByChain | None
    """Which features each chain has; None without several chains."""
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

    Effort "quick" leaves out the path over `a`, the chains, the modes and the better bounds, "full"
    nothing, "auto" what would exceed the budget. Other arguments are those of `Estimate.report`.
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

    def affords(limit: float, what: str) -> bool:
        if work > limit:
            left_out.append(what)
        return work <= limit

    path = chains = several = draw_loss = joint = None
    if affords(budget.path, "estimates for other values of a"):
        grid = sorted({*GRID, estimate.a})
        path = sparsity_path(samples, a=grid, seed=seed, n_threads=n_threads)
    sizes = chain_sizes(samples)
    can_compare = len(sizes) >= 2 and sizes.min() >= FEWEST_DRAWS
    if can_compare and affords(budget.chains, "the comparison of the chains"):
        chains = compare_chains(samples, estimate=estimate, seed=seed, n_threads=n_threads)
    if affords(budget.modes, "modes"):
        several = modes(engine, max_modes=MOST_MODES, a=estimate.a, seed=seed)
    if work <= budget.chains:
        every = np.arange(estimate.n_draws)
        draw_loss = best_draw_near(estimate, engine, every, a=estimate.a)[1]
    if effort == "full" or estimate.n_draws * estimate.matrix.size <= budget.core:
        joint = core(estimate, alignment, level=level)
    else:
        left_out.append("the core")
    certificate, is_best = _certificate(estimate, alignment, work, effort, budget)
    if not is_best:
        left_out.append(BEST_BOUND)
    met = [better_estimate(estimate, alignment, path=path, chains=chains), certificate.better]
    found = [other for other in met if other is not None]
    better = min(found, key=lambda other: other.expected_loss, default=None)
    return Facts(
        estimate=estimate,
        samples=samples,
        level=level,
        summary=summary(estimate, alignment, level=level),
        ball=credible_ball(estimate, alignment, level=level),
        core=joint,
        certificate=certificate,
        path=None if path is None else _through(better or estimate, path),
        chains=chains,
        by_chain=alignment.by_chain() if len(sizes) >= 2 else None,
        modes=several,
        left_out=tuple(left_out),
        better=better,
        empty_loss=Objective.of(engine.samples_info, estimate.a).expected_loss(0, 0),
        draw_loss=draw_loss,
    )


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


def chain_sizes(samples: Samples | ShardedSamples | SamplesInfo) -> IntArray:
    """Number of draws of each chain; draws of weight 0 do not count."""
    if samples.chains is None:
        return np.zeros(0, dtype=np.int64)
    counted = samples.chains if samples.weights is None else samples.chains[samples.weights > 0]
    return np.unique(counted, return_counts=True)[1]
