"""The types of results, for annotations and `isinstance`; functions make them, users read them."""

from fangs.alternatives.compare import Compared, Comparison
from fangs.bounds.certificate import Certificate
from fangs.draws.variables import Inspection, Variable
from fangs.modes import Modes, ModesStep
from fangs.path.choose import Choice
from fangs.path.envelope import Interval, Segment
from fangs.path.sparsity import SparsityPath
from fangs.posterior.alignment import Alignment
from fangs.posterior.ball import CredibleBall
from fangs.posterior.by_chain import FeaturesByChain
from fangs.posterior.chains import ChainComparison
from fangs.posterior.core.result import Core
from fangs.posterior.error_rates import ErrorRates
from fangs.posterior.intervals import Distribution
from fangs.posterior.parameters import ParameterTable
from fangs.posterior.relabel import Unmatched
from fangs.posterior.stability import Stability
from fangs.posterior.stability.held_out import HeldOutLoss
from fangs.posterior.summary import FeatureSummary, ItemSummary, Summary
from fangs.search.api import Interrupted
from fangs.search.record import Search, Start
from fangs.search.state import Progress

__all__ = [
    "Alignment",
    "Certificate",
    "ChainComparison",
    "Choice",
    "Compared",
    "Comparison",
    "Core",
    "CredibleBall",
    "Distribution",
    "ErrorRates",
    "FeatureSummary",
    "FeaturesByChain",
    "HeldOutLoss",
    "Inspection",
    "Interrupted",
    "Interval",
    "ItemSummary",
    "Modes",
    "ModesStep",
    "ParameterTable",
    "Progress",
    "Search",
    "Segment",
    "SparsityPath",
    "Stability",
    "Start",
    "Summary",
    "Unmatched",
    "Variable",
]
