"""Everything that a report tells, computed once; and what was left out because it takes long."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fangs.ball import CredibleBall, credible_ball
from fangs.bounds import Certificate, certify
from fangs.chains import ChainComparison, compare_chains
from fangs.path import SparsityPath, sparsity_path
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
        path = sparsity_path(samples, seed=seed, n_threads=n_threads)
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
