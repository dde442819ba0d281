"""What is said about a file is true: the call that it names reads what it promises."""

from __future__ import annotations

import numpy as np
import pytest

import fangs
from fangs.formats import registry

SAMPLES = fangs.Samples([np.ones((4, k)) for k in (2, 3, 1, 3)], chains=[0, 0, 1, 1])


@pytest.mark.parametrize("suffixes", registry.FORMATS)
def test_every_file_of_ours_is_described(suffixes, tmp_path):
    path = tmp_path / f"d{suffixes[0]}"
    if registry.format_of(path).write_samples is None:
        return
    SAMPLES.save(path)
    inspected = fangs.inspect(path)
    (row,) = inspected.rows
    found = eval(inspected.call(row), {"fangs": fangs})
    assert [draw.tolist() for draw in found] == [draw.tolist() for draw in SAMPLES]
    assert row.n_draws in (None, 4)
    assert row.n_items in (None, 4)
    assert row.n_features in (None, (1, 3), (3, 3))
    assert row.chains in (None, 2)
    assert inspected.call(row) in str(inspected)


def test_objects_are_described_as_files_are():
    (row,) = fangs.inspect(SAMPLES).rows
    assert (row.n_draws, row.n_items, row.n_features, row.chains) == (4, 4, (1, 3), 2)
    found = fangs.inspect({"Z": np.ones((9, 4, 2)), "sigma": np.ones(9)})
    assert [(row.name, row.holds_draws) for row in found.rows] == [("Z", True), ("sigma", False)]
    assert "fangs.Samples(draws)" in str(found)
    (row,) = fangs.inspect([np.ones((4, 2)), np.ones((4, 3))]).rows
    assert (row.n_draws, row.n_items, row.n_features) == (2, 4, (2, 3))


def test_files_without_draws_are_said_to_have_none(tmp_path):
    np.save(tmp_path / "d.npy", np.arange(3))
    assert "nothing that fangs can read" in str(fangs.inspect(tmp_path / "d.npy"))
    with pytest.raises(FileNotFoundError, match=r"nowhere\.npz"):
        fangs.inspect(tmp_path / "nowhere.npz")
