"""The section on estimates for other penalties."""

from __future__ import annotations

from fangs.report.charts import path_chart
from fangs.report.gather import Facts
from fangs.report.markup import Html, element, figure, note, scrolling, section, table, void
from fangs.report.tables import path_table


def path_section(facts: Facts) -> Html | None:
    """Estimates for other penalties; a script adds the slider."""
    path = facts.path
    if path is None:
        return None
    chart = path_chart(path, facts.summary.n_features)
    matrix = element("table", id="path-matrix", class_="matrix")
    slider = element(
        "div",
        element("label", "a ", void("input", type="range", id="slider", min=0, step=1)),
        element("output", id="chosen", for_="slider"),
        scrolling(matrix, label="Estimate at the chosen a"),
        element("p", class_="note", id="path-note"),
        id="slide",
        hidden="hidden",
    )
    return section(
        "path",
        "Sparser and denser estimates",
        element(
            "p",
            "a is the price of a one that the estimate has and a draw lacks, 2 − a the price of "
            "one that the estimate misses. Along a the number of ones never grows; the number of "
            "features mostly falls, too. The estimate "
            f"above is at a = {facts.estimate.a:g}.",
        ),
        element(
            "div",
            slider,
            element(
                "div",
                figure(chart),
                table(*path_table(path)),
                note("Ties: entries that could flip at no cost."),
                id="path-table",
            ),
            class_="pair",
        ),
    )
