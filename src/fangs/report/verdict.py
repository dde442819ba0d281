"""The verdict of a report: a few sentences that say what was found and how far to trust it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from fangs.report.facts import Facts

FEW_DRAWS = 100
"""Fewer than this many draws are warned about."""
SURE = 0.9
UNSURE = 0.6
"""Shares of draws from which, and below which, a one counts as sure and as unsure."""


@dataclass(frozen=True)
class Remark:
    """A sentence, and whether it is good news, a plain fact or a warning."""

    kind: Literal["good", "fact", "warning"]
    text: str


def headline(facts: Facts) -> str:
    """What was found, in one sentence."""
    e = facts.estimate
    return (
        f"The draws are best summed up by {count(e.n_features, 'feature')} over "
        f"{count(e.n_items, 'item')}, with {count(e.n_ones, 'one')}."
    )


def verdict(facts: Facts) -> list[Remark]:
    """Every remark, in the order of reading."""
    remarks = [_loss(facts), *_certainty(facts), _number(facts), _optimality(facts)]
    remarks += [*_starts(facts), *_chains(facts)]
    if facts.lowest_loss < facts.estimate.expected_loss * (1 - 1e-9):
        remarks.append(
            Remark(
                "warning",
                "Another allocation, met while this page was made, has the lower expected loss "
                f"{facts.lowest_loss:.6g}; search longer: fangs.estimate(draws, max_seconds=60).",
            )
        )
    if facts.estimate.n_draws < FEW_DRAWS:
        remarks.append(
            Remark(
                "warning",
                f"There are only {count(facts.estimate.n_draws, 'draw')}: shares and intervals "
                "are rough.",
            )
        )
    if facts.left_out:
        remarks.append(
            Remark("fact", f"Left out, because it would take long: {_listed(facts.left_out)}.")
        )
    return remarks


def _loss(facts: Facts) -> Remark:
    e, ball = facts.estimate, facts.ball
    return Remark(
        "fact",
        f"Its expected FARO loss is {e.expected_loss:.6g} at a = {e.a:g}: "
        + (
            "so many entries of a draw differ from it on average, columns aligned. "
            if e.a == 1
            else "an extra one costs a, a missed one 2 − a, columns aligned. "
        )
        + f"{100 * ball.coverage:.3g} % of the {e.n_draws:,} draws are within {ball.radius:.4g}.",
    )


def _certainty(facts: Facts) -> list[Remark]:
    e = facts.estimate
    remarks = []
    if e.n_ones:
        shares = e.proportions[e.matrix == 1]
        sure = np.count_nonzero(shares >= SURE)
        unsure = np.count_nonzero(shares < UNSURE)
        remarks.append(
            Remark(
                "good" if sure >= SURE * e.n_ones else "fact",
                f"{sure:,} of the {count(e.n_ones, 'one')} are in at least {100 * SURE:.0f} % of "
                f"the draws, {unsure:,} in fewer than {100 * UNSURE:.0f} %.",
            )
        )
    features, ones = facts.summary.unmatched_features.mean(), facts.summary.unmatched_ones.mean()
    if features >= 0.05:
        remarks.append(
            Remark(
                "fact",
                f"On average {features:.2g} features of a draw, with {ones:.2g} ones in all, match "
                "nothing in the estimate.",
            )
        )
    return remarks


def _number(facts: Facts) -> Remark:
    posterior, n_features = facts.summary.n_features, facts.estimate.n_features
    low, high = posterior.interval(facts.level)
    at = np.flatnonzero(posterior.values == n_features)
    share = posterior.probabilities[at].sum()
    spread = f"{low}" if low == high else f"{low} to {high}"
    text = (
        f"{100 * share:.3g} % of the draws have {count(n_features, 'feature')} as well; "
        f"{100 * facts.level:.3g} % have {spread}."
    )
    if low <= n_features <= high:
        return Remark("fact", text)
    why = (
        " The estimate has fewer: the draws do not agree on what the others are."
        if n_features < low
        else " The estimate has more: no draw holds all that the draws have in common."
    )
    return Remark("warning", text + why)


def _optimality(facts: Facts) -> Remark:
    certificate = facts.certificate
    if certificate.is_global_optimum:
        return Remark("good", "It is proved that no allocation has a lower expected loss.")
    flips = (
        "No single flip lowers the expected loss"
        if facts.estimate.is_flip_optimal
        else "It was not ruled out that a single flip lowers the expected loss"
    )
    return Remark(
        "good" if facts.estimate.is_flip_optimal else "warning",
        f"{flips}. No allocation at all is below {certificate.lower_bound:.4g}, so that at "
        f"most {certificate.gap_percent:.2g} % of the estimate's loss could be saved.",
    )


def _starts(facts: Facts) -> list[Remark]:
    search = facts.estimate.search
    if search is None:
        return []
    ends = [start.loss for start in search.starts if start.loss is not None]
    if len(ends) < 2:
        return []
    best = min(ends)
    same = sum(end <= best + 1e-9 for end in ends)
    if same == len(ends):
        return [Remark("good", f"All {same} sweetened starts ended at the same expected loss.")]
    return [
        Remark(
            "fact",
            f"{same} of {len(ends)} sweetened starts reached the lowest expected loss; the worst "
            f"ended {100 * (max(ends) / best - 1):.2g} % higher."
            if best > 0
            else f"{same} of {len(ends)} sweetened starts reached the lowest expected loss.",
        )
    ]


def _chains(facts: Facts) -> list[Remark]:
    if facts.chains is None:
        return []
    return [Remark("good" if facts.chains.agree else "warning", facts.chains.verdict)]


def count(number: int, noun: str) -> str:
    """A number with its noun.

    Examples
    --------
    >>> count(1, "draw"), count(2000, "draw")
    ('1 draw', '2,000 draws')
    """
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _listed(words: tuple[str, ...]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
