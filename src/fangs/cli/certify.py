"""``fangs certify``: bound how far an estimate is from the best allocation."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from fangs.bounds import certify
from fangs.cli import options
from fangs.cli.output import print_result, until_interrupted
from fangs.cli.search import search
from fangs.estimate import Estimate, load

__all__ = ["EXAMPLES", "command"]

EXAMPLES = (
    "fangs certify draws.npz --estimate estimate.npz",
    "fangs certify draws.npz -a 1.4 --seed 1 --json",
)


@click.command(
    "certify",
    short_help="Bound how far an estimate is from the best allocation.",
    epilog=options.examples(*EXAMPLES),
)
@options.draws
@click.option(
    "--estimate",
    "known",
    type=options.FILE,
    metavar="FILE",
    help="An .npz file from fangs estimate.  [default: estimate now]",
)
@click.option("-a", type=float, help="Penalty to estimate at, in (0, 2).  [default: 1]")
@options.seed
@options.threads
@options.as_document
@options.quiet
def command(
    draws: options.DrawFiles,
    *,
    known: Path | None,
    a: float | None,
    seed: int | None,
    threads: int | None,
    as_document: bool,
    quiet: bool,
) -> int:
    """Bound the expected loss of all allocations of DRAWS from below, and so judge an estimate."""
    if known is not None and not (a is None and seed is None):
        raise click.UsageError("--estimate brings its own -a and --seed: drop these")
    samples = draws.read()
    with until_interrupted() as outcome:
        if known is not None:
            found = load(known)
        else:
            found, outcome.interrupted = search(
                samples, quiet=quiet, a=1.0 if a is None else a, seed=seed, n_threads=threads
            )
        outcome.result = certify(found, samples, n_threads=threads)
    print_result(outcome.result, as_document=as_document, document=_document)
    return outcome.code


def _document(result: Any) -> dict[str, Any]:
    if isinstance(result, Estimate):
        result = {"expected_loss": result.expected_loss, "lower_bound": None}
        return dict(result)
    plain = (bool, int, float, str)
    values = {field.name: getattr(result, field.name) for field in fields(result)}
    found = {name: value for name, value in values.items() if isinstance(value, plain)}
    return found | {"gap": result.gap, "text": str(result)}
