"""The README's Python examples run, and print what it says they print."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def untimed(text):
    return re.sub(r"[\d.e-]+ s\b", "… s", text.strip())


def test_the_first_example_prints_what_the_readme_shows():
    code, shown = re.search(
        r"```python\n(.*?)```\s+```text\n(.*?)```", README.read_text(), re.S
    ).groups()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    assert untimed(printed.getvalue()) == untimed(shown)
