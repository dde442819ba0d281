"""Files: one module for each kind, `registry` lists them, `verbs` reads and writes them."""

from fangs.draws.variables import Inspection
from fangs.formats.verbs import convert, inspect, read, read_matrix, read_values

__all__ = ["Inspection", "convert", "inspect", "read", "read_matrix", "read_values"]
