"""The section on modes: several estimates side by side, where one is not enough."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fangs.check.text import count, join_words, rounded
from fangs.modes import Modes
from fangs.modes.aligned import aligned_columns
from fangs.plot.order import item_order
from fangs.report.gather import Facts
from fangs.report.heat import picture
from fangs.report.markup import Html, element, figure, note, section, table
from fangs.report.sections.features import feature_table
from fangs.report.tables import modes_table

DIFFERENCES = 12
"""Items that are named for each mode."""
NAMED = 12
"""Doubtful draws that are named."""


def modes_section(facts: Facts) -> Html | None:
    """The estimates of all modes, aligned to each other, with their weights and chains."""
    found = facts.modes
    if found is None or found.n_modes == 1:
        return None
    return section(
        "modes",
        "Modes",
        element("p", found.explanation),
        table(*modes_table(found)),
        element("div", *_pictures(found), class_="thumbs modes"),
        note(
            "Items (rows) by features (columns) of each mode, the features aligned to those of "
            "mode 1. Blue: in all modes; orange: not in all. Expected loss: over the draws of the "
            "mode. To mode: loss between the estimates at a = 1."
        ),
        *_by_chain(found),
        *_doubtful(found),
        *(_each(found, m, facts.level) for m in range(found.n_modes)),
        note("Numbers of a mode are over its own draws. Its columns are explained under Features."),
    )


def _each(found: Modes, mode: int, level: float) -> Html:
    """What an estimate gets, for one mode: its ball, error rates and features."""
    its = found.summary(mode, level=level)
    ball = str(found.credible_ball(mode, level=level)).splitlines()[0]
    return element(
        "details",
        element("summary", f"Mode {mode + 1}: its features and credible ball"),
        element("p", f"{ball}. {its.error_rates}.{_columns(found, mode)}"),
        *feature_table(found.estimates[mode], its),
        open="open",
    )


def _columns(found: Modes, mode: int) -> str:
    """Which of a mode's own features the columns of its picture are, where the order differs."""
    order = aligned_columns([e.matrix for e in found.estimates])[mode]
    shown, names = order[order >= 0], found.estimates[mode].feature_names
    if np.array_equal(shown, np.arange(len(shown))):
        return ""
    return (
        f" Its picture shows, from left to right, features {join_words([names[j] for j in shown])}."
    )


def _pictures(found: Modes) -> list[Html]:
    order = item_order(np.hstack(found.aligned()))
    labels = found.estimates[0].item_names
    figures = []
    for m, values in enumerate(found.differences()):
        differing = np.flatnonzero((values < 0).any(axis=1))
        names = _first([labels[i] for i in differing], DIFFERENCES)
        words = f" It has ones that not all modes have for {names}" if names else ""
        image = picture(values[order], alt=f"estimate of mode {m + 1}", cell=12)
        caption = f"Mode {m + 1}, {rounded(100 * found.weights[m])} % of the draws.{words}"
        figures.append(figure(image, caption))
    return figures


def _first(names: Sequence[Any], most: int) -> str:
    """The first of some names, and an ellipsis where there are more."""
    return ", ".join([*map(str, names[:most]), *(["…"] if len(names) > most else [])])


def _by_chain(found: Modes) -> list[Html]:
    if found.by_chain is None:
        return []
    rows = [
        [chain, *(f"{n:,}" for n in counts)]
        for chain, counts in zip(found.chains, found.by_chain, strict=True)
    ]
    what = "Draws" if found.engine.samples_info.weights is None else "Weight"
    return [table(["Chain", *(f"{what} in mode {m + 1}" for m in range(found.n_modes))], rows)]


def _doubtful(found: Modes) -> list[Html]:
    if not len(found.doubtful):
        return [element("p", "Every draw is clearly nearest to one mode.")]
    named = _first(found.doubtful.tolist(), NAMED)
    draws = count(len(found.doubtful), "draw")
    return [element("p", f"Nearly as near to a second mode: {draws} ({named}).")]
