"""Files: one module for each kind, `registry` lists them, `verbs` reads and writes them."""

from fangs.draws.variables import Inspection
from fangs.formats.registry import (
    check_estimate_target,
    check_samples_target,
    open_file,
    write_estimate,
    write_samples,
)
from fangs.formats.verbs import convert, inspect, read, read_matrix, read_values, write_matrix

__all__ = [
    "Inspection",
    "check_estimate_target",
    "check_samples_target",
    "convert",
    "inspect",
    "open_file",
    "read",
    "read_matrix",
    "read_values",
    "write_estimate",
    "write_matrix",
    "write_samples",
]
