"""The matrix of the report: a table of shaded cells, of a size that any browser bears."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.plot.order import item_order
from fangs.report.facts import Facts
from fangs.report.heat import cells, coded, picture, signed
from fangs.report.markup import Html, element, join
from fangs.report.sections import note, section
from fangs.result import Estimate

ROWS = 200
"""Items shown one by one; of more, those with the largest expected mismatch."""
AT_ONCE = 40
"""Items that need no picture beside the table."""
COLUMNS = 60
"""Features shown one by one."""
PATH_COLUMNS = 40
"""The same, for estimates along the path."""


@dataclass(frozen=True, eq=False)
class Matrix:
    """Which part of the estimate is shown entry by entry, and in which orders."""

    items: npt.NDArray[np.int64]
    """The items shown, in the order of the draws."""
    codes: list[list[int]]
    """A row per item shown, as `coded` has it."""
    orders: dict[str, list[int]]
    """Positions among the items shown, by the name of the order."""

    @classmethod
    def of(cls, facts: Facts) -> Matrix:
        """Choose what to show."""
        e, mismatch = facts.estimate, facts.summary.items.mismatch
        items = np.sort(np.argsort(-mismatch, kind="stable")[:ROWS])
        return cls(
            items=items,
            codes=codes_of(e, items, COLUMNS),
            orders={
                "grouped": item_order(e.matrix[items]).tolist(),
                "given": list(range(len(items))),
                "unsure": np.argsort(-mismatch[items], kind="stable").tolist(),
            },
        )

    def script_data(self, facts: Facts) -> dict[str, Any]:
        """Everything that the script needs: labels, entries, orders, the path."""
        labels = facts.estimate.labels
        path = () if facts.path is None else facts.path.estimates
        chosen = min(range(len(path)), key=lambda i: abs(path[i].a - facts.estimate.a), default=0)
        return {
            "items": [str(labels[i]) for i in self.items],
            "codes": self.codes,
            "orders": self.orders,
            "chosen": chosen,
            "path": [
                {
                    "a": e.a,
                    "features": e.n_features,
                    "ones": e.n_ones,
                    "loss": float(f"{e.expected_loss:.6g}"),
                    "codes": codes_of(e, self.items, PATH_COLUMNS),
                }
                for e in path
            ],
        }


def codes_of(e: Estimate, items: npt.NDArray[np.int64], columns: int) -> list[list[int]]:
    """The entries of some items, for the first features."""
    matrix = e.matrix[items, :columns]
    return coded(signed(matrix, e.proportions[items, :columns]), matrix)


def matrix_section(facts: Facts, shown: Matrix) -> Html:
    """The estimate, entry by entry."""
    e = facts.estimate
    if not e.n_features:
        return section("matrix", "The estimate", element("p", "It has no feature."))
    labels, order = e.labels, shown.orders["grouped"]
    body = cells([shown.codes[i] for i in order], [labels[shown.items[i]] for i in order], order)
    n_columns = min(e.n_features, COLUMNS)
    heads = (element("th", j + 1, scope="col", data_j=j) for j in range(n_columns))
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
    chooser = element(
        "p",
        element(
            "label",
            "Order: ",
            element(
                "select",
                *(element("option", words, value=key) for key, words in options.items()),
                id="order",
            ),
        ),
        " or choose a feature's number to sort by it.",
        class_="script",
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
            class_="beside",
        ),
        _legend(),
        *_caps(e, len(shown.items)),
    )


def _overview(e: Estimate) -> list[Html]:
    """The whole matrix at once, where it is too large to be seen so in the table."""
    if e.n_items <= AT_ONCE and e.n_features <= COLUMNS:
        return []
    values = signed(e.matrix, e.proportions)[item_order(e.matrix)]
    image = picture(values, alt=f"all {e.n_items} items by {e.n_features} features", cell=12)
    caption = f"All {e.n_items:,} items (rows) by {e.n_features:,} features (columns)."
    return [element("figure", image, element("figcaption", caption), class_="overview")]


def _caps(e: Estimate, n_shown: int) -> list[Html]:
    words = []
    if n_shown < e.n_items:
        words.append(
            f"Of the {e.n_items:,} items the table shows the {n_shown} with the largest expected "
            "mismatch."
        )
    if e.n_features > COLUMNS:
        words.append(f"It shows the first {COLUMNS} of {e.n_features:,} features.")
    return [element("p", " ".join(words), class_="cap")] if words else []


def _legend() -> Html:
    ramps = {
        "i": "in the estimate",
        "o": "left out",
    }
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
