"""The README: its first example prints what it shows, its figures are those of the benchmark."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
UNITS = {"µs": 1e-6, "ms": 1e-3, "s": 1.0}


def untimed(text):
    return re.sub(r"[\d.e-]+ s\b", "… s", text.strip())


def test_the_first_example_prints_what_the_readme_shows():
    code, shown = re.search(r"```python\n(.*?)```\s+```text\n(.*?)```", README, re.S).groups()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    assert untimed(printed.getvalue()) == untimed(shown)


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def seconds(text):
    number, unit = text.lstrip("~").split()
    return float(number) * UNITS[unit]


def measured(search):
    """Time and expected loss of a search on each set of draws, from the last benchmark."""
    text = (ROOT / "benchmarks" / "results" / "peers.md").read_text("utf-8")
    rows = [cells(line) for line in text.splitlines() if line.startswith(f"| {search}")]
    return [(seconds(row[1]), float(row[4])) for row in rows]


def close(one, other, share):
    return abs(one - other) <= share * other


def test_the_table_of_times_is_that_of_the_benchmark():
    table = re.search(r"^\| items, features.*\n\|[-:|]+\n((?:\|.*\n)+)", README, re.M)[1]
    ours, theirs = measured("fangs, default"), measured("R fangs")
    rows = [cells(line) for line in table.splitlines()]
    for row, (our_time, our_loss), (r_time, r_loss) in zip(rows, ours, theirs, strict=True):
        assert close(seconds(row[1]), our_time, 0.03), row  # two digits
        assert close(seconds(row[2]), r_time, 0.03), row
        assert close(float(row[3]), r_time / our_time, 0.03), row
        assert close(float(row[4]), our_loss, 1e-5), row
        assert close(float(row[5]), r_loss, 1e-5), row


def test_the_table_of_real_posteriors_is_that_of_the_benchmark():
    table = re.search(r"^\| draws \(items.*\n\|[-:|]+\n((?:\|.*\n)+)", README, re.M)[1]
    text = (ROOT / "benchmarks" / "results" / "real.md").read_text("utf-8")
    rows = [cells(line) for line in text.splitlines() if line.startswith("| ")]
    measured = {row[0]: [row[column] for column in (1, 4, 6, 7, 9)] for row in rows}
    for name, *shown in map(cells, table.splitlines()):
        assert shown == measured[f"{name.split(' (')[0]}, a = 1"]
