"""The section with the estimate, entry by entry."""

from __future__ import annotations

from fangs.estimate import Estimate
from fangs.plot.order import item_order
from fangs.report.entries import COLUMNS, ROWS, ShownEntries
from fangs.report.gather import Facts
from fangs.report.heat import cells, picture, signed
from fangs.report.markup import Html, element, join, note, section, void

AT_ONCE = 40
"""Items up to which the table needs no picture next to it."""


def matrix_section(facts: Facts) -> Html:
    """The estimate, entry by entry."""
    e, shown = facts.estimate, ShownEntries.of(facts)
    if not e.n_features:
        return section("matrix", "The estimate", element("p", "The estimate has no feature."))
    labels, order = e.item_names, shown.first
    names = [labels[shown.items[i]] for i in order]
    body = cells(shown.codes[order].tolist(), names, order)
    n_columns = min(e.n_features, COLUMNS)
    heads = (element("th", e.feature_names[j], scope="col", data_j=j) for j in range(n_columns))
    head = element("tr", element("th", "Item", scope="col"), *heads)
    grid = element(
        "table",
        element("thead", head),
        Html(f"<tbody>\n{body}\n</tbody>"),
        class_="matrix" + (" dense" if n_columns > 16 else ""),
        id="estimate",
    )
    options = {
        "grouped": "items with the same features together",
        "given": "as given",
        "unsure": "least sure items first",
    }
    if len(shown.items) > ROWS:
        options = {"unsure": options.pop("unsure"), **options}
    filters = {
        "all": "all items",
        "doubtful": "items with an entry between 10 and 90 %",
        "none": "items without any feature",
        **{str(j): f"items with feature {e.feature_names[j]}" for j in range(n_columns)},
    }
    chooser = element(
        "div",
        _select("Order ", "order", options),
        _select("Show ", "filter", filters),
        element("label", "Find ", void("input", type="search", id="find", placeholder="an item")),
        element("output", id="found", for_="find"),
        element("p", "Choose a feature's number to sort by it.", class_="note"),
        class_="script controls",
        hidden="hidden",
    )
    return section(
        "matrix",
        "The estimate",
        chooser,
        element(
            "div",
            element(
                "div",
                grid,
                class_="box",
                tabindex=0,
                role="region",
                aria_label="Matrix of the estimate",
            ),
            *_overview(e),
            class_="side-by-side",
        ),
        _legend(e),
        *_caps(e, len(shown.first), len(shown.items)),
    )


def _select(words: str, name: str, options: dict[str, str]) -> Html:
    choices = (element("option", shown, value=key) for key, shown in options.items())
    return element("label", words, element("select", *choices, id=name))


def _overview(e: Estimate) -> list[Html]:
    """A picture of the whole matrix, where the table cannot show it at once."""
    if e.n_items <= AT_ONCE and e.n_features <= COLUMNS:
        return []
    values = signed(e.matrix, e.proportions)[item_order(e.matrix)]
    image = picture(values, alt=f"all {e.n_items} items by {e.n_features} features", cell=12)
    caption = f"All {e.n_items:,} items (rows) by {e.n_features:,} features (columns)."
    return [element("figure", image, element("figcaption", caption), class_="overview")]


def _caps(e: Estimate, n_shown: int, n_held: int) -> list[Html]:
    words: list[Html | str] = []
    if n_shown < e.n_items:
        words.append(
            f"Of the {e.n_items:,} items the table shows the {n_shown} with the largest expected "
            "mismatch."
        )
    if e.n_features > COLUMNS:
        words.append(f"It shows the first {COLUMNS} of {e.n_features:,} features.")
    if n_shown < e.n_items and n_held == e.n_items:
        found = "Find, Show and Order look through all items."
        words.append(element("span", found, class_="script", hidden="hidden"))
    return [element("p", join(words, " "), class_="cap")] if words else []


def _legend(e: Estimate) -> Html:
    ramps = {"i": "in the estimate", "o": "left out"}
    steps = (1, 3, 5, 7, 9, 10)
    parts = (
        element(
            "span",
            join((element("i", class_=f"{kind}{step}") for step in steps), ""),
            " ",
            words,
            class_="ramp",
        )
        for kind, words in ramps.items()
    )
    return note(
        *parts,
        "Numbers and shades: per cent of the draws whose aligned feature has the item.",
    )
