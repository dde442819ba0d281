"""What notebooks show of each result: a compact table and a small picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.alternatives.compare import Comparison
from fangs.bounds import Certificate
from fangs.check.text import count, count_effective, rounded, rounded_alike, time_taken
from fangs.draws.samples import Samples
from fangs.estimate import FIELDS, Estimate
from fangs.modes import Modes
from fangs.path import Choice, SparsityPath
from fangs.plot.order import item_order
from fangs.posterior.alignment import Alignment
from fangs.posterior.ball import CredibleBall
from fangs.posterior.chains import ChainComparison
from fangs.posterior.error_rates import ErrorRates, shares_inside
from fangs.posterior.similarity import pairwise_similarity
from fangs.posterior.summary import Summary
from fangs.report.charts import bar_chart, chart_image, loss_chart, path_chart
from fangs.report.heat import TALLEST, picture, signed
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
    inside, _ = shares_inside(estimate.matrix, estimate.proportions)
    sizes = estimate.matrix.sum(axis=0, dtype=np.int64).tolist()
    rows = [
        [name, f"{size:,}", f"{share / size:.2f}"]
        for name, size, share in zip(estimate.feature_names, sizes, inside, strict=True)
    ]
    table = [grid(["feature", "items", "mean proportion"], rows)] if rows else []
    caption = _explained(estimate.n_items)
    return beside("Estimate", *_said(estimate), *table, image=_matrix(estimate), caption=caption)


def samples_html(samples: Samples) -> str:
    """The numbers of the draws next to the similarity of their items."""
    info = samples.info
    low, high = int(samples.n_features.min()), int(samples.n_features.max())
    rows: list[tuple[str, Any]] = [
        ("draws", f"{len(samples):,}"),
        ("items", f"{samples.n_items:,}"),
        ("features", str(low) if low == high else f"{low} to {high}"),
        ("ones", f"{rounded(info.total_ones / info.total_weight, 4)} on average"),
    ]
    if samples.weights is not None:
        rows.append(("effective draws", count_effective(samples.effective_draws)))
    if samples.chains is not None:
        rows.append(("chains", len(samples.info.chain_names)))
    if samples.note:
        rows.append(("note", samples.note))
    if samples.n_items > ITEMS:
        return beside("Samples", name_values(rows))
    some = info.counted[np.unique(np.linspace(0, len(info.counted) - 1, DRAWS).astype(np.int64))]
    shared = pairwise_similarity(samples.select(some))
    order = item_order(np.round(shared, 1))
    values = shared[np.ix_(order, order)] / max(float(shared.max()), 1e-9)
    image = picture(values, alt="features that items share", **_size(values.shape))
    return beside(
        "Samples", name_values(rows), image=image, caption="items × items; blue: features shared"
    )


def comparison_html(found: Comparison) -> str:
    """The methods of a comparison, and their losses as bars."""
    header = ["method", "expected loss", "features", "ones", "time", "known as"]
    ended = [row for row in found.rows if row.expected_loss is not None]
    losses = [row.expected_loss or 0.0 for row in ended]
    shown = dict(zip([row.method for row in ended], rounded_alike(losses), strict=True))
    rows = [
        [row.method, *["–"] * 4, row.label]
        if row.estimate is None
        else [
            row.method,
            shown[row.method],
            row.n_features,
            f"{row.n_ones:,}",
            time_taken(row.seconds or 0.0),
            row.label,
        ]
        for row in found.rows
    ]
    title = f"Expected loss at a = {found.a:g}; the lowest is blue"
    chart = bar_chart([row.method for row in ended], losses, title)
    notes = [sentence(row.described) for row in found.rows if row.note]
    image = chart_image(chart, alt=title) if ended else ""
    return beside("Comparison", grid(header, rows), *notes, image=image, caption=title)


def summary_html(found: Summary) -> str:
    """A row per feature, next to the entries shaded by their share of draws."""
    f, level = found.features, f"{rounded(100 * found.level, 4)} %"
    wrong = found.error_rates.feature_false_discovery
    rows = [
        [
            found.feature_names[j],
            f"{f.size[j]:,}",
            f"{100 * wrong[j]:.1f} %",
            f"{f.jaccard[j]:.3f}",
            f"{100 * f.present[j]:.1f} %",
            "{:,.0f} to {:,.0f}".format(*f.size_interval[j])
            if f.matched[j] > 0
            else "never matched",
        ]
        for j in range(len(f.size))
    ]
    header = ["feature", "items", "wrong", "Jaccard", "present", f"items in draws, {level}"]
    parts = [
        grid(header, rows),
        sentence(f"Features in a draw: {found.n_features.describe(found.level)}."),
        sentence(f"{found.error_rates}."),
        *([sentence(f"Note: {found.note}.")] if found.note else []),
    ]
    image = _shaded(found.matrix, found.proportions)
    return beside("Summary", *parts, image=image, caption=_explained(len(found.matrix)))


def chains_html(found: ChainComparison) -> str:
    """The verdict, a row per chain, and how far apart each two are."""
    losses = _losses(found.estimates)
    rows = [
        [
            found.chains[c],
            f"{found.n_draws[c]:,}",
            e.n_features,
            losses[c],
            rounded(found.to_pooled[c], 6),
        ]
        for c, e in enumerate(found.estimates)
    ]
    rhat = ", ".join(f"{name} {value:.3f}" for name, value in found.rhat.items())
    # Blue where chains agree (0.5), orange where they are apart (1).
    values = 1.0 - 4.0 * (np.clip(found.separation, 0.5, 1.0) - 0.5)
    cell = int(np.clip(160 // len(values), 8, 40))
    return beside(
        "ChainComparison",
        sentence(found.verdict),
        grid(["chain", "draws", "features", "expected loss", "to pooled"], rows),
        sentence(f"R-hat: {rhat}."),
        image=picture(values, alt="separation of the chains", cell=cell),
        caption="chains × chains; blue: they agree, orange: they are apart",
    )


def ball_html(found: CredibleBall) -> str:
    """Radius, coverage and bounds, over the losses of the draws."""
    fewest, most = found.sizes
    n_draws = len(found.losses)
    inside = f"{len(found.members):,} of {n_draws:,} ({100 * found.coverage:.1f} %)"
    rows: list[tuple[str, Any]] = [
        ("level", f"{rounded(100 * found.level, 4)} %"),
        ("radius", f"{rounded(found.radius, 6)} at a = {found.a:g}"),
        ("draws inside", inside),
        ("farthest", _draws(found.horizontal)),
        (f"fewest {found.vertical}", f"{fewest}: {_draws(found.lower)}"),
        (f"most {found.vertical}", f"{most}: {_draws(found.upper)}"),
    ]
    if found.note:
        rows.append(("note", found.note))
    mean = float(np.average(found.losses, weights=found.weights))
    chart = loss_chart(found.losses.tolist(), mean, found.radius, found.weights)
    image = chart_image(chart, alt="losses of the draws and the radius")
    caption = "loss of each draw from the estimate; draws are numbered from 0"
    return beside("CredibleBall", name_values(rows), image=image, caption=caption)


def path_html(found: SparsityPath) -> str:
    """A row per penalty, and the number of features as steps."""
    rows = [
        [f"{e.a:g}", e.n_features, f"{e.n_ones:,}", loss, e.n_ties]
        for e, loss in zip(found.estimates, _losses(found.estimates), strict=True)
    ]
    return beside(
        "SparsityPath",
        grid(["a", "features", "ones", "expected loss", "ties"], rows),
        image=chart_image(path_chart(found), alt="features against a"),
        caption="features of the best allocation found at each a",
    )


def certificate_html(found: Certificate) -> str:
    """The sentence of a certificate, and its bounds in per cent of the loss."""
    loss = found.expected_loss
    shares = [100.0 * b / loss if loss > 0 else 100.0 for b in found.bounds.values()]
    rows: list[tuple[str, Any]] = [
        ("expected loss", f"{rounded(loss, 6)} at a = {found.a:g}"),
        ("lower bound", f"{rounded(found.lower_bound, 6)} by {found.method}"),
        ("gap", f"{rounded(found.gap, 4)}, {found.gap_percent:.1f} % of the loss")
        if found.gap > 0
        else ("gap", "none"),
        ("globally optimal", "proved" if found.is_global_optimum else "not proved"),
    ]
    chart = bar_chart(list(found.bounds), shares, "Lower bounds, per cent of the loss", full=100.0)
    return beside(
        "Certificate",
        name_values(rows),
        sentence(str(found)),
        image=chart_image(chart, alt="lower bounds in per cent of the loss"),
        caption="lower bound by each method, in per cent of the expected loss",
    )


def choice_html(found: Choice) -> str:
    """Why this penalty, and the estimate there."""
    e = found.estimate
    rates = sentence(f"{ErrorRates.of(e.matrix, e.proportions)}.")
    return beside(
        "Choice",
        sentence(found.explanation),
        *_said(e),
        rates,
        image=_matrix(e),
        caption=_explained(e.n_items),
    )


def modes_html(found: Modes) -> str:
    """A row per mode, and the matrices side by side with their differences."""
    counts = np.bincount(found.labels, minlength=found.n_modes)
    losses = _losses(found.estimates)
    rows = [
        [
            m + 1,
            f"{100 * found.weights[m]:.1f} %",
            f"{counts[m]:,}",
            e.n_features,
            f"{e.n_ones:,}",
            losses[m],
        ]
        for m, e in enumerate(found.estimates)
    ]
    matrices = found.aligned()
    in_all = np.all(matrices, axis=0)
    gap = np.zeros((len(in_all), max(1, in_all.shape[1] // 12)))
    blocks: list[npt.NDArray[np.float64]] = []
    for matrix in matrices:
        blocks += [np.where(in_all, 1.0, -1.0) * matrix, gap]
    values = np.hstack(blocks[:-1])[item_order(np.hstack(matrices))]
    nearest = rounded(found.expected_loss, 6)
    loss = f"Expected loss to the nearest of them: {nearest} at a = {found.a:g}."
    return beside(
        "Modes",
        sentence(found.explanation),
        grid(["mode", "weight", "draws", "features", "ones", "expected loss"], rows),
        sentence(loss),
        image=picture(values, alt="the estimates of the modes", **_size(values.shape)),
        caption="modes side by side, features aligned; blue in all, orange not in all",
    )


def alignment_html(found: Alignment) -> str:
    """How often each feature of the reference is matched, next to the shares of the draws."""
    shares = found.matched_shares
    sizes = found.reference.sum(axis=0, dtype=np.int64)
    rows = [
        [name, f"{size:,}", f"{100 * share:.1f} %"]
        for name, size, share in zip(found.feature_names, sizes, shares, strict=True)
    ]
    unmatched = len(found.unmatched.draw)
    words = (
        f"{count(found.n_draws, 'draw')} aligned to {count(len(rows), 'feature')}; "
        f"{count(unmatched, 'feature')} of draws unmatched."
    )
    return beside(
        "Alignment",
        sentence(words),
        grid(["feature", "items", "matched in"], rows),
        image=_shaded(found.reference, found.proportions),
        caption="items × features; blue in the reference, orange not; the stronger, the more draws",
    )


def _losses(estimates: Sequence[Estimate]) -> list[str]:
    return rounded_alike([e.expected_loss for e in estimates])


def _said(estimate: Estimate) -> list[Html]:
    """What print says of an estimate."""
    return [sentence(words) for field in FIELDS if (words := field.words(estimate))]


def _matrix(e: Estimate) -> Html:
    return _shaded(e.matrix, e.proportions)


def _shaded(matrix: npt.NDArray[Any], proportions: npt.NDArray[Any]) -> Html:
    if len(matrix) > TALLEST:  # a picture has no more rows; those not shown are not looked at
        shown = np.linspace(0, len(matrix) - 1, TALLEST).astype(np.int64)
        matrix, proportions = matrix[shown], proportions[shown]
    values = signed(matrix, proportions)[item_order(matrix)]
    return picture(values, alt="the matrix, shaded by share of draws", **_size(values.shape))


def _explained(n_items: int) -> str:
    """What the picture of a matrix shows."""
    shown = f"{TALLEST:,} of the {n_items:,} {MATRIX}" if n_items > TALLEST else MATRIX
    return f"{shown}; paler where several items share a line" if n_items > HEIGHT else shown


def _size(shape: tuple[int, ...]) -> dict[str, int]:
    """A small picture, also of many items: a notebook has other things to show."""
    return {"cell": int(np.clip(200 // max(shape), 2, 16)), "rows": HEIGHT, "height": HEIGHT}


def _draws(draws: Sequence[int] | npt.NDArray[Any]) -> str:
    if len(draws) == 1:
        return f"draw {draws[0]}"
    return f"{count(len(draws), 'draw')}, such as draw {draws[0]}"
