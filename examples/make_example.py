"""Simulate the draws that fangs.datasets.example() returns: features of 16 animals.

Not a posterior of anything, but shaped like one. Each draw takes five traits, flips memberships
with the probability that they are in doubt, splits or forgets a trait now and then, invents a
feature of its own, and shuffles the columns.

    python examples/make_example.py src/fangs/data/animals.npz
"""

from __future__ import annotations

import sys

import numpy as np

import fangs

TRAITS = [
    "bat cat cow dog dolphin lion platypus",  # gives milk
    "bat bee duck eagle gull",  # flies
    "dolphin duck penguin platypus salmon shark",  # swims
    "cat dog dolphin eagle gull lion shark snake",  # hunts
    "bee duck eagle gull ostrich penguin platypus salmon snake",  # lays eggs
]
ANIMALS = sorted({animal for trait in TRAITS for animal in trait.split()})
IN_DOUBT = {("platypus", 0): 0.6, ("gull", 2): 0.45, ("penguin", 3): 0.4, ("shark", 4): 0.3}
N_DRAWS = 400
SEED = 20230420


def probabilities() -> np.ndarray:
    """Return how often each animal has each trait, (items, traits)."""
    p = np.array([[animal in trait.split() for trait in TRAITS] for animal in ANIMALS], dtype=float)
    p = 0.04 + 0.92 * p
    for (animal, trait), probability in IN_DOUBT.items():
        p[ANIMALS.index(animal), trait] = probability
    return p


def draw(p: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return one allocation: an (items, features) matrix of 0 and 1."""
    features = list((rng.random(p.shape) < p).T)
    if rng.random() < 0.25:  # a trait falls in two
        whole = features.pop(rng.integers(len(features)))
        half = rng.random(len(whole)) < 0.5
        features += [whole & half, whole & ~half]
    if rng.random() < 0.1:  # a trait goes unseen
        features.pop(rng.integers(len(features)))
    features += [rng.random(len(p)) < 0.12 for _ in range(rng.poisson(0.5))]
    rng.shuffle(features)
    return np.array(features, dtype=np.uint8).T


def main(path: str) -> None:
    """Write the draws to ``path``."""
    rng = np.random.default_rng(SEED)
    p = probabilities()
    draws = [draw(p, rng) for _ in range(N_DRAWS)]
    fangs.Samples(draws, items=ANIMALS).save(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
