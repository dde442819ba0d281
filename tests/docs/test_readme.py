"""The README: its first example prints what it shows, its figures are those of the benchmark."""

import contextlib
import io
import re
from pathlib import Path

from support.benchmarks import cells, check_times, result

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def untimed(text):
    return re.sub(r"[\d.e-]+ s\b", "… s", text.strip())


def test_the_first_example_prints_what_the_readme_shows():
    code, shown = re.search(r"```python\n(.*?)```\s+```text\n(.*?)```", README, re.S).groups()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    assert untimed(printed.getvalue()) == untimed(shown)


def test_the_table_of_times_is_that_of_the_benchmark():
    check_times(README)


def test_the_table_of_real_posteriors_is_that_of_the_benchmark():
    table = re.search(r"^\| draws \(items.*\n\|[-:|]+\n((?:\|.*\n)+)", README, re.M)[1]
    rows = [cells(line) for line in result("real").splitlines() if line.startswith("| ")]
    measured = {row[0]: [row[column] for column in (1, 4, 6, 7, 9)] for row in rows}
    for name, *shown in map(cells, table.splitlines()):
        assert shown == measured[f"{name.split(' (')[0]}, a = 1"]
