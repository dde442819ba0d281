"""Make the pictures of the pages and the README from real runs.

python docs/make_gallery.py

Pages make their own pictures: each is what the code above it drew.
"""

from __future__ import annotations

import doctest
import io
import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt

import fangs

DOCS = Path(__file__).parent
IMAGES = DOCS / "images"
SESSIONS = (
    "tutorial", "chains", "choosing-a", "relabelling",
    "uncertainty", "core", "stability", "modes", "error-rates", "path", "certificates",
)  # fmt: skip
"""Pages with sessions and pictures."""
BY_SCRIPTS = {
    "error-rates-calibration": "benchmarks/error_rates.py",
    "usarrests-levels": "benchmarks/usarrests.py",
    "usarrests-map": "benchmarks/usarrests.py",
}
"""Pictures on these pages that take long, or data of others: the script that makes each."""


def overview() -> plt.Axes:
    """Draw the picture of the README: three plots side by side."""
    draws = fangs.datasets.arrests()
    estimate = fangs.estimate(draws, seed=1)
    shape = {"figsize": (10, 3.2), "layout": "constrained", "width_ratios": (1.1, 1, 1.3)}
    axes = plt.subplots(1, 3, **shape)[1]
    estimate.plot(order="leaf", ax=axes[0])
    fangs.plot.n_features(draws, estimate=estimate, ax=axes[1])
    fangs.plot.losses(estimate, draws, ax=axes[2])
    return axes[0]


def run_session(page: Path) -> Iterator[tuple[str, plt.Figure]]:
    """Run the examples of a page; yield the name of each picture and the figure drawn last."""
    names: dict[str, object] = {}
    text, *rest = re.split(r"!\[[^]]+\]\(images/([a-z-]+)\.png\)", page.read_text("utf-8"))
    for picture, after in zip(rest[::2], rest[1::2], strict=True):
        with redirect_stdout(io.StringIO()):
            for code in code_of(text):
                exec(compile(code, page.name, "single" if ">>>" in text else "exec"), names)
        text = after
        if picture in BY_SCRIPTS:
            continue
        if not plt.get_fignums():
            raise ValueError(f"{page.name} shows {picture}, but no code above it draws")
        yield picture, plt.gcf()
        plt.close("all")


def code_of(text: str) -> list[str]:
    """The statements of a session, or the blocks of a page without sessions."""
    session = [example.source for example in doctest.DocTestParser().get_examples(text)]
    return session or re.findall(r"```python\n(.*?)```", text, re.S)


def save(figure: plt.Figure, target: Path) -> None:
    """Write a figure as a small PNG file."""
    figure.savefig(target, pil_kwargs={"optimize": True})
    plt.close(figure)
    print(target)


def main(folder: str | None = None) -> None:
    """Write the pictures into ``folder``."""
    target = IMAGES if folder is None else Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    plt.rcParams.update({"figure.figsize": (5.6, 3.4), "savefig.dpi": 80, "font.size": 9})
    save(overview().figure, target / "overview.png")
    for page in ("plots", *SESSIONS):
        for name, figure in run_session(DOCS / f"{page}.md"):
            save(figure, target / f"{name}.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
