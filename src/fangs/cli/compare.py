"""``fangs compare``: several methods on the same draws."""

from __future__ import annotations

from typing import Any

import click

from fangs.alternatives.compare import Comparison, compare
from fangs.alternatives.registry import METHODS
from fangs.cli import options
from fangs.cli.output import print_result, until_interrupted

__all__ = ["EXAMPLES", "command"]

EXAMPLES = (
    "fangs compare draws.npz --seed 1",
    "fangs compare draws.npz --methods estimate,fangs,draws --json",
)


@click.command(
    "compare",
    short_help="Run several methods on the same draws.",
    epilog=options.examples(*EXAMPLES),
)
@options.draws
@click.option(
    "--methods",
    metavar="NAMES",
    help=f"Separated by commas, out of {', '.join(METHODS)}.  [default: all]",
)
@options.a
@options.seed
@options.threads
@options.cluster
@options.as_document
def command(
    draws: options.DrawFiles,
    *,
    methods: str | None,
    a: float,
    seed: int | None,
    threads: int | None,
    as_document: bool,
) -> int:
    """Run several methods on posterior DRAWS and print their expected losses, sizes and times.

    On Ctrl-C the methods that have ended are printed, and the exit code is 130.
    """
    names = None if methods is None else [name.strip() for name in methods.split(",")]
    with until_interrupted() as outcome:
        outcome.result = compare(draws.read(), methods=names, a=a, seed=seed, n_threads=threads)
    print_result(outcome.result, as_document=as_document, document=_document)
    return outcome.code


def _document(comparison: Comparison) -> dict[str, Any]:
    names = ("method", "expected_loss", "n_features", "n_ones", "seconds", "note")
    rows = [{name: getattr(row, name) for name in names} for row in comparison]
    return {"a": comparison.a, "methods": rows}
