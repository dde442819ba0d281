"""NumPy's files: which arrays are taken for draws, and archives that hold something else."""

from __future__ import annotations

import json

import numpy as np
import pytest

import fangs
from fangs.formats.npz_fangs import write_archive
from support.refusals import refuses

STACK = np.random.default_rng(2).integers(2, size=(12, 5, 3), dtype=np.uint8)


def refused(path, *words, read=fangs.read, **options):
    with refuses(path.name, *words, error=ValueError):
        read(path, **options)


def test_a_variable_is_refused_where_there_is_no_choice(tmp_path):
    np.save(tmp_path / "draws.npy", STACK)
    fangs.Samples(STACK).save(tmp_path / "own.npz")
    for name in ("draws.npy", "own.npz"):
        refused(tmp_path / name, "variable='Z'", variable="Z")


@pytest.mark.parametrize(
    ("name", "array", "words"),
    [
        ("none.npz", {"items": ["a"]}, ["nothing"]),
        ("words.npz", {"Z": [["a"]]}, ["Z (a 1 x 1 matrix)"]),
        ("flat.npy", np.arange(3), ["(3,)"]),
        ("flat.npz", {"something": np.arange(3)}, ["something"]),
    ],
)
def test_a_file_without_draws_is_refused(name, array, words, tmp_path):
    path = tmp_path / name
    np.savez(path, **array) if isinstance(array, dict) else np.save(path, array)
    refused(path, *words)


def test_what_json_does_not_know_is_refused(tmp_path):
    with refuses("frozenset", error=TypeError):
        write_archive(tmp_path / "x.npz", "test", {"a": frozenset("c")}, {})
    assert list(tmp_path.iterdir()) == []


def test_draws_and_estimates_are_not_taken_for_each_other(tmp_path, draws, estimate):
    estimate.save(tmp_path / "e.npz")
    refused(tmp_path / "e.npz", "estimate", "fangs.load(path)")
    draws.save(tmp_path / "d.npz")
    refused(tmp_path / "d.npz", "Estimate.save", "fangs.read(path)", read=fangs.load)


def test_other_files_are_no_estimate(tmp_path, estimate):
    (tmp_path / "text.npz").write_text("not an archive")
    np.savez(tmp_path / "foreign.npz", x=np.arange(3))
    np.save(tmp_path / "single.npy", np.arange(3))
    estimate.save(tmp_path / "e.npz")
    (tmp_path / "cut.npz").write_bytes((tmp_path / "e.npz").read_bytes()[:-40])
    (tmp_path / "array.npz").write_bytes((tmp_path / "single.npy").read_bytes())
    words = {
        "single.npy": ".npz",
        "text.npz": ".npz",
        "foreign.npz": "Estimate.save",
        "array.npz": "name it .npy",
    }
    for path in tmp_path.iterdir():
        if path.name != "e.npz":
            refused(path, words.get(path.name, "estimate"), read=fangs.load)
    with pytest.raises(FileNotFoundError, match=r"nowhere\.npz"):
        fangs.load(tmp_path / "nowhere.npz")


def test_an_archive_of_a_newer_version_is_refused(tmp_path):
    head = {"kind": "estimate", "version": 99, "arrays": [], "record": {}}
    np.savez(tmp_path / "e.npz", fangs=np.array(json.dumps(head)))
    refused(tmp_path / "e.npz", "newer fangs", read=fangs.load)
