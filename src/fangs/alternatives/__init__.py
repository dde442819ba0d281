"""Earlier methods: each takes draws and returns an `Estimate` with its expected FARO loss.

Use them to repeat published analyses and to compare with `fangs.estimate`; `fangs.compare` shows
all in one table. Dahl et al. 2023, section 2, reviews them. registry.py lists them by name.

In the literature the draws method is `draws`; MAP (zero-one loss) is `map`; PSM, the pairwise
similarity matrix with least squares, is `pairwise`; DFA, double feature allocation, is
`modal_hamming`; CMC, consensus Monte Carlo, is `consensus`; SIFA is `sequential`.
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
