"""The bundled draws are what examples/make_example.py makes today."""

from __future__ import annotations

import runpy
from pathlib import Path

import fangs
from fangs.datasets.bars import example


def test_the_script_makes_the_bundled_draws(tmp_path):
    script = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "make_example.py"))
    script["main"](tmp_path / "bars.npz")
    made, bundled = fangs.read(tmp_path / "bars.npz"), example()
    assert made.chains.tolist() == bundled.chains.tolist()
    assert all((made[b] == bundled[b]).all() for b in range(len(bundled)))
    assert made.items == bundled.items
