"""``fangs path``: estimates from dense to sparse, or the penalty for K features or few errors."""

from __future__ import annotations

from typing import Any

import click

from fangs.cli import options
from fangs.cli.output import Output, document_of
from fangs.cli.place import Place
from fangs.path import Choice, SparsityPath, choose_a, sparsity_path

__all__ = ["command"]


@options.command(
    "path",
    "Estimate at several penalties, from dense to sparse.",
    "fangs path draws.npz --seed 1",
    "fangs path draws.npz --grid 0.2,0.5,1,1.5,1.8 --json",
    "fangs path draws.npz --n-features 5",
    "fangs path draws.npz --fdr 0.05",
)
@options.draws
@click.option(
    "--grid", metavar="NUMBERS", help="Penalties, separated by commas.  [default: 0.1 to 1.9]"
)
@click.option(
    "--n-features", type=int, help="Find the penalty whose estimate has this many features."
)
@click.option(
    "--fdr",
    type=float,
    help="Find the most ones of which at most this share is expected to be wrong, such as 0.05, "
    "and their penalty.",
)
@click.option("-a", "penalty", hidden=True, help="Not here: penalties go to --grid.")
@options.seed
@options.place
@options.output("json", "quiet")
def command(
    draws: options.DrawFiles,
    grid: str | None,
    penalty: str | None,
    n_features: int | None,
    fdr: float | None,
    seed: int | None,
    place: Place,
    output: Output,
) -> int:
    """Estimate from posterior DRAWS at several penalties, or choose one of them.

    Along the path the number of ones never grows with the penalty. On Ctrl-C the penalties that are
    done are printed, and the exit code is 130.
    """
    if penalty is not None:
        raise click.UsageError("penalties go to --grid, as 0.5,1,1.5")
    given = {"--grid": grid, "--n-features": n_features, "--fdr": fdr}
    chosen = [name for name, value in given.items() if value is not None]
    if len(chosen) > 1:
        raise click.UsageError(
            f"{chosen[-1]} looks for the penalty itself: drop {' and '.join(chosen[:-1])}"
        )
    settings: dict[str, Any] = {"seed": seed, "n_threads": place.n_threads}
    if n_features is None and fdr is None:
        settings |= {} if grid is None else {"a": _numbers(grid)}
        found = output.search(sparsity_path, draws.read(place), **settings)
    else:
        settings |= {"n_features": n_features, "fdr": fdr}
        found = output.search(choose_a, draws.read(place), **settings)
    return output.finish(found, _document)


def _numbers(grid: str) -> list[float]:
    try:
        return [float(word) for word in grid.split(",")]
    except ValueError:
        raise click.UsageError(f"--grid {grid!r} is not a list such as 0.5,1,1.5") from None


def _document(result: Choice | SparsityPath) -> dict[str, Any]:
    if isinstance(result, Choice):
        names = ("a", "n_features", "fdr", "rate", "is_attained", "explanation")
        chosen = {name: getattr(result, name) for name in names}
        return chosen | {"estimate": document_of(result.estimate)}
    columns = ("a", "n_features", "n_ones", "expected_loss")
    return {"path": [{name: getattr(e, name) for name in columns} for e in result.estimates]}
