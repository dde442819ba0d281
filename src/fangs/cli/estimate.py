"""``fangs estimate``: find the estimate, print it, write it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from fangs.cli import options
from fangs.cli.features import FeatureOptions, features
from fangs.cli.output import Output
from fangs.cli.place import Place
from fangs.formats import read_matrix
from fangs.formats.overwriting import check_not_read
from fangs.formats.registry import check_estimate_target, write_estimate
from fangs.search import estimate

__all__ = ["command"]


@options.command(
    "estimate",
    "Estimate the feature allocation behind draws.",
    "fangs estimate draws.npz --seed 1 --out estimate.npz --out estimate.csv",
    "fangs estimate draws.npz -a 1.4 --max-seconds 60 --json > estimate.json",
    "fangs estimate draws.npy --n-iter 1000 --n-init 100 --n-sweet 10",
    "fangs estimate posterior.zarr --variable Z --scheduler tcp://10.0.0.1:8786",
    "fangs estimate posterior.zarr --variable Z --memory-limit 4GB",
    "fangs estimate particles.npz --weights weights.txt",
    "fangs estimate draws.npz -a 1.4 --order estimate.npz --feature-names names.txt",
    "fangs estimate longer.npz --start estimate.npz --out estimate.npz",
)
@options.draws
@options.a
@click.option("--n-init", type=int, default=16, show_default=True, help="Starts to score.")
@click.option("--n-sweet", type=int, default=4, show_default=True, help="Starts to sweeten.")
@click.option(
    "--n-iter",
    type=int,
    help="Random proposals per start, as in the paper.  [default: until no flip improves]",
)
@options.seed
@options.max_seconds
@click.option(
    "--start",
    type=options.FILE,
    metavar="FILE",
    help="An earlier estimate, or another matrix, to begin from as well.",
)
@options.place
@features
@click.option(
    "--out",
    "targets",
    type=options.FILE,
    multiple=True,
    metavar="FILE",
    help="Write the estimate; the suffix says the form, such as .npz or .csv. May be repeated.",
)
@options.output("json", "quiet")
def command(
    draws: options.DrawFiles,
    start: Path | None,
    place: Place,
    features: FeatureOptions,
    targets: tuple[Path, ...],
    output: Output,
    **settings: Any,
) -> int:
    """Estimate the feature allocation behind posterior DRAWS.

    On Ctrl-C the best estimate so far is printed and written, and the exit code is 130. Given as
    --start, it is where the next search begins.
    """
    if output.quiet and not (output.as_document or targets):
        raise click.UsageError("--quiet would leave nothing of the estimate: add --out or --json")
    for target in targets:
        check_estimate_target(target)
        check_not_read(target, draws.files, features.files)
    features.check()
    samples = draws.read(place)
    settings["start"] = None if start is None else read_matrix(start)
    found = output.search(estimate, samples, n_threads=place.n_threads, **settings)
    found = features.arranged(found, output)
    for target in targets:
        output.write(write_estimate, found, target)
    return output.finish(found)
