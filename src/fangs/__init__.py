"""Point estimates of feature allocations, with their uncertainty, from posterior draws."""

from importlib.metadata import version as _version

from fangs import alternatives, datasets, plot, simulate
from fangs.alignment import Alignment, align
from fangs.assessment import assess
from fangs.ball import CredibleBall, credible_ball, typicality
from fangs.bounds import Certificate, certify, lower_bound
from fangs.breakpoints import flip_optimal_interval
from fangs.chains import ChainComparison, compare_chains
from fangs.comparison import Compared, Comparison, compare
from fangs.io import read
from fangs.loss import expected_loss, faro_loss, left_ordered
from fangs.path import Choice, SparsityPath, choose_a, sparsity_path
from fangs.result import Estimate, Search, Start, load
from fangs.samples import Samples
from fangs.search import Interrupted, Progress, estimate
from fangs.similarity import pairwise_similarity
from fangs.uncertainty import Summary, summary

__version__ = _version("fangs")

__all__ = [
    "Alignment",
    "Certificate",
    "ChainComparison",
    "Choice",
    "Compared",
    "Comparison",
    "CredibleBall",
    "Estimate",
    "Interrupted",
    "Progress",
    "Samples",
    "Search",
    "SparsityPath",
    "Start",
    "Summary",
    "align",
    "alternatives",
    "assess",
    "certify",
    "choose_a",
    "compare",
    "compare_chains",
    "credible_ball",
    "datasets",
    "estimate",
    "expected_loss",
    "faro_loss",
    "flip_optimal_interval",
    "left_ordered",
    "load",
    "lower_bound",
    "pairwise_similarity",
    "plot",
    "read",
    "simulate",
    "sparsity_path",
    "summary",
    "typicality",
]
