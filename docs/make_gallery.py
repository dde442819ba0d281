"""Make the pictures of the pages and the README from real runs.

python docs/make_gallery.py

Pages whose examples are sessions make their own pictures: each is what the code above it drew.
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
    "uncertainty", "modes", "error-rates", "path", "certificates",
)  # fmt: skip
"""Pages that make their own pictures."""
BY_SCRIPTS = {
    "error-rates-calibration": "benchmarks/error_rates.py",
    "usarrests-levels": "benchmarks/usarrests.py",
    "usarrests-map": "benchmarks/usarrests.py",
}
"""Pictures on these pages that take long, or data of others: the script that makes each."""


def few_items() -> fangs.Samples:
    """Some of the images by name, so that labels fit."""
    draws = fangs.datasets.example()
    return fangs.Samples([draw[:24] for draw in draws], items=(draws.items or ())[:24])


def hard_search() -> fangs.Estimate:
    """An estimate whose starts differ, by the paper's random proposals."""
    found = fangs.simulate.posterior_like(40, 12, 300, noise=0.15, births=0.4, deaths=0.2, seed=2)
    return fangs.estimate(found.draws, seed=1, n_init=16, n_sweet=8, n_iter=1500)


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


def draw_all() -> dict[str, plt.Axes]:
    """Draw every picture of the gallery, by its name."""
    draws = fangs.datasets.example()
    estimate = fangs.estimate(draws, seed=1)
    small = few_items()
    labelled = fangs.estimate(small, seed=1)
    farthest = fangs.credible_ball(labelled, small).horizontal[0]
    names = ("Estimate", "Farthest draw of the ball")
    path = fangs.sparsity_path(draws, seed=1)
    return {
        "overview": overview(),
        "allocation": estimate.plot(order="leaf"),
        "allocation-labels": labelled.plot(),
        "comparison": fangs.plot.comparison(labelled, small[farthest], names=names),
        "n-features": fangs.plot.n_features(draws, estimate=estimate),
        "losses": fangs.plot.losses(estimate, draws),
        "feature-sizes": fangs.plot.feature_sizes(estimate, draws),
        "mismatches": fangs.plot.mismatches(estimate, draws),
        "similarity": fangs.plot.similarity(draws),
        "path": fangs.plot.path(path, samples=draws),
        "starts": fangs.plot.starts(hard_search()),
        "chains": fangs.plot.chains(fangs.compare_chains(draws, seed=1)),
        "bounds": fangs.plot.bounds(
            fangs.certify(found, draws, method="dual") for found in path.estimates
        ),
    }


def run_session(page: Path) -> Iterator[tuple[str, plt.Figure]]:
    """Run the examples of a page; yield the name of each picture and the figure drawn last."""
    names: dict[str, object] = {}
    text, *rest = re.split(r"!\[[^]]+\]\(images/([a-z-]+)\.png\)", page.read_text("utf-8"))
    for picture, after in zip(rest[::2], rest[1::2], strict=True):
        with redirect_stdout(io.StringIO()):
            for example in doctest.DocTestParser().get_examples(text):
                exec(compile(example.source, page.name, "single"), names)
        text = after
        if picture in BY_SCRIPTS:
            continue
        if not plt.get_fignums():
            raise ValueError(f"{page.name} shows {picture}, but no code above it draws")
        yield picture, plt.gcf()
        plt.close("all")


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
    for name, ax in draw_all().items():
        save(ax.figure, target / f"{name}.png")
    for page in SESSIONS:
        for name, figure in run_session(DOCS / f"{page}.md"):
            save(figure, target / f"{name}.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
