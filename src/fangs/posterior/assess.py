"""assess(): what is known of an estimate, for any matrix; and estimates that meet other draws."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fangs._typing import BinaryMatrix
from fangs.check.arguments import as_penalty
from fangs.draws.info import SamplesInfo
from fangs.draws.matrices import column_names, item_labels, matched_allocation
from fangs.engine import Engine, as_engine
from fangs.estimate import Estimate

OTHER_DRAWS = "the estimate was made from other draws; all numbers are about these draws"
"""The origin of what is known about draws that an estimate was not made from."""


def assess(matrix: Any, samples: Any, *, a: float = 1.0, n_threads: int | None = None) -> Estimate:
    """Evaluate any matrix as `fangs.estimate` evaluates the one it finds.

    Costs one pass over the draws. It aligns them and finds the effect of every single flip.

    Parameters
    ----------
    matrix
        A 0/1 matrix, or an `Estimate`. The result has a matrix in left-ordered form, without empty
        columns; an estimate, and a table whose columns have names, keep the order and names of
        their features.
    samples
        The posterior draws: `Samples`, or anything it accepts.
    a
        Price of a one that the matrix has and a draw lacks, between 0 and 2.
    n_threads
        Threads to use; None means all cores.

    Returns
    -------
    Estimate
        With ``search`` None. Its ``is_flip_optimal`` looks at every flip, also at those that would
        add a feature.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> ours = fangs.estimate(draws, seed=1)
    >>> theirs = assess(draws[0], draws)
    >>> ours.expected_loss, theirs.expected_loss, theirs.is_flip_optimal
    (24.8825, 28.1025, False)
    """
    engine = as_engine(samples, n_threads)
    info = engine.samples_info
    allocation = matched_allocation(matrix, name="matrix", n_items=info.n_items, items=info.items)
    found = Estimate.of(engine, allocation, as_penalty(a))
    return _kept_labels(found, allocation, matrix)


def note_on_draws(estimate: Any, info: SamplesInfo) -> str:
    """A sentence if an estimate's own numbers are about other draws than these; else nothing.

    A plain matrix has no numbers of its own.
    """
    if not isinstance(estimate, Estimate) or estimate.fingerprint == info.fingerprint:
        return estimate.note if isinstance(estimate, Estimate) else ""
    if estimate.fingerprint is None:
        return "the estimate does not say which draws it is from; all numbers are about these draws"
    return OTHER_DRAWS


def for_draws(estimate: Estimate, engine: Engine) -> Estimate:
    """The estimate itself if it is about these draws, else its matrix assessed over these.

    Its `origin` then says so. The record of its search goes, because its losses are of other draws.
    """
    info = engine.samples_info
    if estimate.fingerprint == info.fingerprint:
        return estimate
    matrix = matched_allocation(estimate, name="estimate", n_items=info.n_items, items=info.items)
    origin = note_on_draws(estimate, info)
    found = Estimate.of(engine, matrix, estimate.a, origin=origin)
    return _kept_labels(found, matrix, estimate)


def _kept_labels(found: Estimate, allocation: BinaryMatrix, given: Any) -> Estimate:
    """What was found about an allocation, with the labels of the matrix that was given."""
    if found.items is None:
        found = replace(found, items=item_labels(given, name="matrix"))
    names = column_names(given, name="matrix")
    return found.arranged_like(allocation, names) if names else found
