"""The rule for the number of modes: one more mode must pay, and all modes must be clear.

The expected loss falls with every mode added, even where the posterior has one mode only. What
tells real modes apart is the room between them. A draw's *margin* is how much nearer it is to its
own mode than to another, as a share of the distance between the two: 0 halfway, 1 at the mode
itself. Around real modes most margins are large. Where one cloud of draws was cut in two, at least
a sixth of them is small. Take draws along a line with a single peak of their density, cut in two,
each half with its mode at its median, at distance m from the cut. In the half without the peak the
density falls from the cut on, so the first third of the way to the median has at least a third of
the draws up to the median: a sixth of the half. Exactly these have a margin of at most a third.
Hence a mode with more than 5/6 of its draws clear is no half of such a cloud. Draws are a sample,
so the rule wants more by a standard error.

A single entry or a single feature that comes and goes is no mode: one estimate tells it, by the
entry's proportion or by how often the feature is matched. Modes differ in several things jointly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from fangs._typing import BinaryMatrix, FloatArray
from fangs.modes.aligned import aligned_matrices
from fangs.modes.params import ModesParams
from fangs.modes.partition import Partition
from fangs.posterior.losses import faro_loss


@dataclass(frozen=True)
class ModesStep:
    """What the rule looked at for one number of modes.

    Attributes
    ----------
    n_modes
        The number of modes.
    expected_loss
        Mean over the draws of the smallest loss to the nearest estimate.
    gain
        Share of the expected loss that it saves over one mode fewer.
    clear
        Share of draws that are clear, in the mode that lacks most of them or has fewest to spare.
    clear_needed
        Share that this mode must have.
    weight
        Share of all draws that the lightest mode has.
    joint
        Share of the distance between two modes that is left without the one entry, or the one
        whole feature, that adds most to it; of the two modes where that is smallest.
    is_accepted
        Whether the modes pay, are clear, and differ in several things jointly.
    """

    n_modes: int
    expected_loss: float
    gain: float
    clear: float
    clear_needed: float
    weight: float
    joint: float
    is_accepted: bool


def margins(partition: Partition) -> FloatArray:
    """(B,): how much nearer each draw is to its own mode than to any other, from 0 to 1.

    The loss to another mode j exceeds that to the own mode i by at most the loss of j to i, by the
    triangle inequality; the margin is the share of this that is reached. It is 1 if there is one
    mode only.
    """
    losses, labels = partition.losses, partition.labels
    own = losses[np.arange(len(labels)), labels]
    smallest = np.ones(len(labels))
    for mode, centre in enumerate(partition.centres):
        for other, theirs in enumerate(partition.centres):
            if other != mode:
                apart = faro_loss(theirs.matrix, centre.matrix, a=partition.a)
                share = (losses[:, other] - own) / apart
                smallest = np.where(labels == mode, np.minimum(smallest, share), smallest)
    return smallest


def judge(partitions: Sequence[Partition], params: ModesParams) -> tuple[ModesStep, ...]:
    """Apply the rule to the partitions into 1, 2, 3, ... modes."""
    steps = [ModesStep(1, partitions[0].expected_loss, 0.0, 1.0, 0.0, 1.0, 1.0, True)]
    for before, partition in pairwise(partitions):
        is_clear = margins(partition) > params.clear_margin
        gain = 1 - partition.expected_loss / before.expected_loss
        counts = partition.counts
        shares, needed = partition.count(is_clear) / counts, clear_needed(partition, params)
        scarce = int(np.argmin(shares - needed))
        clear, enough = float(shares[scarce]), float(needed[scarce])
        weight = int(counts.min()) / partition.info.total_weight
        joint = min(
            jointly_apart(x.matrix, y.matrix) for x, y in combinations(partition.centres, 2)
        )
        is_accepted = bool(
            gain >= params.least_gain
            and clear >= enough
            and weight >= params.least_weight
            and partition.effective_counts.min() >= params.fewest_draws
            and joint >= params.least_joint
        )
        number, loss = partition.n_modes, partition.expected_loss
        steps.append(ModesStep(number, loss, gain, clear, enough, weight, joint, is_accepted))
    return tuple(steps)


def clear_needed(partition: Partition, params: ModesParams) -> FloatArray:
    """(M,): share of its draws that must be clear in each mode.

    The standard error is that of a share among as many draws as the mode has, by the effective
    number of them where draws have weights.
    """
    share = params.cloud_clear
    error = np.sqrt(share * (1 - share) / partition.effective_counts)
    return np.asarray(np.minimum(share + params.clear_errors * error, 1.0))


def jointly_apart(one: BinaryMatrix, other: BinaryMatrix) -> float:
    """Share of the distance that is left without the entry or whole feature that adds most to it.

    A whole feature is one that only one of the two allocations has. The share is 0 if they differ
    in one entry or one feature only.

    Examples
    --------
    >>> jointly_apart(np.array([[1, 0], [1, 1]]), np.array([[1], [1]]))
    0.0
    >>> jointly_apart(np.array([[1], [1], [0]]), np.array([[1], [0], [1]]))
    0.5
    """
    first, second = aligned_matrices([one, other])
    differences = (first != second).sum(axis=0)
    is_whole = ~(first.any(axis=0) & second.any(axis=0))
    largest = max(int(differences[is_whole].max(initial=0)), 1)
    total = int(differences.sum())
    return (total - largest) / total if total else 0.0


def chosen(steps: Sequence[ModesStep]) -> int:
    """The largest number of modes that the rule accepts; 1 always is."""
    return max(step.n_modes for step in steps if step.is_accepted)
