"""Weights in a file of their own."""

from __future__ import annotations

import numpy as np
import pytest

import fangs
from support.refusals import refuses

STACK = np.random.default_rng(2).integers(2, size=(4, 5, 3), dtype=np.uint8)


@pytest.mark.parametrize(
    ("name", "content", "wanted"),
    [
        ("w.npy", np.array([1, 1, 1, 5]), [1, 1, 1, 5]),
        ("w.txt", "1\n2\n3, 4\n", [1, 2, 3, 4]),
        ("w.csv", "0.5,0.25,0.25,1e0", [2, 1, 1, 4]),
    ],
)
def test_weights_may_be_in_a_file(name, content, wanted, tmp_path):
    path = tmp_path / name
    np.save(path, content) if name == "w.npy" else path.write_text(content)
    np.save(tmp_path / "draws.npy", STACK)
    for given in (STACK, tmp_path / "draws.npy"):
        for weights in (path, str(path)):
            assert fangs.Samples(given, weights=weights).weights.tolist() == wanted
    assert (
        fangs.read(tmp_path / "draws.npy", weights=path, burn_in=1).weights.tolist() == wanted[1:]
    )


def test_weights_that_are_not_there_are_refused(tmp_path):
    np.savez(tmp_path / "draws.npz", Z=STACK, w=[1, 2, 3, 4])
    np.save(tmp_path / "draws.npy", STACK)
    (tmp_path / "words.txt").write_text("one two")
    with refuses("'v'", "'Z', 'w'", error=ValueError):
        fangs.read(tmp_path / "draws.npz", weights="v")
    with refuses("'v'", "weights"):
        fangs.read(tmp_path / "draws.npy", weights="v")
    with refuses("weights", "words.txt", error=ValueError):
        fangs.read(tmp_path / "draws.npy", weights=str(tmp_path / "words.txt"))
