"""``fangs report``: write an HTML page about an estimate."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import click

from fangs.cli import options
from fangs.cli.exit_codes import DONE, INTERRUPTED
from fangs.cli.features import FeatureOptions, features
from fangs.cli.search import search
from fangs.estimate import load
from fangs.report import check_page, write_report
from fangs.search import Interrupted

__all__ = ["EXAMPLES", "command"]

EXAMPLES = (
    "fangs report draws.rds",
    "fangs report draws.npz --estimate estimate.npz --out report.html",
    "fangs report draws.npz -a 1.4 --seed 1 --title 'Sparser'",
    "fangs report draws.npz --effort full --level 0.9",
)


@click.command(
    "report",
    short_help="Write an HTML page about an estimate.",
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
@click.option(
    "-a",
    type=options.Penalty(),
    help="Penalty to estimate at, in (0, 2); see fangs estimate.  [default: 1]",
)
@options.seed
@options.threads
@options.cluster
@options.max_seconds
@features
@click.option("--title", default="Feature allocation", show_default=True, help="Of the page.")
@click.option("--level", type=float, default=0.95, show_default=True, help="Of intervals.")
@click.option(
    "--effort",
    type=click.Choice(["auto", "quick", "full"]),
    default="auto",
    show_default=True,
    help="Whether to add what may take long: path over a, chains, best bound.",
)
@click.option(
    "--out",
    type=options.FILE,
    default=Path("report.html"),
    show_default=True,
    metavar="FILE",
    help="The page to write.",
)
@options.quiet
def command(
    draws: options.DrawFiles,
    *,
    known: Path | None,
    a: float | None,
    seed: int | None,
    threads: int | None,
    max_seconds: float | None,
    features: FeatureOptions,
    title: str,
    level: float,
    effort: str,
    out: Path,
    quiet: bool,
) -> int:
    """Write an HTML page about the estimate from posterior DRAWS.

    The page is one file and needs no network. An estimate that was made from other draws is
    assessed over these. If a better allocation is met while the page is made, the page warns. On
    Ctrl-C during the search the page is about the best estimate so far. On Ctrl-C after the search
    there is no page, but the estimate is written next to it, such as to report.npz. The exit code
    is then 130.
    """
    if known is not None and not (a is None and seed is None and max_seconds is None):
        raise click.UsageError("--estimate brings its own -a, --seed and --max-seconds: drop these")
    check_page(out)
    features.check()
    samples = draws.read()
    if known is not None:
        found, interrupted = load(known), False
    else:
        found, interrupted = search(
            samples,
            quiet=quiet,
            a=1.0 if a is None else a,
            seed=seed,
            max_seconds=max_seconds,
            n_threads=threads,
        )
    found, failure = features.arranged(found)
    if interrupted:
        effort = "quick"
    try:
        shown = write_report(
            found,
            samples,
            out,
            title=title,
            level=level,
            effort=effort,
            n_threads=threads,
        )
    except (Interrupted, MemoryError, OSError) as error:
        is_kept = known is None or isinstance(error, Interrupted)
        if known is None:
            known = _unused(out.with_suffix(".npz"))
            try:
                found.save(known)
            except OSError:  # the disk may be full
                is_kept = False
        if is_kept:
            stopped = "interrupted; " if isinstance(error, Interrupted) else ""
            click.echo(
                f"fangs: {stopped}no page was written, but the estimate is in {known}: "
                "fangs report --estimate takes it",
                err=True,
            )
        if not isinstance(error, Interrupted):
            raise
        return INTERRUPTED
    if not quiet:
        click.echo(f"Wrote {out}", err=True)
        if shown.note:
            click.echo(f"fangs: {shown.note}", err=True)
        if interrupted:
            click.echo("fangs: interrupted; this is about the best estimate so far", err=True)
    if failure is not None:
        raise failure
    return INTERRUPTED if interrupted else DONE


def _unused(path: Path) -> Path:
    """The path, or one with a number added if there is such a file already."""
    numbered = (path.with_stem(f"{path.stem}-{number}") for number in count(1))
    return path if not path.exists() else next(p for p in numbered if not p.exists())
