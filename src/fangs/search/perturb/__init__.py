"""Perturbations: ways to leave a flip-optimal allocation so that a descent may end lower.

Each is a small object called with the `LocalSearch` and a random generator; it changes the current
allocation in place. A new one is a file here and a line below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from fangs.search.local_search import LocalSearch
from fangs.search.params import SearchParams
from fangs.search.perturb.exchange import FeatureExchange
from fangs.search.perturb.penalty import PenaltyShift, scale_odds
from fangs.search.perturb.tabu import TabuWalk

__all__ = [
    "PERTURBATIONS",
    "FeatureExchange",
    "PenaltyShift",
    "Perturbation",
    "TabuWalk",
    "make_perturbations",
    "scale_odds",
]


class Perturbation(Protocol):
    """Changes the current allocation of a local search."""

    def __call__(self, search: LocalSearch, rng: np.random.Generator) -> None:
        """Move the search away from where it stands."""


PERTURBATIONS: dict[str, Callable[[SearchParams], Sequence[Perturbation]]] = {
    "tabu": lambda params: [
        TabuWalk(params.walk_steps, params.tabu_tenure, params.max_ascents, params.walk_seconds)
    ],
    "penalty": lambda params: [PenaltyShift(factor) for factor in params.penalty_factors],
    "exchange": lambda params: [FeatureExchange()] * params.patience,
}
"""What `SearchParams` may name, each made from the parameters."""


def make_perturbations(names: Sequence[str], params: SearchParams) -> list[Perturbation]:
    """The perturbations of these names, in order."""
    return [perturbation for name in names for perturbation in PERTURBATIONS[name](params)]
