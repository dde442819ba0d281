"""Run the whole study and write its pages: ``python -m study.run [docs]`` or ``make study``.

With the environment variable REAL it also measures the draws in that folder (see `study.real`).
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter

import numpy as np

import fangs
from benchmarks import r_fangs
from study import (
    cases,
    differences,
    direction,
    draws,
    iterations,
    padding,
    penalties,
    permutations,
    real,
    real_page,
    recovery,
    stopping,
)
from study.markdown import table, write_page

PAGES = {
    "permutations.md": "All column orders against assignment (the paper's Table 1)",
    "case-studies.md": "Five case studies: the best draw against FANGS (Tables 2 and 3)",
    "iterations.md": "Expected loss against the number of proposals (Figure 3)",
    "penalties.md": "Sparsity against a (Figure 5)",
    "real.md": "Draws made by others (Tables 2 and 3, Figures 3 and 5)",
    "recovery.md": "Recovery of the truth (not in the paper)",
    "differences.md": "Where the paper and the software differ",
}


class Clock:
    """Prints each part when it is done and keeps how long it took."""

    def __init__(self) -> None:
        self.began = self.last = perf_counter()
        self.seconds: dict[str, float] = {}

    def done(self, part: str) -> None:
        """Note that a part is finished."""
        now = perf_counter()
        self.seconds[part] = now - self.last
        self.last = now
        print(f"{now - self.began:6.0f} s  {part}", flush=True)


def main(docs: Path, folder: Path | None = None) -> None:
    """Measure everything, then write the pages."""
    load = os.getloadavg()[0]
    clock = Clock()
    permutations.write(docs)
    clock.done("permutations")
    sets = draws.make_all()
    titles = {name: one.title for name, one in sets.items()}
    clock.done("draws")
    measured = {name: cases.measure(one.samples) for name, one in sets.items()}
    cases.write(docs, sets, measured)
    clock.done("case studies")
    losses = {
        name: iterations.measure(sets[name].samples, n) for name, n in iterations.N_ITER.items()
    }
    iterations.write(docs, sets, measured, losses)
    clock.done("iterations")
    wide = {name: sets[name] for name in ("alzheimers_tempered", "alzheimers")}
    by_penalty = {name: penalties.measure(one.samples) for name, one in wide.items()}
    penalties.write(docs, wide, by_penalty)
    clock.done("penalties")
    write_real(docs, folder)
    clock.done("draws made by others")
    recovery.write(
        docs, {name: recovery.measure(make) for name, (_, make) in recovery.SCENARIOS.items()}
    )
    clock.done("recovery")
    stops = {name: stopping.measure(one.samples) for name, one in sets.items()}
    padded = {name: padding.measure(sets[name].samples) for name in ("aibd", "alzheimers_tempered")}
    estimates = {
        "aibd": penalties.measure(sets["aibd"].samples, penalties=padding.PENALTIES).default,
        "alzheimers_tempered": by_penalty["alzheimers_tempered"].default,
    }
    differences.write(
        docs,
        direction.paragraphs(estimates["alzheimers_tempered"]),
        stopping.paragraphs(stops, titles),
        padding.paragraphs(padded, estimates, titles),
    )
    clock.done("differences")
    write_index(docs, clock.seconds, load)


def write_real(docs: Path, folder: Path | None) -> None:
    """Measure the draws made by others if there is a folder with them, and write their page."""
    if folder is not None:
        version = r_fangs.version()
        search = r_fangs.estimate if version else None
        real.save(real.measure(folder, r_search=search, r_version=version))
    real_page.write(docs, real.load(), is_fresh=folder is not None)


def write_index(docs: Path, seconds: Mapping[str, float], load: float) -> None:
    """Write the first page: what there is and what it was run on."""
    total = sum(seconds.values())
    write_page(
        docs / "study" / "index.md",
        "The verification study",
        "This study repeats the tables and figures of Dahl, Johnson and Andros (2023, "
        "[doi:10.1080/10618600.2023.2204136](https://doi.org/10.1080/10618600.2023.2204136)) with "
        "this package: on draws that it makes itself, and on draws that others published. The "
        "paper's own figures are shown next to ours where it has some; they come from other data "
        "and another machine. `make study` writes all of these pages. Its seeds are fixed, so "
        "every run gives the same numbers, except for times and for R.",
        "\n".join(f"- [{title}]({page})" for page, title in PAGES.items()),
        f"This run: {os.cpu_count()} cores, {platform.machine()}, Python "
        f"{platform.python_version()}, NumPy {np.__version__}, fangs {fangs.__version__}; "
        f"{total:.0f} s in all. The load average of the machine was {load:.1f} at the beginning. "
        "On a busy machine the times are too long.",
        table(["part", "seconds"], [[part, f"{value:.0f}"] for part, value in seconds.items()]),
    )


if __name__ == "__main__":
    real_folder = os.environ.get("REAL")
    main(
        Path(sys.argv[1]) if len(sys.argv) > 1 else Path("docs"),
        Path(real_folder) if real_folder else None,
    )
