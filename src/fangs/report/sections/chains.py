"""The section that compares the chains."""

from __future__ import annotations

from fangs.check.text import rounded, rounded_alike
from fangs.report.gather import Facts
from fangs.report.markup import Html, element, note, section, table, with_code


def chains_section(facts: Facts) -> Html | None:
    """Whether the chains agree as allocations, whatever the labels of their features."""
    found = facts.chains
    if found is None:
        return None
    names = {"features": "number of features", "ones": "number of ones", "loss": "loss"}
    numbers = [
        [names[key], f"{found.rhat[key]:.3f}", f"{found.ess[key]:.0f}"] for key in found.rhat
    ]
    losses = rounded_alike([e.expected_loss for e in found.estimates])
    chains = [
        [
            found.chains[c],
            f"{n_draws:,}",
            e.n_features,
            f"{e.n_ones:,}",
            losses[c],
            rounded(apart, 6),
        ]
        for c, (n_draws, e, apart) in enumerate(
            zip(found.n_draws, found.estimates, found.to_pooled, strict=True)
        )
    ]
    between = [
        [f"Chain {found.chains[i]}"]
        + [
            f"{rounded(found.distances[i, j], 6)} ({100 * found.separation[i, j]:.0f} %)"
            if i != j
            else "–"
            for j in range(len(chains))
        ]
        for i in range(len(chains))
    ]
    others = [f"Chain {name}" for name in found.chains]
    return section(
        "chains",
        "Chains",
        element("p", *with_code(found.verdict)),
        element(
            "div",
            table(["Quantity", "R-hat", "Effective draws"], numbers),
            table(["Chain", "Draws", "Features", "Ones", "Expected loss", "To pooled"], chains),
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
