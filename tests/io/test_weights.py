"""Weights in files: saved and restored, in archives from elsewhere, or in files of their own."""

from __future__ import annotations

import numpy as np
import pytest

import fangs

STACK = np.random.default_rng(2).integers(2, size=(4, 5, 3), dtype=np.uint8)


def test_saved_weights_come_back(tmp_path):
    for weights in ([3, 0, 1, 2**40], [0.5, 2**0.5, 1.0, 0.1]):
        samples = fangs.Samples(STACK, weights=weights, chains=[0, 0, 1, 1])
        samples.save(tmp_path / "draws.npz")
        again = fangs.read(tmp_path / "draws.npz")
        assert again.weights.tolist() == samples.weights.tolist()
        assert again.weights_error == samples.weights_error
        assert again.chains.tolist() == [0, 0, 1, 1]
    assert samples.weights_error > 0
    fangs.Samples(STACK).save(tmp_path / "plain.npz")
    assert fangs.read(tmp_path / "plain.npz").weights is None


def test_an_estimate_keeps_its_weights(tmp_path):
    found = fangs.estimate(fangs.Samples(STACK, weights=[3, 0, 1, 2]), seed=1)
    found.save(tmp_path / "estimate.npz")
    again = fangs.load(tmp_path / "estimate.npz")
    assert again.weights.tolist() == found.weights.tolist() == [3, 0, 1, 2]
    assert again.effective_draws == found.effective_draws == pytest.approx(36 / 14)
    assert np.average(again.losses, weights=again.weights) == pytest.approx(found.expected_loss)
    assert found.to_xarray()["weight"].values.ravel().tolist() == [3, 0, 1, 2]


def test_a_file_from_elsewhere_may_hold_weights(tmp_path):
    np.savez(tmp_path / "stack.npz", Z=STACK, weights=[1, 2, 3, 4])
    np.savez(tmp_path / "list.npz", *STACK, weights=np.array([0.25, 0.5, 0.75, 1.0]))
    for name in ("stack.npz", "list.npz"):
        assert fangs.read(tmp_path / name).weights.tolist() == [1, 2, 3, 4]
    np.savez(tmp_path / "other.npz", Z=STACK, weights=np.ones(3))  # not of the draws
    assert fangs.read(tmp_path / "other.npz", variable="Z").weights is None


def test_weights_may_be_named(tmp_path):
    np.savez(tmp_path / "draws.npz", Z=STACK, w=[4, 3, 2, 1])
    np.save(tmp_path / "w.npy", np.array([1, 1, 1, 5]))
    (tmp_path / "w.txt").write_text("1\n2\n3, 4\n")
    (tmp_path / "w.csv").write_text("0.5,0.25,0.25,1e0")
    path = tmp_path / "draws.npz"
    for source, wanted in {
        "w": [4, 3, 2, 1],
        str(tmp_path / "w.npy"): [1, 1, 1, 5],
        str(tmp_path / "w.txt"): [1, 2, 3, 4],
        str(tmp_path / "w.csv"): [2, 1, 1, 4],
    }.items():
        assert fangs.read(path, variable="Z", weights=source).weights.tolist() == wanted


def test_weights_that_are_not_there_are_refused(tmp_path):
    np.savez(tmp_path / "draws.npz", Z=STACK)
    np.save(tmp_path / "draws.npy", STACK)
    (tmp_path / "words.txt").write_text("one two")
    for name, has in (("draws.npz", "; it has Z"), ("draws.npy", "")):
        with pytest.raises(ValueError, match=f"'v' is neither a file nor an array.*{has}$"):
            fangs.read(tmp_path / name, weights="v")
    with pytest.raises(ValueError, match=r"words.txt' is no text with numbers"):
        fangs.read(tmp_path / "draws.npy", weights=str(tmp_path / "words.txt"))
