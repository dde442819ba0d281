"""The registry of methods: a name, the function, and whether it takes a seed.

A new alternative is a file of its own and a line here; `fangs.compare` then knows it by name, and a
test asks for its place in ``fangs.alternatives.__all__``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from fangs.alternatives.best_draw import draws
from fangs.alternatives.enumeration import exhaustive
from fangs.alternatives.greedy import deterministic, double_greedy
from fangs.alternatives.hamming import consensus, modal_hamming, sequential
from fangs.alternatives.similarity import pairwise
from fangs.alternatives.zero_one import map
from fangs.estimate import Estimate
from fangs.search.api import estimate

PUBLISHED_N_ITER = 1000
"""Proposals per start in Dahl et al. 2023."""


@dataclass(frozen=True)
class Method:
    """A way from draws to an estimate; every function takes `samples`, `a` and `n_threads`."""

    function: Callable[..., Estimate]
    label: str = ""
    """What the literature calls it; the last column of `fangs.compare`."""
    takes_seed: bool = False


METHODS: Mapping[str, Method] = {
    "estimate": Method(estimate, "the default of this package", takes_seed=True),
    "fangs": Method(
        partial(estimate, n_iter=PUBLISHED_N_ITER), "FANGS as published", takes_seed=True
    ),
    "deterministic": Method(deterministic, "FANGS, R's deterministic", takes_seed=True),
    "double_greedy": Method(double_greedy, "R's double-greedy"),
    "draws": Method(draws, "draws method"),
    "map": Method(map, "MAP, zero-one loss"),
    "pairwise": Method(pairwise, "PSM, least squares"),
    "modal_hamming": Method(modal_hamming, "DFA"),
    "consensus": Method(consensus, "CMC"),
    "sequential": Method(sequential, "SIFA"),
    "exhaustive": Method(exhaustive, "every allocation"),
}
"""All methods by name, in the order in which `fangs.compare` shows them."""
