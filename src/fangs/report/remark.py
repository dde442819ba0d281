"""A remark of the verdict: a sentence, whether it is good news, and the call that helps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fangs.check.call import Call


@dataclass(frozen=True)
class Remark:
    """A sentence, and whether it is good news, a plain fact or a warning."""

    kind: Literal["good", "fact", "warning"]
    text: str
    call: Call | str = ""
    """The call that helps, where there is one."""
