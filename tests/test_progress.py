"""The progress display: silent without a terminal, and able to lose its total."""

from __future__ import annotations

import io
import sys

import pytest

from fangs.extras import MissingExtraError
from fangs.progress import progress_display
from fangs.search import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(stream, monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    with progress_display() as report:
        report(Progress("align", 16, 16, float("inf")))
        report(Progress("improve", 3, None, 7.25))
    return stream.getvalue()


def test_the_display_follows_the_search(monkeypatch):
    text = shown(Terminal(), monkeypatch)
    assert "improve" in text
    assert "expected loss 7.25" in text
    assert "inf" not in text


def test_a_phase_without_an_end_has_no_total(monkeypatch):
    last_line = shown(Terminal(), monkeypatch).split("improve")[-1]
    assert " 3 " in last_line
    assert "16" not in last_line


def test_without_a_terminal_nothing_is_shown(monkeypatch):
    assert shown(io.StringIO(), monkeypatch) == ""


def test_a_missing_rich_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "rich", None)
    monkeypatch.delitem(sys.modules, "rich.progress", raising=False)
    with pytest.raises(MissingExtraError, match=r"fangs\[cli\]"), progress_display():
        pass
