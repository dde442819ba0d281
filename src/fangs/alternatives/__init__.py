"""Earlier ways to an estimate, each from draws to an `Estimate` that shows its expected FARO loss.

They are here to be compared with `fangs.estimate` (`fangs.compare` does so in one table) and to
repeat published analyses; Dahl et al. 2023, section 2, reviews them.
"""

from fangs.alternatives.best_draw import draws
from fangs.alternatives.enumeration import exhaustive, exhaustive_loss
from fangs.alternatives.greedy import deterministic, double_greedy
from fangs.alternatives.hamming import consensus, modal_hamming, sequential
from fangs.alternatives.result import NotApplicableError
from fangs.alternatives.similarity import pairwise
from fangs.alternatives.zero_one import map

__all__ = [
    "NotApplicableError",
    "consensus",
    "deterministic",
    "double_greedy",
    "draws",
    "exhaustive",
    "exhaustive_loss",
    "map",
    "modal_hamming",
    "pairwise",
    "sequential",
]
