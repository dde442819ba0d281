"""What a file may unpack to: no format packs draws so well that its own files are refused."""

from __future__ import annotations

import numpy as np
import pytest

import fangs
from fangs.formats import guard

STACK = np.ones((100, 1000, 10), dtype=np.uint8)
BLOCKS = np.repeat(np.eye(10, dtype=np.uint8), 100, axis=0)


@pytest.mark.parametrize("suffix", [".npz", ".h5", ".nc", ".zarr", ".parquet", ".feather"])
@pytest.mark.parametrize("draws", [STACK, [BLOCKS] * 300], ids=["ones", "equal draws"])
def test_what_packs_best_is_read_back(draws, suffix, tmp_path, monkeypatch):
    samples = fangs.Samples(draws)
    samples.save(tmp_path / f"d{suffix}")
    monkeypatch.setattr(guard, "MAX_BYTES", 0)
    assert fangs.read(tmp_path / f"d{suffix}") == samples


def test_the_cap_counts_every_file_that_holds_a_part(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(bytes(guard.MAX_BYTES // guard.MOST_PACKED // 2**8))
    budget = guard.Budget(tmp_path / "a")
    budget.include(tmp_path / "b")
    budget.spend(guard.MAX_BYTES)
    with pytest.raises(ValueError, match=r"claims to unpack to \d+ bytes"):
        budget.spend(1)
