"""Column generation: the best bound, and often a proof that an estimate is optimal."""

from fangs.bounds.columns.bound import INTERRUPTED, ColumnBound, column_bound
from fangs.bounds.columns.params import ColumnParams

__all__ = ["INTERRUPTED", "ColumnBound", "ColumnParams", "column_bound"]
