"""Point estimates of feature allocations, with their uncertainty, from posterior draws."""

from importlib.metadata import version as _version

from fangs import datasets, simulate
from fangs.alignment import Alignment, align
from fangs.io import read
from fangs.loss import expected_loss, faro_loss, left_ordered
from fangs.result import Estimate, Search, Start, load
from fangs.samples import Samples
from fangs.search import Interrupted, Progress, estimate

__version__ = _version("fangs")

__all__ = [
    "Alignment",
    "Estimate",
    "Interrupted",
    "Progress",
    "Samples",
    "Search",
    "Start",
    "align",
    "datasets",
    "estimate",
    "expected_loss",
    "faro_loss",
    "left_ordered",
    "load",
    "read",
    "simulate",
]
