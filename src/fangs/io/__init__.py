"""Draws and estimates from files and back; `fangs.io.registry` lists the kinds of files."""

from fangs.io.inspect import Variable
from fangs.io.registry import (
    check_target,
    describe,
    read,
    read_values,
    write_estimate,
    write_samples,
)

__all__ = [
    "Variable",
    "check_target",
    "describe",
    "read",
    "read_values",
    "write_estimate",
    "write_samples",
]
