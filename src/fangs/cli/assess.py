"""``fangs assess``: evaluate a matrix that you already have."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from fangs.check.arguments import as_level
from fangs.cli import options
from fangs.cli.output import Output, document_of
from fangs.cli.place import Place
from fangs.estimate import Estimate
from fangs.formats import read_matrix
from fangs.posterior import assess
from fangs.posterior.core import Core, core

__all__ = ["command"]


@options.command(
    "assess",
    "Evaluate a matrix that you already have.",
    "fangs assess draws.npz --matrix mine.csv",
    "fangs assess draws.npz --matrix estimate.npz -a 1.4 --json",
    "fangs assess draws.npz --matrix estimate.npz --core 0.95",
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
@click.option(
    "--core",
    "level",
    type=float,
    metavar="LEVEL",
    help="Also find the most entries that hold together in this share of the draws, such as 0.95.",
)
@options.place
@options.output("json")
def command(
    draws: options.DrawFiles,
    matrix: Path,
    a: float,
    level: float | None,
    place: Place,
    output: Output,
) -> int:
    """Evaluate a MATRIX on posterior DRAWS as if it had been estimated from them.

    Prints its expected loss, its proportions, and whether a single flip would lower the loss. Rows
    with names are matched to the items of the draws by name.
    """
    if level is not None:
        level = as_level(level, name="--core")
    samples = draws.read(place)
    given = read_matrix(matrix, items=samples.items)
    found = assess(given, samples, a=a, n_threads=place.n_threads)
    if level is None:
        return output.finish(found)
    joint = output.run(core, found, samples, level=level, n_threads=place.n_threads)
    return output.finish(_AssessedCore(found, joint), _document)


@dataclass(frozen=True, eq=False)
class _AssessedCore:
    """An estimate and its core, printed one below the other."""

    estimate: Estimate
    core: Core

    def __str__(self) -> str:
        return f"{self.estimate}\n\n{self.core}"


def _document(found: _AssessedCore) -> dict[str, Any]:
    names = ("level", "size", "probability", "upper_bound", "is_exact", "entries", "draws")
    about = {name: getattr(found.core, name) for name in names}
    return {"estimate": document_of(found.estimate), "core": about}
