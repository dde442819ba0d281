"""What notebooks show of each result: a compact table and a small picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.alternatives.compare import Comparison
from fangs.bounds import Certificate
from fangs.check.text import count, count_effective, rounded, rounded_alike, span, time_taken
from fangs.draws.samples import Samples
from fangs.estimate import FIELDS, Estimate
from fangs.modes import Modes
from fangs.path import Choice, SparsityPath
from fangs.plot.order import item_order
from fangs.plot.outline import outline
from fangs.plot.penalties import percents
from fangs.plot.shading import highest_shared, signed, with_gaps
from fangs.posterior.alignment import Alignment
from fangs.posterior.ball import CredibleBall
from fangs.posterior.by_chain import FeaturesByChain
from fangs.posterior.chains import ChainComparison
from fangs.posterior.core.result import Core
from fangs.posterior.error_rates import ErrorRates
from fangs.posterior.similarity import pairwise_similarity
from fangs.posterior.stability import Stability
from fangs.posterior.stability.held_out import HALVES, HeldOutLoss
from fangs.posterior.summary import Summary
from fangs.report import tables
from fangs.report.charts import bar_chart, chart_image, loss_chart, path_chart
from fangs.report.heat import TALLEST, outlined_image, picture
from fangs.report.markup import Html
from fangs.report.notebook import beside, grid, name_values, sentence

DRAWS = 200
"""Draws, spread evenly, over which the similarity of items is computed."""
ITEMS = 300
"""Items up to which it is computed at all, because a notebook should not wait."""
HEIGHT = 300
"""Most pixels that a picture is high."""
MATRIX = "items × features; blue in the estimate, orange left out"


def estimate_html(estimate: Estimate) -> str:
    """What print says of an estimate, and its features, next to its matrix."""
    table = [grid(*tables.estimate_table(estimate))] if estimate.n_features else []
    picture = _matrix(estimate.matrix, estimate.proportions)
    return beside("Estimate", *_said(estimate), *table, **picture)


def samples_html(samples: Samples) -> str:
    """The numbers of the draws next to the similarity of their items."""
    info = samples.info
    table = name_values(
        {
            "draws": f"{len(samples):,}",
            "items": f"{samples.n_items:,}",
            "features": span([int(samples.n_features.min()), int(samples.n_features.max())]),
            "ones": f"{rounded(info.total_ones / info.total_weight, 4)} on average",
            "effective draws": ""
            if info.weights is None
            else count_effective(info.effective_draws),
            "chains": len(info.chain_names) or "",
            "note": samples.note,
        }
    )
    if samples.n_items > ITEMS:
        return beside("Samples", table)
    some = info.counted[np.unique(np.linspace(0, len(info.counted) - 1, DRAWS).astype(np.int64))]
    shared = pairwise_similarity(samples.select(some))
    order = item_order(np.round(shared, 1))
    values = shared[np.ix_(order, order)] / highest_shared(shared)
    image = _small(values, alt="features that items share")
    return beside("Samples", table, image=image, caption="items × items; blue: features shared")


def comparison_html(found: Comparison) -> str:
    """The methods of a comparison, and their losses as bars."""
    header = ["Method", "Expected loss", "Features", "Ones", "Time", "Known as"]
    losses = {row.method: row.expected_loss for row in found.rows if row.expected_loss is not None}
    shown = dict(zip(losses, rounded_alike(list(losses.values())), strict=True))
    rows = []
    for row in found.rows:
        numbers: list[Any] = ["–"] * 4
        if row.estimate is not None:
            time = time_taken(row.seconds or 0.0)
            numbers = [shown[row.method], row.n_features, f"{row.n_ones:,}", time]
        rows.append([row.method, *numbers, row.label])
    title = f"Expected loss at a = {found.a:g}; the lowest is blue"
    notes = [sentence(row.described) for row in found.rows if row.note]
    image = chart_image(bar_chart(losses, title), alt=title) if losses else ""
    return beside("Comparison", grid(header, rows), *notes, image=image, caption=title)


def summary_html(found: Summary) -> str:
    """A row per feature, next to the entries shaded by their share of draws."""
    parts = [
        grid(*tables.features_table(found)),
        sentence(f"Features in a draw: {found.n_features.describe(found.level)}."),
        sentence(f"{found.error_rates}."),
        *([sentence(f"Note: {found.note}.")] if found.note else []),
    ]
    return beside("Summary", *parts, **_matrix(found.matrix, found.proportions))


def chains_html(found: ChainComparison) -> str:
    """The verdict, a row per chain, and how far apart each two are."""
    rhat = ", ".join(f"{name} {value:.3f}" for name, value in found.rhat.items())
    # Blue where chains agree (0.5), orange where they are apart (1).
    values = 1.0 - 4.0 * (np.clip(found.separation, 0.5, 1.0) - 0.5)
    cell = int(np.clip(160 // len(values), 8, 40))
    return beside(
        "ChainComparison",
        sentence(found.verdict),
        grid(*tables.chains_table(found)),
        sentence(f"R-hat: {rhat}."),
        image=picture(values, alt="separation of the chains", cell=cell),
        caption="chains × chains; blue: they agree, orange: they are apart",
    )


def by_chain_html(found: FeaturesByChain) -> str:
    """A row per feature with the share of each chain's draws, next to the same as shades."""
    header, *rows = found.rows()
    words = sentence("Share of the chain's draws that have the feature.")
    image = _small(found.shares.T, alt="features by chains") if rows else ""
    caption = "features × chains; the stronger the blue, the more draws have it"
    return beside("FeaturesByChain", grid(header, rows), words, image=image, caption=caption)


