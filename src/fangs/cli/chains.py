"""``fangs chains``: compare Markov chains."""

from __future__ import annotations

from typing import Any

import click

from fangs.cli import options
from fangs.cli.output import document_of, print_result, until_interrupted
from fangs.estimate import Estimate
from fangs.posterior import ChainComparison, compare_chains

__all__ = ["EXAMPLES", "command"]

EXAMPLES = (
    "fangs chains draws.npz --seed 1",
    "fangs chains chain1.csv chain2.csv chain3.csv --burn-in 500 --json",
)


@click.command(
    "chains",
    short_help="Compare chains, and say whether they may be pooled.",
    epilog=options.examples(*EXAMPLES),
)
@options.draws
@options.a
@options.seed
@options.threads
@options.cluster
@options.as_document
def command(
    draws: options.DrawFiles,
    *,
    a: float,
    seed: int | None,
    threads: int | None,
    as_document: bool,
) -> int:
    """Compare the chains of posterior DRAWS, and say whether they may be pooled.

    Give one file with chains, or one file per chain.
    """
    with until_interrupted() as outcome:
        outcome.result = compare_chains(draws.read(), a=a, seed=seed, n_threads=threads)
    print_result(outcome.result, as_document=as_document, document=_document)
    return outcome.code


def _document(result: ChainComparison | Estimate) -> dict[str, Any]:
    if isinstance(result, Estimate):
        return {"estimate": document_of(result)}
    names = ("a", "agree", "verdict", "apart", "n_draws", "distances", "separation", "rhat", "ess")
    return {name: getattr(result, name) for name in names}
