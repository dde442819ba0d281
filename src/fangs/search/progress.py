"""The display behind `progress=True`: one bar, in a notebook or on a terminal's stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fangs._extras import require
from fangs.check.text import rounded

if TYPE_CHECKING:
    from fangs.search.state import Progress

__all__ = ["listening", "progress_display"]

REFRESH = 0.2
"""Seconds between two pictures of the bar in a notebook."""


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
    """Show progress as a bar while the block runs, on stderr or in a notebook; needs rich.

    Without a terminal or a notebook nothing is shown. The bar disappears when the block ends.

    Examples
    --------
    >>> with progress_display() as report:
    ...     pass
    """
    bars = require("rich.progress", extra="cli")
    console = require("rich.console", extra="cli").Console(stderr=True)
    on_terminal = sys.stderr is not None and sys.stderr.isatty()
    if not (console.is_jupyter or on_terminal):
        yield _silent
        return
    bar = bars.Progress(
        bars.TextColumn("{task.description}"),
        bars.BarColumn(bar_width=24 if console.is_jupyter else 40),  # cells are narrow
        bars.TextColumn("{task.fields[count]}"),
        bars.TextColumn("{task.fields[loss]}"),
        bars.TimeElapsedColumn(),
        console=console,
        transient=True,
    )
    bar.add_task("starting", total=None, count="", loss="")
    [task] = bar.tasks
    with _in_notebook(bar) if console.is_jupyter else _on_terminal(bar) as show:

        def report(progress: Progress) -> None:
            total = progress.total
            is_known = progress.loss < float("inf")
            known = f"expected loss {rounded(progress.loss, 6)}" if is_known else ""
            # One task serves all phases, so that its clock runs on. Set its fields directly: rich
            # itself neither removes a total nor restarts a finished task.
            task.total, task.finished_time = total, None
            bar.update(
                task.id,
                description=progress.phase,
                completed=progress.done,
                count=f"{progress.done}" if total is None else f"{progress.done}/{total}",
                loss=known,
            )
            show()

        yield report


@contextmanager
def _on_terminal(bar: Any) -> Iterator[Callable[[], None]]:
    """Rich draws the bar by itself, several times a second."""
    with bar:
        yield lambda: None


@contextmanager
def _in_notebook(bar: Any) -> Iterator[Callable[[], None]]:
    """Show the bar as an output of the cell, and take it away at the end.

    Rich's own live display would need ipywidgets in the kernel and in the notebook's server.
    """
    notebook = require("IPython.display", extra="cli")
    handle, drawn = notebook.display(bar, display_id=True), time.monotonic()

    def show() -> None:
        nonlocal drawn
        if time.monotonic() - drawn >= REFRESH:
            drawn = time.monotonic()
            handle.update(bar)

    try:
        yield show
    finally:
        handle.update(notebook.HTML(""))


def _silent(progress: Progress) -> None:
    """Show nothing."""
