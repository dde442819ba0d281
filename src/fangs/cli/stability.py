"""``fangs stability``: estimate again from draws that are drawn again."""

from __future__ import annotations

from typing import Any

import click

from fangs.cli import options
from fangs.cli.output import Output
from fangs.cli.place import Place
from fangs.posterior.stability import Stability, stability

__all__ = ["command"]


@options.command(
    "stability",
    "Say how much of an estimate other draws of the same chains would give again.",
    "fangs stability draws.npz --estimate estimate.npz",
    "fangs stability draws.npz --seed 1 --replicates 200 --json",
)
@options.draws
@options.known
@click.option(
    "--replicates",
    "n",
    type=int,
    default=50,
    show_default=True,
    help="How often draws are drawn again.",
)
@options.place
@options.output("json", "quiet")
def command(
    draws: options.DrawFiles,
    known: options.KnownEstimate,
    n: int,
    place: Place,
    output: Output,
) -> int:
    """Draw the DRAWS again within their chains, and say how much of an estimate stays.

    On Ctrl-C the replicates that are done are printed, and the exit code is 130.
    """
    samples = draws.read(place)
    estimate = known.find(samples, output, n_threads=place.n_threads)
    if output.interrupted:
        return output.finish(estimate, _document)
    seed = known.seed
    if known.file is not None and estimate.search is not None:
        seed = estimate.search.seed  # which the file brings
    settings = {"n": n, "seed": seed, "n_threads": place.n_threads}
    return output.finish(output.search(stability, estimate, samples, **settings), _document)


def _document(found: Stability) -> dict[str, Any]:
    names = (
        "n", "a", "seed", "expected_loss", "identical", "identical_error", "distances",
        "n_features", "losses", "features", "entries", "block_lengths", "note",
    )  # fmt: skip
    return {name: getattr(found, name) for name in names} | {"verdict": found.verdict}
