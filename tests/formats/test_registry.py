"""Files by suffix: what is read, what is written, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import fangs
from fangs.formats import registry
from fangs.formats.csv import as_csv
from fangs.formats.json import as_json
from fangs.formats.registry import check_estimate_target


def suffixes(writer):
    """The suffixes that the registry has such a function for."""
    return [
        suffix
        for some, module in registry.FORMATS.items()
        if getattr(registry.format_of(Path(f"x{some[0]}")), writer) is not None
        for suffix in some
    ]


@pytest.fixture(scope="module")
def small():
    matrix = [[1, 0], [1, 1], [0, 1]]
    return fangs.assess(matrix, fangs.Samples([matrix] * 3, items=("ann", "bob", "cy")))


@pytest.fixture(scope="module")
def empty():
    return fangs.assess(np.zeros((2, 0)), [np.zeros((2, 0))])


def test_every_suffix_has_a_dot_and_is_in_lower_case():
    known = [suffix for some in registry.FORMATS for suffix in some]
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in known)
    assert len(set(known)) == len(known)


def test_a_suffix_may_be_in_capitals(tmp_path, draws):
    for suffix in suffixes("write_samples"):
        name = tmp_path / f"DRAWS{suffix.upper()}"
        draws.select(range(3)).save(name)
        assert len(fangs.read(name)) == 3


def test_other_suffixes_are_refused(tmp_path, draws, small):
    with pytest.raises(ValueError, match=r"draws\.docx.*\.npz, .*\.h5"):
        draws.save(tmp_path / "draws.docx")
    with pytest.raises(ValueError, match=r"'draws'.*\.npz, "):
        draws.save("draws")
    with pytest.raises(ValueError, match=r"e\.docx.*\.npz, \.csv, .*\.zarr"):
        small.save(tmp_path / "e.docx")
    with pytest.raises(ValueError, match=r"'estimate'.*\.npz, "):
        small.save("estimate")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "draws.docx").write_text("1 0")
    with pytest.raises(ValueError, match=r"draws\.docx.*\.npz, \.npy, "):
        fangs.read(tmp_path / "draws.docx")
    with pytest.raises(FileNotFoundError, match=r"missing\.npz"):
        fangs.read(tmp_path / "missing.npz")


def test_targets_are_checked_before_the_work(tmp_path):
    with pytest.raises(ValueError, match="there is no directory"):
        check_estimate_target(tmp_path / "missing" / "e.npz")
    (tmp_path / "dir.csv").mkdir()
    with pytest.raises(ValueError, match="it is a directory"):
        check_estimate_target(tmp_path / "dir.csv")
    check_estimate_target(tmp_path / "e.npz")
    assert not (tmp_path / "e.npz").exists()


def test_json_holds_the_estimate_and_its_search(small, empty, estimate):
    document = json.loads(as_json(small))
    assert document["matrix"] == [[1, 0], [1, 1], [0, 1]]
    assert document["features"] == [["ann", "bob"], ["bob", "cy"]]
    assert (document["n_ties"], document["search"]) == (0, None)
    assert json.loads(as_json(empty))["features"] == []
    search = json.loads(as_json(estimate))["search"]
    assert [start["loss"] for start in search["starts"]] == [
        start.loss for start in estimate.search.starts
    ]
    assert search["seed"] == 1


def test_csv_is_a_plain_table_with_labels(empty):
    matrix = [[1, 0], [1, 1], [0, 1]]
    labelled = fangs.assess(matrix, fangs.Samples([matrix], items=("a,b", "b", "c")))
    assert as_csv(labelled).splitlines() == ["item,1,2", '"a,b",1,0', "b,1,1", "c,0,1"]
    assert as_csv(empty).splitlines() == ["item", "1", "2"]
