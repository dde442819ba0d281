"""The section that compares the chains."""

from __future__ import annotations

from fangs.check.text import rounded
from fangs.report.gather import Facts
from fangs.report.markup import Html, element, note, section, table, with_code
from fangs.report.tables import chains_table


def chains_section(facts: Facts) -> Html | None:
    """Whether the chains agree as allocations, whatever the labels of their features."""
    found = facts.chains
    if found is None:
        return None
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
    return section(
        "chains",
        "Chains",
        element("p", *with_code(found.verdict)),
        element(
            "div",
            table(["Quantity", "R-hat", "Effective draws"], numbers),
            table(*chains_table(found)),
            class_="pair",
        ),
        table(["", *others], between),
        note(
            "To pooled: loss between the estimate of the chain and that of all draws, at a = 1. "
            "Last table: loss between the estimates of two chains; in brackets, the share of their "
            "held-out draws that are nearer to the estimate of their own chain. It is about 50 % "
            "where chains agree and 100 % where they are apart. Chains have the names that the "
            "draws give them, or numbers from 0."
        ),
    )
