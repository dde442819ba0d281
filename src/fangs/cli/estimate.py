"""``fangs estimate``: find the estimate, print it, write it."""

from __future__ import annotations

from pathlib import Path

import click

from fangs.check.call import for_shell
from fangs.cli import options
from fangs.cli.exit_codes import DONE, INTERRUPTED
from fangs.cli.features import FeatureOptions, features
from fangs.cli.search import search
from fangs.formats import read_matrix
from fangs.formats.json import as_json
from fangs.formats.registry import check_estimate_target, write_estimate

__all__ = ["EXAMPLES", "command"]

EXAMPLES = (
    "fangs estimate draws.npz --seed 1 --out estimate.npz --out estimate.csv",
    "fangs estimate draws.npz -a 1.4 --max-seconds 60 --json > estimate.json",
    "fangs estimate draws.npy --n-iter 1000 --n-init 100 --n-sweet 10",
    "fangs estimate posterior.zarr --variable Z --scheduler tcp://10.0.0.1:8786",
    "fangs estimate posterior.zarr --variable Z --memory-limit 4GB",
    "fangs estimate particles.npz --weights weights.txt",
    "fangs estimate draws.npz -a 1.4 --order estimate.npz --feature-names names.txt",
    "fangs estimate longer.npz --start estimate.npz --out estimate.npz",
)


@click.command(
    "estimate",
    short_help="Estimate the feature allocation behind draws.",
    epilog=options.examples(*EXAMPLES),
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
@options.threads
@options.cluster
@options.max_seconds
@features
@click.option(
    "--start",
    type=options.FILE,
    metavar="FILE",
    help="An earlier estimate, or another matrix, to begin from as well.",
)
@click.option(
    "--out",
    "targets",
    type=options.FILE,
    multiple=True,
    metavar="FILE",
    help="Write the estimate; the suffix says the form, such as .npz or .csv. May be repeated.",
)
@options.as_document
@options.quiet
def command(
    draws: options.DrawFiles,
    *,
    a: float,
    n_init: int,
    n_sweet: int,
    n_iter: int | None,
    seed: int | None,
    threads: int | None,
    max_seconds: float | None,
    features: FeatureOptions,
    start: Path | None,
    targets: tuple[Path, ...],
    as_document: bool,
    quiet: bool,
) -> int:
    """Estimate the feature allocation behind posterior DRAWS.

    On Ctrl-C the best estimate so far is printed and written, and the exit code is 130. Given as
    --start, it is where the next search begins.
    """
    if quiet and not (as_document or targets):
        raise click.UsageError("--quiet would leave nothing of the estimate: add --out or --json")
    for target in targets:
        check_estimate_target(target)
    features.check()
    samples = draws.read()
    found, interrupted = search(
        samples,
        quiet=quiet,
        a=a,
        n_init=n_init,
        n_sweet=n_sweet,
        n_iter=n_iter,
        max_seconds=max_seconds,
        seed=seed,
        n_threads=threads,
        start=None if start is None else read_matrix(start),
    )
    failure: Exception | None
    found, failure = features.arranged(found)
    written: list[Path] = []
    try:
        for target in targets:
            try:
                write_estimate(found, target)
                written.append(target)
            except (OSError, ValueError) as error:  # a full disk, perhaps
                failure = failure or error
    except KeyboardInterrupt:
        interrupted = True
    if as_document:
        click.echo(as_json(found))
    elif not quiet:
        click.echo(for_shell(str(found)))
    if not quiet:
        if written:
            click.echo(f"Wrote {', '.join(map(str, written))}", err=True)
        if interrupted:
            click.echo("fangs: interrupted; this is the best estimate so far", err=True)
    if failure is not None:
        raise failure
    return INTERRUPTED if interrupted else DONE
