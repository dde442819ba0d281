"""Point estimates of feature allocations, with their uncertainty, from posterior draws."""

from importlib.metadata import version as _version

from fangs import alternatives, datasets, plot, simulate
from fangs.allocation import left_ordered
from fangs.alternatives.compare import Compared, Comparison, compare
from fangs.bounds import Certificate, certify, lower_bound
from fangs.estimate import Estimate, Search, Start, load
from fangs.io import Inspection, convert, inspect, read
from fangs.path import (
    Choice,
    Interval,
    Segment,
    SparsityPath,
    choose_a,
    flip_optimal_interval,
    sparsity_path,
)
from fangs.posterior import (
    Alignment,
    ChainComparison,
    CredibleBall,
    Distribution,
    FeatureSummary,
    ItemSummary,
    ParameterTable,
    Summary,
    Unmatched,
    align,
    assess,
    compare_chains,
    credible_ball,
    expected_loss,
    faro_loss,
    pairwise_similarity,
    summary,
    typicality,
)
from fangs.samples import Samples
from fangs.search import Interrupted, Progress, estimate

__version__ = _version("fangs")

__all__ = [
    "Alignment",
    "Certificate",
    "ChainComparison",
    "Choice",
    "Compared",
    "Comparison",
    "CredibleBall",
    "Distribution",
    "Estimate",
    "FeatureSummary",
    "Inspection",
    "Interrupted",
    "Interval",
    "ItemSummary",
    "ParameterTable",
    "Progress",
    "Samples",
    "Search",
    "Segment",
    "SparsityPath",
    "Start",
    "Summary",
    "Unmatched",
    "align",
    "alternatives",
    "assess",
    "certify",
    "choose_a",
    "compare",
    "compare_chains",
    "convert",
    "credible_ball",
    "datasets",
    "estimate",
    "expected_loss",
    "faro_loss",
    "flip_optimal_interval",
    "inspect",
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


def __dir__() -> list[str]:
    return sorted(__all__)
