"""The search that commands run: a progress bar, and on Ctrl-C the best estimate so far."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import click

from fangs.draws.samples import Samples
from fangs.estimate import Estimate
from fangs.search import Interrupted, estimate
from fangs.search.progress import progress_display

__all__ = ["search"]


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