def ball_html(found: CredibleBall) -> str:
    """Radius, coverage and bounds, over the losses of the draws."""
    fewest, most = found.sizes
    table = name_values(
        {
            "level": f"{rounded(100 * found.level, 4)} %",
            "radius": f"{found.radius_words} at a = {found.a:g}",
            "draws inside": f"{len(found.members):,} of {len(found.losses):,} "
            f"({100 * found.coverage:.1f} %)",
            "farthest": _draws(found.horizontal),
            f"fewest {found.vertical}": f"{fewest}: {_draws(found.lower)}",
            f"most {found.vertical}": f"{most}: {_draws(found.upper)}",
            "note": found.note,
        }
    )
    image = chart_image(loss_chart(found), alt="losses of the draws and the radius")
    caption = "loss of each draw from the estimate; draws are numbered from 0"
    return beside("CredibleBall", table, image=image, caption=caption)


def core_html(found: Core) -> str:
    """What print says of a core, a row per feature, and the core outlined in the estimate."""
    parts = [
        *(sentence(f"{words}.") for words in found.sentences),
        grid(*tables.core_table(found)),
        *([sentence(f"Note: {found.note}.")] if found.note else []),
    ]
    if len(found.matrix) > HEIGHT:
        return beside("Core", *parts)
    rows = item_order(found.matrix)
    values = np.where(found.matrix[rows] == 1, 0.6, 0.0).astype(np.float64)
    lines = outline(found.entries[rows])
    cell = int(np.clip(200 // max(values.shape), 4, 16))
    words = "the estimate, its core outlined"
    image = outlined_image(values, lines, alt=words, cell=cell, height=HEIGHT)
    caption = "items × features; blue in the estimate, the core outlined"
    return beside("Core", *parts, image=image, caption=caption)


def stability_html(found: Stability) -> str:
    """How much of an estimate the replicates have, next to the share of them with each entry."""
    rows = [
        [name, size, f"{100 * share:.0f} %", always, f"{100 * least:.0f} %"]
        for name, (size, share, always, least) in zip(
            found.feature_names, found.feature_table, strict=True
        )
    ]
    header = ["Feature", "Items", "Found in", "In all", "Least"]
    parts = [
        sentence(found.verdict),
        name_values(found.described | {"note": found.note}),
        *([grid(header, rows)] if rows else []),
    ]
    shown = _matrix(found.matrix, found.entries)
    shown["caption"] += "; the stronger, the more replicates"
    return beside("Stability", *parts, **shown)


def held_out_html(found: HeldOutLoss) -> str:
    """The losses of the two halves."""
    losses = rounded_alike([*found.own.tolist(), *found.held_out.tolist()])
    rows = list(zip(HALVES, losses[:2], losses[2:], strict=True))
    table = grid(["Estimated from", "Its own loss", "Loss over the other half"], rows)
    return beside("HeldOutLoss", table, sentence(f"{found.conclusion}."))


def path_html(found: SparsityPath) -> str:
    """A row per penalty, and the number of features as steps."""
    image = chart_image(path_chart(found), alt="features against a")
    caption = "features of the best allocation found at each a"
    return beside("SparsityPath", grid(*tables.path_table(found)), image=image, caption=caption)


def certificate_html(found: Certificate) -> str:
    """The sentence of a certificate, and its bounds in per cent of the loss."""
    table = name_values(
        {
            "expected loss": f"{rounded(found.expected_loss, 6)} at a = {found.a:g}",
            "lower bound": f"{rounded(found.lower_bound, 6)} by {found.method}",
            "gap": f"{rounded(found.gap, 4)}, {found.gap_percent:.1f} % of the loss"
            if found.gap > 0
            else "none",
            "globally optimal": "proved" if found.is_global_optimum else "not proved",
        }
    )
    chart = bar_chart(percents(found), "Lower bounds, per cent of the loss", full=100.0)
    return beside(
        "Certificate",
        table,
        sentence(str(found)),
        image=chart_image(chart, alt="lower bounds in per cent of the loss"),
        caption="lower bound by each method, in per cent of the expected loss",
    )


def choice_html(found: Choice) -> str:
    """Why this penalty, and the estimate there."""
    e = found.estimate
    rates = sentence(f"{ErrorRates.of(e.matrix, e.proportions)}.")
    parts = [sentence(found.explanation), *_said(e), rates]
    return beside("Choice", *parts, **_matrix(e.matrix, e.proportions))


def modes_html(found: Modes) -> str:
    """A row per mode, and the matrices side by side with their differences."""
    matrices = np.hstack(found.aligned())
    gap = max(1, matrices.shape[1] // found.n_modes // 12)
    values = with_gaps(found.differences(), gap=gap)[item_order(matrices)]
    nearest = rounded(found.expected_loss, 6)
    return beside(
        "Modes",
        sentence(found.explanation),
        grid(*tables.modes_table(found)),
        sentence(f"Expected loss to the nearest of them: {nearest} at a = {found.a:g}."),
        image=_small(values, alt="the estimates of the modes"),
        caption="modes side by side, features aligned; blue in all, orange not in all",
    )


def alignment_html(found: Alignment) -> str:
    """How often each feature of the reference is matched, next to the shares of the draws."""
    sizes = found.reference.sum(axis=0, dtype=np.int64)
    rows = [
        [name, f"{size:,}", f"{100 * share:.1f} %"]
        for name, size, share in zip(found.feature_names, sizes, found.matched_shares, strict=True)
    ]
    words = (
        f"{count(found.n_draws, 'draw')} aligned to {count(len(rows), 'feature')}; "
        f"{count(len(found.unmatched.draw), 'feature')} of draws unmatched."
    )
    picture = _matrix(found.reference, found.proportions)
    picture["caption"] = (
        "items × features; blue in the reference, orange not; the stronger, the more draws"
    )
    table = grid(["Feature", "Items", "Matched in"], rows)
    return beside("Alignment", sentence(words), table, **picture)


def _said(estimate: Estimate) -> list[Html]:
    """What print says of an estimate."""
    return [sentence(words) for field in FIELDS if (words := field.words(estimate))]


def _matrix(matrix: npt.NDArray[Any], proportions: npt.NDArray[Any]) -> dict[str, Any]:
    """The picture of a matrix, and what it shows."""
    n_items, caption = len(matrix), MATRIX
    if n_items > TALLEST:  # a picture has no more rows; those not shown are not looked at
        shown = np.linspace(0, n_items - 1, TALLEST).astype(np.int64)
        matrix, proportions = matrix[shown], proportions[shown]
        caption = f"{TALLEST:,} of the {n_items:,} {caption}"
    if n_items > HEIGHT:
        caption += "; paler where several items share a line"
    values = signed(matrix, proportions)[item_order(matrix)]
    return {"image": _small(values, alt="the matrix, shaded by share of draws"), "caption": caption}


def _small(values: npt.NDArray[np.float64], *, alt: str) -> Html:
    """A small picture, also of many items: a notebook has other things to show."""
    cell = int(np.clip(200 // max(values.shape), 2, 16))
    return picture(values, alt=alt, cell=cell, rows=HEIGHT, height=HEIGHT)


def _draws(draws: Sequence[int] | npt.NDArray[Any]) -> str:
    if len(draws) == 1:
        return f"draw {draws[0]}"
    return f"{count(len(draws), 'draw')}, such as draw {draws[0]}"
