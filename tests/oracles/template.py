"""A template grown along a walk through the draws, in plain NumPy."""

import numpy as np

from oracles import matching

PRUNE_EVERY = 16


def weights_of(draw, counts, age):
    """(features of the draw, columns): sums of shares, in units that the number of items sets."""
    narrow = 10_921 // len(draw)
    scale = min(128, narrow) if narrow >= 16 else 128
    unit = np.float32(scale) / np.maximum(age, 1).astype(np.float32)
    return ((draw.T.astype(np.int64) @ counts).astype(np.float32) * unit).astype(np.int64)


def supported(counts, age):
    """Columns that are young, or have an item in a tenth of the draws since they were opened."""
    most = counts.max(axis=0, initial=0)
    return (age < 8) | (10 * most >= age)


def grow(draws, walk, n_rounds):
    """The counts of the template of one walk."""
    counts = np.zeros((len(draws[0]), 0), dtype=np.int64)
    age = np.zeros(0, dtype=np.int64)
    for step, b in enumerate(walk):
        mates = matching.solve(weights_of(draws[b], counts, age))
        age += 1
        for feature, mate in zip(draws[b].T, mates, strict=True):
            if mate >= 0:
                counts[:, mate] += feature
            else:
                counts = np.column_stack([counts, feature.astype(np.int64)])
                age = np.append(age, 1)
        if (step + 1) % PRUNE_EVERY == 0 or step + 1 == len(walk):
            kept = supported(counts, age)
            counts, age = counts[:, kept], age[kept]
    for _ in range(1, n_rounds):
        fresh = np.zeros_like(counts)
        for b in walk:
            mates = matching.solve(weights_of(draws[b], counts, age))
            for feature, mate in zip(draws[b].T, mates, strict=True):
                if mate >= 0:
                    fresh[:, mate] += feature
        age = np.full(counts.shape[1], len(walk))
        kept = supported(fresh, age)
        counts, age = fresh[:, kept], age[kept]
    return counts
