"""Losses equal what the R package fangs gave for the same matrices; tests/data/r_losses.json."""

import json
from pathlib import Path

import numpy as np

import fangs

RECORD = json.loads((Path(__file__).parent / "data" / "r_losses.json").read_text())


def test_losses_equal_the_recorded_ones_of_r():
    pairs = [case for case in RECORD["cases"] if "one" in case]
    assert len(pairs) == 300
    for case in pairs:
        assert fangs.faro_loss(case["one"], case["other"], a=case["a"]) == case["r"]


def test_expected_losses_equal_the_recorded_ones_of_r():
    """R adds floats draw by draw, so its last digit may differ."""
    cases = [case for case in RECORD["cases"] if "draws" in case]
    assert len(cases) == 40
    for case in cases:
        found = fangs.expected_loss(case["estimate"], case["draws"], a=case["a"])
        assert np.isclose(found, case["r"], rtol=1e-14, atol=0)
