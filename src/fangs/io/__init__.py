"""Draws and estimates from files and back; `fangs.io.registry` lists the kinds of files."""

from fangs.io.inspect import Inspection, Variable, inspect
from fangs.io.registry import (
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
    "check_target",
    "convert",
    "inspect",
    "read",
    "read_values",
    "write_estimate",
    "write_samples",
]
