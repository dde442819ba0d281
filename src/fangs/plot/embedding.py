"""Draws and other allocations as points in the plane, by the FARO loss between them.

Classical multidimensional scaling (Torgerson 1952; Gower 1966) of some draws, the landmarks, by
their losses at a = 1, where the loss is a metric. All other draws and allocations are placed by
their losses to the landmarks (landmark MDS; de Silva and Tenenbaum 2004). A scatter of draws in
many directions becomes a round cloud around its middle. Maps that minimise the stress instead would
push the draws to the rim, into groups that are not there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fangs._typing import BinaryMatrix, FloatArray, IntArray
from fangs.engine import Engine
from fangs.loss import draw_losses


@dataclass(frozen=True, eq=False)
class Embedding:
    """Points for draws and for other allocations."""

    draws: FloatArray
    """(B, 2): a point for each draw of the engine."""
    others: FloatArray
    """(m, 2): a point for each other allocation."""
    stress: float
    """Kruskal's stress: root of the squared errors of the distances over the squared losses."""


def embed(
    engine: Engine, others: Sequence[BinaryMatrix], *, n_landmarks: int, rng: np.random.Generator
) -> Embedding:
    """Place all draws of an engine, and other allocations, in the plane."""
    n_draws = engine.samples_info.n_draws
    landmarks = np.arange(n_draws)
    if n_draws > n_landmarks:
        landmarks = np.sort(rng.choice(n_draws, size=n_landmarks, replace=False))
    between = _between_draws(engine, landmarks)
    # (B, L): losses between every draw and every landmark.
    losses = between
    if len(landmarks) < n_draws:
        losses = np.stack([_losses_from(engine, engine.draw(int(b))) for b in landmarks], axis=1)
    from_others = [_losses_from(engine, matrix)[landmarks] for matrix in others]
    means, axes = (between**2).mean(axis=0), plane(between)
    placed = np.array(from_others).reshape(len(others), len(landmarks))
    draws, placed = ((means - x**2) @ axes / 2 for x in (losses, placed))
    distances = _distances(draws, draws[landmarks])
    return Embedding(draws, placed, stress(losses, distances))


def plane(between: FloatArray) -> FloatArray:
    """(L, 2): the plane that keeps most of the squared losses (L, L) between the landmarks.

    Its axes are the principal ones of the doubly centred squares. Half of the product with them of
    an allocation's squared losses, subtracted from the landmarks' means, gives its point.
    """
    squares = between**2
    means = squares.mean(axis=0)
    centred = squares - means - means[:, None] + means.mean()
    values, vectors = np.linalg.eigh(-centred / 2)
    values, vectors = values[::-1][:2], vectors[:, ::-1][:, :2]
    # A fixed side for each axis: its largest coordinate is positive.
    largest = np.abs(vectors).argmax(axis=0)
    vectors = vectors * np.where(np.take_along_axis(vectors, largest[None], 0) < 0, -1.0, 1.0)
    keeps = values > 1e-9 * max(float(values.max()), 1e-300)
    scales = np.where(keeps, 1 / np.sqrt(np.where(keeps, values, 1.0)), 0.0)
    axes = vectors * scales
    return np.pad(axes, ((0, 0), (0, 2 - axes.shape[1])))


def stress(losses: FloatArray, distances: FloatArray) -> float:
    """Kruskal's stress of distances that stand for losses.

    Examples
    --------
    >>> stress(np.array([[0.0, 3.0], [4.0, 0.0]]), np.array([[0.0, 3.0], [4.0, 5.0]]))
    1.0
    """
    total = float((losses**2).sum())
    return float(((losses - distances) ** 2).sum() / total) ** 0.5 if total else 0.0


def _distances(points: FloatArray, others: FloatArray) -> FloatArray:
    """Distances between the points of two sets."""
    across = points[:, None, 0] - others[None, :, 0]
    along = points[:, None, 1] - others[None, :, 1]
    return np.hypot(across, along)


def _losses_from(engine: Engine, matrix: BinaryMatrix) -> FloatArray:
    """(B,): FARO loss at a = 1 of an allocation to each draw."""
    return draw_losses(1.0, int(matrix.sum()), engine.samples_info.n_ones, engine.overlaps(matrix))


def _between_draws(engine: Engine, draws: IntArray) -> FloatArray:
    """Symmetric matrix of FARO losses at a = 1 between some draws."""
    first, second = np.triu_indices(len(draws), 1)
    ones = engine.samples_info.n_ones[draws]
    overlaps = engine.pair_overlaps(draws[first], draws[second])
    losses = np.zeros((len(draws), len(draws)))
    losses[first, second] = ones[first] + ones[second] - 2 * overlaps
    return losses + losses.T
