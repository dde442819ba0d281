"""The section on features: a table with a row per feature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fangs.check.text import rounded
from fangs.estimate import Estimate
from fangs.posterior.summary import Summary
from fangs.report.gather import Facts
from fangs.report.markup import Html, element, join, note, section, table
from fangs.report.tables import features_table

MEMBERS = 12
"""Members of a feature that are shown at once."""
ALL_MEMBERS = 300
"""Members of a feature that are listed at all."""
FEATURES = 200
"""Features that the table lists."""


def features_section(facts: Facts) -> Html:
    """A row per feature, and what the columns mean."""
    level = f"{rounded(100 * facts.level, 4)} %"
    words = note(
        "Wrong: share of the members that is expected to be wrong (false discovery rate). "
        "Missed: share of the other items that is expected to belong (false omission rate). "
        "Jaccard: items that this feature and the one aligned to it both have, divided by "
        "items that either has; mean over the draws. Present: share of the draws in which that "
        f"is at least 1/2. Items, {level}: number of items of the features aligned to this one."
    )
    listed, *more = feature_table(facts.estimate, facts.summary)
    return section("features", "Features", listed, words, *more)


def feature_table(e: Estimate, its: Summary) -> list[Html]:
    """A row per feature, and what was left out."""
    if not e.n_features:
        return [element("p", "The estimate has no feature.")]
    header, rows = features_table(its)
    named = zip(rows[:FEATURES], e.features, strict=False)
    lines = [[*row, _members(members)] for row, members in named]
    content = [table([*header, "Members"], lines, sortable=True)]
    if e.n_features > FEATURES:
        content.append(note(f"Only the first {FEATURES} of {e.n_features:,} features are listed."))
    return content


def _members(members: Sequence[Any]) -> Html:
    shown = join(members[:MEMBERS], ", ")
    rest = members[MEMBERS:ALL_MEMBERS]
    if not rest:
        return shown
    more = join(rest, ", ")
    if len(members) > ALL_MEMBERS:
        more = Html(more + f" … and {len(members) - ALL_MEMBERS:,} more, not listed")
    summary = element("summary", f"and {len(members) - MEMBERS:,} more")
    return Html(shown + " " + element("details", summary, more))
