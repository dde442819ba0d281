"""Everything that a report tells, computed once; and what was left out because it takes long."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fangs.ball import CredibleBall, credible_ball
from fangs.bounds import Certificate, certify
from fangs.chains import ChainComparison, compare_chains
from fangs.path import GRID, SparsityPath, sparsity_path
from fangs.result import Estimate
from fangs.samples import Samples
from fangs.uncertainty import Summary, summary
from fangs.validate import as_samples

EFFORTS = ("auto", "quick", "full")
# Words of 64 items compared when all draws are aligned once, up to which "auto" adds each part.
PATH_WORK = 10_000_000
CHAINS_WORK = 50_000_000
LABELS_WORK = 2_000_000
PAIRS_WORK = 100_000_000


@dataclass(frozen=True, eq=False, kw_only=True)
class Facts:
    """What is known of an estimate, and the notes that say what is missing and why."""

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
        """The lowest expected loss met while making the report, at the estimate's own `a`."""
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
) -> Facts:
    """Compute what a report tells.

    Parameters
    ----------
    estimate
        What the report is about.
    samples
        The posterior draws it was made from.
    level
        Share of the draws that intervals and the credible ball hold.
    effort
        "quick" leaves out the path over `a`, the chains and the better bounds, "full" nothing,
        "auto" what would take long.
    seed, n_threads
        For the searches along the path and by chain.
    """
    if effort not in EFFORTS:
        raise ValueError(f"effort = {effort!r} is unknown; choose one of {', '.join(EFFORTS)}")
    samples = as_samples(samples)
    work = np.inf if effort == "quick" else 0.0 if effort == "full" else alignment_work(samples)
    found = summary(estimate, samples, level=level, n_threads=n_threads)
    left_out: list[str] = []
    path = chains = None
    if work <= PATH_WORK:
        grid = sorted({*GRID, estimate.a})
        path = _through(estimate, sparsity_path(samples, a=grid, seed=seed, n_threads=n_threads))
    else:
        left_out.append("estimates for other values of a")
    if _can_compare(samples):
        if work <= CHAINS_WORK:
            chains = compare_chains(samples, a=estimate.a, seed=seed, n_threads=n_threads)
        else:
            left_out.append("the comparison of the chains")
    bound = "labels" if work <= LABELS_WORK else "pairs" if work <= PAIRS_WORK else "items"
    if bound != "labels":
        left_out.append("the best lower bound that is known")
    return Facts(
        estimate=estimate,
        samples=samples,
        level=level,
        summary=found,
        ball=credible_ball(estimate, samples, level=level, n_threads=n_threads),
        certificate=certify(estimate, samples, effort=bound, n_threads=n_threads),
        path=path,
        chains=chains,
        left_out=tuple(left_out),
    )


def _through(estimate: Estimate, path: SparsityPath) -> SparsityPath:
    """The path with the estimate in it, unless the path has a better one at the same penalty."""
    estimates = tuple(
        estimate if e.a == estimate.a and e.expected_loss >= estimate.expected_loss else e
        for e in path.estimates
    )
    return replace(path, estimates=estimates)


def alignment_work(samples: Samples) -> float:
    """About how many words of 64 items are compared when all draws are aligned once.

    Examples
    --------
    >>> alignment_work(Samples([[[1, 0], [1, 1]], [[1], [1]]]))
    5.0
    """
    words = -(-samples.n_items // 64)
    return float((samples.n_features.astype(np.float64) ** 2).sum() * words)


def _can_compare(samples: Samples) -> bool:
    """Whether there are chains to compare: two or more, none of them tiny."""
    if samples.chains is None:
        return False
    counts = np.unique(samples.chains, return_counts=True)[1]
    return len(counts) >= 2 and int(counts.min()) >= 8
