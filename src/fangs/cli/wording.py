"""Remedies as the shell has them: messages of the library name calls of Python."""

from __future__ import annotations

import re

__all__ = ["for_shell"]


def for_shell(words: str) -> str:
    """Words with commands and options in the place of calls.

    Examples
    --------
    >>> for_shell("fangs.modes(draws, n_modes=2) gives an estimate for each mode.")
    'fangs modes --n-modes 2 gives an estimate for each mode.'
    >>> for_shell("use fangs.estimate, which searches")
    'use fangs estimate, which searches'
    """
    for pattern, remedy in _REMEDIES:
        words = pattern.sub(remedy, words)
    return words


_FILES = "give a file for each chain, such as chain1.npy chain2.npy"
_COMMANDS = "estimate|modes|compare|certify|convert|inspect"
_REMEDIES = [
    (re.compile(pattern), remedy)
    for pattern, remedy in (
        (r"say which chain each draw is from: Samples\(draws, chains=labels\)", _FILES),
        (r"give fangs\.Samples\.from_chains\(\[first, second\]\)", _FILES),
        (r"fangs\.modes\(draws, n_modes=(\d+)\)", r"fangs modes --n-modes \1"),
        (r"fangs\.modes\(draws, n_modes=(\d+), a=([\d.]+)\)", r"fangs modes --n-modes \1 -a \2"),
        (r"fangs\.modes\(draws\)", "fangs modes"),
        (r"fangs\.load\(path\) reads it", "an estimate goes to --estimate or --matrix"),
        (r"fangs\.read\(path\) reads them", "they come first, without an option"),
        (r"(?<![\w/.'\"-])fangs\.compare_chains\b(?!\()", "fangs chains"),
        (rf"(?<![\w/.'\"-])fangs\.({_COMMANDS})\b(?![(.])", r"fangs \1"),
        (
            r"Invalid value for '-a': '([^']*,[^']*)' is not a valid float",
            r"-a takes one penalty, not \1; for several call fangs path --grid \1",
        ),
        (r"No such option '?-a'?(?= \(see fangs path)", "penalties go to --grid, as 0.5,1,1.5"),
    )
]
"""Words of the library, and what to do in a shell."""
