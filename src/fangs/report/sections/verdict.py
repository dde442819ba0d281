"""The section with the verdict."""

from __future__ import annotations

from fangs.report.gather import Facts
from fangs.report.markup import Html, element, join, with_code
from fangs.report.verdict import headline, verdict

TERMS = {
    "FARO loss": "how far two allocations are apart. The features of one are matched with those of "
    "the other so that they share as many ones as possible; the entries that still differ count.",
    "Expected loss": "the mean FARO loss between the estimate and the draws. Lower is better; the "
    "estimate is the allocation with the lowest one found.",
    "One": "an entry of the matrix that is 1: this item has this feature.",
    "Flip": "a change of one entry from 0 to 1, or from 1 to 0.",
    "Aligned": "features of a draw have no fixed order, so each draw is first put into the order "
    "that fits the estimate best.",
}
"""Words of the page, explained in a line each."""
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
