"""Estimates by Hamming distance, each with its own rule for unequal numbers of features."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from fangs._typing import BinaryMatrix
from fangs.alternatives.best_draw import best_draw
from fangs.alternatives.result import NotApplicableError, Run
from fangs.engine import match
from fangs.estimate import Estimate
from fangs.posterior.intervals import Distribution


def modal_hamming(samples: Any, *, a: float = 1.0, n_threads: int | None = None) -> Estimate:
    """Return the best draw among those with the most frequent number of features.

    This is DFA. Ni et al. (2020, double feature allocation) keep only the draws with the modal
    number of features and take the one with the least mean Hamming distance to the others, in the
    best column order. Draws with another number of features have no influence, even if they are the
    majority. The authors tried all K! orders; here a matching finds the best.

    Parameters
    ----------
    samples
        The posterior draws: `Samples`, or anything it accepts. Empty columns are no features.
    a
        Penalty of the FARO loss that is reported, over all draws; the choice ignores it.
    n_threads
        Threads to use; None means all cores.

    Returns
    -------
    Estimate
        ``search.starts[0].draw`` is the position of the draw; ties go to the first. If several
        numbers of features are equally frequent, the smallest is taken.

    Examples
    --------
    >>> found = modal_hamming([[[1], [0]], [[1, 0], [1, 1]], [[1, 0], [0, 1]], [[1, 0], [1, 1]]])
    >>> found.search.starts[0].draw, found.n_features
    (1, 2)
    """
    with Run.begin("modal_hamming", samples, a=a, n_threads=n_threads) as run:
        samples = run.samples
        modal = Distribution.of(samples.n_features, samples.weights).mode
        chosen = np.flatnonzero(samples.n_features == modal)
        engine = run.engine.select(chosen)
        # The distance is FARO loss at a = 1, over these draws only.
        threshold_count = Fraction(engine.samples_info.total_weight, 2)
        offsets = [threshold_count * int(m) for m in engine.samples_info.n_ones]
        best = best_draw(
            engine, offsets=offsets, keep=lambda draw: run.keep_draw(int(chosen[draw]))
        )
        draw = int(chosen[best.draw])
        found = best.describe(run.number(draw))
        because = f"of the {len(chosen):,} draws with {modal} features, {found}"
        return run.finish_with_draw(draw, because=because)


def consensus(samples: Any, *, a: float = 1.0, n_threads: int | None = None) -> Estimate:
    """Return the best draw when comparisons leave out the excess columns of the wider allocation.

    This is CMC. Ni et al. (2020, consensus Monte Carlo) compare allocations of different widths by
    Hamming distance after removing columns from the wider one, here those whose removal leaves the
    least distance. Removed columns cost nothing, so narrow draws look close to everything: a draw
    without features has distance 0 to all, and is always chosen.

    Parameters
    ----------
    samples
        The posterior draws: `Samples`, or anything it accepts. Empty columns are no features.
    a
        Penalty of the FARO loss that is reported; the choice ignores it.
    n_threads
        Threads to use; None means all cores.

    Returns
    -------
    Estimate
        ``search.starts[0].draw`` is the position of the draw; ties go to the first.

    Examples
    --------
    >>> wide = [[1, 0, 0], [1, 1, 0], [0, 1, 1]]
    >>> found = consensus([wide, wide, [[1], [1], [0]]])
    >>> found.search.starts[0].draw, found.n_features
    (0, 3)
    >>> consensus([wide, [[1], [1], [1]], np.zeros((3, 0))]).n_features
    0
    """
    with Run.begin("consensus", samples, a=a, n_threads=n_threads) as run:
        samples = run.samples
        # As many columns are compared as the narrower allocation has. All their entries count
        # except those in which matched features agree. The dual price of a feature depends on which
        # of the two allocations has columns to spare, hence one set of prices for each width.
        found = Distribution.of(samples.n_features, samples.weights)
        widths = found.values
        compared = np.minimum(widths[:, None], widths) @ found.counts  # columns, by own width
        offsets = (samples.n_items * compared[np.searchsorted(widths, samples.n_features)]).tolist()
        best = best_draw(
            run.engine,
            offsets=offsets,
            agreements=True,
            kinds=samples.n_features,
            keep=run.keep_draw,
        )
        return run.finish_with_draw(best.draw, because=best.describe(run.number(best.draw)))


def sequential(samples: Any, *, a: float = 1.0, n_threads: int | None = None) -> Estimate:
    """Align each draw to the one before, then take the most frequent value of every entry.

    This is SIFA (Zeng et al. 2018). All draws must have the same number of features. The result
    need not be a draw. Errors of the alignment add up along the chain, and the result depends on
    the order of the draws. The authors tried all K! orders; here a matching finds the best.

    Parameters
    ----------
    samples
        The posterior draws: `Samples`, or anything it accepts. Empty columns are no features.
    a
        Penalty of the FARO loss that is reported; the choice ignores it.
    n_threads
        Threads to use; None means all cores.

    Returns
    -------
    Estimate
        Entries that are 1 in exactly half of the draws are 1. Columns may become empty or equal.

    Raises
    ------
    NotApplicableError
        If the draws differ in their number of features; a ValueError.

    Examples
    --------
    >>> sequential([[[1, 0], [1, 1]], [[0, 1], [1, 1]], [[1, 0], [0, 1]]]).matrix
    array([[1, 0],
           [1, 1]], dtype=uint8)
    """
    run = Run.begin("sequential", samples, a=a, n_threads=n_threads)
    samples = run.samples
    low, high = int(samples.n_features.min()), int(samples.n_features.max())
    if low != high:
        raise NotApplicableError(
            f"sequential needs draws with equal numbers of features, but these have {low} to "
            f"{high} (empty columns not counted); use fangs.estimate, which takes any"
        )
    before, weights = samples[0], samples.weights
    if weights is None:
        weights = np.ones(len(samples), dtype=np.int64)
    counts = weights[0] * before.astype(np.int64)
    for b in range(1, len(samples)):
        before = _aligned(samples[b], before)
        counts += weights[b] * before
    matrix = (2 * counts >= weights.sum()).astype(np.uint8)
    because = f"{len(samples):,} draws were aligned, each to the one before"
    return run.finish(matrix, because=because)


def _aligned(draw: BinaryMatrix, reference: BinaryMatrix) -> BinaryMatrix:
    """Put the columns in the order closest to a reference of equal width."""
    order = np.array(match(reference, draw)[1])
    # Columns without overlap stay unmatched on both sides; all orders of them are equally close.
    order[order < 0] = np.setdiff1d(np.arange(draw.shape[1]), order)
    return np.ascontiguousarray(draw[:, order])
