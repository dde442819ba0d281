"""Everything that a report says, computed once, and what was left out because it takes long."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fangs._validate import as_level
from fangs.bounds import Certificate, certify
from fangs.estimate import Estimate
from fangs.path.sparsity import GRID, SparsityPath, sparsity_path
from fangs.posterior.alignment import align
from fangs.posterior.ball import CredibleBall, credible_ball
from fangs.posterior.chains import ChainComparison, compare_chains
from fangs.posterior.summary import Summary, summary
from fangs.samples import Samples

EFFORTS = ("auto", "quick", "full")
FEWEST_DRAWS = 8
"""Draws that every chain must have to be compared with others."""


@dataclass(frozen=True, kw_only=True)
class Budget:
    """Work up to which effort "auto" adds each part, in the unit of `alignment_work`."""

    path: float = 10_000_000
    """Estimates for other penalties."""
    chains: float = 50_000_000
    """The comparison of the chains."""
    dual: float = 2_000_000
    """The dual bound, the best one."""
    pairs: float = 100_000_000
    """The bound by pairs of draws. The bound by items is always computed."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Facts:
    """What is known about an estimate, and what was left out."""

    estimate: Estimate
    samples: Samples
    level: float
    summary: Summary
    ball: CredibleBall
    certificate: Certificate
    path: SparsityPath | None
    chains: ChainComparison | None
    left_out: tuple[str, ...]

    @property
    def lowest_loss(self) -> float:
        """The lowest expected loss found while making the report, at the estimate's own `a`."""
        a = self.estimate.a
        others = [] if self.path is None else [e for e in self.path.estimates if e.a == a]
        if self.chains is not None:
            others.append(self.chains.pooled)
        return min([self.estimate.expected_loss, *(e.expected_loss for e in others)])


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

    Parameters
    ----------
    estimate
        What the report is about.
    samples
        The posterior draws that the estimate was made from, or their `Alignment` to it.
    level
        Share of the draws that intervals and the credible ball hold.
    effort
        "quick" leaves out the path over `a`, the chains and the better bounds, "full" nothing,
        "auto" what would exceed the budget.
    seed, n_threads
        For the searches along the path and by chain.
    budget
        Limits of "auto"; by default a report of a few seconds.
    """
    if effort not in EFFORTS:
        raise ValueError(f"effort = {effort!r} is unknown; choose one of {', '.join(EFFORTS)}")
    level, budget = as_level(level), budget or Budget()
    alignment = align(estimate, samples, n_threads=n_threads)
    samples = alignment.samples
    work = np.inf if effort == "quick" else 0.0 if effort == "full" else alignment_work(samples)
    left_out: list[str] = []
    path = chains = None
    if work <= budget.path:
        grid = sorted({*GRID, estimate.a})
        path = _through(estimate, sparsity_path(samples, a=grid, seed=seed, n_threads=n_threads))
    else:
        left_out.append("estimates for other values of a")
    if _can_compare(samples):
        if work <= budget.chains:
            chains = compare_chains(samples, a=estimate.a, seed=seed, n_threads=n_threads)
        else:
            left_out.append("the comparison of the chains")
    bound = "dual" if work <= budget.dual else "pairs" if work <= budget.pairs else "items"
    if bound != "dual":
        left_out.append("the best lower bound")
    return Facts(
        estimate=estimate,
        samples=samples,
        level=level,
        summary=summary(estimate, alignment, level=level),
        ball=credible_ball(estimate, alignment, level=level),
        certificate=certify(estimate, alignment, method=bound),
        path=path,
        chains=chains,
        left_out=tuple(left_out),
    )


def alignment_work(samples: Samples) -> float:
    """About how many words of 64 items are compared when all draws are aligned once.

    Examples
    --------
    >>> alignment_work(Samples([[[1, 0], [1, 1]], [[1], [1]]]))
    5.0
    """
    words = -(-samples.n_items // 64)
    return float((samples.n_features.astype(np.float64) ** 2).sum() * words)


def _through(estimate: Estimate, path: SparsityPath) -> SparsityPath:
    """Put the estimate into the path, unless the path has a better one at the same penalty."""
    estimates = tuple(
        estimate if e.a == estimate.a and e.expected_loss >= estimate.expected_loss else e
        for e in path.estimates
    )
    return replace(path, estimates=estimates)


def _can_compare(samples: Samples) -> bool:
    """Whether there are two or more chains, none of them tiny."""
    if samples.chains is None:
        return False
    counts = np.unique(samples.chains, return_counts=True)[1]
    return len(counts) >= 2 and int(counts.min()) >= FEWEST_DRAWS
