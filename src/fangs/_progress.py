"""The display behind `progress=True`: one bar on stderr, shown only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fangs._extras import require

if TYPE_CHECKING:
    from fangs.search.state import Progress

__all__ = ["listening", "progress_display"]


@contextmanager
def listening(
    progress: bool | Callable[[Progress], None],
) -> Iterator[Callable[[Progress], None] | None]:
    """Yield the function to report progress to: a bar for True, the user's own, or None."""
    if callable(progress):
        yield progress
    elif not isinstance(progress, bool):
        raise TypeError(f"progress must be True, False or a function, not {progress!r}")
    elif progress:
        with progress_display() as report:
            yield report
    else:
        yield None


@contextmanager
def progress_display() -> Iterator[Callable[[Progress], None]]:
    """Show progress as a bar on stderr while the block runs; needs rich.

    Without a terminal nothing is shown. The bar disappears when the block ends.

    Examples
    --------
    >>> with progress_display() as report:
    ...     pass
    """
    bars = require("rich.progress", extra="cli")
    if sys.stderr is None or not sys.stderr.isatty():
        yield _silent
        return
    console = require("rich.console", extra="cli").Console(stderr=True)
    bar = bars.Progress(
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.TextColumn("{task.fields[count]}"),
        bars.TextColumn("{task.fields[loss]}"),
        bars.TimeElapsedColumn(),
        console=console,
        transient=True,
    )
    with bar:
        bar.add_task("starting", total=None, count="", loss="")
        [task] = bar.tasks

        def report(progress: Progress) -> None:
            total = progress.total
            # One task serves all phases, so that its clock runs on. Set its fields directly: rich
            # itself neither removes a total nor restarts a finished task.
            task.total, task.finished_time = total, None
            bar.update(
                task.id,
                description=progress.phase,
                completed=progress.done,
                count=f"{progress.done}" if total is None else f"{progress.done}/{total}",
                loss=f"expected loss {progress.loss:.6g}" if progress.loss < float("inf") else "",
            )

        yield report


def _silent(progress: Progress) -> None:
    """Show nothing."""
