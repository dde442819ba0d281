"""The section with the estimate, entry by entry."""

from __future__ import annotations

from fangs.estimate import Estimate
from fangs.plot.order import item_order
from fangs.plot.shading import signed
from fangs.report.entries import COLUMNS, ROWS, ShownEntries
from fangs.report.gather import Facts
from fangs.report.heat import cells, picture
from fangs.report.markup import Html, element, figure, join, note, scrolling, section, void

AT_ONCE = 40
"""Items up to which the table needs no picture next to it."""


def matrix_section(facts: Facts) -> Html:
    """The estimate, entry by entry."""
    e, shown = facts.estimate, ShownEntries.of(facts)
    if not e.n_features:
        return section("matrix", "The estimate", element("p", "The estimate has no feature."))
    shaded = element("div", _grid(e, shown), *_overview(e), class_="side-by-side")
    caps = _caps(e, len(shown.first), len(shown.items))
    return section("matrix", "The estimate", _chooser(e, shown), shaded, _legend(), *caps)


def _grid(e: Estimate, shown: ShownEntries) -> Html:
    """The table of entries that the page shows at first."""
    names = [e.item_names[shown.items[i]] for i in shown.first]
    body = cells(shown.codes[shown.first].tolist(), names, shown.first)
    columns = enumerate(e.feature_names[:COLUMNS])
    heads = [element("th", name, scope="col", data_j=j) for j, name in columns]
    head = element("thead", element("tr", element("th", "Item", scope="col"), *heads))
    look = "matrix" + (" dense" if len(heads) > 16 else "")
    rows = Html(f"<tbody>\n{body}\n</tbody>")
    grid = element("table", head, rows, class_=look, id="estimate")
    return scrolling(grid, label="Matrix of the estimate")


def _chooser(e: Estimate, shown: ShownEntries) -> Html:
    """What a script needs to show other items, or in another order."""
    orders = {
        "grouped": "items with the same features together",
        "given": "as given",
        "unsure": "least sure items first",
    }
    if len(shown.items) > ROWS:
        orders = {"unsure": orders.pop("unsure"), **orders}
    filters = {
        "all": "all items",
        "doubtful": "items with an entry between 10 and 90 %",
        "none": "items without any feature",
    }
    columns = enumerate(e.feature_names[:COLUMNS])
    filters |= {str(j): f"items with feature {name}" for j, name in columns}
    return element(
        "div",
        _select("Order ", "order", orders),
        _select("Show ", "filter", filters),
        element("label", "Find ", void("input", type="search", id="find", placeholder="an item")),
        element("output", id="found", for_="find"),
        note("Choose a feature's number to sort by it."),
        class_="script controls",
        hidden="hidden",
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
    return [figure(image, caption, class_="overview")]


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


def _legend() -> Html:
    ramps = []
    for kind, words in {"i": "in the estimate", "o": "left out"}.items():
        shades = [element("i", class_=f"{kind}{step}") for step in (1, 3, 5, 7, 9, 10)]
        ramps.append(element("span", *shades, " ", words, class_="ramp"))
    words = "Numbers and shades: per cent of the draws whose aligned feature has the item."
    return note(*ramps, words)
