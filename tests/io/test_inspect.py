"""What is said about a file is true: the call that it names reads what it promises."""

from __future__ import annotations

import numpy as np
import pytest

import fangs
from fangs.io import registry

SAMPLES = fangs.Samples([np.ones((4, k)) for k in (2, 3, 1, 3)], chains=[0, 0, 1, 1])


@pytest.mark.parametrize("suffix", registry.SAMPLES_WRITERS)
def test_every_file_of_ours_is_described(suffix, tmp_path):
    path = tmp_path / f"d{suffix}"
    SAMPLES.save(path)
    (row,) = fangs.inspect(path).rows
    found = eval(row.call, {"fangs": fangs})
    assert [draw.tolist() for draw in found] == [draw.tolist() for draw in SAMPLES]
    assert row.n_draws in (None, 4)
    assert row.n_items in (None, 4)
    assert row.n_features in (None, (1, 3), (3, 3))
    assert row.chains in (None, 2)
    assert row.call in str(fangs.inspect(path))


def test_every_kind_of_file_that_is_read_is_described():
    assert set(registry.DESCRIBERS) == set(registry.SAMPLES_READERS)


def test_variables_are_told_apart(tmp_path):
    np.savez(tmp_path / "d.npz", Z=np.ones((9, 4, 2)), W=np.zeros((9, 3, 2)), sigma=np.ones(9))
    rows = fangs.inspect(tmp_path / "d.npz").rows
    assert [(row.name, row.n_draws, row.n_items) for row in rows] == [("Z", 9, 4), ("W", 9, 3)]
    assert eval(rows[1].call, {"fangs": fangs}).n_items == 3


def test_a_wide_table_is_described_by_its_names(tmp_path):
    (tmp_path / "d.csv").write_text("# x\nlp__,Z.1.1,Z.2.1,W.1.1\n-1,0,1,1\n#\n-2,1,1,1\n")
    rows = fangs.inspect(tmp_path / "d.csv").rows
    assert [(row.name, row.n_draws, row.n_items) for row in rows] == [("Z", 2, 2), ("W", 2, 1)]


def test_files_without_draws_are_said_to_have_none(tmp_path):
    np.save(tmp_path / "d.npy", np.arange(3))
    assert "nothing that fangs can read" in str(fangs.inspect(tmp_path / "d.npy"))
    (tmp_path / "bad.npz").write_bytes(b"PK...")
    with pytest.raises(ValueError, match=r"bad\.npz"):
        fangs.inspect(tmp_path / "bad.npz")
    with pytest.raises(FileNotFoundError, match=r"nowhere\.npz"):
        fangs.inspect(tmp_path / "nowhere.npz")
