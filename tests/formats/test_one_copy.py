"""To save draws, or to pickle them, takes at most one more copy of them and a tenth."""

from __future__ import annotations

import copy
import pickle
import tracemalloc

import numpy as np
import pytest

import fangs
from fangs.draws.forms import ragged


@pytest.fixture(scope="module")
def samples():
    rng = np.random.default_rng(0)
    some = [rng.random((1000, 50)) < 0.3 for _ in range(40)]
    return fangs.Samples((some[b % 40] for b in range(2000)), chains=[0] * 1000 + [1] * 1000)


def copies(action, samples):
    """How often Python holds the packed draws meanwhile; the action is tried before on a few."""
    action(samples[:2])
    tracemalloc.start()
    try:
        action(samples)
        return tracemalloc.get_traced_memory()[1] / samples.n_bytes
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("suffix", [".npz", ".h5", ".nc"])
def test_a_file_is_written_in_little_memory(suffix, samples, tmp_path):
    assert copies(lambda draws: draws.save(tmp_path / f"d{suffix}"), samples) < 1.1


def test_draws_are_pickled_a_piece_at_a_time(samples, tmp_path):
    def dump(draws):
        with open(tmp_path / "d.pickle", "wb") as file:
            pickle.dump(draws, file)

    assert copies(dump, samples) < 0.1
    assert copies(lambda draws: pickle.dumps(draws), samples) < 1.6  # what pickle reserves

    def load(_):
        with open(tmp_path / "d.pickle", "rb") as file:
            assert len(pickle.load(file)) > 0

    assert copies(load, samples) < 1.2


@pytest.mark.parametrize("protocol", [2, 4, 5])
@pytest.mark.parametrize(("n_items", "width"), [(1, 3), (63, 0), (64, 5), (65, 4)])
def test_every_copy_of_draws_equals_them(n_items, width, protocol):
    rng = np.random.default_rng(n_items)
    draws = [rng.random((n_items, width + b % 2)) < 0.2 for b in range(300)]
    samples = fangs.Samples(draws, weights=[1] * 299 + [5])
    for again in (
        pickle.loads(pickle.dumps(samples, protocol)), copy.copy(samples), copy.deepcopy(samples)
    ):  # fmt: skip
        assert again == samples
        assert again.fingerprint == samples.fingerprint
        assert again.n_columns.tolist() == samples.n_columns.tolist()
        assert again.columns(7).tolist() == samples.columns(7).tolist()


def test_draws_become_one_array_and_no_second(samples):
    few = samples[:200]
    unpacked = few.to_xarray().nbytes / few.n_bytes
    assert copies(lambda draws: draws.to_xarray(), few) < 1.1 * unpacked
    alignment = fangs.align(few[0], few)
    assert copies(lambda _: alignment.to_xarray(), few) < 1.1 * unpacked


def test_our_archive_is_read_in_little_memory(samples, tmp_path, monkeypatch):
    monkeypatch.setattr(ragged, "BLOCK_BYTES", 2**20)
    samples.save(tmp_path / "d.npz")
    assert copies(lambda _: fangs.read(tmp_path / "d.npz"), samples) < 0.5
    assert fangs.read(tmp_path / "d.npz", burn_in=990) == fangs.Samples(samples, burn_in=990)


def test_ragged_rows_of_another_archive_are_read(tmp_path):
    rng = np.random.default_rng(3)
    draws = [rng.integers(2, size=(9, k), dtype=np.uint8) for k in (3, 0, 2, 5)]
    rows = np.concatenate([draw.T for draw in draws])
    for change in (np.ascontiguousarray, np.asfortranarray):
        np.savez(tmp_path / "d.npz", Z=change(rows), n_features=[3, 0, 2, 5])
        assert fangs.read(tmp_path / "d.npz") == fangs.Samples(draws)
        assert fangs.read(tmp_path / "d.npz", thin=3) == fangs.Samples(draws[::3])
