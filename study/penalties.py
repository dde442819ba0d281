"""Figure 5 of the paper, and its table: features and ones of the estimate against `a`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import fangs
from study import figures, published
from study.draws import DrawSet
from study.markdown import percent, span, table, write_page

PENALTIES = tuple(published.SPARSITY)


@dataclass(frozen=True)
class Size:
    """How large an estimate is, and how good."""

    n_features: int
    ones: int
    expected_loss: float

    @classmethod
    def of(cls, found: fangs.Estimate) -> Size:
        """Measure an estimate."""
        return cls(found.n_features, int(found.matrix.sum()), found.expected_loss)

    @property
    def cells(self) -> list[object]:
        """What a table shows of it."""
        digits = 2 if self.expected_loss >= 10 else 3
        return [self.n_features, self.ones, f"{self.expected_loss:.{digits}f}"]


Sizes = Mapping[float, Size]


@dataclass(frozen=True)
class Searched:
    """The estimates of both searches at every penalty."""

    default: Sizes
    algorithm1: Sizes


def measure(
    samples: fangs.Samples, *, penalties: Sequence[float] = PENALTIES, seed: int = 1
) -> Searched:
    """Run the default search and Algorithm 1, separately at every penalty."""
    default, algorithm1 = {}, {}
    for a in penalties:
        default[a] = Size.of(fangs.estimate(samples, a=a, seed=seed))
        algorithm1[a] = Size.of(fangs.estimate(samples, a=a, n_iter=1000, seed=seed))
    return Searched(default, algorithm1)


def write(docs: Path, sets: Mapping[str, DrawSet], found: Mapping[str, Searched]) -> None:
    """Draw the figure and write the page; the first set is the one with the histogram."""
    _draw(docs / "images" / "study-penalties.png", sets, found)
    write_page(
        docs / "study" / "penalties.md",
        "Sparsity against a",
        "A larger `a` gives a sparser estimate. The paper shows this on its Alzheimer's draws. "
        "Below are two sets of the [case studies](case-studies.md) that have the same size. At "
        "every `a`, *default* is `fangs.estimate(a=a)` and *Algorithm 1* is "
        "`fangs.estimate(a=a, n_iter=1000)`, the paper's search; one seed each. K is the number "
        "of features of the estimate, and the loss "
        "is the expected loss at that `a`. The paper's columns are from its own draws, with 5 to "
        "94 features.",
        *(part for name in found for part in _section(sets[name], found[name])),
        "## What moves K",
        *_findings(sets, found),
        "![Features and ones of the estimate against a](../images/study-penalties.png)",
        f"*Left:* the distribution of K over the draws ({next(iter(sets.values())).title}), and "
        "the default's K at each `a`. *Middle and right:* K and ones of the estimate at each `a`. "
        "Solid lines: default. Dashed lines: Algorithm 1. Dotted line: the paper's figures.",
    )


def _section(draws: DrawSet, found: Searched) -> list[str]:
    rows = [
        [f"{a:g}", *one.cells, *found.algorithm1[a].cells, *published.SPARSITY[a]]
        for a, one in found.default.items()
    ]
    head = [
        *("a", "default: K", "ones", "loss", "Algorithm 1: K", "ones", "loss"),
        *("paper: K", "ones"),
    ]
    widths, ones = draws.samples.n_features, draws.samples.n_ones
    return [
        f"## {draws.title}",
        f"{len(draws.samples):,} draws of {draws.samples.n_items} items and {span(widths)} "
        f"features, on average {widths.mean():.1f} features and {ones.mean():.0f} ones.",
        table(head, rows),
        _falls(found),
    ]


def _falls(found: Searched) -> str:
    """Say whether K and ones fall all the way, for each search."""
    rising = []
    for name, sizes in (("default", found.default), ("Algorithm 1", found.algorithm1)):
        for noun, values in (
            ("K", [one.n_features for one in sizes.values()]),
            ("the number of ones", [one.ones for one in sizes.values()]),
        ):
            if any(later > earlier for earlier, later in pairwise(values)):
                rising.append(f"{noun} ({name})")
    if not rising:
        return "K and the number of ones never rise with `a`, in both searches and in the paper."
    return f"Not falling all the way as `a` grows: {', '.join(rising)}. In the paper both fall."


def _findings(sets: Mapping[str, DrawSet], found: Mapping[str, Searched]) -> list[str]:
    """Say how much of the fall of K is due to the draws, and how much to the search."""
    said = []
    for name, one in found.items():
        low, high = min(one.default), max(one.default)
        dense, sparse = one.default[low], one.default[high]
        their_dense, their_sparse = one.algorithm1[low], one.algorithm1[high]
        said.append(
            f"- *{sets[name].title}*: from a = {low:g} to a = {high:g}, K falls from "
            f"{dense.n_features} to {sparse.n_features} with the default, and from "
            f"{their_dense.n_features} to {their_sparse.n_features} with Algorithm 1. The loss of "
            f"Algorithm 1 is {_above(their_sparse, ours=sparse)} higher at a = {high:g}. At a = "
            f"{low:g} it is {_above(their_dense, ours=dense)} higher, with {their_dense.ones} ones "
            f"against {dense.ones}."
        )
    return [
        "Two things make K collapse at a large `a`. One is the draws: an entry stays only if about "
        "a share a/2 of the draws supports it. So where many draws have few features, few features "
        "stay. The other is the search: the threshold a/2 removes most entries of a start, and "
        "Algorithm 1 has no births, so features that a start lacks do not come back.",
        "\n".join(said),
        "Where K varies little between draws, the collapse with Algorithm 1 comes from the search, "
        "not from the posterior: allocations with many more features have a lower expected loss at "
        "the same `a`. Where K varies widely, the draws themselves make K fall, and Algorithm 1 "
        "makes it fall further. At a small `a`, Algorithm 1 keeps many ones that raise the loss. "
        "The paper's figures were found by Algorithm 1. So part of the published fall, from 85 "
        "features and 1722 ones to 6 and 14, is likely to come from the search. Without the "
        "paper's draws we cannot tell how large that part is.",
        "One agreement is by design. The numbers of draws at each noise in the tempered set were "
        "chosen with the paper's K at a = 1.5, 1.9 and 1.99 in mind, so the default comes close to "
        "the paper's K there: see [its "
        "construction](case-studies.md#what-is-by-design-and-what-is-a-finding).",
    ]


def _above(theirs: Size, *, ours: Size) -> str:
    return percent(theirs.expected_loss / ours.expected_loss - 1)


def _draw(path: Path, sets: Mapping[str, DrawSet], found: Mapping[str, Searched]) -> None:
    figure, (left, middle, right) = figures.subplots(3, height=3.8)
    first = next(iter(found))
    _histogram(left, sets[first].samples.n_features, found[first].default)
    theirs = {a: Size(*size, float("nan")) for a, size in published.SPARSITY.items()}
    for axis, noun, label in (
        (middle, "n_features", "features of the estimate"),
        (right, "ones", "ones of the estimate"),
    ):
        colours = (figures.BLUE, figures.ORANGE)
        for colour, (name, one) in zip(colours, found.items(), strict=False):
            _line(axis, one.default, noun, "o-", colour, f"{sets[name].title}, default")
            _line(axis, one.algorithm1, noun, "o--", colour, f"{sets[name].title}, Algorithm 1")
        _line(axis, theirs, noun, "s:", figures.INK, "paper")
        axis.set(xlabel="a", ylabel=label)
        axis.set_ylim(bottom=0)
    middle.legend(frameon=False, fontsize=8, loc="lower left")
    figures.save(figure, path)


def _line(axis: Any, sizes: Sizes, noun: str, style: str, colour: str, label: str) -> None:
    places = [PENALTIES.index(a) for a in sizes]
    values = [getattr(one, noun) for one in sizes.values()]
    axis.plot(places, values, style, color=colour, lw=1.2, ms=4, label=label)
    axis.set_xticks(range(len(PENALTIES)), [f"{a:g}" for a in PENALTIES])


def _histogram(axis: Any, widths: np.ndarray[Any, Any], found: Sizes) -> None:
    """K over the draws as bars, and the estimates' K as marks in a band above them."""
    values, counts = np.unique(widths, return_counts=True)
    share = counts / counts.sum()
    axis.bar(values, share, width=0.9, color=figures.GREY)
    top = float(share.max())
    for rank, (a, one) in enumerate(found.items()):
        height = top * (1.12 + 0.11 * rank)
        axis.plot(one.n_features, height, "o", color=figures.BLUE, ms=5)
        axis.vlines(one.n_features, 0, height, color=figures.BLUE, lw=0.6, alpha=0.5)
        axis.annotate(
            f"a = {a:g}",
            (one.n_features, height),
            xytext=(6, -3),
            textcoords="offset points",
            fontsize=9,
        )
    axis.margins(x=0.15)
    axis.set(xlabel="number of features K", ylabel="share of draws")
