"""``fangs loss``: the FARO loss between two matrices."""

from __future__ import annotations

from pathlib import Path

import click

from fangs.cli import options
from fangs.cli.output import Output
from fangs.formats import read_matrix
from fangs.posterior import faro_loss

__all__ = ["command"]


@options.command(
    "loss",
    "FARO loss between two matrices.",
    "fangs loss estimate.csv truth.csv",
    "fangs loss estimate.npz truth.csv -a 0.5 --json",
)
@click.argument("estimate", type=options.FILE)
@click.argument("truth", type=options.FILE)
@options.a
@options.output("json")
def command(estimate: Path, truth: Path, a: float, output: Output) -> int:
    """Print the FARO loss of the matrix ESTIMATE when the matrix TRUTH is true.

    A one of ESTIMATE that TRUTH lacks costs a, a one of TRUTH that ESTIMATE lacks costs 2 - a, in
    the best order of the columns. Rows with names are matched by name.
    """
    true = read_matrix(truth)
    ours = read_matrix(estimate, items=true.items)
    value = faro_loss(ours, true, a=a)
    return output.finish(f"{value:.12g}", lambda _: {"a": a, "loss": value})
