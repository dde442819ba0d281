"""Tables 2 and 3 of the paper: sets of draws, the best draw and FANGS, loss and time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

import fangs
from fangs import alternatives
from study.draws import DrawSet
from study.markdown import percent, seconds, span, table, write_page

SEEDS = range(5)
DESIGN = "\n".join(
    [
        "- *By design*: n, the true K and B. Also the noise of the three simulated sets: it was "
        "set so that the truth has about the loss of the paper's estimate. That their losses "
        "resemble the paper's therefore shows nothing.",
        "- *By design*: the gain for CMC. In the paper the best draw is only 1.1 % above FANGS, so "
        "some draw lies close to the centre. Draws that are all equally noisy do not have such a "
        "draw: they gave a gain of 37 %. Here the noise differs from draw to draw. Of several "
        "settings, one was chosen whose gain is near 1 % with the seed of this study (0). The gain "
        "depends on the least noisy draw: seeds 0 to 9 give 1.1 to 5.3 %.",
        "- *By design*: the K of the tempered set. The paper's Alzheimer's draws have between 5 "
        "and 94 features. The numbers of draws at each noise were set so that the range is about "
        "the same, about 25 % of the draws have fewer than 60 features, about 4 % fewer than 27, "
        "and a few about 6. The paper's estimates at a = 1.5, 1.9 and 1.99 have 60, 27 and 6 "
        "features.",
        "- *Little to learn from*: the gains for DFA and SIFA. In these draws the errors of "
        "entries are independent of each other, so a single draw has more errors in total than a "
        "draw of a chain tends to have.",
        "- *Findings*: the gains on the posteriors (AIBD and both Alzheimer's sets), how "
        "Algorithm 1 and the default differ, and the times.",
    ]
)
"""What the sets were made to be, and what they show."""


@dataclass(frozen=True)
class Outcome:
    """A method's expected losses over several seeds, and the median time of a run."""

    losses: tuple[float, ...]
    seconds: float

    @property
    def median(self) -> float:
        """The median loss."""
        return median(self.losses)

    def __str__(self) -> str:
        low, high = f"{min(self.losses):.2f}", f"{max(self.losses):.2f}"
        return low if low == high else f"{self.median:.2f} ({low} to {high})"


@dataclass(frozen=True)
class Measured:
    """What the three methods found on one set of draws."""

    best_draw: Outcome
    algorithm1: Outcome
    default: Outcome

    @property
    def gain(self) -> float:
        """How far the default is below the best draw, as a share of it."""
        return gain(self.best_draw.median, self.default.median)


def run(method: Callable[..., fangs.Estimate], seeds: Iterable[int | None]) -> Outcome:
    """Run a method once per seed."""
    losses, times = [], []
    for seed in seeds:
        began = perf_counter()
        found = method() if seed is None else method(seed=seed)
        times.append(perf_counter() - began)
        losses.append(found.expected_loss)
    return Outcome(tuple(losses), median(times))


def measure(samples: fangs.Samples, *, seeds: Iterable[int] = SEEDS) -> Measured:
    """Run the draws method, Algorithm 1 of the paper, and the default search."""
    seeds = list(seeds)
    repeats = 3 if len(samples) * samples.n_features.max() < 100_000 else 1
    return Measured(
        best_draw=run(partial(alternatives.draws, samples), [None] * repeats),
        algorithm1=run(partial(fangs.estimate, samples, n_iter=1000), seeds),
        default=run(partial(fangs.estimate, samples), seeds),
    )


def gain(draw: float, found: float) -> float:
    """Return by which share of the best draw's loss an estimate is below it."""
    return 1 - found / draw if draw else 0.0


