"""What the draws tell about an allocation: losses, alignment, uncertainty, chains."""

from fangs.posterior.alignment import Alignment, align
from fangs.posterior.assess import assess
from fangs.posterior.ball import CredibleBall, credible_ball, typicality
from fangs.posterior.chains import ChainComparison, compare_chains
from fangs.posterior.error_rates import ErrorRates
from fangs.posterior.intervals import Distribution
from fangs.posterior.losses import expected_loss, faro_loss
from fangs.posterior.parameters import ParameterTable
from fangs.posterior.relabel import Unmatched
from fangs.posterior.similarity import pairwise_similarity
from fangs.posterior.summary import FeatureSummary, ItemSummary, Summary, summary

__all__ = [
    "Alignment",
    "ChainComparison",
    "CredibleBall",
    "Distribution",
    "ErrorRates",
    "FeatureSummary",
    "ItemSummary",
    "ParameterTable",
    "Summary",
    "Unmatched",
    "align",
    "assess",
    "compare_chains",
    "credible_ball",
    "expected_loss",
    "faro_loss",
    "pairwise_similarity",
    "summary",
    "typicality",
]
