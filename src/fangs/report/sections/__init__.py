"""The sections of the report, in the order of reading; each is HTML that needs no script.

A new section is a module with a function of the facts, and a line here. A section without anything
to say returns None.
"""

from __future__ import annotations

from collections.abc import Callable

from fangs.report.gather import Facts
from fangs.report.markup import Html
from fangs.report.sections.chains import chains_section
from fangs.report.sections.features import features_section
from fangs.report.sections.matrix import matrix_section
from fangs.report.sections.modes import modes_section
from fangs.report.sections.path import path_section
from fangs.report.sections.posterior import posterior_section
from fangs.report.sections.settings import citation_section, settings_section
from fangs.report.sections.verdict import verdict_section

__all__ = ["SECTIONS"]

SECTIONS: tuple[Callable[[Facts], Html | None], ...] = (
    verdict_section,
    matrix_section,
    features_section,
    posterior_section,
    path_section,
    chains_section,
    modes_section,
    settings_section,
    citation_section,
)
