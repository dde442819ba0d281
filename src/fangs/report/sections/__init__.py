"""The sections of the report, in the order of reading; each is HTML that needs no script.

A new section is a module with a function of the facts, and a line here. A section without anything
to say returns None.
"""

from __future__ import annotations

from collections.abc import Callable

from fangs.report.gather import Facts
from fangs.report.markup import Html
from fangs.report.sections.chains import chains_section
from fangs.report.sections.core import core_section
from fangs.report.sections.features import features_section
from fangs.report.sections.matrix import matrix_section
from fangs.report.sections.modes import modes_section
from fangs.report.sections.paper import paper_section
from fangs.report.sections.path import path_section
from fangs.report.sections.posterior import posterior_section
from fangs.report.sections.settings import citation_section, settings_section
from fangs.report.sections.verdict import verdict_section

__all__ = ["SECTIONS", "in_order"]

SECTIONS: tuple[Callable[[Facts], Html | None], ...] = (
    verdict_section,
    matrix_section,
    features_section,
    core_section,
    posterior_section,
    path_section,
    chains_section,
    modes_section,
    settings_section,
    paper_section,
    citation_section,
)


def in_order(facts: Facts) -> list[Callable[[Facts], Html | None]]:
    """The sections as a reader needs them: modes and chains first, where chains are apart."""
    if not facts.estimate.chains_apart:
        return list(SECTIONS)
    first = [verdict_section, modes_section, chains_section]
    return [*first, *(section for section in SECTIONS if section not in first)]
