"""The verdict of a report: a few sentences that say what was found and how far to trust it."""

from __future__ import annotations

import numpy as np

from fangs.check.call import Call
from fangs.check.text import count, join_words, rounded, with_error
from fangs.plot.search_starts import comparable_starts
from fangs.posterior.assess import OTHER_DRAWS
from fangs.report.gather import BEST_BOUND, Facts
from fangs.report.remark import Remark
from fangs.report.verdict_draws import on_chains, on_few_draws, on_modes

SURE = 0.9
UNSURE = 0.6
"""A one counts as sure from the former share of draws on, as unsure below the latter."""
RARE = 0.05
"""Share of the draws below which a number of features is rare."""


def headline(facts: Facts) -> str:
    """What was found, in one sentence."""
    e = facts.estimate
    has = (
        f"has {count(e.n_features, 'feature')} over {count(e.n_items, 'item')}, "
        f"with {count(e.n_ones, 'one')}."
    )
    if e.chains_apart:
        return f"The chains are in different modes. The estimate of all draws, pooled, {has}"
    return f"The estimate {has}"


def verdict(facts: Facts) -> list[Remark]:
    """Every remark, in the order of reading."""
    on_draws = [*on_chains(facts), *on_modes(facts)]
    comes_first = bool(facts.estimate.chains_apart)
    return [
        *_note(facts),
        *(on_draws if comes_first else []),
        _loss(facts),
        *_certainty(facts),
        _number(facts),
        _optimality(facts),
        *_ties(facts),
        *_starts(facts),
        *([] if comes_first else on_draws),
        *_better(facts),
        *on_few_draws(facts),
        *_left_out(facts),
    ]


def _note(facts: Facts) -> list[Remark]:
    note = facts.estimate.origin
    if not note:
        return []
    text = f"{note[0].upper()}{note[1:]}."
    if note != OTHER_DRAWS:
        return [Remark("warning", text)]
    return [Remark("warning", f"{text} This estimates from these draws:", _estimate(facts))]


def _estimate(facts: Facts) -> Call:
    """The call that looks for the best allocation at the penalty of the report."""
    return Call("estimate", "draws", {"a": facts.estimate.a})


def _loss(facts: Facts) -> Remark:
    e, ball = facts.estimate, facts.ball
    entries = e.n_items * e.n_features
    mean = with_error(e.expected_loss, e.loss_error)
    loss = f"Its expected FARO loss is {mean} at a = {e.a:g}"
    loss += " (± one Monte Carlo standard error): " if e.loss_error else ": "
    if e.a == 1:
        loss += "on average so many entries of a draw differ from it, after alignment."
        size = f"{e.n_items:,} × {e.n_features:,} = {entries:,} entries"
        if entries and e.expected_loss > entries:
            loss += f" That is more than the {size} of the estimate, because draws have features "
            loss += "that it lacks."
        elif entries:
            share = rounded(100 * e.expected_loss / entries, 2)
            loss += f" The estimate has {size}, so that is {share} % of them."
    else:
        loss += f"after alignment, an extra one costs {e.a:g} and a missed one {2 - e.a:g}."
    by_weight = "" if e.weights is None else ", by weight,"
    within = (
        f"Of the {e.n_draws:,} draws, {rounded(100 * ball.coverage)} %{by_weight} are within a "
        f"loss of {rounded(ball.radius, 4)}."
    )
    return Remark("fact", f"{loss} {_scale(facts)} {within}")


def _scale(facts: Facts) -> str:
    """What other allocations have: the best draw, and none of the information."""
    empty = f"an empty matrix, which uses no information, has {rounded(facts.empty_loss)}"
    if facts.draw_loss is None:
        return f"For comparison: {empty}."
    return f"For comparison: the best draw found has {rounded(facts.draw_loss, 6)}, and {empty}."


