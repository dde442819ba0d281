"""Figures of docs/modes.md about the USArrests draws of the R package sdols, which are not ours.

python benchmarks/usarrests.py USArrests.featureAllocations.RData
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt

import fangs

IMAGES = Path(__file__).parent.parent / "docs" / "images"


def main(path: str) -> None:
    plt.rcParams.update({"savefig.dpi": 80, "font.size": 9})
    draws = fangs.Samples(path)
    chosen = fangs.modes(draws, seed=1)
    print(chosen)
    for step in chosen.steps:
        print(step)
    four = fangs.modes(draws, n_modes=4, seed=1)
    print(four)
    ax = fangs.plot.map(draws, modes=four)
    ax.figure.savefig(IMAGES / "usarrests-map.png", pil_kwargs={"optimize": True})
    ax = plt.subplots(figsize=(6.4, 7.2), layout="constrained")[1]
    fangs.plot.levels(chosen.estimates[0], order="leaf", ax=ax)
    ax.figure.savefig(IMAGES / "usarrests-levels.png", pil_kwargs={"optimize": True})


if __name__ == "__main__":
    main(*sys.argv[1:])
