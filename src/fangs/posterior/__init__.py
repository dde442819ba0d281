"""What the draws tell about an allocation: losses, alignment, uncertainty, chains."""

from fangs.posterior.alignment import Alignment, align
from fangs.posterior.assess import assess
from fangs.posterior.ball import CredibleBall, credible_ball, typicality
from fangs.posterior.chains import ChainComparison, compare_chains
from fangs.posterior.core import core
from fangs.posterior.core_result import Core
from fangs.posterior.error_rates import ErrorRates
from fangs.posterior.held_out import HeldOutLoss, held_out_loss
from fangs.posterior.intervals import Distribution
from fangs.posterior.losses import expected_loss, faro_loss
from fangs.posterior.parameters import ParameterTable
from fangs.posterior.relabel import Unmatched
from fangs.posterior.similarity import pairwise_similarity
from fangs.posterior.stability import Stability, stability
from fangs.posterior.summary import FeatureSummary, ItemSummary, Summary, summary

__all__ = [
    "Alignment",
    "ChainComparison",
    "Core",
    "CredibleBall",
    "Distribution",
    "ErrorRates",
    "FeatureSummary",
    "HeldOutLoss",
    "ItemSummary",
    "ParameterTable",
    "Stability",
    "Summary",
    "Unmatched",
    "align",
    "assess",
    "compare_chains",
    "core",
    "credible_ball",
    "expected_loss",
    "faro_loss",
    "held_out_loss",
    "pairwise_similarity",
    "stability",
    "summary",
    "typicality",
]
