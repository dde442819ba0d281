"""Files written whole or not at all, and our own archives."""

from __future__ import annotations

import json

import numpy as np
import pytest

import fangs
from fangs.io.archive import RECORD, read_archive, write_archive
from fangs.io.atomic import whole_file


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "e.json"
    path.write_text("old")

    def fail_half_way():
        with whole_file(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail_half_way()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to("real.json")
    with whole_file(tmp_path / "link.json") as file:
        file.write(b"new")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text() == "new"


def test_an_archive_gives_back_record_and_arrays(tmp_path):
    path = tmp_path / "x.npz"
    record = {"a": 1.5, "labels": ["x", 3], "nothing": None, "n": np.int64(4)}
    write_archive(path, kind="test", record=record, arrays={"x": np.eye(2), "y": np.zeros((0, 3))})
    again, arrays = read_archive(path, kind="test")
    assert again == record
    assert (arrays["x"].tolist(), arrays["y"].shape) == ([[1, 0], [0, 1]], (0, 3))


def test_what_json_does_not_know_is_refused(tmp_path):
    with pytest.raises(TypeError, match="labels and settings must be text or numbers"):
        write_archive(tmp_path / "x.npz", kind="test", record={"a": frozenset("c")}, arrays={})
    assert list(tmp_path.iterdir()) == []


def test_archives_need_no_pickle(tmp_path, draws):
    draws.save(tmp_path / "d.npz")
    with np.load(tmp_path / "d.npz", allow_pickle=False) as file:
        assert all(file[name].dtype != object for name in file.files)


def test_other_files_are_refused(tmp_path, draws):
    (tmp_path / "text.npz").write_text("not an archive")
    np.savez(tmp_path / "foreign.npz", x=np.arange(3))
    np.save(tmp_path / "single.npy", np.arange(3))
    draws.save(tmp_path / "draws.npz")
    (tmp_path / "cut.npz").write_bytes((tmp_path / "draws.npz").read_bytes()[:-40])
    for name, reason in [
        ("text.npz", "not a complete .npz file"),
        ("cut.npz", "not a complete .npz file"),
        ("single.npy", "not a complete .npz file"),
        ("foreign.npz", "from elsewhere"),
        ("draws.npz", "holds draws; fangs.read"),
    ]:
        with pytest.raises(ValueError, match=reason) as caught:
            fangs.load(tmp_path / name)
        assert name in str(caught.value)
    with pytest.raises(FileNotFoundError):
        fangs.load(tmp_path / "nowhere.npz")


def test_an_archive_of_a_newer_version_is_refused(tmp_path):
    document = json.dumps({"kind": "estimate", "version": 99})
    np.savez(tmp_path / "e.npz", **{RECORD: np.array(document)})
    with pytest.raises(ValueError, match="newer fangs"):
        read_archive(tmp_path / "e.npz", kind="estimate")
