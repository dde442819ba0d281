"""``fangs certify``: bound how far an estimate is from the best allocation."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from fangs.bounds import MAX_SECONDS, METHODS, certify
from fangs.cli import options
from fangs.cli.output import document_of, print_result, until_interrupted
from fangs.cli.search import search
from fangs.estimate import Estimate, load
from fangs.search.progress import progress_display

__all__ = ["EXAMPLES", "command"]

EXAMPLES = (
    "fangs certify draws.npz --estimate estimate.npz",
    "fangs certify draws.npz -a 1.4 --seed 1 --json",
    "fangs certify draws.npz --seed 1 --method dual",
    "fangs certify draws.npz --seed 1 --max-seconds 600",
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
@click.option("-a", type=options.Penalty(), help="Penalty to estimate at, in (0, 2).  [default: 1]")
@click.option(
    "--method",
    type=click.Choice(["auto", *METHODS]),
    default="auto",
    show_default=True,
    help="How far to go; each includes those before it, and auto means all.",
)
@click.option(
    "--max-seconds",
    type=float,
    default=MAX_SECONDS,
    show_default=True,
    help="Stop the proof then, with the best bound so far.",
)
@options.seed
@options.threads
@options.cluster
@options.as_document
@options.quiet
def command(
    draws: options.DrawFiles,
    *,
    known: Path | None,
    a: float | None,
    method: str,
    max_seconds: float,
    seed: int | None,
    threads: int | None,
    as_document: bool,
    quiet: bool,
) -> int:
    """Bound the expected loss of all allocations of DRAWS from below, and so judge an estimate.

    On Ctrl-C the best bound so far is printed, and the exit code is 130.
    """
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
        with nullcontext(False) if quiet else progress_display() as progress:
            certificate = certify(
                found,
                samples,
                method=method,
                max_seconds=max_seconds,
                progress=progress,
                n_threads=threads,
            )
        outcome.result = certificate
        outcome.interrupted |= certificate.stopped_because == "interrupted"
    print_result(outcome.result, as_document=as_document, document=_document)
    return outcome.code


def _document(result: Any) -> dict[str, Any]:
    if isinstance(result, Estimate):
        result = {"expected_loss": result.expected_loss, "lower_bound": None}
        return dict(result)
    plain = (bool, int, float, str)
    values = {field.name: getattr(result, field.name) for field in fields(result)}
    found = {name: value for name, value in values.items() if isinstance(value, plain)}
    better = None if result.better is None else document_of(result.better)
    return found | {"gap": result.gap, "better": better, "text": str(result)}
