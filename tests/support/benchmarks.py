"""The figures that the benchmarks wrote, for tests of the texts that quote them."""

import re
from pathlib import Path

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"
UNITS = {"µs": 1e-6, "ms": 1e-3, "s": 1.0}


def result(name):
    """The text of one file of results."""
    return (RESULTS / f"{name}.md").read_text("utf-8")


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def rows(name, start=""):
    """The rows of the tables of one file that begin with these words."""
    return [cells(line) for line in result(name).splitlines() if line.startswith(f"| {start}")]


def seconds(text):
    number, unit = text.lstrip("~").split()
    return float(number) * UNITS[unit]


def check_times(text):
    """The table of times in a text is that of benchmarks/peers.py."""
    table = re.search(r"^\| items, features.*\n\|[-:|]+\n((?:\|.*\n)+)", text, re.M)[1]
    ours, theirs = rows("peers", "fangs, default"), rows("peers", "R fangs")
    for shown, our, their in zip(map(cells, table.splitlines()), ours, theirs, strict=True):
        our_time, r_time = seconds(our[1]), seconds(their[1])
        assert close(seconds(shown[1]), our_time, 0.03), shown  # two digits
        assert close(seconds(shown[2]), r_time, 0.03), shown
        assert close(float(shown[3]), r_time / our_time, 0.03), shown
        assert close(float(shown[4]), float(our[4]), 1e-5), shown
        assert close(float(shown[5]), float(their[4]), 1e-5), shown


def close(one, other, share):
    return abs(one - other) <= share * other
