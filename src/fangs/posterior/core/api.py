"""core(): the largest set of entries, items or features of an estimate that hold together."""

from __future__ import annotations

from typing import Any

import numpy as np

from fangs._typing import IntArray
from fangs.check.arguments import as_level
from fangs.draws.info import SamplesInfo
from fangs.posterior.alignment import Alignment, as_alignment
from fangs.posterior.assess import note_on_draws
from fangs.posterior.core.branching import Branching
from fangs.posterior.core.problem import Mask, Problem, holds_together
from fangs.posterior.core.result import Core
from fangs.posterior.core.search import CoreParams, Search, Solutions
from fangs.posterior.core.units import (
    UNITS,
    By,
    entries_of,
    failures,
    number_of_units,
)
from fangs.posterior.intervals import exact_share
from fangs.search import Interrupted


def core(
    estimate: Any,
    samples: Any,
    *,
    level: float = 0.95,
    by: By = "entries",
    n_threads: int | None = None,
) -> Core:
    """Find the largest set of entries that hold all at once in a given share of the draws.

    Entries that are certain one by one need not be certain together. The core is the set that may
    be claimed as a whole: with a probability of `level` or more, none of its entries is wrong. Ones
    and zeros of the estimate count alike. An entry holds in a draw whose aligned feature agrees
    with the estimate there; a zero also holds if no feature is aligned.

    To find the largest set is hard in general, and easy for most posteriors. `Core.is_exact` says
    whether the core is proved to be the largest; else `Core.upper_bound` says how large it can be
    at most. There is no randomness: equal draws have equal cores.

    Costs one alignment of the draws, or none where it is given, and a second or so for 1,000 draws
    of 1,000 entries.

    Parameters
    ----------
    estimate
        An `Estimate`, or any 0/1 matrix.
    samples
        The posterior draws: `Samples`, or anything it accepts; or their `Alignment` to the
        estimate, if it has been made already.
    level
        Share of the draws, by weight, in which all of the core must hold.
    by
        What the core is a set of. "entries"; "items", which hold in a draw if their whole row does;
        or "features", which hold if they are present: if the Jaccard index of the feature and its
        match is at least 1/2.
    n_threads
        Threads to use for the alignment; None means all cores.

    Raises
    ------
    Interrupted
        On Ctrl-C; its `partial` is the largest core found until then.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.arrests()
    >>> found = core(fangs.estimate(draws, seed=1), draws)
    >>> found.size, found.probability, found.is_exact
    (18, 0.95, True)
    >>> int(found.entries.sum()), len(found.draws)
    (18, 950)
    """
    if by not in UNITS:
        raise ValueError(f'by = {by!r} is not known; choose "entries", "items" or "features"')
    level, alignment = as_level(level), as_alignment(estimate, samples, n_threads)
    note = note_on_draws(estimate, alignment.engine.samples_info)
    work = _Work(alignment, level, by, note)
    try:
        work.run(CoreParams())
    except KeyboardInterrupt as interrupt:
        raise Interrupted(None, work.result()) from interrupt
    return work.result()


class _Work:
    """The search for one core, and what it has found so far."""

    def __init__(self, alignment: Alignment, level: float, by: By, note: str) -> None:
        self.alignment, self.level, self.by, self.note = alignment, level, by, note
        self.failures = failures(alignment, by)
        info = alignment.engine.samples_info
        self.weights = _weights(info)
        self.total = int(self.weights.sum())
        self.budget = self.total + int(-exact_share(level) * self.total // 1)
        self.n_units = number_of_units(alignment, by)
        self.solutions = Solutions(self.n_units, self.total, self.budget)
        self.bound = self.n_units
        self.separate: Mask = np.zeros(self.n_units, dtype=bool)

    def run(self, params: CoreParams) -> None:
        """Search at the level; then over all units, for the curve."""
        whole = Problem.of(self.failures, self.n_units, self.weights)
        allowed = whole.failing_weights() <= self.budget
        self.separate = whole.expand(allowed)
        search = Search(whole.only(allowed), self.solutions, self.budget, params)
        search.run(params.max_rounds)
        self.bound = search.bound
        search.exchange()
        if search.shares is not None and not search.is_proved:
            Branching(search, search.shares).run(params.max_nodes)
            self.bound = search.bound
        Search(whole, self.solutions, self.total, params).run(params.curve_rounds)

    def result(self) -> Core:
        """The best core found so far."""
        found, info = self.solutions, self.alignment.engine.samples_info
        holds = holds_together(self.failures, found.chosen)
        separate = holds_together(self.failures, self.separate)
        return Core(
            matrix=self.alignment.reference,
            level=self.level,
            by=self.by,
            entries=entries_of(found.chosen, self.alignment.reference.shape, self.by),
            members=np.flatnonzero(found.chosen),
            probability=int(self.weights[holds].sum()) / self.total,
            upper_bound=max(self.bound, found.size),
            curve=found.curve() / self.total,
            draws=np.flatnonzero(holds & (self.weights > 0)),
            n_separate=int(self.separate.sum()),
            separate_probability=int(self.weights[separate].sum()) / self.total,
            labels=info.item_names,
            feature_names=self.alignment.feature_names,
            is_weighted=info.weights is not None,
            note=self.note,
        )


def _weights(info: SamplesInfo) -> IntArray:
    return np.ones(info.n_draws, dtype=np.int64) if info.weights is None else info.weights
