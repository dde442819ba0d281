"""What is known of an estimate is declared once, and found wherever people look."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, fields

import numpy as np

import fangs
import fangs.report.screen
import fangs.report.views
from fangs.estimate import FIELDS, Estimate, Field


def found():
    return fangs.estimate(fangs.datasets.example(), seed=1)


def test_every_field_of_the_class_is_in_the_table():
    assert {field.name for field in fields(Estimate)} <= {field.name for field in FIELDS}


def test_a_new_field_is_shown_and_kept_everywhere(monkeypatch, tmp_path):
    @dataclass(frozen=True, eq=False, repr=False, kw_only=True)
    class Extended(Estimate):
        surprise: float = 0.0

    field = Field("surprise", lambda e: f"A surprise of {e.surprise}")
    for reader in ("estimate", "report.screen", "report.views"):
        monkeypatch.setattr(sys.modules[f"fangs.{reader}"], "FIELDS", (*FIELDS, field))
    values = {one.name: getattr(found(), one.name) for one in fields(Estimate)}
    estimate = Extended(**values, surprise=2.5)

    assert "A surprise of 2.5" in str(estimate)
    assert "A surprise of 2.5" in estimate._repr_html_()
    estimate.save(tmp_path / "e.json")
    assert json.loads((tmp_path / "e.json").read_text())["surprise"] == 2.5
    estimate.save(tmp_path / "e.npz")
    assert Extended.load(tmp_path / "e.npz").surprise == 2.5
    assert estimate.to_xarray().attrs["surprise"] == 2.5


def test_the_warning_that_chains_disagree_reaches_every_reader():
    estimate = found()
    warning = "The chains are in different modes: for example, 100 % of the draws"
    assert warning in " ".join(str(estimate).split())
    assert warning in estimate._repr_html_().replace("\u00a0", " ")
    assert estimate.note.startswith("the chains are in different modes: do not pool them")
    assert estimate.to_xarray().attrs["between_chains"] == estimate.between_chains
    assert estimate.to_xarray().attrs["note"] == estimate.note


def test_a_document_holds_all_but_the_values_of_draws(tmp_path):
    estimate = found()
    estimate.save(tmp_path / "e.json")
    document = json.loads((tmp_path / "e.json").read_text())
    assert set(document) == {field.name for field in FIELDS if not field.is_by_draw}
    assert np.array_equal(document["matrix"], estimate.matrix)
    assert document["search"] == json.loads(json.dumps(asdict(estimate.search)))
