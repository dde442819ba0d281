"""Which ones `a` charges: the paper's displayed formula against the rest of the paper."""

from __future__ import annotations

import fangs
from study import published
from study.markdown import table
from study.penalties import Sizes


def paragraphs(found: Sizes) -> list[str]:
    """Show it for one entry, and for the widest set of draws."""
    return [
        "## The direction of a",
        "The formula displayed in the paper's section 3.3 contradicts the rest of the paper: see "
        "[Theory](../theory.md#a-trap-in-the-paper). Two examples show which reading is meant.",
        "**One entry.** Take ten draws of one item. In three of them the item has a feature. The "
        "paper keeps an entry in a start if its share of the draws is at least a/2. Only in our "
        "reading is that the choice of lowest expected loss:",
        table(
            [
                *("a", "a/2", "share", "kept by a/2", "ours: kept", "ours: dropped"),
                *("formula: kept", "formula: dropped", "ours prefers", "formula prefers"),
            ],
            [_one_entry(a) for a in (0.5, 1.5)],
        ),
        "**The widest draws.** The table shows the default estimate at every `a` in both readings, "
        "on the tempered set, next to the paper's figures. Only in our reading do K and ones fall "
        "as the paper's do:",
        table(
            [
                *("a", "ours: K", "ours: ones", "formula: K", "formula: ones"),
                *("paper: K", "paper: ones"),
            ],
            [_both(a, found) for a in found if _mirror(a, found) is not None],
        ),
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


def _mirror(a: float, found: Sizes) -> float | None:
    """The penalty among those estimated that is 2 - a."""
    return next((other for other in found if abs(other + a - 2) < 1e-9), None)


def _both(a: float, found: Sizes) -> list[object]:
    mirror = _mirror(a, found)
    assert mirror is not None
    sizes = [(one.n_features, one.ones) for one in (found[a], found[mirror])]
    return [f"{a:g}", *sizes[0], *sizes[1], *published.SPARSITY.get(a, ("–", "–"))]
