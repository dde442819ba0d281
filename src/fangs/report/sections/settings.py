"""The sections on settings and search, and on what to cite."""

from __future__ import annotations

import platform
from datetime import date
from importlib.metadata import version
from typing import Any

from fangs.check.text import count, rounded, time_taken
from fangs.report.gather import Facts
from fangs.report.markup import Html, element, note, section, table

STARTS = 100
"""Starts that the table lists."""


def settings_section(facts: Facts) -> Html:
    """How the estimate was found, and with what."""
    e, search = facts.estimate, facts.estimate.search
    settings: list[list[Any]] = [
        ["a", f"{e.a:g}"],
        ["draws", f"{e.n_draws:,}"],
        *([] if e.weights is None else [["effective draws", rounded(e.effective_draws, 4)]]),
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
                start.method if start.draw is None else f"{start.method}, draw {start.draw}",
                f"{start.n_draws:,}",
                rounded(start.initial_loss, 6),
                "not sweetened" if start.loss is None else rounded(start.loss, 6),
                start.flips,
                start.n_features,
            ]
            for start in search.starts[:STARTS]
        ]
        header = ["Start", "Over draws", "Before", "After", "Flips", "Features"]
        content.append(table(header, rows, sortable=True))
        if len(search.starts) > STARTS:
            starts = count(len(search.starts), "start")
            content.append(note(f"Only {STARTS} of {starts} are listed."))
    content.insert(0, table(["Setting", "Value"], settings))
    return section("settings", "Settings and search", *content)


def citation_section(facts: Facts) -> Html:
    """What to cite."""
    doi = "10.1080/10618600.2023.2204136"
    link = element("a", f"doi:{doi}", href=f"https://doi.org/{doi}", rel="noreferrer")
    return section(
        "citation",
        "Citing",
        element(
            "p",
            "The method is by D. B. Dahl, D. J. Johnson and R. J. Andros (2023), ",
            element("cite", "Comparison and Bayesian Estimation of Feature Allocations"),
            ", Journal of Computational and Graphical Statistics, ",
            link,
            ". This page was made by the Python package fangs, an independent implementation.",
        ),
    )
