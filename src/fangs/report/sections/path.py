"""The section on estimates for other penalties."""

from __future__ import annotations

from fangs.check.text import rounded_alike
from fangs.report.charts import path_chart
from fangs.report.gather import Facts
from fangs.report.markup import Html, element, note, section, table, void


def path_section(facts: Facts) -> Html | None:
    """Estimates for other penalties; a script adds the slider."""
    path = facts.path
    if path is None:
        return None
    posterior = facts.summary.n_features
    chart = path_chart(path, posterior.values.tolist(), posterior.probabilities.tolist())
    losses = rounded_alike([e.expected_loss for e in path.estimates])
    rows = [
        [f"{e.a:g}", e.n_features, f"{e.n_ones:,}", loss, e.n_ties]
        for e, loss in zip(path.estimates, losses, strict=True)
    ]
    slider = element(
        "div",
        element("label", "a ", void("input", type="range", id="slider", min=0, step=1)),
        element("output", id="chosen", for_="slider"),
        element(
            "div",
            element("table", id="path-matrix", class_="matrix"),
            class_="box",
            tabindex=0,
            role="region",
            aria_label="Estimate at the chosen a",
        ),
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
                element("figure", chart),
                table(["a", "Features", "Ones", "Expected loss", "Ties"], rows),
                note("Ties: entries that could flip at no cost."),
                id="path-table",
            ),
            class_="pair",
        ),
    )