def _certainty(facts: Facts) -> list[Remark]:
    e = facts.estimate
    remarks = []
    if e.n_ones:
        shares = e.proportions[e.matrix == 1]
        sure, unsure = np.count_nonzero(shares >= SURE), np.count_nonzero(shares < UNSURE)
        text = (
            f"{sure:,} of the {count(e.n_ones, 'one')} are in at least {100 * SURE:.0f} % of the "
            f"draws, {unsure:,} in fewer than {100 * UNSURE:.0f} %. {facts.summary.error_rates}."
        )
        remarks.append(Remark("good" if sure >= SURE * e.n_ones else "fact", text))
    features, ones = facts.summary.mean_unmatched
    if features >= 0.05:
        text = (
            f"On average {rounded(features, 2)} features of a draw, with {rounded(ones, 2)} ones "
            "in total, match no feature of the estimate."
        )
        remarks.append(Remark("fact", text))
    return remarks


def _number(facts: Facts) -> Remark:
    posterior, n_features = facts.summary.n_features, facts.estimate.n_features
    low, high = posterior.interval(facts.level)
    share = posterior.probabilities[posterior.values == n_features].sum()
    spread = f"{low}" if low == high else f"{low} to {high}"
    if share == 1:
        return Remark("fact", f"All draws also have {count(n_features, 'feature')}.")
    text = (
        f"{rounded(100 * share)} % of the draws also have {count(n_features, 'feature')}; "
        f"{rounded(100 * facts.level)} % have {spread}."
    )
    if low <= n_features <= high and share >= RARE:
        return Remark("fact", text)
    if n_features < posterior.mode:
        why = " The estimate has fewer: the draws do not agree on the others."
    elif n_features > posterior.mode:
        why = " The estimate has more: it unites features that no single draw has together."
    else:
        why = ""
    usual = Call("choose_a", "draws", {"n_features": posterior.mode})
    why += f" The most frequent number is {posterior.mode}; this gives an estimate with so many:"
    return Remark("warning", text + why, usual)


def _optimality(facts: Facts) -> Remark:
    certificate = facts.certificate
    if certificate.is_global_optimum:
        of = " over these pooled draws" if facts.estimate.chains_apart else ""
        return Remark("good", f"It is proved that no allocation has a lower expected loss{of}.")
    bound = (
        f"No allocation has an expected loss below {rounded(certificate.lower_bound, 4)}, so a "
        f"better one could save at most {rounded(certificate.gap_percent, 2)} %."
    )
    if facts.estimate.is_flip_optimal:
        text = f"No single flip lowers the expected loss. {bound}"
        if BEST_BOUND in facts.left_out:  # another remark says how to add it
            return Remark("good", text)
        call = Call("certify", "estimate, draws", {"max_seconds": 60})
        return Remark("good", f"{text} More time may prove more:", call)
    text = f"A single flip that lowers the expected loss was not ruled out. {bound}"
    return Remark("warning", f"{text} A search goes on until none does:", _estimate(facts))


def _ties(facts: Facts) -> list[Remark]:
    if not facts.estimate.n_ties:
        return []
    tied = f"{count(facts.estimate.n_ties, 'entry', plural='entries')} could flip at no cost"
    what = "it" if facts.estimate.n_ties == 1 else "them"
    text = f"{tied}: the draws do not decide {what}. The sparser choice was taken."
    return [Remark("fact", text)]


def _starts(facts: Facts) -> list[Remark]:
    search = facts.estimate.search
    starts = [] if search is None else comparable_starts(search.starts)
    ends = [start.loss for start in starts if start.loss is not None]
    if len(ends) < 2:
        return []
    best = min(ends)
    same = sum(end <= best + 1e-9 for end in ends)
    if same == len(ends):
        return [Remark("good", f"All {same} sweetened starts ended at the same expected loss.")]
    text = f"{same} of {len(ends)} sweetened starts reached the lowest expected loss"
    if best > 0:
        text += f"; the worst ended {rounded(100 * (max(ends) / best - 1), 2)} % higher"
    return [Remark("fact", text + ".")]


def _better(facts: Facts) -> list[Remark]:
    if facts.better is None:
        return []
    text = (
        "Another allocation, found while this page was made, has the lower expected loss "
        f"{rounded(facts.better.expected_loss, 6)}. This looks for the best:"
    )
    return [Remark("warning", text, _estimate(facts))]


def _left_out(facts: Facts) -> list[Remark]:
    if not facts.left_out:
        return []
    text = f"Left out, because it would take long: {join_words(facts.left_out)}. This adds it:"
    return [Remark("fact", text, 'estimate.report("report.html", draws, effort="full")')]
