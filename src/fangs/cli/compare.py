"""``fangs compare``: several methods on the same draws."""

from __future__ import annotations

from typing import Any

import click

from fangs.alternatives.compare import Comparison, compare
from fangs.alternatives.registry import METHODS
from fangs.cli import options
from fangs.cli.output import Output
from fangs.cli.place import Place

__all__ = ["command"]


@options.command(
    "compare",
    "Run several methods on the same draws.",
    "fangs compare draws.npz --seed 1",
    "fangs compare draws.npz --methods estimate,fangs,draws --json",
)
@options.draws
@click.option(
    "--methods",
    metavar="NAMES",
    help=f"Separated by commas, out of {', '.join(METHODS)}.  [default: all]",
)
@options.a
@options.seed
@options.place
@options.output("json")
def command(
    draws: options.DrawFiles,
    methods: str | None,
    a: float,
    seed: int | None,
    place: Place,
    output: Output,
) -> int:
    """Run several methods on posterior DRAWS and print their expected losses, sizes and times.

    On Ctrl-C the methods that have ended are printed, and the exit code is 130.
    """
    settings: dict[str, Any] = {"a": a, "seed": seed, "n_threads": place.n_threads}
    if methods is not None:
        settings["methods"] = [name.strip() for name in methods.split(",")]
    return output.finish(output.run(compare, draws.read(place), **settings), _document)


def _document(comparison: Comparison) -> dict[str, Any]:
    names = ("method", "expected_loss", "n_features", "n_ones", "seconds", "note")
    rows = [{name: getattr(row, name) for name in names} for row in comparison]
    return {"a": comparison.a, "methods": rows}
