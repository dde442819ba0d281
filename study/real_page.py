"""The page on posteriors made by others."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from study import iterations, published
from study.cases import gain
from study.markdown import percent, seconds, span, table, write_page
from study.real import Result, Results


def write(docs: Path, results: Results, *, is_fresh: bool) -> None:
    """Draw the figure and write the page; `is_fresh` if the files were there in this run."""
    sets = results.sets
    shown = {name: one for name, one in sets.items() if one.losses}
    labels = {name: f"{one.title}, B = {one.n_draws:,}" for name, one in sets.items()}
    measured = {name: one.measured for name, one in sets.items()}
    losses = {name: one.losses for name, one in shown.items()}
    iterations.draw(docs / "images" / "study-real-iterations.png", labels, measured, losses)
    write_page(
        docs / "study" / "real.md",
        "Draws made by others",
        "This page makes the same comparisons on posterior draws that others published. The files "
        "are not part of this repository. `make study REAL=folder` reads them from a folder and "
        "measures; without the folder, the page is written from the figures that the last such run "
        "left in `study/results/real.json`. "
        + ("This run had the folder." if is_fresh else "This run did not have the folder.")
        + f" Measured: {results.about}.",
        "## The draws",
        _sizes(sets),
        "`samplesFA` is part of the data of the paper: 100 of the 1000 draws of its AIBD case "
        "study. It is the only set whose losses can be compared with the paper's, with a caution: "
        "the best of 100 draws is usually worse than the best of 1000, so the gain over it is "
        "larger.",
        "## Expected loss",
        _losses(sets),
        "All losses are at a = 1. *Best draw*, *Algorithm 1*, *default* and *gain* are defined as "
        "in the [case studies](case-studies.md); 5 seeds, median and range where they differ. *R*: "
        "the authors' package, `fangs(samples, nIterations=1000)`, one run on two cores. Its "
        "results differ from run to run, even with the same seed. The loss of its estimate was "
        "recomputed here.",
        _verdict(sets),
        "## Distance from the global optimum",
        _distances(sets),
        "The table shows by how many per cent the loss at a = 1 exceeds the lowest loss of all "
        "allocations. *Optimum* is that lowest loss, where [a certificate](../certificates.md) "
        "proves it. Where the certificate gives only a lower bound, the figures say by how much a "
        "loss exceeds the optimum at most. *Algorithm 1* and *default* are medians over the seeds. "
        "A proof may take 60 s; on two idle cores it takes 14 s at most "
        "(`benchmarks/results/certificates.md`).",
        "## Seconds",
        _times(sets),
        "Wall times as in the case studies. R's time is measured inside its function, without the "
        "time to read the draws.",
        "## The number of proposals",
        "`fangs.estimate(n_iter=...)` with 5 seeds, as on the page on [the number of "
        "proposals](iterations.md). The first set is that of the left panel of the paper's Figure "
        "3, reduced to 100 draws.",
        "![Expected loss against n_iter, two sets of draws](../images/study-real-iterations.png)",
        *iterations.sections(labels, measured, losses),
        "## Sparsity",
        "The estimate at each penalty of the paper's table. *Algorithm 1* and *R* are two programs "
        "for the same search; they differ in their random numbers and in the order of padding "
        "columns.",
        *(part for one in sets.values() if one.searched.default for part in _penalties(one)),
    )


def _sizes(sets: Mapping[str, Result]) -> str:
    rows = [
        [one.title, one.origin, one.n_items, span(one.widths), f"{one.n_draws:,}"]
        for one in sets.values()
    ]
    return table(["draws", "source", "n", "K of draws", "B"], rows, text_columns=2)


def _losses(sets: Mapping[str, Result]) -> str:
    rows = []
    for one in sets.values():
        found = one.measured
        rows.append(
            [
                *(one.title, found.best_draw, found.algorithm1, found.default),
                percent(found.gain),
                "–" if one.r is None else f"{one.r.size.expected_loss:.2f}",
            ]
        )
    case = published.CASES["aibd"]
    rows.append(
        [
            *("*paper, its 1000 AIBD draws*", f"{case.best_draw:.2f}", f"{case.fangs:.2f}", "–"),
            *(percent(gain(case.best_draw, case.fangs)), "–"),
        ]
    )
    return table(["draws", "best draw", "Algorithm 1", "default", "gain", "R"], rows)


def _distances(sets: Mapping[str, Result]) -> str:
    rows = []
    for one in sets.values():
        found, bound = one.measured, one.lower_bound
        losses = [found.best_draw.median, found.algorithm1.median, found.default.median]
        losses += [] if one.r is None else [one.r.size.expected_loss]
        is_proved = min(losses) == bound
        cells = [f"{'' if is_proved else 'at most '}{percent(_above(x, bound))}" for x in losses]
        optimum = f"{bound:.4f}" if is_proved else f"at least {bound:.4f}"
        rows.append([one.title, optimum, *cells, *["–"] * (4 - len(cells))])
    return table(["draws", "optimum", "best draw", "Algorithm 1", "default", "R"], rows)


def _above(loss: float, bound: float) -> float:
    return loss / bound - 1 if bound else 0.0


def _times(sets: Mapping[str, Result]) -> str:
    rows = [
        [
            one.title,
            *(
                seconds(each.seconds)
                for each in (one.measured.best_draw, one.measured.algorithm1, one.measured.default)
            ),
            "–" if one.r is None else seconds(one.r.seconds),
        ]
        for one in sets.values()
    ]
    return table(["draws", "best draw", "Algorithm 1", "default", "R"], rows)


def _verdict(sets: Mapping[str, Result]) -> str:
    """Say in words what the table shows, whatever it shows."""
    found = [one.measured for one in sets.values()]
    below = sum(max(one.default.losses) < one.best_draw.median for one in found)
    equal = sum(max(one.default.losses) == one.best_draw.median for one in found)
    same = sum(len(set(one.default.losses)) == 1 for one in found)
    missed = sum(max(one.algorithm1.losses) > max(one.default.losses) for one in found)
    said = (
        f"The default is below the best draw in {below} of {len(found)} sets and equal to it in "
        f"{equal}; all its seeds agree in {same}. In {missed} sets some seed of Algorithm 1 ends "
        "higher."
    )
    with_r = [one for one in sets.values() if one.r is not None]
    if with_r:
        higher = sum(
            one.r.size.expected_loss > max(one.measured.default.losses) for one in with_r if one.r
        )
        said += f" R ends higher than the default in {higher} of {len(with_r)}."
    return said


def _penalties(one: Result) -> list[str]:
    rows = []
    for a, ours in one.searched.default.items():
        run = one.r_by_penalty.get(a)
        theirs = ["–"] * 3 if run is None else run.size.cells
        rows.append([f"{a:g}", *ours.cells, *one.searched.algorithm1[a].cells, *theirs])
    head = [
        *("a", "default: K", "ones", "loss", "Algorithm 1: K", "ones", "loss"),
        *("R: K", "ones", "loss"),
    ]
    return [f"### {one.title}, by a", table(head, rows)]
