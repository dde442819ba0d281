"""``fangs inspect``: what is in this file, and how to use it."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path

import click

from fangs.check.text import visible
from fangs.cli import options
from fangs.cli.output import Output, show
from fangs.draws.variables import Inspection
from fangs.estimate import load
from fangs.formats import inspect

__all__ = ["command"]


@options.command(
    "inspect",
    "Say what a file holds and how to use it.",
    "fangs inspect draws.rds",
    "fangs inspect posterior.nc --json",
)
@click.argument("file", type=options.FILE)
@click.option("--dims", multiple=True, metavar="ROLE=NAME", help="As for other commands.")
@options.output("json")
def command(file: Path, dims: tuple[str, ...], output: Output) -> int:
    """Say what FILE holds: variables, numbers of draws, items and features, how to read it."""
    found = inspect(file, dims=options.named_dims(dims))
    code = output.finish(found, asdict)
    if not output.as_document:
        _say_next(file, found)
    return code


def _say_next(file: Path, found: Inspection) -> None:
    """What to do with the file."""
    draws = [row for row in found.rows if row.holds_draws]
    if not draws:
        return _say_estimate(file)
    chosen = f" --variable {shlex.quote(draws[0].name)}" if len(draws) > 1 else ""
    show(f"\nTo see an estimate: fangs report {shlex.quote(str(file))}{chosen}")
    others = (row.name for row in found.rows if not row.holds_draws)
    if weights := next((name for name in others if "weight" in name.lower()), None):
        quoted = shlex.quote(weights)
        show(f"If {visible(weights)} has a weight for each draw: --weights {quoted}")
    return None


def _say_estimate(file: Path) -> None:
    """What to do with a file that holds an estimate."""
    try:
        estimate = load(file)
    except (OSError, ValueError):
        return
    features, items = estimate.matrix.shape[::-1]
    show(
        f"It holds an estimate with {features:,} features over {items:,} items.\n"
        f"To see it: fangs report DRAWS --estimate {shlex.quote(str(file))}"
    )
