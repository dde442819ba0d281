"""The section that compares the chains."""

from __future__ import annotations

from fangs.check.text import rounded
from fangs.posterior.chains import ChainComparison
from fangs.report.gather import Facts
from fangs.report.heat import picture
from fangs.report.markup import Html, element, figure, note, section, table, with_code
from fangs.report.tables import chains_table

FEATURES = 200
"""Features that the table by chain lists."""
MOST_CHAINS = 50
"""Chains up to which it has a column for each."""


def chains_section(facts: Facts) -> Html | None:
    """Whether the chains agree as allocations, whatever the labels of their features."""
    content = [*_comparison(facts.chains), *_by_chain(facts)]
    return section("chains", "Chains", *content) if content else None


def _by_chain(facts: Facts) -> list[Html]:
    """Which features the chains disagree about."""
    found = facts.by_chain
    if found is None or not found.feature_names or len(found.chains) > MOST_CHAINS:
        return []
    header, *rows = found.rows()
    words = note(
        "Share of the draws of each chain that have each feature of the estimate: whose match has "
        "a Jaccard index of at least 1/2. Where the shares of a row differ, the chains disagree "
        "about the feature."
    )
    shades = picture(
        found.shares.T[:FEATURES], alt="share of the draws, features by chains", cell=16
    )
    caption = "Features (rows) by chains (columns); the stronger the blue, the more draws have it."
    shown = table(header, rows[:FEATURES], sortable=True)
    return [element("div", shown, figure(shades, caption), class_="pair"), words]


def _comparison(found: ChainComparison | None) -> list[Html]:
    if found is None:
        return []
    names = {"features": "number of features", "ones": "number of ones", "loss": "loss"}
    numbers = [
        [names[key], f"{found.rhat[key]:.3f}", f"{found.ess[key]:.0f}"] for key in found.rhat
    ]
    between = []
    for i, name in enumerate(found.chains):
        pairs = zip(found.distances[i], found.separation[i], strict=True)
        apart = [f"{rounded(distance, 6)} ({100 * share:.0f} %)" for distance, share in pairs]
        apart[i] = "–"
        between.append([f"Chain {name}", *apart])
    others = [f"Chain {name}" for name in found.chains]
    return [
        element("p", *with_code(found.verdict)),
        element(
            "div",
            table(["Quantity", "R-hat", "Bulk ESS"], numbers),
            table(*chains_table(found)),
            class_="pair",
        ),
        table(["", *others], between),
        note(
            "To pooled: loss between the estimate of the chain and that of all draws, at a = 1. "
            "Last table: loss between the estimates of two chains; in brackets, the share of their "
            "held-out draws that are nearer to their own chain. It is about 50 % where chains "
            "agree and 100 % where they are apart. Chains have the names that the draws give them, "
            "or numbers from 0."
        ),
    ]
