"""The sections of the report, in the order of reading; each is HTML that needs no script."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from datetime import date
from importlib.metadata import version
from typing import Any

import numpy as np

from fangs.plot.order import item_order, side_by_side
from fangs.report.charts import loss_chart, number_chart, path_chart
from fangs.report.facts import Facts
from fangs.report.heat import picture
from fangs.report.markup import Html, element, join, table, void
from fangs.report.verdict import count, headline, verdict
from fangs.text import time_taken

MEMBERS = 12
"""Members of a feature that are shown at once."""
ALL_MEMBERS = 300
"""Members of a feature that are listed at all."""
FEATURES = 200
"""Features that the table lists."""
ICONS = {"good": "✓", "fact": "·", "warning": "!"}


def section(name: str, title: str, *content: Any) -> Html:
    """A section with its heading."""
    return element("section", element("h2", title), join(content), id=name)


def note(*words: Any) -> Html:
    """A paragraph in small print."""
    return element("p", *words, class_="note")


def verdict_section(facts: Facts) -> Html:
    """What was found, and how far to trust it; warnings first."""
    remarks = sorted(verdict(facts), key=lambda remark: remark.kind != "warning")
    lines = (
        element(
            "li",
            element("span", ICONS[remark.kind], class_="icon", aria_hidden="true"),
            element("strong", "Warning. ") if remark.kind == "warning" else "",
            remark.text,
            class_=remark.kind,
        )
        for remark in remarks
    )
    return element(
        "section",
        element("p", headline(facts), class_="headline"),
        element("ul", join(lines), class_="verdict"),
        id="verdict",
    )


def features_section(facts: Facts) -> Html:
    """A row per feature."""
    e, found = facts.estimate, facts.summary.features
    rows = []
    for j, members in enumerate(e.features[:FEATURES]):
        low, high = found.size_interval[j]
        matched = found.matched[j] > 0
        rows.append(
            [
                j + 1,
                len(members),
                f"{100 * e.proportions[e.matrix[:, j] == 1, j].mean():.1f} %",
                f"{100 * found.matched[j]:.1f} %",
                f"{low:.0f} to {high:.0f}" if matched else "never matched",
                _members(members),
            ]
        )
    header = ["Feature", "Items", "Mean share", "Matched", f"Items, {_level(facts)}", "Members"]
    content: list[Any] = [
        table(header, rows, sortable=True) if rows else element("p", "There is no feature."),
        note(
            "Mean share: how many of the draws have a member in the aligned feature, on average. "
            "Matched: draws with a feature that shares an item with this one. Items, "
            f"{_level(facts)}: size of the matching features."
        ),
    ]
    if e.n_features > FEATURES:
        content.append(note(f"Only the first {FEATURES} of {e.n_features:,} features are listed."))
    return section("features", "Features", *content)


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


def posterior_section(facts: Facts) -> Html:
    """The number of features, and the credible ball."""
    e, ball, samples = facts.estimate, facts.ball, facts.samples
    posterior = facts.summary.n_features
    number = number_chart(posterior.values.tolist(), posterior.probabilities.tolist(), e.n_features)
    losses = loss_chart(e.losses.tolist(), e.expected_loss, ball.radius)
    bounds = {
        "Farthest from the estimate": ball.horizontal,
        "Fewest features": ball.lower,
        "Most features": ball.upper,
    }
    rows = [
        [
            name,
            f"{draws[0]:,}",
            f"{e.losses[draws[0]]:.6g}",
            samples.n_features[draws[0]],
            samples.n_ones[draws[0]],
            len(draws),
        ]
        for name, draws in bounds.items()
    ]
    figures = (
        element(
            "figure",
            _difference(facts, int(draws[0])),
            element("figcaption", f"{name}: draw {draws[0]:,}"),
        )
        for name, draws in bounds.items()
    )
    header = ["Bound", "Draw", "Loss", "Features", "Ones", "Such draws"]
    return section(
        "posterior",
        "Number of features, and credible ball",
        element("p", f"Features in a draw: {posterior.describe(facts.level)}."),
        element("div", _figure(number), _figure(losses), class_="pair"),
        element("p", str(ball).splitlines()[0] + "."),
        table(header, rows),
        element("div", *figures, class_="thumbs"),
        note(
            "These draws, aligned to the estimate. Strong blue: both have the entry; pale blue: "
            "only the estimate; orange: only the draw. Draws are counted from 0."
        ),
    )


def _difference(facts: Facts, draw: int) -> Html:
    ours, theirs = side_by_side(facts.estimate.matrix, facts.samples[draw])
    rows = item_order(ours)
    values = np.where(ours == 1, np.where(theirs == 1, 1.0, 0.3), np.where(theirs == 1, -1.0, 0.0))
    width = max(4, min(16, 160 // values.shape[1]))
    return Html(picture(values[rows], alt=f"draw {draw} beside the estimate", cell=width))


def path_section(facts: Facts) -> Html:
    """Estimates for other penalties; a script adds the slider."""
    path = facts.path
    assert path is not None
    posterior = facts.summary.n_features
    chart = path_chart(
        path.a,
        path.n_features.tolist(),
        posterior.values.tolist(),
        posterior.probabilities.tolist(),
    )
    rows = [
        [f"{e.a:g}", e.n_features, f"{e.n_ones:,}", f"{e.expected_loss:.6g}"]
        for e in path.estimates
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
            "a is the price of a one that the estimate has and a draw lacks, 2 − a that of one it "
            "misses. A larger a gives a sparser estimate. The estimate reported above is at "
            f"a = {facts.estimate.a:g}.",
        ),
        element(
            "div",
            slider,
            element(
                "div",
                _figure(chart),
                table(["a", "Features", "Ones", "Expected loss"], rows),
                id="path-table",
            ),
            class_="pair",
        ),
    )


def chains_section(facts: Facts) -> Html:
    """Whether the chains tell the same story."""
    found = facts.chains
    assert found is not None
    names = {"features": "number of features", "ones": "number of ones", "loss": "loss"}
    numbers = [
        [names[key], f"{found.rhat[key]:.3f}", f"{found.ess[key]:.0f}"] for key in found.rhat
    ]
    chains = [
        [c + 1, f"{n_draws:,}", e.n_features, e.n_ones, f"{e.expected_loss:.6g}", f"{apart:g}"]
        for c, (n_draws, e, apart) in enumerate(
            zip(found.n_draws, found.estimates, found.to_pooled, strict=True)
        )
    ]
    between = [
        [f"Chain {i + 1}"]
        + [
            f"{found.distances[i, j]:g} ({100 * found.separation[i, j]:.0f} %)" if i != j else "–"
            for j in range(len(chains))
        ]
        for i in range(len(chains))
    ]
    others = [f"Chain {j + 1}" for j in range(len(chains))]
    return section(
        "chains",
        "Chains",
        element("p", found.verdict),
        element(
            "div",
            table(["Of the", "R-hat", "Effective draws"], numbers),
            table(["Chain", "Draws", "Features", "Ones", "Expected loss", "To pooled"], chains),
            class_="pair",
        ),
        table(["", *others], between),
        note(
            "Loss between the chains' estimates at a = 1 and, in brackets, the share of held-out "
            "draws of the two chains that are nearer to the estimate of their own: about 50 % "
            "where chains agree, 100 % where they are apart."
        ),
    )


def settings_section(facts: Facts) -> Html:
    """How the estimate was found, and with what."""
    e, search = facts.estimate, facts.estimate.search
    settings: list[list[Any]] = [
        ["a", f"{e.a:g}"],
        ["draws", f"{e.n_draws:,}"],
        ["lower bound by", facts.certificate.method],
        ["fangs", version("fangs")],
        ["numpy", version("numpy")],
        ["Python", platform.python_version()],
        ["report made on", date.today().isoformat()],
    ]
    content: list[Any] = []
    if search is not None:
        settings[1:1] = [
            ["seed", search.seed],
            ["n_init, n_sweet", f"{search.n_init}, {search.n_sweet}"],
            ["n_iter", "until no flip improves" if search.n_iter is None else search.n_iter],
            ["max_seconds", "no limit" if search.max_seconds is None else search.max_seconds],
            ["stopped because", search.stopped_because],
            ["time", ", ".join(f"{k} {time_taken(v)}" for k, v in search.seconds.items())],
        ]
        rows = [
            [
                start.method,
                "" if start.draw is None else start.draw,
                f"{start.initial_loss:.6g}",
                "not sweetened" if start.loss is None else f"{start.loss:.6g}",
                start.flips,
                start.n_features,
            ]
            for start in search.starts[:100]
        ]
        header = ["Start", "Draw", "Before", "After", "Flips", "Features"]
        content.append(table(header, rows, sortable=True))
        if len(search.starts) > 100:
            content.append(note(f"Only 100 of {count(len(search.starts), 'start')} are listed."))
    content.insert(0, table(["Setting", "Value"], settings))
    return section("settings", "Settings and search", element("div", *content, class_="pair"))


def citation_section() -> Html:
    """What to cite."""
    doi = "10.1080/10618600.2023.2204136"
    link = element("a", f"doi:{doi}", href=f"https://doi.org/{doi}", rel="noreferrer")
    return section(
        "citation",
        "Citing",
        element(
            "p",
            "The method is that of D. B. Dahl, D. J. Johnson and R. J. Andros (2023), ",
            element("cite", "Comparison and Bayesian Estimation of Feature Allocations"),
            ", Journal of Computational and Graphical Statistics, ",
            link,
            ". This page was made by the Python package fangs, an independent implementation.",
        ),
    )


def _figure(chart: Html) -> Html:
    return element("figure", chart)


def _level(facts: Facts) -> str:
    return f"{100 * facts.level:.4g} %"
