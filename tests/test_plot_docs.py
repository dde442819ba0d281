"""The page on plots: its examples run, and its pictures are there and small."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt

ROOT = Path(__file__).parents[1]


def test_the_examples_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for code in re.findall(r"```python\n(.*?)```", (ROOT / "docs/plots.md").read_text(), re.S):
        exec(code, names)
        plt.close("all")
    assert (tmp_path / "report.html").stat().st_size > 50_000


def test_pictures_are_there_and_small():
    shown = set()
    for page in (ROOT / "README.md", ROOT / "docs/plots.md"):
        pictures = re.findall(r"!\[[^\]]+\]\((\S+\.png)\)", page.read_text())
        shown |= {(page.parent / picture).resolve() for picture in pictures}
    made = re.findall(r'^        "([a-z-]+)": ', (ROOT / "docs/make_gallery.py").read_text(), re.M)
    assert {picture.stem for picture in shown} == set(made)
    assert max(picture.stat().st_size for picture in shown) < 60_000
