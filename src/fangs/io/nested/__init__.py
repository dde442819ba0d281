"""Draws out of nested values, as files of R and MATLAB hold them.

A reader turns its file into the values of `fangs.io.nested.values` and calls `samples_in`,
`values_in` and `described` here. What a path means, what counts as a draw, how labels and chains
are found and what complaints say is then the same for all of them.
"""

from fangs.io.nested.candidates import described
from fangs.io.nested.dialect import MATLAB, Dialect, R
from fangs.io.nested.reading import samples_in, values_in
from fangs.io.nested.values import Array, List, Other, Text, Value

__all__ = [
    "MATLAB",
    "Array",
    "Dialect",
    "List",
    "Other",
    "R",
    "Text",
    "Value",
    "described",
    "samples_in",
    "values_in",
]
