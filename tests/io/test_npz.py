"""NumPy files from elsewhere: which arrays are taken for draws, and what damaged files say."""

from __future__ import annotations

import numpy as np
import pytest

import fangs

STACK = np.random.default_rng(2).integers(2, size=(12, 5, 3), dtype=np.uint8)


def content(samples):
    return [draw.tolist() for draw in samples]


def test_a_file_may_hold_one_array_per_draw(tmp_path):
    draws = [np.ones((3, k)) for k in range(1, 13)]
    np.savez(tmp_path / "draws.npz", *draws, chains=[0] * 6 + [1] * 6)
    samples = fangs.read(tmp_path / "draws.npz")
    assert samples.n_features.tolist() == list(range(1, 13))  # arr_2 comes before arr_10
    assert samples.chains.tolist() == [0] * 6 + [1] * 6


def test_the_order_in_memory_does_not_matter(tmp_path):
    np.save(tmp_path / "c.npy", STACK)
    np.save(tmp_path / "fortran.npy", np.asfortranarray(STACK))
    wanted = content(fangs.Samples(STACK))
    for name in ("c.npy", "fortran.npy"):
        assert content(fangs.read(tmp_path / name)) == wanted


def test_a_variable_is_asked_for_and_checked(tmp_path):
    np.savez(tmp_path / "draws.npz", Z=STACK, weights=np.ones(3))
    with pytest.raises(ValueError, match="'weights' has 3 values, but there are"):
        fangs.read(tmp_path / "draws.npz")
    with pytest.raises(ValueError, match="no array 'Y'; it has Z, weights"):
        fangs.read(tmp_path / "draws.npz", variable="Y")
    assert len(fangs.read(tmp_path / "draws.npz", variable="Z")) == len(STACK)


def test_a_variable_is_refused_where_there_is_no_choice(tmp_path):
    np.save(tmp_path / "draws.npy", STACK)
    fangs.Samples(STACK).save(tmp_path / "own.npz")
    for name in ("draws.npy", "own.npz"):
        with pytest.raises(ValueError, match=rf"{name}.*variable='Z'"):
            fangs.read(tmp_path / name, variable="Z")


def test_a_file_without_draws_is_refused(tmp_path):
    np.savez(tmp_path / "none.npz", items=["a"])
    np.savez(tmp_path / "words.npz", np.array([["a"]]))
    np.save(tmp_path / "flat.npy", np.arange(3))
    for name, error, reason in [
        ("none.npz", ValueError, "no array in it"),
        ("words.npz", ValueError, "<U1"),
        ("flat.npy", ValueError, r"\(3,\)"),
    ]:
        with pytest.raises(error, match=rf"{name}.*{reason}"):
            fangs.read(tmp_path / name)


def test_a_damaged_archive_is_named(tmp_path):
    path = tmp_path / "draws.npz"
    np.savez_compressed(path, STACK)
    whole = path.read_bytes()
    middle = whole.index(b"NUMPY") if b"NUMPY" in whole else len(whole) // 3
    damaged = [b"", b"text", whole[:40], whole[:-20]]
    damaged.append(whole[:middle] + bytes(8) + whole[middle + 8 :])
    for data in damaged:
        path.write_bytes(data)
        with pytest.raises(ValueError, match=r"draws\.npz"):
            fangs.read(path)


def test_a_single_array_under_the_name_of_an_archive_is_refused(tmp_path):
    with open(tmp_path / "draws.npz", "wb") as file:
        np.save(file, STACK)
    with pytest.raises(ValueError, match=r"draws\.npz.*name it \.npy"):
        fangs.read(tmp_path / "draws.npz")
