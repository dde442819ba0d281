"""The paper: its figures are those of the benchmarks, its references are there and used."""

import re
from pathlib import Path

import pytest

from support.benchmarks import check_times, result, rows

PAPER = Path(__file__).parents[2] / "paper"
TEXT = " ".join((PAPER / "paper.md").read_text("utf-8").split())
OTHERS = ("simulated", "example", "bars", "blurred bars")
"""Draws of the table of certificates that we made ourselves."""


def times(column):
    """Smallest and largest of the ratios in a column of the table of real posteriors."""
    found = [row[column].removesuffix(" x") for row in rows("real") if "a = " in row[0]]
    return min(found, key=float), max(found, key=float)


def from_the_results():
    """What the paper says in its sentences, with the figures of the results."""
    line = r"alignment with all (\d+) flips +\| +[\d.]+ \| +([\d.]+) x"
    flips = re.search(line, result("kernel"))
    yield f"the changes of all {flips[1]} entries of a large estimate takes {flips[2]} times"

    certificates = [row for row in rows("certificates") if row[2] in ("0.5", "1", "1.5")]
    real = [row for row in certificates if not row[0].startswith(OTHERS)]
    proved = sum(row[6] == "proved" for row in real)
    yield f"they proved {proved} of {len(real)} estimates globally optimal"

    [run] = rows("anytime", "R fangs")
    yield f"after {run[1]} its loss was {run[3].strip('+%')} % above"

    reached = [re.findall(r"\d+", row[2]) for row in rows("real") if "a = " in row[0]]
    known, of = (sum(int(count[which]) for count in reached) for which in (0, 1))
    yield f"the lowest loss known in {known} of {of} runs"
    yield "{} to {} times against 1000 iterations".format(*times(5))
    yield "{} to {} times against R's own default".format(*times(8))

    solved = re.search(r"default: (\d+) of (\d+); paper: (\d+) of", result("exhaustive"))
    yield f"On {solved[2]} small problems"
    yield f"found the optimum in {solved[1]}, and the published algorithm in {solved[3]}."

    worst = max(float(row[4].strip("+%")) for row in rows("penalties")[1:] if "%" in row[4])
    yield f"end up to {worst:.2f} % above the lowest loss known"


@pytest.mark.parametrize("sentence", list(from_the_results()))
def test_the_figures_in_sentences_are_those_of_the_results(sentence):
    assert sentence in TEXT


def test_the_table_of_times_is_that_of_the_benchmark():
    check_times((PAPER / "paper.md").read_text("utf-8"))


def test_every_reference_is_there_and_used():
    keys = re.findall(r"^@\w+\{(\w+),", (PAPER / "paper.bib").read_text("utf-8"), re.M)
    assert len(set(keys)) == len(keys)
    assert set(re.findall(r"@(\w+)", TEXT)) == set(keys)