def write(docs: Path, sets: Mapping[str, DrawSet], measured: Mapping[str, Measured]) -> None:
    """Write the page."""
    write_page(
        docs / "study" / "case-studies.md",
        "Five case studies: the best draw against FANGS",
        "The paper compares FANGS with the draws method, which returns the draw of lowest expected "
        "loss. It uses posterior draws of five earlier studies, named DFA, CMC, SIFA, AIBD and "
        "Alzheimer's. Of those we have only 100 draws of one study: see [draws made by "
        "others](real.md). The draws below have the same sizes and were made by `fangs.simulate`. "
        "**They are other data: compare the two methods with each other, not our losses with the "
        "paper's.**",
        "## The draws",
        _sizes(sets),
        "There are n items and B draws; K is a number of features. *Mean K* and *mean ones* are "
        "means over the draws. The paper's K is that of the true allocation, with two exceptions. "
        "In the DFA study the truth has six features; the authors leave out two, because parts of "
        "them are fixed in that model. The Alzheimer's draws come from real data without a known "
        "truth; 77 is an estimated K.",
        "\n".join(f"- **{one.title}.** {one.origin}" for one in sets.values()),
        "## What is by design, and what is a finding",
        DESIGN,
        "The benchmarks use the first five sets. The tempered set belongs to this study alone.",
        "## Expected loss",
        _losses(sets, measured),
        "*Best draw*: `fangs.alternatives.draws`. *Algorithm 1*: `fangs.estimate(n_iter=1000)`, "
        "the paper's FANGS. *Default*: `fangs.estimate()`. Both searches ran with "
        f"{_n_seeds(measured)} seeds: median and range, or one number where all agree to two "
        "digits. *Gain*: how far the default (median) is below the best draw. *Truth*: the "
        "expected loss of the allocation behind the draws. The best estimate of a posterior can be "
        "well below it.",
        _verdict(sets, measured),
        "## Seconds",
        _times(sets, measured),
        "Wall time, median of the runs above (the best draw: three runs, or one where it takes "
        "long), on all cores of the machine named on the [first page](index.md). The paper's times "
        "are means over 1000 runs on 32 cores. `fangs.alternatives.draws` is exact, but uses "
        "bounds to avoid most of the B² matchings.",
    )


def _sizes(sets: Mapping[str, DrawSet]) -> str:
    rows = []
    for one in sets.values():
        widths, case = one.samples.n_features, one.case
        rows.append(
            [
                *(one.title, one.kind, one.samples.n_items, one.truth.shape[1], span(widths)),
                *(f"{widths.mean():.1f}", f"{one.samples.n_ones.mean():.0f}"),
                *(f"{len(one.samples):,}", case.n_items, case.n_features, f"{case.n_draws:,}"),
            ]
        )
    head = ["size of", "draws are", "n", "true K", "K of draws", "mean K", "mean ones", "B"]
    return table([*head, "paper: n", "paper: K", "paper: B"], rows, text_columns=2)


def _losses(sets: Mapping[str, DrawSet], measured: Mapping[str, Measured]) -> str:
    rows = []
    for name, one in measured.items():
        case = sets[name].case
        truth = fangs.expected_loss(sets[name].truth, sets[name].samples)
        rows.append(
            [
                *(sets[name].title, one.best_draw, one.algorithm1, one.default),
                *(percent(one.gain), f"{truth:.2f}"),
                *(f"{case.best_draw:.2f}", f"{case.fangs:.2f}"),
                percent(gain(case.best_draw, case.fangs)),
            ]
        )
    head = ["size of", "best draw", "Algorithm 1", "default", "gain", "truth"]
    theirs = ["paper: best draw", "paper: FANGS", "paper: gain"]
    return table([*head, *theirs], rows)


def _times(sets: Mapping[str, DrawSet], measured: Mapping[str, Measured]) -> str:
    rows = []
    for name, one in measured.items():
        case = sets[name].case
        ours = [seconds(each.seconds) for each in (one.best_draw, one.algorithm1, one.default)]
        rows.append([sets[name].title, *ours, case.best_draw_seconds, case.fangs_seconds])
    head = ["size of", "best draw", "Algorithm 1", "default"]
    return table([*head, "paper: best draw", "paper: FANGS"], rows)


def _verdict(sets: Mapping[str, DrawSet], measured: Mapping[str, Measured]) -> str:
    """Say in words what the table shows, whatever it shows."""
    n = len(measured)
    beaten = sum(max(one.default.losses) < one.best_draw.median for one in measured.values())
    equal = sum(max(one.default.losses) == one.best_draw.median for one in measured.values())
    better = [
        sets[name].title
        for name, one in measured.items()
        if max(one.default.losses) < min(one.algorithm1.losses)
    ]
    worse = sum(max(one.default.losses) > min(one.algorithm1.losses) for one in measured.values())
    said = [
        f"The default is below the best draw with every seed in {beaten} of {n} sets"
        + (f" and equal to it in {equal}." if equal else ".")
    ]
    if better:
        said.append(
            f"In {len(better)} of them its worst seed is below the best seed of Algorithm 1: "
            f"{'; '.join(better)}."
        )
    said.append(
        "No run of Algorithm 1 ended lower than a run of the default on the same set."
        if not worse
        else f"In {worse} of {n} sets some run of Algorithm 1 ended lower than some run of the "
        "default."
    )
    return " ".join(said)


def _n_seeds(measured: Mapping[str, Measured]) -> int:
    return len(next(iter(measured.values())).default.losses)
