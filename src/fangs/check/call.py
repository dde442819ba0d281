"""Remedies as data: a call of the library, which Python and the shell write in their own ways."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Call", "for_shell"]

COMMANDS = {
    **{verb: verb for verb in ("estimate", "modes", "compare", "certify", "convert", "inspect")},
    "compare_chains": "chains",
    "sparsity_path": "path",
    "choose_a": "path",
}
"""Verbs of the library, and the commands that do the same."""

CHAINS = "give a file for each chain, such as chain1.npy chain2.npy"
IN_THE_SHELL = {
    "Samples": CHAINS,
    "Samples.from_chains": CHAINS,
    "load": "give it to --estimate or --matrix",
    "read": "give it first, without an option",
}
"""What to do in a shell in the place of other calls."""

_CALL = re.compile(r"(?<![\w/'\"-])fangs\.([A-Za-z_.]*[A-Za-z_])(?:\(([^()]*)\))?")


@dataclass(frozen=True)
class Call:
    """A call that helps; the penalty is left out where it is 1, the default.

    Examples
    --------
    >>> call = Call("modes", "draws", options={"n_modes": 2, "a": 1.7})
    >>> print(call)
    fangs.modes(draws, n_modes=2, a=1.7)
    >>> call.in_the_shell
    'fangs modes --n-modes 2 -a 1.7'
    >>> print(Call("estimate", "draws", options={"a": 1.0}))
    fangs.estimate(draws)
    """

    verb: str
    data: str = ""
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        given = [f"{name}={value}" for name, value in self._given()]
        return f"fangs.{self.verb}({', '.join([*([self.data] if self.data else []), *given])})"

    @property
    def in_the_shell(self) -> str | None:
        """What to type, or to do, in a shell; None where nothing there does the same."""
        if self.verb not in COMMANDS:
            return IN_THE_SHELL.get(self.verb)
        options = [
            f" {'-a' if name == 'a' else '--' + name.replace('_', '-')} {value}"
            for name, value in self._given()
        ]
        return f"fangs {COMMANDS[self.verb]}{''.join(options)}"

    def _given(self) -> list[tuple[str, str]]:
        pairs = ((n, f"{v:g}" if isinstance(v, float) else str(v)) for n, v in self.options.items())
        return [(name, value) for name, value in pairs if (name, value) != ("a", "1")]


def for_shell(words: str) -> str:
    """Words of the library with what the shell has in the place of its calls.

    Examples
    --------
    >>> for_shell("fangs.modes(draws, n_modes=2) gives an estimate for each mode.")
    'fangs modes --n-modes 2 gives an estimate for each mode.'
    >>> for_shell("use fangs.estimate, which searches")
    'use fangs estimate, which searches'
    """

    def rendered(found: re.Match[str]) -> str:
        if found[1] in ("load", "read") and found[2] != "path":
            return found[0]
        pairs = (part.partition("=") for part in (found[2] or "").split(", "))
        options = {name: value for name, sign, value in pairs if sign and name != "chains"}
        return Call(found[1], options=options).in_the_shell or found[0]

    return _CALL.sub(rendered, words)
