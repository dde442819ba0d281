"""The verdict of a report: a few sentences that say what was found and how far to trust it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from fangs.plot.search_starts import comparable_starts
from fangs.report.facts import Facts
from fangs.report.words import DISAGREE, FEW_DRAWS, count, count_effective, listed, rounded

SURE = 0.9
UNSURE = 0.6
"""A one counts as sure from the former share of draws on, as unsure below the latter."""


@dataclass(frozen=True)
class Remark:
    """A sentence, and whether it is good news, a plain fact or a warning."""

    kind: Literal["good", "fact", "warning"]
    text: str


def headline(facts: Facts) -> str:
    """What was found, in one sentence."""
    e = facts.estimate
    return (
        f"The estimate has {count(e.n_features, 'feature')} over {count(e.n_items, 'item')}, "
        f"with {count(e.n_ones, 'one')}."
    )


def verdict(facts: Facts) -> list[Remark]:
    """Every remark, in the order of reading."""
    return [
        *_note(facts),
        _loss(facts),
        *_certainty(facts),
        _number(facts),
        _optimality(facts),
        *_ties(facts),
        *_starts(facts),
        *_chains(facts),
        *_modes(facts),
        *_better(facts),
        *_few_draws(facts),
        *_left_out(facts),
    ]


def _note(facts: Facts) -> list[Remark]:
    note = facts.estimate.note
    return [Remark("warning", f"{note[0].upper()}{note[1:]}.")] if note else []


def _loss(facts: Facts) -> Remark:
    e, ball = facts.estimate, facts.ball
    loss = (
        f"Its expected FARO loss is {rounded(e.expected_loss, 6)} at a = 1: on average a draw differs from "
        f"it in {rounded(e.expected_loss)} entries, after alignment."
        if e.a == 1
        else f"Its expected FARO loss is {rounded(e.expected_loss, 6)} at a = {e.a:g}: after alignment, an "
        f"extra one costs {e.a:g} and a missed one {2 - e.a:g}."
    )
    by_weight = "" if e.weights is None else ", by weight,"
    within = (
        f"{rounded(100 * ball.coverage)} % of the {e.n_draws:,} draws{by_weight} are within a loss of "
        f"{rounded(ball.radius, 4)}."
    )
    return Remark("fact", f"{loss} {within}")


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
                f"the draws, {unsure:,} in fewer than {100 * UNSURE:.0f} %. "
                f"{facts.summary.error_rates}.",
            )
        )
    features, ones = facts.summary.mean_unmatched
    if features >= 0.05:
        remarks.append(
            Remark(
                "fact",
                f"On average {rounded(features, 2)} features of a draw, with {rounded(ones, 2)} ones in total, "
                "match no feature of the estimate.",
            )
        )
    return remarks


def _number(facts: Facts) -> Remark:
    posterior, n_features = facts.summary.n_features, facts.estimate.n_features
    low, high = posterior.interval(facts.level)
    share = posterior.probabilities[posterior.values == n_features].sum()
    spread = f"{low}" if low == high else f"{low} to {high}"
    text = (
        f"{rounded(100 * share)} % of the draws also have {count(n_features, 'feature')}; "
        f"{rounded(100 * facts.level)} % have {spread}."
    )
    if low <= n_features <= high:
        return Remark("fact", text)
    why = (
        " The estimate has fewer: the draws do not agree on the others."
        if n_features < low
        else " The estimate has more: it unites features that no single draw has together."
    )
    return Remark("warning", text + why)


def _optimality(facts: Facts) -> Remark:
    certificate = facts.certificate
    if certificate.is_global_optimum:
        return Remark("good", "It is proved that no allocation has a lower expected loss.")
    flips = (
        "No single flip lowers the expected loss"
        if facts.estimate.is_flip_optimal
        else "A single flip that lowers the expected loss was not ruled out"
    )
    return Remark(
        "good" if facts.estimate.is_flip_optimal else "warning",
        f"{flips}. No allocation has an expected loss below {rounded(certificate.lower_bound, 4)}, so a "
        f"better one could save at most {rounded(certificate.gap_percent, 2)} %.",
    )


def _ties(facts: Facts) -> list[Remark]:
    if not facts.estimate.n_ties:
        return []
    return [Remark("fact", f"{_tied(facts)}: the draws do not decide them.")]


def _tied(facts: Facts) -> str:
    return f"{count(facts.estimate.n_ties, 'entry', plural='entries')} could flip at no cost"


def _starts(facts: Facts) -> list[Remark]:
    search = facts.estimate.search
    starts = [] if search is None else comparable_starts(search.starts)
    ends = [start.loss for start in starts if start.loss is not None]
    if len(ends) < 2:
        return []
    best = min(ends)
    same = sum(end <= best + 1e-9 for end in ends)
    if same == len(ends):
        text = f"All {same} sweetened starts ended at the same expected loss"
        if facts.estimate.n_ties:  # the same loss is not the same allocation
            text += f"; {_tied(facts)}"
        return [Remark("good", f"{text}.")]
    text = f"{same} of {len(ends)} sweetened starts reached the lowest expected loss"
    if best > 0:
        text += f"; the worst ended {rounded(100 * (max(ends) / best - 1), 2)} % higher"
    return [Remark("fact", text + ".")]


def _chains(facts: Facts) -> list[Remark]:
    if facts.chains is None:
        return []
    return [Remark("good" if facts.chains.agree else "warning", facts.chains.verdict)]


def _modes(facts: Facts) -> list[Remark]:
    found, e = facts.modes, facts.estimate
    if found is None:
        share = e.between_chains
        if share is None or share < DISAGREE or facts.chains is not None:
            return []
        text = (
            f"The chains disagree: {100 * share:.0f} % of the variance of the entries lies between "
            "them. Look at fangs.compare_chains(draws) and fangs.modes(draws)."
        )
        return [Remark("warning", text)]
    if found.n_modes == 1:
        return []
    shares = listed([f"{rounded(100 * weight)} %" for weight in found.weights])
    text = (
        f"The draws have {found.n_modes} modes, with {shares} of them: one estimate cannot "
        f"describe them all. With an estimate for each, the expected loss is "
        f"{rounded(found.expected_loss, 6)} instead of {rounded(found.curve[0], 6)}."
    )
    return [Remark("warning", text)]


def _better(facts: Facts) -> list[Remark]:
    if facts.better is None:
        return []
    return [
        Remark(
            "warning",
            "Another allocation, found while this page was made, has the lower expected loss "
            f"{rounded(facts.better.expected_loss, 6)}; fangs.estimate(draws) looks for the best.",
        )
    ]


def _few_draws(facts: Facts) -> list[Remark]:
    n_draws, effective = facts.estimate.n_draws, facts.estimate.effective_draws
    if n_draws >= FEW_DRAWS and effective < FEW_DRAWS:
        text = f"The weights of the {n_draws:,} draws are as good as {count_effective(effective)}."
        return [Remark("warning", text)]
    if n_draws >= FEW_DRAWS:
        return []
    text = f"There are only {count(n_draws, 'draw')}: shares and intervals are rough."
    return [Remark("warning", text)]


def _left_out(facts: Facts) -> list[Remark]:
    if not facts.left_out:
        return []
    return [Remark("fact", f"Left out, because it would take long: {listed(facts.left_out)}.")]
