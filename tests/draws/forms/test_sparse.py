"""Sparse draws are packed from their entries, without a dense copy."""

import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse

import fangs
from support.objects import BY_CHAIN, DRAWS, STACK


@pytest.mark.parametrize("kind", ["coo", "csr", "csc", "dok", "lil", "bsr", "dia"])
@pytest.mark.parametrize("family", ["array", "matrix"])
def test_every_kind_of_scipy_is_read(kind, family):
    make = getattr(scipy.sparse, f"{kind}_{family}")
    draws = DRAWS[:3] + DRAWS[4:]  # some kinds cannot be without columns
    assert fangs.Samples([make(draw) for draw in draws]) == fangs.Samples(draws)


def test_stored_zeros_are_zeros():
    draw = scipy.sparse.csc_array(np.array([[1, 0], [1, 1]]))
    draw.data[0] = 0
    assert fangs.Samples([draw])[0].tolist() == [[0, 0], [1, 1]]


def test_pydata_sparse_is_read():
    sparse = pytest.importorskip("sparse")
    assert fangs.Samples(sparse.COO(STACK)) == fangs.Samples(DRAWS)
    assert fangs.Samples(sparse.GCXS(STACK)) == fangs.Samples(DRAWS)
    assert fangs.Samples([sparse.COO(draw) for draw in DRAWS]) == fangs.Samples(DRAWS)
    of_chain = np.repeat([0, 1], 3)
    assert fangs.Samples(sparse.COO(BY_CHAIN)) == fangs.Samples(DRAWS, chains=of_chain)
    with pytest.raises(ValueError, match="fill value 1"):
        fangs.Samples(sparse.COO(STACK) + 1)


PEAK = """
import resource
import numpy as np, scipy.sparse
import fangs

rng = np.random.default_rng(0)
held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
items, features = rng.integers(100_000, size=20_000), rng.integers(5_000, size=20_000)
pairs = np.unique(np.stack([items, features]), axis=1)
values = np.ones(pairs.shape[1], dtype=np.int8)
draw = scipy.sparse.coo_array((values, tuple(pairs)), shape=(100_000, 5_000))
samples = fangs.Samples([draw])
assert samples.n_ones[0] == pairs.shape[1]
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held, samples.n_bytes // 1024)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no resource module")
def test_few_ones_need_little_memory():
    """Dense, this matrix takes 500 MB; packed, 60 MB."""
    result = subprocess.run(
        [sys.executable, "-c", PEAK], capture_output=True, text=True, check=True
    )
    peak, packed = map(int, result.stdout.split())
    assert peak < 1.5 * packed + 50_000
