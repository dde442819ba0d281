"""The section on the core: the entries that hold together, outlined in the estimate."""

from __future__ import annotations

from fangs.plot.order import item_order
from fangs.plot.outline import outline
from fangs.plot.shading import signed
from fangs.report.gather import Facts
from fangs.report.heat import TALLEST, outlined
from fangs.report.markup import Html, element, figure, note, section, table
from fangs.report.sections.features import FEATURES
from fangs.report.tables import core_table

HEIGHT = 420
"""Most pixels that the picture is high."""


def core_section(facts: Facts) -> Html | None:
    """How many entries hold together, and which."""
    found, e = facts.core, facts.estimate
    if found is None or not e.n_features:
        return None
    level = f"{100 * found.level:.4g} %"
    words = note(
        f"The core is the largest set of entries, ones and zeros, that all hold at once in {level} "
        "of the draws: it may be claimed as a whole. Entries that hold one by one need not hold "
        "together. It was chosen on these draws; on others it holds a little less often."
    )
    header, rows = core_table(found)
    return section(
        "core",
        "What holds together",
        element("p", ". ".join(found.sentences) + "."),
        element("div", table(header, rows[:FEATURES]), *_picture(facts), class_="side-by-side"),
        words,
    )


def _picture(facts: Facts) -> list[Html]:
    """The estimate with its core outlined, unless it has more items than a picture has rows."""
    found, e = facts.core, facts.estimate
    if found is None or e.n_items > TALLEST:
        return []
    rows = item_order(e.matrix)
    values = signed(e.matrix, e.proportions)[rows]
    lines = outline(found.entries[rows])
    image = outlined(values, lines, alt="the estimate, its core outlined", height=HEIGHT)
    words = "Items (rows) by features (columns); the core is outlined."
    return [figure(image, words, class_="overview")]
