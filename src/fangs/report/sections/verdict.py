"""The section with the verdict."""

from __future__ import annotations

from fangs.report.gather import Facts
from fangs.report.markup import Html, element, join, with_code
from fangs.report.remark import TERMS
from fangs.report.verdict import headline, verdict

ICONS = {"good": "✓", "fact": "·", "warning": "!"}


def verdict_section(facts: Facts) -> Html:
    """What was found, and how far to trust it; warnings first."""
    remarks = sorted(verdict(facts), key=lambda remark: remark.kind != "warning")
    lines = (
        element(
            "li",
            element("span", ICONS[remark.kind], class_="icon", aria_hidden="true"),
            element("strong", "Warning. ") if remark.kind == "warning" else "",
            *with_code(remark.text),
            *([" ", element("code", str(remark.call))] if remark.call else []),
            class_=remark.kind,
        )
        for remark in remarks
    )
    return element(
        "section",
        element("p", headline(facts), class_="headline"),
        element("ul", join(lines), class_="verdict"),
        element(
            "details",
            element("summary", "What the words mean"),
            element(
                "dl",
                *(
                    Html(element("dt", term) + element("dd", meaning))
                    for term, meaning in TERMS.items()
                ),
            ),
            class_="terms",
        ),
        id="verdict",
    )
