"""Starts of the search: from single draws, as in the paper, or from templates of many."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from fangs.engine import Engine
from fangs.loss import Objective
from fangs.samples import IntArray
from fangs.sweeten import without_empty
from fangs.validate import BinaryMatrix


@dataclass(frozen=True, eq=False)
class Candidate:
    """An allocation to start from."""

    method: str
    draw: int | None
    matrix: BinaryMatrix
    overlap: int = 0
    """Its total overlap with the draws that it was made from is at least this."""


def from_baseline(engine: Engine, draw: int, objective: Objective) -> Candidate:
    """A start from one of the draws, as in the paper."""
    return Candidate("baseline", draw, *initial_estimate(engine, engine.samples[draw], objective))


def initial_estimate(
    engine: Engine, baseline: BinaryMatrix, objective: Objective
) -> tuple[BinaryMatrix, int]:
    """Align the draws to a baseline and keep the entries that at least a/2 of them have.

    Beside it the overlap of these entries with the draws as they are aligned. Features that a draw
    has beyond the baseline's have no column here, whereas the paper lets them fall into padding
    columns in whatever order the solver leaves them.
    """
    counts = engine.align(baseline).counts
    matrix = objective.threshold(counts)
    return without_empty(matrix), int(counts[matrix != 0].sum())


def from_template(
    engine: Engine, counts: IntArray, n_walked: int, objective: Objective
) -> Candidate:
    """A start from the counts of a template that was grown over so many draws.

    Thresholded, it takes the place of a baseline. For a > 1 a threshold of a/2 would drop features
    that are worth having; half is used instead.
    """
    needed = -(-min(objective.exact_a, Fraction(1)) * n_walked // 2)
    mean = without_empty((counts >= int(needed)).astype(np.uint8))
    return Candidate("template", None, *initial_estimate(engine, mean, objective))


def from_kick(
    matrix: BinaryMatrix, engine: Engine, rng: np.random.Generator, *, anew: bool
) -> Candidate:
    """Change an allocation a little at random, so that a descent may end lower than it.

    Drops a feature, adds one that some draw has, or puts such a one in a feature's place; with
    `anew` also takes a draw in the place of the whole, which is a little among few features.
    """
    matrix = without_empty(matrix)
    n_features = matrix.shape[1]
    draw = engine.samples[int(rng.integers(engine.n_draws))]
    move = int(rng.integers(4 if anew else 3))
    if move == 3:
        return Candidate("kick", None, without_empty(draw))
    place = int(rng.integers(n_features)) if n_features else 0
    if (move == 0 and n_features) or draw.shape[1] == 0:
        return Candidate("kick", None, np.delete(matrix, place, axis=1) if n_features else matrix)
    feature = draw[:, int(rng.integers(draw.shape[1]))]
    if move == 1 or n_features == 0:
        return Candidate("kick", None, np.column_stack([matrix, feature]))
    matrix[:, place] = feature
    return Candidate("kick", None, matrix)
