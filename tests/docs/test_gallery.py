"""The pictures of the pages: made by the code that is shown, there, and small."""

import importlib.util
import re
from pathlib import Path

import pytest

import fangs

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
LARGEST = 60_000


spec = importlib.util.spec_from_file_location("make_gallery", DOCS / "make_gallery.py")
gallery = importlib.util.module_from_spec(spec)
spec.loader.exec_module(gallery)


def test_each_script_of_the_page_on_plots_draws_its_picture(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (DOCS / "plots.md").read_text("utf-8")
    shown = re.findall(r"!\[[^\]]+\]\(images/(\S+)\.png\)", text)
    assert [name for name, _ in gallery.run_session(DOCS / "plots.md")] == shown
    for function in fangs.plot.__all__:
        assert function in ("allocation", "item_order") or f"fangs.plot.{function}(" in text


def test_the_report_of_the_page_on_plots_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, *_, last = re.findall(
        r"```python\n(.*?)```", (DOCS / "plots.md").read_text("utf-8"), re.S
    )
    exec(first + last, {})
    assert (tmp_path / "report.html").stat().st_size > 50_000


def test_pictures_are_there_and_small():
    for page in (ROOT / "README.md", DOCS / "plots.md"):
        pictures = re.findall(r"!\[[^\]]+\]\((\S+\.png)\)", page.read_text("utf-8"))
        assert pictures
        assert max((page.parent / name).stat().st_size for name in pictures) < LARGEST


@pytest.mark.parametrize("page", gallery.SESSIONS)
def test_every_picture_is_drawn_by_the_code_above_it(page):
    shown = re.findall(r"!\[[^]]{20,}\]\((\S+)\)", (DOCS / f"{page}.md").read_text("utf-8"))
    drawn = []
    for name, figure in gallery.run_session(DOCS / f"{page}.md"):
        assert figure.axes
        drawn.append(f"images/{name}.png")
    by_scripts = {f"images/{name}.png": script for name, script in gallery.BY_SCRIPTS.items()}
    assert drawn == [picture for picture in shown if picture not in by_scripts]
    for picture in set(shown) & set(by_scripts):
        assert Path(picture).name in (ROOT / by_scripts[picture]).read_text("utf-8")
        assert 0 < (DOCS / picture).stat().st_size < LARGEST
    assert drawn
    assert all(0 < (DOCS / picture).stat().st_size < LARGEST for picture in drawn)
