"""Results are the same bits on every build: any compiler, optimisation, instruction set, Python.

`scripts/same_bits.py` runs this file against several builds. A change that is meant to change
results writes the digests again: ``python tests/test_digest.py``. So does a NumPy whose `Generator`
draws other numbers, which has been rare.
"""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

import fangs
from fangs.engine import ThreadedEngine

RECORD = Path(__file__).parent / "data" / "digests.json"


def made_draws(n_items, n_features, n_draws, seed):
    """Draws around a truth, from the generator's raw bits, which never change."""
    bits = np.random.PCG64(seed)
    truth = bits.random_raw((n_items, n_features)) % 4 == 0
    flips = bits.random_raw((n_draws, n_items, n_features)) % 10 == 0
    return [np.ascontiguousarray((truth ^ flip)[:, b % 3 :]) for b, flip in enumerate(flips)]


SIZES = {"narrow": (40, 5, 60), "words": (130, 20, 30), "wide": (11_000, 4, 6)}
"""The last needs 32 bits for its overlaps."""


def results(name):
    """What the core and the search give on one set of draws; whole numbers and exact quotients."""
    samples = fangs.Samples(made_draws(*SIZES[name], seed=1))
    engine = ThreadedEngine(samples, 2)
    first = samples[0]
    permutations, aligned = engine.permutations(first)
    evaluation = engine.evaluate(first)
    yield from (permutations, aligned.counts, aligned.overlaps)
    yield from (evaluation.flip_support, evaluation.birth_support)
    yield from engine.grow_templates([np.arange(len(samples))])
    for options in ({}, {"n_iter": 300}, {"a": 0.4}):
        found = fangs.estimate(samples, seed=1, **options)
        yield from (found.matrix, np.float64(found.expected_loss), found.losses)
    yield np.float64(fangs.lower_bound(samples, method="dual", max_seconds=None))
    best = fangs.alternatives.draws(samples)
    yield from (best.matrix, np.float64(best.expected_loss))


def digest(name):
    """One word for all results on one set of draws."""
    whole = hashlib.sha256()
    for array in results(name):
        array = np.ascontiguousarray(array)
        array = array.astype("<f8" if array.dtype.kind == "f" else "<i8")
        whole.update(repr(array.shape).encode() + array.tobytes())
    return whole.hexdigest()[:16]


@pytest.mark.parametrize("name", SIZES)
def test_results_are_the_recorded_bits(name):
    assert digest(name) == json.loads(RECORD.read_text())[name]


if __name__ == "__main__":
    RECORD.write_text(json.dumps({name: digest(name) for name in SIZES}, indent=1) + "\n")
