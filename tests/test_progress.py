"""The progress display: silent without a terminal, and able to lose its total."""

import io
import sys
import time

import pytest

from fangs._extras import MissingExtraError
from fangs.search import Progress
from fangs.search.progress import progress_display


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def _terminal_settings(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")


def shown(stream, monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream)
    with progress_display() as report:
        report(Progress("start", 16, 16, float("inf")))
        report(Progress("refine", 3, None, 7.25))
    return stream.getvalue()


def test_the_display_follows_the_search(monkeypatch):
    text = shown(Terminal(), monkeypatch)
    assert "refine" in text
    assert "expected loss 7.25" in text
    assert "inf" not in text


def test_a_phase_without_an_end_has_no_total(monkeypatch):
    last_line = shown(Terminal(), monkeypatch).split("refine")[-1]
    assert " 3 " in last_line
    assert "16" not in last_line


def test_the_clock_runs_on_after_a_phase(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress_display() as report:
        report(Progress("start", 2, 2, 7.5))
        time.sleep(1.1)
        report(Progress("sweeten", 0, 4, 7.25))
    assert "0:00:01" in sys.stderr.getvalue().split("sweeten")[-1]


def test_without_a_terminal_nothing_is_shown(monkeypatch):
    assert shown(io.StringIO(), monkeypatch) == ""


def test_a_missing_rich_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "rich", None)
    monkeypatch.delitem(sys.modules, "rich.progress", raising=False)
    with pytest.raises(MissingExtraError, match=r"fangs\[cli\]"), progress_display():
        pass
