"""``fangs assess``: evaluate a matrix that you already have."""

from __future__ import annotations

from pathlib import Path

import click

from fangs.cli import options
from fangs.cli.output import Output
from fangs.cli.place import Place
from fangs.formats import read_matrix
from fangs.posterior import assess

__all__ = ["command"]


@options.command(
    "assess",
    "Evaluate a matrix that you already have.",
    "fangs assess draws.npz --matrix mine.csv",
    "fangs assess draws.npz --matrix estimate.npz -a 1.4 --json",
)
@options.draws
@click.option(
    "--matrix",
    type=options.FILE,
    required=True,
    metavar="FILE",
    help="A 0/1 matrix, items in rows: .npy, .csv, or what fangs estimate wrote.",
)
@options.a
@options.place
@options.output("json")
def command(draws: options.DrawFiles, matrix: Path, a: float, place: Place, output: Output) -> int:
    """Evaluate a MATRIX on posterior DRAWS as if it had been estimated from them.

    Prints its expected loss, its proportions, and whether a single flip would lower the loss. Rows
    with names are matched to the items of the draws by name.
    """
    samples = draws.read(place)
    given = read_matrix(matrix, items=samples.items)
    return output.finish(assess(given, samples, a=a, n_threads=place.n_threads))
