"""``fangs modes``: find several estimates, print them, write each."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from fangs._progress import progress_display
from fangs.cli import options
from fangs.cli.exit_codes import DONE, INTERRUPTED
from fangs.io import check_target, read, write_estimate
from fangs.io.json import as_json
from fangs.io.modes_json import modes_as_json
from fangs.modes import modes
from fangs.search import Interrupted

__all__ = ["EXAMPLES", "command"]

EXAMPLES = (
    "fangs modes draws.npz --seed 1 --out mode.npz",
    "fangs modes draws.npz --n-modes 2 --json > modes.json",
    "fangs modes draws.npz --max-modes 4 -a 1.4",
)


@click.command("modes", epilog=options.examples(*EXAMPLES))
@options.draws
@options.variable
@click.option(
    "--n-modes", type=int, help="Number of modes.  [default: as many as are clear and pay]"
)
@click.option(
    "--max-modes", type=int, default=8, show_default=True, help="Most modes to choose from."
)
@click.option(
    "-a",
    type=float,
    default=1.0,
    show_default=True,
    help="Price of a one that an estimate has and a draw lacks, in (0, 2); larger is sparser.",
)
@options.seed
@options.threads
@click.option(
    "--out",
    "target",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write each estimate; mode.npz becomes mode-1.npz, mode-2.npz, ...; or .csv or .json.",
)
@click.option("--json", "as_document", is_flag=True, help="Print one JSON document instead.")
@options.quiet
def command(
    draws: Path,
    *,
    variable: str | None,
    n_modes: int | None,
    max_modes: int,
    a: float,
    seed: int | None,
    threads: int | None,
    target: Path | None,
    as_document: bool,
    quiet: bool,
) -> int:
    """Find the modes of posterior DRAWS (an .npz or .npy file), with an estimate for each.

    Where one estimate is enough, there is one mode. On Ctrl-C the estimate of all draws is printed,
    nothing is written, and the exit code is 130.
    """
    if quiet and not (as_document or target):
        raise click.UsageError("--quiet would leave nothing of the modes: add --out or --json")
    if target is not None:
        check_target(_numbered(target, 1))
    samples = read(draws, variable=variable)
    try:
        with nullcontext(False) if quiet else progress_display() as progress:
            found = modes(
                samples,
                n_modes=n_modes,
                max_modes=max_modes,
                a=a,
                seed=seed,
                n_threads=threads,
                progress=progress,
            )
    except Interrupted as interruption:
        if interruption.estimate is None:
            raise click.Abort from interruption
        click.echo(as_json(interruption.estimate) if as_document else str(interruption.estimate))
        click.echo("fangs: interrupted; this is one estimate of all draws", err=True)
        return INTERRUPTED
    written = []
    if target is not None:
        for m, estimate in enumerate(found.estimates, start=1):
            written.append(_numbered(target, m))
            write_estimate(estimate, written[-1])
    if as_document:
        click.echo(modes_as_json(found))
    elif not quiet:
        click.echo(str(found))
    if written and not quiet:
        click.echo(f"Wrote {', '.join(map(str, written))}", err=True)
    return DONE


def _numbered(target: Path, mode: int) -> Path:
    """The file of one mode: mode.npz becomes mode-1.npz."""
    return target.with_name(f"{target.stem}-{mode}{target.suffix}")
