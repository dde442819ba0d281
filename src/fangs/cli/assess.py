"""``fangs assess``: evaluate a matrix that you already have."""

from __future__ import annotations

from pathlib import Path

import click

from fangs.cli import options
from fangs.cli.exit_codes import DONE
from fangs.cli.output import document_of, print_result
from fangs.formats import read_matrix
from fangs.posterior import assess

__all__ = ["EXAMPLES", "command"]

EXAMPLES = (
    "fangs assess draws.npz --matrix mine.csv",
    "fangs assess draws.npz --matrix estimate.npz -a 1.4 --json",
)


@click.command(
    "assess",
    short_help="Evaluate a matrix that you already have.",
    epilog=options.examples(*EXAMPLES),
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
@options.threads
@options.cluster
@options.as_document
def command(
    draws: options.DrawFiles, *, matrix: Path, a: float, threads: int | None, as_document: bool
) -> int:
    """Evaluate a MATRIX on posterior DRAWS as if it had been estimated from them.

    Prints its expected loss, its proportions, and whether a single flip would lower the loss. Rows
    with names are matched to the items of the draws by name.
    """
    samples = draws.read()
    found = assess(read_matrix(matrix, items=samples.items), samples, a=a, n_threads=threads)
    print_result(found, as_document=as_document, document=document_of)
    return DONE
