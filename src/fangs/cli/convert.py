"""``fangs convert``: draws from any kind of file into any other."""

from __future__ import annotations

from pathlib import Path

import click

from fangs.cli import options
from fangs.cli.exit_codes import DONE
from fangs.formats.registry import check_samples_target

__all__ = ["EXAMPLES", "command"]

EXAMPLES = (
    "fangs convert draws.rds draws.npz",
    "fangs convert posterior.nc draws.parquet --variable Z --burn-in 500 --thin 10",
    "fangs convert chain1.csv chain2.csv draws.npz",
)


@click.command(
    "convert",
    short_help="Turn draws of one kind of file into another.",
    epilog=options.examples(*EXAMPLES),
)
@options.draws
@options.quiet
def command(draws: options.DrawFiles, *, quiet: bool) -> int:
    """Read DRAWS and write them in the form that the suffix of the last file names.

    Give one or more files to read and then the file to write. Of several files, each is a chain.
    """
    *sources, target = draws.paths
    if not sources:
        raise click.UsageError("give the file to read and the file to write")
    check_samples_target(target)
    samples = options.DrawFiles(tuple(Path(path) for path in sources), draws.settings).read()
    samples.save(target)
    if not quiet:
        click.echo(f"Wrote {target}: {samples!r}", err=True)
    return DONE
