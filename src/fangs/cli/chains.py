"""``fangs chains``: compare Markov chains."""

from __future__ import annotations

from typing import Any

from fangs.cli import options
from fangs.cli.output import Output
from fangs.cli.place import Place
from fangs.posterior import ChainComparison, compare_chains

__all__ = ["command"]


@options.command(
    "chains",
    "Compare chains, and say whether they may be pooled.",
    "fangs chains draws.npz --seed 1",
    "fangs chains chain1.csv chain2.csv chain3.csv --burn-in 500 --json",
)
@options.draws
@options.a
@options.seed
@options.place
@options.output("json")
def command(
    draws: options.DrawFiles, a: float, seed: int | None, place: Place, output: Output
) -> int:
    """Compare the chains of posterior DRAWS, and say whether they may be pooled.

    Give one file with chains, or one file per chain.
    """
    settings = {"a": a, "seed": seed, "n_threads": place.n_threads}
    return output.finish(output.run(compare_chains, draws.read(place), **settings), _document)


def _document(result: ChainComparison) -> dict[str, Any]:
    names = ("a", "agree", "verdict", "apart", "n_draws", "distances", "separation", "rhat", "ess")
    return {name: getattr(result, name) for name in names}
