"""JSON of draws: sets of labels, sets of positions, matrices, and what fits none of them."""

from __future__ import annotations

import json

import pytest

import fangs
from support.refusals import refuses

SETS = [[["a", "b"], ["c"]], []]


def test_items_of_sets_may_be_put_in_another_order(tmp_path):
    path = tmp_path / "d.json"
    path.write_text(json.dumps(SETS))
    assert [draw.tolist() for draw in fangs.read(path)] == [[[1, 0], [1, 0], [0, 1]], [[], [], []]]
    found = fangs.read(path, items=["c", "b", "a", "d"])
    assert found[0].tolist() == [[0, 1], [1, 0], [1, 0], [0, 0]]


@pytest.mark.parametrize(("form", "wanted"), [("sets", [[1, 1], [0, 1]]), ("matrices", [[0], [1]])])
def test_what_may_be_both_is_told_by_its_form(form, wanted, tmp_path):
    """The rows [0] and [1] are a matrix of two items, or two features."""
    path = tmp_path / "d.json"
    document = {"n_items": 2, "draws": [[[0], [0, 1]] if form == "sets" else [[0], [1]]]}
    path.write_text(json.dumps(document | {"form": form}))
    assert fangs.read(path)[0].tolist() == wanted
    path.write_text(json.dumps({"n_items": 2, "draws": [[[0], [1]]]}))
    with refuses("form", "'matrices'", "'sets'"):
        fangs.read(path)


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ("[[[0, 2]]]", ["'n_items'", "items="]),
        ('{"Z": []}', ["Z"]),
        ('{"draws": [[[3]]], "n_items": 3}', ["3", "0 to 2"]),
        ('{"draws": [[["a"]]], "items": ["a"], "chains": [1, 2]}', ["'chains'"]),
        ('{"draws": [[[0.5]]], "n_items": 3}', ["0.5"]),
        ('{"draws": [3], "n_items": 3}', ["draws[0]", "'3'"]),
        ("[" * 100000, ["damaged"]),
        ("{", ["d.json"]),
        ("3", ["list of draws"]),
    ],
)
def test_near_misses_of_json(document, words, tmp_path):
    (tmp_path / "d.json").write_text(document)
    with refuses("d.json", *words, error=ValueError):
        fangs.read(tmp_path / "d.json")
