"""Estimates along the penalty `a`, from dense to sparse."""

from fangs.path.choose import Choice, choose_a
from fangs.path.envelope import Interval, Segment, flip_optimal_interval
from fangs.path.sparsity import SparsityPath, sparsity_path

__all__ = [
    "Choice",
    "Interval",
    "Segment",
    "SparsityPath",
    "choose_a",
    "flip_optimal_interval",
    "sparsity_path",
]
