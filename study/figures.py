"""Draw figures without a screen, all in one style."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fangs._extras import require

INK, GREY, BLUE, ORANGE = "#222222", "#b8bec6", "#1f5fa8", "#d0661a"


def subplots(columns: int, *, height: float = 3.4) -> tuple[Any, Any]:
    """Return a figure and its row of axes."""
    matplotlib = require("matplotlib", extra="plot")
    matplotlib.use("Agg")
    pyplot = require("matplotlib.pyplot", extra="plot")
    figure, axes = pyplot.subplots(
        1, columns, figsize=(4.8 * columns, height), layout="constrained"
    )
    for one in axes if columns > 1 else [axes]:
        one.spines[["top", "right"]].set_visible(False)
    return figure, axes


def save(figure: Any, path: Path) -> None:
    """Write the figure and forget it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Without the program's name and date, so that the same picture is the same file.
    figure.savefig(path, dpi=110, metadata={"Software": None})
    require("matplotlib.pyplot", extra="plot").close(figure)
