"""``fangs modes``: find several estimates, print them, write each."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from fangs.cli import options
from fangs.cli.output import Output, document_of
from fangs.cli.place import Place
from fangs.formats.overwriting import check_not_read
from fangs.formats.registry import check_estimate_target, write_estimate
from fangs.modes import Modes, modes

__all__ = ["command"]


@options.command(
    "modes",
    "Find several estimates where one is not enough.",
    "fangs modes draws.npz --seed 1 --out mode.npz",
    "fangs modes draws.npz --n-modes 2 --json > modes.json",
    "fangs modes draws.npz --max-modes 4 -a 1.4",
)
@options.draws
@click.option(
    "--n-modes", type=int, help="Number of modes.  [default: as many as are clear and pay]"
)
@click.option(
    "--max-modes", type=int, default=8, show_default=True, help="Most modes to choose from."
)
@options.a
@options.seed
@options.place
@click.option(
    "--out",
    "target",
    type=options.FILE,
    metavar="FILE",
    help="Write each estimate; mode.npz becomes mode-1.npz, mode-2.npz, ...; or .csv, .json etc.",
)
@options.output("json", "quiet")
def command(
    draws: options.DrawFiles, place: Place, target: Path | None, output: Output, **settings: Any
) -> int:
    """Find the modes of posterior DRAWS, with an estimate for each.

    Where one estimate is enough, there is one mode. On Ctrl-C the estimate of all draws is printed,
    nothing is written, and the exit code is 130.
    """
    if output.quiet and not (output.as_document or target):
        raise click.UsageError("--quiet would leave nothing of the modes: add --out or --json")
    if target is not None:
        check_estimate_target(_numbered(target, 1))
        for path in (_numbered(target, 1), *_numbered_already(target)):
            check_not_read(path, draws.files)
    found = output.search(modes, draws.read(place), n_threads=place.n_threads, **settings)
    if target is not None and not output.interrupted:
        for mode, estimate in enumerate(found.estimates, start=1):
            output.write(write_estimate, estimate, _numbered(target, mode))
    return output.finish(found, _document)


def _numbered(target: Path, mode: int) -> Path:
    """The file of one mode: mode.npz becomes mode-1.npz."""
    return target.parent / f"{target.stem}-{mode}{target.suffix}"


def _numbered_already(target: Path) -> list[Path]:
    """Files that are there, and would be those of modes."""
    pattern = rf"{re.escape(target.stem)}-\d+{re.escape(target.suffix)}"
    return [path for path in target.parent.iterdir() if re.fullmatch(pattern, path.name)]


def _document(found: Modes) -> dict[str, Any]:
    names = ("n_modes", "a", "seed", "expected_loss", "weights", "labels", "doubtful", "distances")
    return {
        **{name: getattr(found, name) for name in names},
        "chains": found.chains,
        "by_chain": found.by_chain,
        "curve": found.curve,
        "steps": [asdict(step) for step in found.steps],
        "explanation": found.explanation,
        "estimates": [document_of(estimate) for estimate in found.estimates],
    }
