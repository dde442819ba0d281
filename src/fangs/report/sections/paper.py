"""The section with a paragraph for a paper, which a button copies."""

from __future__ import annotations

from dataclasses import replace

from fangs.report.describe import paragraph
from fangs.report.gather import Facts, chain_sizes
from fangs.report.markup import Html, element, section


def paper_section(facts: Facts) -> Html:
    """What `Estimate.describe` says, with the bound and the modes that the page has found."""
    certificate = facts.certificate
    words = paragraph(
        replace(facts.estimate, lower_bound=certificate.lower_bound),
        chain_sizes(facts.samples),
        modes=facts.modes,
        core=facts.core,
        better=facts.better,
    )
    return section("paper", "For a paper", element("p", words, class_="paper"))
