"""The bundled draws are what the scripts in examples/ make today."""

import runpy
from pathlib import Path

import numpy as np
import pytest

import fangs

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("script", "bundled"),
    [("make_example.py", fangs.datasets.example), ("make_arrests.py", fangs.datasets.arrests)],
)
def test_the_script_makes_the_bundled_draws(script, bundled, tmp_path):
    runpy.run_path(str(EXAMPLES / script))["main"](tmp_path / "draws.npz")
    assert fangs.read(tmp_path / "draws.npz") == bundled()


def test_the_chains_of_the_arrests_agree_and_those_of_the_bars_do_not():
    assert fangs.compare_chains(fangs.datasets.arrests(), seed=1).agree
    assert not fangs.compare_chains(fangs.datasets.example(), seed=1).agree


def test_the_table_of_arrests_is_standardised_by_variable():
    table = fangs.datasets.arrest_rates()
    assert table.rates.shape == (len(table.states), len(table.variables)) == (50, 4)
    assert table.states == fangs.datasets.arrests().items
    assert table.rates.mean(axis=0) == pytest.approx([7.788, 170.76, 65.54, 21.232])  # as R says
    assert table.standardised().mean(axis=0) == pytest.approx(np.zeros(4), abs=1e-12)
    assert table.standardised().std(axis=0) == pytest.approx(np.ones(4))
