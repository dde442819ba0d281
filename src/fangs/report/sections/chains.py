"""The section that compares the chains."""

from __future__ import annotations

from fangs._words import rounded
from fangs.report.facts import Facts
from fangs.report.markup import Html, element, note, section, table


def chains_section(facts: Facts) -> Html | None:
    """Whether the chains agree as allocations, whatever the labels of their features."""
    found = facts.chains
    if found is None:
        return None
    names = {"features": "number of features", "ones": "number of ones", "loss": "loss"}
    numbers = [
        [names[key], f"{found.rhat[key]:.3f}", f"{found.ess[key]:.0f}"] for key in found.rhat
    ]
    chains = [
        [
            found.chains[c],
            f"{n_draws:,}",
            e.n_features,
            e.n_ones,
            rounded(e.expected_loss, 6),
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
        element("p", found.verdict),
        element(
            "div",
            table(["Of the", "R-hat", "Effective draws"], numbers),
            table(["Chain", "Draws", "Features", "Ones", "Expected loss", "To pooled"], chains),
            class_="pair",
        ),
        table(["", *others], between),
        note(
            "Loss between the estimates of two chains at a = 1. In brackets: the share of their "
            "held-out draws that are nearer to the estimate of their own chain. It is about 50 % "
            "where chains agree and 100 % where they are apart."
        ),
    )
