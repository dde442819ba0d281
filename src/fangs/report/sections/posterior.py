"""The section on the posterior: the number of features, and the credible ball."""

from __future__ import annotations

import numpy as np

from fangs.check.text import rounded
from fangs.plot.order import item_order
from fangs.plot.shading import side_by_side
from fangs.report.charts import loss_chart, number_chart
from fangs.report.gather import Facts
from fangs.report.heat import picture
from fangs.report.markup import Html, element, figure, note, section, table


def posterior_section(facts: Facts) -> Html:
    """The number of features, and the credible ball."""
    e, ball, samples = facts.estimate, facts.ball, facts.samples
    posterior = facts.summary.n_features
    charts = (number_chart(posterior, e.n_features), loss_chart(ball))
    bounds = {
        "Farthest from the estimate": ball.horizontal,
        "Fewest features": ball.lower,
        "Most features": ball.upper,
    }
    rows = [
        [
            name,
            f"{draws[0]:,}",
            rounded(e.losses[draws[0]], 6),
            samples.n_features[draws[0]],
            f"{samples.n_ones[draws[0]]:,}",
            f"{len(draws):,}",
        ]
        for name, draws in bounds.items()
    ]
    figures = (
        figure(_difference(facts, int(draws[0])), f"{name}: draw {draws[0]:,}")
        for name, draws in bounds.items()
    )
    header = ["Bound", "Draw", "Loss", "Features", "Ones", "Such draws"]
    return section(
        "posterior",
        "Number of features, and credible ball",
        element("p", f"Features in a draw: {posterior.describe(facts.level)}."),
        element("div", *map(figure, charts), class_="pair"),
        element("p", str(ball).splitlines()[0] + "."),
        table(header, rows),
        element("div", *figures, class_="thumbs"),
        note(
            "One draw of each kind, aligned to the estimate. Strong blue: both have the entry; "
            "pale blue: only the estimate; orange: only the draw. Draws are counted from 0."
        ),
    )


def _difference(facts: Facts, draw: int) -> Html:
    ours, theirs = side_by_side(facts.estimate.matrix, facts.samples[draw])
    rows = item_order(ours)
    values = np.where(ours == 1, np.where(theirs == 1, 1.0, 0.3), np.where(theirs == 1, -1.0, 0.0))
    width = max(4, min(16, 160 // values.shape[1]))
    return Html(picture(values[rows], alt=f"draw {draw} and the estimate", cell=width))
