"""Run the whole study and write its pages: ``python -m study.run [docs]`` or ``make study``."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter

import numpy as np

import fangs
from study import (
    cases,
    differences,
    direction,
    draws,
    iterations,
    padding,
    penalties,
    permutations,
    recovery,
    stopping,
)
from study.markdown import table, write_page

PAGES = {
    "permutations.md": "All column orders against assignment (the paper's Table 1)",
    "case-studies.md": "Five case studies: the best draw against FANGS (Tables 2 and 3)",
    "iterations.md": "Expected loss against the number of proposals (Figure 3)",
    "penalties.md": "Sparsity against a (Figure 5)",
    "recovery.md": "Recovery of the truth (not in the paper)",
    "differences.md": "Where the paper and the software differ",
}


class Clock:
    """Says what is being done and keeps how long it took."""

    def __init__(self) -> None:
        self.began = self.last = perf_counter()
        self.seconds: dict[str, float] = {}

    def done(self, part: str) -> None:
        """Note that a part is finished."""
        now = perf_counter()
        self.seconds[part] = now - self.last
        self.last = now
        print(f"{now - self.began:6.0f} s  {part}", flush=True)


def main(docs: Path) -> None:
    """Measure everything, then write the pages."""
    load = os.getloadavg()[0]
    clock = Clock()
    permutations.write(docs)
    clock.done("permutations")
    sets = draws.make_all()
    titles = {name: one.title for name, one in sets.items()}
    clock.done("draws")
    measured = {name: cases.measure(one) for name, one in sets.items()}
    cases.write(docs, sets, measured)
    clock.done("case studies")
    losses = {name: iterations.measure(sets[name], n) for name, n in iterations.N_ITER.items()}
    iterations.write(docs, sets, measured, losses)
    clock.done("iterations")
    by_penalty = penalties.measure(sets["alzheimers"])
    penalties.write(docs, sets["alzheimers"], by_penalty)
    clock.done("penalties")
    recovery.write(
        docs, {name: recovery.measure(make) for name, (_, make) in recovery.SCENARIOS.items()}
    )
    clock.done("recovery")
    stops = {name: stopping.measure(one) for name, one in sets.items()}
    padded = {name: padding.measure(sets[name]) for name in ("aibd", "alzheimers")}
    estimates = {"aibd": penalties.measure(sets["aibd"]), "alzheimers": by_penalty}
    differences.write(
        docs,
        direction.paragraphs(by_penalty),
        stopping.paragraphs(stops, titles),
        padding.paragraphs(padded, estimates, titles),
    )
    clock.done("differences")
    write_index(docs, clock.seconds, load)


def write_index(docs: Path, seconds: Mapping[str, float], load: float) -> None:
    """Write the first page: what there is and what it was run on."""
    total = sum(seconds.values())
    write_page(
        docs / "study" / "index.md",
        "The verification study",
        "The tables and figures of Dahl, Johnson and Andros (2023, "
        "[doi:10.1080/10618600.2023.2204136](https://doi.org/10.1080/10618600.2023.2204136)) "
        "made again with this package, on draws that it makes itself. The paper's own figures "
        "stand beside ours wherever it has some; they come from other data and another machine. "
        "Everything is written by `make study`, with fixed seeds: apart from times, the same "
        "numbers in every run.",
        "\n".join(f"- [{title}]({page})" for page, title in PAGES.items()),
        f"This run: {os.cpu_count()} cores, {platform.machine()}, Python "
        f"{platform.python_version()}, NumPy {np.__version__}, fangs {fangs.__version__}; "
        f"{total:.0f} s in all. The machine's load was {load:.1f} when it began, and times on a "
        "busy machine are too long.",
        table(["part", "seconds"], [[part, f"{value:.0f}"] for part, value in seconds.items()]),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("docs"))
