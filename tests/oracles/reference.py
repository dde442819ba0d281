"""The definitions in plain NumPy, slow and obvious: what every fast path must agree with.

Allocations are 0/1 arrays of shape (n, K). Nothing here uses facts about matchings; a loss is
found by trying every column order, an estimate by trying every matrix.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, permutations, product

import numpy as np
from numpy.typing import ArrayLike, NDArray

Allocation = NDArray[np.int64]


def as_allocation(matrix: ArrayLike) -> Allocation:
    return np.asarray(matrix).astype(np.int64)


def from_features(n_items: int, *features: str) -> Allocation:
    """An allocation written as its features, each a string of items counted from 1."""
    matrix = np.zeros((n_items, len(features)), dtype=np.int64)
    for k, feature in enumerate(features):
        matrix[[int(item) - 1 for item in feature], k] = 1
    return matrix


def pad(matrix: ArrayLike, n_features: int) -> Allocation:
    """Append empty features until there are `n_features`."""
    matrix = as_allocation(matrix)
    return np.pad(matrix, ((0, 0), (0, n_features - matrix.shape[1])))


def without_empty_features(matrix: ArrayLike) -> Allocation:
    matrix = as_allocation(matrix)
    return matrix[:, matrix.any(axis=0)]


def column_orders(estimate: ArrayLike, draw: ArrayLike) -> Iterator[tuple[Allocation, Allocation]]:
    """Both matrices padded to one width, the draw in every column order."""
    width = max(as_allocation(estimate).shape[1], as_allocation(draw).shape[1])
    estimate, draw = pad(estimate, width), pad(draw, width)
    for order in permutations(range(width)):
        yield estimate, draw[:, list(order)]


def faro_loss(estimate: ArrayLike, draw: ArrayLike, a: float = 1.0) -> float:
    """`a` for each one the estimate alone has, `2 - a` for each one the draw alone has."""
    return min(
        a * int(((E == 1) & (Z == 0)).sum()) + (2 - a) * int(((E == 0) & (Z == 1)).sum())
        for E, Z in column_orders(estimate, draw)
    )


def max_overlap(estimate: ArrayLike, draw: ArrayLike) -> int:
    return max(int((E * Z).sum()) for E, Z in column_orders(estimate, draw))


def expected_loss(estimate: ArrayLike, draws: Sequence[ArrayLike], a: float = 1.0) -> float:
    return sum(faro_loss(estimate, draw, a) for draw in draws) / len(draws)


def allocations(n_items: int, max_features: int) -> Iterator[Allocation]:
    """Every allocation of at most `max_features` nonempty features, each once."""
    features = [f for f in product((0, 1), repeat=n_items) if any(f)]
    for n_features in range(max_features + 1):
        for chosen in combinations_with_replacement(features, n_features):
            yield as_allocation(chosen).reshape(n_features, n_items).T


def most_useful_features(draws: Sequence[ArrayLike], a: float) -> int:
    """Return how many features an optimal estimate can have at most.

    Dropping a feature that is matched in fewer than a share a/2 of the draws lowers the expected
    loss, and a draw matches at most as many features as it has itself. Hence K a/2 <= mean K_b.
    (An optimal estimate may well have more features than any single draw.)
    """
    total = sum(without_empty_features(draw).shape[1] for draw in draws)
    return int(2 * total / (a * len(draws)))


def best_estimate(draws: Sequence[ArrayLike], a: float = 1.0) -> tuple[Allocation, float]:
    """Return the first estimate with the lowest expected loss, and that loss."""
    n_items = as_allocation(draws[0]).shape[0]
    candidates = allocations(n_items, most_useful_features(draws, a))
    scored = [(E, expected_loss(E, draws, a)) for E in candidates]
    return min(scored, key=lambda pair: pair[1])


def flipped(estimate: ArrayLike, i: int, j: int) -> Allocation:
    neighbour = as_allocation(estimate).copy()
    neighbour[i, j] = 1 - neighbour[i, j]
    return neighbour


def overlap_changes(
    estimate: ArrayLike, draws: Sequence[ArrayLike]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How much total overlap each switch-on gains, and each switch-off loses."""
    estimate = as_allocation(estimate)
    on, off = np.zeros_like(estimate), np.zeros_like(estimate)
    total = sum(max_overlap(estimate, draw) for draw in draws)
    for i, j in np.ndindex(*estimate.shape):
        change = sum(max_overlap(flipped(estimate, i, j), draw) for draw in draws) - total
        if estimate[i, j]:
            off[i, j] = -change
        else:
            on[i, j] = change
    return on, off


def loss_changes(
    estimate: ArrayLike, draws: Sequence[ArrayLike], a: float = 1.0
) -> NDArray[np.float64]:
    """Change of the expected loss by each single flip."""
    estimate = as_allocation(estimate)
    now = expected_loss(estimate, draws, a)
    changes = np.zeros(estimate.shape)
    for i, j in np.ndindex(*estimate.shape):
        changes[i, j] = expected_loss(flipped(estimate, i, j), draws, a) - now
    return changes


def left_ordered(matrix: ArrayLike) -> Allocation:
    """Nonempty features by falling binary number, the first item being the leading digit."""
    matrix = without_empty_features(matrix)
    numbers = [int("".join(map(str, feature)), 2) for feature in matrix.T]
    return matrix[:, sorted(range(len(numbers)), key=lambda k: -numbers[k])]


def sweeten(
    estimate: ArrayLike, draws: Sequence[ArrayLike], a: float, proposals: Iterable[tuple[int, int]]
) -> tuple[Allocation, list[tuple[int, int]]]:
    """Keep each proposed flip that strictly lowers the expected loss; return those kept."""
    estimate, accepted = as_allocation(estimate), []
    loss = expected_loss(estimate, draws, a)
    for i, j in proposals:
        neighbour = flipped(estimate, i, j)
        proposed_loss = expected_loss(neighbour, draws, a)
        if proposed_loss < loss:
            estimate, loss = neighbour, proposed_loss
            accepted.append((int(i), int(j)))
    return estimate, accepted


def best_orders(baseline: ArrayLike, draw: ArrayLike) -> list[Allocation]:
    """The draw aligned to the baseline with the largest overlap, in every distinct way.

    A feature of the draw that stands for none of the baseline's is dropped; a feature of the
    baseline may have none standing for it, and then shows an empty column.
    """
    baseline, draw = as_allocation(baseline), as_allocation(draw)
    spare = pad(draw, draw.shape[1] + baseline.shape[1])
    orders = permutations(range(spare.shape[1]), baseline.shape[1])
    aligned = {Z.tobytes(): Z for Z in (spare[:, list(order)] for order in orders)}
    most = max_overlap(baseline, draw)
    return [Z for Z in aligned.values() if int((baseline * Z).sum()) == most]


def initial_estimates(
    baseline: ArrayLike, draws: Sequence[ArrayLike], a: float
) -> Iterator[Allocation]:
    """Align the draws to the baseline, keep entries in a share a/2 or more; once per tie."""
    for aligned in product(*(best_orders(baseline, draw) for draw in draws)):
        counts = sum(aligned)
        yield without_empty_features(2 * counts >= a * len(draws))
