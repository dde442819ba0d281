"""The section that says what to cite."""

from __future__ import annotations

from fangs.report.gather import Facts
from fangs.report.markup import Html, element, section


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
