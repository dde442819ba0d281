"""Draws, estimates and matrices from files and back; `fangs.io.registry` lists the kinds."""

from fangs.io.inspect import Inspection, Variable, inspect
from fangs.io.matrix import check_matrix_target, read_matrix, write_matrix
from fangs.io.registry import (
    check_samples_target,
    check_target,
    convert,
    read,
    read_values,
    write_estimate,
    write_samples,
)

__all__ = [
    "Inspection",
    "Variable",
    "check_matrix_target",
    "check_samples_target",
    "check_target",
    "convert",
    "inspect",
    "read",
    "read_matrix",
    "read_values",
    "write_estimate",
    "write_matrix",
    "write_samples",
]
