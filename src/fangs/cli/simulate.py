"""``fangs simulate``: draws to try things on."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

from fangs.check.arguments import as_count
from fangs.cli import options
from fangs.cli.output import Output, say
from fangs.draws.samples import Samples
from fangs.formats.csv import write_matrix
from fangs.formats.registry import check_samples_target
from fangs.formats.whole import check_writable
from fangs.simulate import CASE_STUDIES, case_study, posterior_like

__all__ = ["command"]


@options.command(
    "simulate",
    "Make draws to try things on.",
    "fangs simulate draws.npz --n-items 100 --n-features 5 --n-draws 1000 --seed 1",
    "fangs simulate draws.npz --noise 0.2 --n-chains 4 --truth truth.csv",
    "fangs simulate draws.npz --case sifa",
)
@click.argument("out", type=options.FILE)
@click.option("--n-items", type=int, default=50, show_default=True, help="Number of items.")
@click.option("--n-features", type=int, default=4, show_default=True, help="Of the truth.")
@click.option("--n-draws", type=int, default=1000, show_default=True, help="Number of draws.")
@click.option(
    "--noise", type=float, default=0.1, show_default=True, help="How far draws scatter, 0 to 1."
)
@click.option("--n-chains", type=int, default=1, show_default=True, help="Chains to label.")
@click.option(
    "--case",
    type=click.Choice(list(CASE_STUDIES)),
    help="Draws of the size of one of the paper's case studies instead.",
)
@options.seed
@click.option("--truth", type=options.FILE, metavar="FILE", help="Write the truth to a .csv file.")
@options.output("quiet")
def command(
    out: Path,
    n_items: int,
    n_features: int,
    n_draws: int,
    noise: float,
    n_chains: int,
    case: str | None,
    seed: int | None,
    truth: Path | None,
    output: Output,
) -> int:
    """Write simulated draws, scattered around a random truth, to the file OUT."""
    check_samples_target(out)
    if truth is not None:
        check_writable(truth, suffixes=(".csv",))
        if truth.resolve() == out.resolve():
            raise click.UsageError(f"cannot write {str(out)!r}: draws and truth need a file each")
    made = (
        posterior_like(n_items, n_features, n_draws, noise=noise, seed=seed)
        if case is None
        else case_study(case, **({} if seed is None else {"seed": seed}))
    )
    count = as_count(n_chains, name="n_chains")
    chains = np.arange(len(made.draws)) * count // len(made.draws) if count > 1 else None
    samples = Samples(made.draws, chains=chains)
    samples.save(out)
    if truth is not None:
        write_matrix(made.truth, truth)
    if not output.quiet:
        say(f"Wrote {out}: {samples!r}")
    return output.end()
