"""``fangs modes``: find several estimates, print them, write each."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from fangs.cli import options
from fangs.cli.output import document_of, print_result, until_interrupted
from fangs.formats.registry import check_estimate_target, write_estimate
from fangs.modes import Modes, modes
from fangs.search.progress import progress_display

__all__ = ["EXAMPLES", "command"]

EXAMPLES = (
    "fangs modes draws.npz --seed 1 --out mode.npz",
    "fangs modes draws.npz --n-modes 2 --json > modes.json",
    "fangs modes draws.npz --max-modes 4 -a 1.4",
)


@click.command(
    "modes",
    short_help="Find several estimates where one is not enough.",
    epilog=options.examples(*EXAMPLES),
)
@options.draws
@click.option(
    "--n-modes", type=int, help="Number of modes.  [default: as many as are clear and pay]"
)
@click.option(
    "--max-modes", type=int, default=8, show_default=True, help="Most modes to choose from."
)
@options.a
@options.seed
@options.threads
@options.cluster
@click.option(
    "--out",
    "target",
    type=options.FILE,
    metavar="FILE",
    help="Write each estimate; mode.npz becomes mode-1.npz, mode-2.npz, ...; or .csv, .json etc.",
)
@options.as_document
@options.quiet
def command(
    draws: options.DrawFiles,
    *,
    n_modes: int | None,
    max_modes: int,
    a: float,
    seed: int | None,
    threads: int | None,
    target: Path | None,
    as_document: bool,
    quiet: bool,
) -> int:
    """Find the modes of posterior DRAWS, with an estimate for each.

    Where one estimate is enough, there is one mode. On Ctrl-C the estimate of all draws is printed,
    nothing is written, and the exit code is 130.
    """
    if quiet and not (as_document or target):
        raise click.UsageError("--quiet would leave nothing of the modes: add --out or --json")
    if target is not None:
        check_estimate_target(_numbered(target, 1))
    samples = draws.read()
    with (
        until_interrupted(quiet) as outcome,
        nullcontext(False) if quiet else progress_display() as progress,
    ):
        outcome.result = modes(
            samples,
            n_modes=n_modes,
            max_modes=max_modes,
            a=a,
            seed=seed,
            n_threads=threads,
            progress=progress,
        )
    written = []
    if target is not None and not outcome.interrupted:
        for m, estimate in enumerate(outcome.result.estimates, start=1):
            written.append(_numbered(target, m))
            write_estimate(estimate, written[-1])
    if as_document or not quiet:
        print_result(outcome.result, as_document=as_document, document=_document)
    if written and not quiet:
        click.echo(f"Wrote {', '.join(map(str, written))}", err=True)
    return outcome.code


def _numbered(target: Path, mode: int) -> Path:
    """The file of one mode: mode.npz becomes mode-1.npz."""
    return target.parent / f"{target.stem}-{mode}{target.suffix}"


def _document(found: Any) -> dict[str, Any]:
    if not isinstance(found, Modes):
        return {"estimate": document_of(found)}
    names = ("n_modes", "a", "seed", "expected_loss", "weights", "labels", "doubtful", "distances")
    return {
        **{name: getattr(found, name) for name in names},
        "chains": found.chains,
        "by_chain": found.by_chain,
        "curve": found.curve,
        "steps": [asdict(step) for step in found.steps],
        "explanation": found.explanation,
        "estimates": [document_of(estimate) for estimate in found.estimates],
    }
