"""Which side `a` is on: the paper's displayed formula against the rest of the paper, in numbers."""

from __future__ import annotations

from collections.abc import Mapping

import fangs
from study import published
from study.markdown import table


def paragraphs(found: Mapping[float, fangs.Estimate]) -> list[str]:
    """Show it for one entry, and for the widest set of draws."""
    return [
        "## The direction of a",
        "The formula displayed in the paper's section 3.3 charges `a` for a one that the *draw* "
        "has and the estimate lacks. Everything else in the paper, and the authors' R package, "
        "charges `a` for a one that the *estimate* has and the draw lacks: the threshold a/2, "
        "the statement that a higher `a` is sparser, and the table of sparsity. We follow the "
        "second reading. Since the loss of a pair at `a` is the loss of the exchanged pair at `2 "
        "- a`, the displayed formula at `a` is our loss at `2 - a`.",
        "**One entry.** Ten draws of one item, of which three have one feature. The paper's "
        "start keeps an entry if its share is at least a/2. That is the choice of lowest "
        "expected loss only in our reading:",
        table(
            [
                "a",
                "a/2",
                "share",
                "kept by a/2",
                "ours: kept",
                "ours: dropped",
                "formula: kept",
                "formula: dropped",
                "ours prefers",
                "formula prefers",
            ],
            [_one_entry(a) for a in (0.5, 1.5)],
        ),
        "**The widest draws.** The estimate at every `a` in both readings, beside the paper's "
        "table. Only ours falls as the paper's does:",
        table(
            [
                "a",
                "ours: K",
                "ours: ones",
                "formula: K",
                "formula: ones",
                "paper: K",
                "paper: ones",
            ],
            [_both(a, found) for a in found if _mirror(a, found) is not None],
        ),
        "If you took `a` from the displayed formula, give `2 - a` here.",
    ]


def _one_entry(a: float, *, n_draws: int = 10, having: int = 3) -> list[str]:
    draws = [[[1]]] * having + [[[0]]] * (n_draws - having)
    kept, dropped = (fangs.expected_loss(z, draws, a=a) for z in ([[1]], [[0]]))
    formula_kept, formula_dropped = (fangs.expected_loss(z, draws, a=2 - a) for z in ([[1]], [[0]]))
    share = having / n_draws
    return [
        *(f"{a:g}", f"{a / 2:g}", f"{share:g}", "yes" if share >= a / 2 else "no"),
        *(f"{loss:.2f}" for loss in (kept, dropped, formula_kept, formula_dropped)),
        "kept" if kept <= dropped else "dropped",
        "kept" if formula_kept <= formula_dropped else "dropped",
    ]


def _mirror(a: float, found: Mapping[float, fangs.Estimate]) -> float | None:
    """The penalty among those estimated that is 2 - a."""
    return next((other for other in found if abs(other + a - 2) < 1e-9), None)


def _both(a: float, found: Mapping[float, fangs.Estimate]) -> list[object]:
    mirror = _mirror(a, found)
    assert mirror is not None
    sizes = [(one.n_features, int(one.matrix.sum())) for one in (found[a], found[mirror])]
    return [f"{a:g}", *sizes[0], *sizes[1], *published.SPARSITY.get(a, ("–", "–"))]
