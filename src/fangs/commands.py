"""The commands of the ``fangs`` program, over the library's public functions."""

from __future__ import annotations

from contextlib import nullcontext
from importlib.metadata import version
from pathlib import Path

import click

import fangs as library
from fangs.export import as_json, check_target, write
from fangs.progress import progress_display
from fangs.result import Estimate

__all__ = ["estimate", "fangs", "report"]

EXAMPLES = """\b
Examples:
  fangs estimate draws.npz
  fangs estimate draws.npz --seed 1 --out estimate.npz --out estimate.csv
  fangs estimate draws.npz -a 1.4 --max-seconds 60 --json > estimate.json
  fangs report draws.npz --estimate estimate.npz --out report.html
"""


@click.group(
    epilog=EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 96},
)
@click.version_option(version("fangs"), prog_name="fangs", message="%(prog)s %(version)s")
def fangs() -> None:
    """Point estimates of feature allocations from posterior draws."""


@fangs.command(epilog=EXAMPLES)
@click.argument("draws", type=click.Path(path_type=Path))
@click.option(
    "-a",
    type=float,
    default=1.0,
    show_default=True,
    help="Price of a one the estimate has and a draw lacks, in (0, 2); larger is sparser.",
)
@click.option("--n-init", type=int, default=16, show_default=True, help="Starts to score.")
@click.option("--n-sweet", type=int, default=4, show_default=True, help="Starts to sweeten.")
@click.option(
    "--n-iter",
    type=int,
    help="Random proposals per start, as in the paper.  [default: until no flip improves]",
)
@click.option("--seed", type=int, help="Same seed, same estimate.  [default: a new one]")
@click.option("--threads", type=int, help="Threads to use.  [default: all cores]")
@click.option("--max-seconds", type=float, help="Stop then, with the best estimate so far.")
@click.option(
    "--out",
    "targets",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Write the estimate; .npz, .csv or .json. May be repeated.",
)
@click.option("--json", "json_", is_flag=True, help="Print one JSON document instead of a screen.")
@click.option("--quiet", is_flag=True, help="Print only errors, and the JSON if asked for.")
def estimate(
    draws: Path,
    *,
    a: float,
    n_init: int,
    n_sweet: int,
    n_iter: int | None,
    seed: int | None,
    threads: int | None,
    max_seconds: float | None,
    targets: tuple[Path, ...],
    json_: bool,
    quiet: bool,
) -> int:
    """Estimate the feature allocation behind posterior DRAWS (an .npz file).

    On Ctrl-C the best estimate so far is printed and written, and the exit code is 130.
    """
    if quiet and not (json_ or targets):
        raise click.UsageError("--quiet would leave nothing of the estimate: add --out or --json")
    for target in targets:
        check_target(target)
    samples = library.read(draws)
    found: Estimate | None
    try:
        with nullcontext(False) if quiet else progress_display() as progress:
            found = library.estimate(
                samples,
                a=a,
                n_init=n_init,
                n_sweet=n_sweet,
                n_iter=n_iter,
                max_seconds=max_seconds,
                seed=seed,
                n_threads=threads,
                progress=progress,
            )
        interrupted = False
    except library.Interrupted as interruption:
        found, interrupted = interruption.estimate, True
    if found is None:
        raise click.Abort
    for target in targets:
        write(found, target)
    if json_:
        click.echo(as_json(found))
    elif not quiet:
        click.echo(str(found))
    if not quiet:
        if targets:
            click.echo(f"Wrote {', '.join(map(str, targets))}", err=True)
        if interrupted:
            click.echo("fangs: interrupted; this is the best estimate so far", err=True)
    return 130 if interrupted else 0


@fangs.command(epilog=EXAMPLES)
@click.argument("draws", type=click.Path(path_type=Path))
@click.option(
    "--estimate",
    "known",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="An .npz file from fangs estimate.  [default: estimate now]",
)
@click.option("-a", type=float, help="Penalty to estimate at, in (0, 2).  [default: 1]")
@click.option("--seed", type=int, help="Same seed, same estimate.  [default: a new one]")
@click.option("--threads", type=int, help="Threads to use.  [default: all cores]")
@click.option("--max-seconds", type=float, help="Limit of the search for the estimate.")
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
    type=click.Path(path_type=Path),
    default=Path("report.html"),
    show_default=True,
    metavar="FILE",
    help="The page to write.",
)
@click.option("--quiet", is_flag=True, help="Print only errors.")
def report(
    draws: Path,
    *,
    known: Path | None,
    a: float | None,
    seed: int | None,
    threads: int | None,
    max_seconds: float | None,
    title: str,
    level: float,
    effort: str,
    out: Path,
    quiet: bool,
) -> int:
    """Write an HTML page about the estimate from posterior DRAWS (an .npz file).

    The page needs no network and can be sent as one file. On Ctrl-C during the search it is
    written on the best estimate so far, and the exit code is 130.
    """
    if known is not None and not (a is None and seed is None and max_seconds is None):
        raise click.UsageError("--estimate brings its own -a, --seed and --max-seconds: drop these")
    check_target(out, suffixes=(".html", ".htm"))
    samples = library.read(draws)
    found: Estimate | None
    interrupted = False
    if known is not None:
        found = library.load(known)
    else:
        try:
            with nullcontext(False) if quiet else progress_display() as progress:
                found = library.estimate(
                    samples,
                    a=1.0 if a is None else a,
                    seed=seed,
                    max_seconds=max_seconds,
                    n_threads=threads,
                    progress=progress,
                )
        except library.Interrupted as interruption:
            found, effort, interrupted = interruption.estimate, "quick", True
    if found is None:
        raise click.Abort
    found.report(out, samples, title=title, level=level, effort=effort, n_threads=threads)
    if not quiet:
        click.echo(f"Wrote {out}", err=True)
        if interrupted:
            click.echo("fangs: interrupted; this is on the best estimate so far", err=True)
    return 130 if interrupted else 0
