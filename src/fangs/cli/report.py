"""``fangs report``: write an HTML page about an estimate."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import click

from fangs.cli import options
from fangs.cli.features import FeatureOptions, features
from fangs.cli.output import Output, say
from fangs.cli.place import Place
from fangs.estimate import Estimate
from fangs.formats.overwriting import check_not_read
from fangs.report import check_page, write_report
from fangs.search import Interrupted

__all__ = ["command"]


@options.command(
    "report",
    "Write an HTML page about an estimate.",
    "fangs report draws.rds",
    "fangs report draws.npz --estimate estimate.npz --out report.html",
    "fangs report draws.npz -a 1.4 --seed 1 --title 'Sparser'",
    "fangs report draws.npz --effort full --level 0.9",
)
@options.draws
@options.known
@options.max_seconds
@options.place
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
@options.output("quiet")
def command(
    draws: options.DrawFiles,
    known: options.KnownEstimate,
    max_seconds: float | None,
    place: Place,
    features: FeatureOptions,
    out: Path,
    output: Output,
    **settings: Any,
) -> int:
    """Write an HTML page about the estimate from posterior DRAWS.

    The page is one file and needs no network. An estimate that was made from other draws is
    assessed over these. If a better allocation is met while the page is made, the page warns. On
    Ctrl-C during the search the page is about the best estimate so far. On Ctrl-C after the search
    there is no page, but the estimate is written next to it, such as to report.npz. The exit code
    is then 130. If the page cannot be written, the estimate is printed.
    """
    if known.file is not None and max_seconds is not None:
        raise click.UsageError("--estimate needs no search: drop --max-seconds")
    check_page(out)
    check_not_read(out, draws.files, features.files, known.file)
    features.check()
    samples = draws.read(place)
    limits = {"max_seconds": max_seconds, "n_threads": place.n_threads}
    found = features.arranged(known.find(samples, output, **limits), output)
    if output.interrupted:
        settings["effort"] = "quick"
    try:
        shown = write_report(found, samples, out, n_threads=place.n_threads, **settings)
    except Interrupted:
        output.interrupted = True
        return output.end() if _is_kept(found, known.file, out) else output.finish(found)
    except (MemoryError, OSError) as error:
        output.failure = error
        _is_kept(found, known.file, out)
        return output.finish(found)
    output.written.append(out)
    if shown.origin and not output.quiet:
        say(f"fangs: {shown.origin}")
    return output.end()


def _is_kept(estimate: Estimate, known: Path | None, page: Path) -> bool:
    """Whether an estimate without its page is in a file: its own, or one next to the page."""
    try:
        if known is None:
            known = _unused(page.with_suffix(".npz"))
            estimate.save(known)
    except OSError:  # the disk may be full
        return False
    where = f"no page was written, but the estimate is in {known}"
    say(f"fangs: {where}: fangs report --estimate takes it")
    return True


def _unused(path: Path) -> Path:
    """The path, or one with a number added if there is such a file already."""
    numbered = (path.with_stem(f"{path.stem}-{number}") for number in count(1))
    return path if not path.exists() else next(p for p in numbered if not p.exists())
