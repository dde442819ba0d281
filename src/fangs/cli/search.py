"""What commands run: reading draws with weights, and a search that Ctrl-C ends early."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from fangs._progress import progress_display
from fangs.estimate import Estimate
from fangs.io import read
from fangs.io.weights import read_weights
from fangs.samples import Samples
from fangs.search import Interrupted, estimate

__all__ = ["read_draws", "search"]


def read_draws(draws: Path, *, variable: str | None, weights: str | None) -> Samples:
    """Read the draws that a command was given, and their weights."""
    samples = read(draws, variable=variable)
    if weights is None:
        return samples
    return Samples(samples, weights=read_weights(weights, draws))


def search(samples: Samples, *, quiet: bool, **settings: Any) -> tuple[Estimate, bool]:
    """Search as `fangs.estimate` does; return the estimate, and whether Ctrl-C ended the search.

    If nothing was found before Ctrl-C, the command ends with one line.
    """
    try:
        with nullcontext(False) if quiet else progress_display() as progress:
            return estimate(samples, progress=progress, **settings), False
    except Interrupted as interruption:
        if interruption.estimate is None:
            raise click.Abort from interruption
        return interruption.estimate, True
