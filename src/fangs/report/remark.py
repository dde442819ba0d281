"""A remark of the verdict, and the words that remarks use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fangs.check.call import Call

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


@dataclass(frozen=True)
class Remark:
    """A sentence, and whether it is good news, a plain fact or a warning."""

    kind: Literal["good", "fact", "warning"]
    text: str
    call: Call | str = ""
    """The call that helps, where there is one."""
