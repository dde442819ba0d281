"""The separation of chains, from its definition: every copy of a draw on its own."""

import numpy as np

from oracles import reference as ref
from oracles import template

ROUNDS = 2


def halves(own, most):
    """At most so many of the first half, and of the second, spread evenly."""
    first, second = own[: len(own) // 2], own[len(own) // 2 :]
    return [
        half
        if len(half) <= most
        else [half[(2 * k + 1) * len(half) // (2 * most)] for k in range(most)]
        for half in (first, second)
    ]


def separation(draws, chains, *, weights=None, half=64):
    """(chains, chains): share of held-out draws nearer to what is typical of their own chain."""
    times = [1] * len(draws) if weights is None else weights
    rng, typical, held_out = np.random.default_rng(0), [], []
    for chain in sorted(set(chains)):
        own = [b for b in range(len(draws)) if chains[b] == chain for _ in range(times[b])]
        first, second = halves(own, half)
        counts = template.grow(draws, rng.permutation(first), ROUNDS)
        typical.append((2 * counts > len(first)).astype(np.uint8))
        held_out.append(second)
    shares = np.full((len(typical), len(typical)), 0.5)
    for i, j in np.ndindex(*shares.shape):
        if i != j:
            shares[i, j] = np.mean(
                [nearer(draws, held_out[i], typical[i], typical[j]),
                 nearer(draws, held_out[j], typical[j], typical[i])]
            )  # fmt: skip
    return shares


def nearer(draws, some, one, other):
    """Share of some draws that are nearer to one allocation than to the other; ties count half."""
    signs = [np.sign(ref.faro_loss(other, draws[b]) - ref.faro_loss(one, draws[b])) for b in some]
    return (1 + np.mean(signs)) / 2
