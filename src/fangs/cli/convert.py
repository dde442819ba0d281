"""``fangs convert``: draws from any kind of file into any other."""

from __future__ import annotations

from dataclasses import replace

import click

from fangs.cli import options
from fangs.cli.output import Output, say
from fangs.formats.overwriting import check_not_read
from fangs.formats.registry import check_samples_target

__all__ = ["command"]


@options.command(
    "convert",
    "Turn draws of one kind of file into another.",
    "fangs convert draws.rds draws.npz",
    "fangs convert posterior.nc draws.parquet --variable Z --burn-in 500 --thin 10",
    "fangs convert chain1.csv chain2.csv draws.npz",
)
@options.draws
@options.output("quiet")
def command(draws: options.DrawFiles, output: Output) -> int:
    """Read DRAWS and write them in the form that the suffix of the last file names.

    Give one or more files to read and then the file to write. Of several files, each is a chain.
    """
    *sources, target = draws.draws
    if not sources:
        raise click.UsageError("give the file to read and the file to write")
    draws = replace(draws, draws=tuple(sources))
    check_samples_target(target)
    check_not_read(target, draws.files)
    samples = draws.read()
    samples.save(target)
    if not output.quiet:
        say(f"Wrote {target}: {samples!r}")
    return output.end()
