"""``fangs inspect``: what is in this file, and how to use it."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path

import click

from fangs.check.text import visible
from fangs.cli import options
from fangs.cli.exit_codes import DONE
from fangs.cli.output import print_result
from fangs.estimate import load
from fangs.formats import inspect

__all__ = ["EXAMPLES", "command"]

EXAMPLES = ("fangs inspect draws.rds", "fangs inspect posterior.nc --json")


@click.command(
    "inspect",
    short_help="Say what a file holds and how to use it.",
    epilog=options.examples(*EXAMPLES),
)
@click.argument("file", type=options.FILE)
@click.option("--dims", multiple=True, metavar="ROLE=NAME", help="As for other commands.")
@options.as_document
def command(file: Path, *, dims: tuple[str, ...], as_document: bool) -> int:
    """Say what FILE holds: variables, numbers of draws, items and features, how to read it."""
    found = inspect(file, dims=options.named_dims(dims))
    print_result(found, as_document=as_document, document=asdict)
    draws = [row for row in found.rows if row.holds_draws]
    if draws and not as_document:
        chosen = f" --variable {shlex.quote(draws[0].name)}" if len(draws) > 1 else ""
        click.echo(f"\nTo see an estimate: fangs report {shlex.quote(str(file))}{chosen}")
        others = (row.name for row in found.rows if not row.holds_draws)
        if weights := next((name for name in others if "weight" in name.lower()), None):
            click.echo(
                f"If {visible(weights)} has a weight for each draw: --weights "
                f"{shlex.quote(weights)}"
            )
    if not draws and not as_document:
        _say_estimate(file)
    return DONE


def _say_estimate(file: Path) -> None:
    """What to do with a file that holds an estimate."""
    try:
        estimate = load(file)
    except (OSError, ValueError):
        return
    features, items = estimate.matrix.shape[::-1]
    click.echo(
        f"It holds an estimate with {features:,} features over {items:,} items.\n"
        f"To see it: fangs report DRAWS --estimate {shlex.quote(str(file))}"
    )
