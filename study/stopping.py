"""When to stop: after a number of proposals, as the paper, or when nothing helps, as we do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

import fangs
from fangs.allocation import with_empty
from fangs.engine import as_engine
from fangs.loss import Objective
from study.markdown import table

SEEDS = range(3)


@dataclass(frozen=True)
class Stopped:
    """How a search ended."""

    loss: float
    improving: int
    """Flips in its own columns that would still lower the loss."""
    births: int
    """Items that would lower the loss in a new column."""


def measure(
    samples: fangs.Samples, *, seeds: Sequence[int] = SEEDS
) -> dict[str, tuple[int | None, list[Stopped]]]:
    """Run Algorithm 1 with the paper's stop and with R's, and the default search."""
    width = fangs.estimate(samples, seed=0).n_features
    stops = {
        "Algorithm 1": 1000,
        "Algorithm 1, n × K": samples.n_items * max(width, 1),
        "default": None,
    }
    return {name: (n, [_run(samples, n, seed) for seed in seeds]) for name, n in stops.items()}


def _run(samples: fangs.Samples, n_iter: int | None, seed: int) -> Stopped:
    found = fangs.estimate(samples, n_iter=n_iter, seed=seed)
    engine = as_engine(samples)
    nearby = engine.neighbourhood(with_empty(found.matrix))
    objective = Objective.of(engine.samples_info, 1.0)
    better = objective.flip_costs(nearby.matrix, nearby.flip_support()) < 0
    width = found.n_features
    return Stopped(found.expected_loss, int(better[:, :width].sum()), int(better[:, width:].sum()))


def paragraphs(
    measured: Mapping[str, Mapping[str, tuple[int | None, Sequence[Stopped]]]],
    titles: Mapping[str, str],
) -> list[str]:
    """Show the three searches on every set of draws."""
    rows = [
        [
            *(titles[name], stop, "–" if n_iter is None else f"{n_iter:,}"),
            f"{mean(run.loss for run in runs):.3f}",
            f"{sum(run.improving + run.births == 0 for run in runs)} of {len(runs)}",
            f"{mean(run.improving for run in runs):.1f}",
            f"{mean(run.births for run in runs):.1f}",
        ]
        for name, stops in measured.items()
        for stop, (n_iter, runs) in stops.items()
    ]
    head = [
        *("size of", "search", "proposals per start", "mean loss", "flip-optimal"),
        *("flips left", "births left"),
    ]
    return [
        "## The search and its stop",
        "The paper stops after 1000 random proposals per start, whatever the size of the problem. "
        "Its R package stops by default after as many proposals as the estimate has entries "
        "(n × K) or after 60 seconds, so its result can depend on the clock. There, every proposal "
        "costs a pass over all draws, whether it helps or not.",
        "Here one pass gives the exact effect of every flip. So the default search needs no fixed "
        "number of proposals. It makes several starts on a subsample of the draws, descends from "
        "the best until no single flip and no birth of a feature lowers the expected loss, and "
        "then tries to leave that allocation by tabu walks and penalty shifts. It stops when these "
        "fail. Nothing depends on the clock, and the result is proved to be no worse than any "
        "allocation one flip away (`is_flip_optimal`). [How the search "
        "works](../how-the-search-works.md) describes it. `n_iter=1000` gives Algorithm 1 with the "
        "paper's stop.",
        "The table compares three searches on the same draws with the same seeds. They differ in "
        "more than the stop: the default also has other starts, and walks.",
        table(head, rows, text_columns=2),
        "*Flip-optimal*: runs that ended where no single flip and no birth lowers the loss. *Flips "
        "left* and *births left*: how many flips of a single entry, in the estimate's columns and "
        "in a new one, would still lower the loss; means over the runs.",
    ]
