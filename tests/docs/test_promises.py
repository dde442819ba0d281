"""Every promise of docs/promises.md names tests that exist."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = [
    line.strip("|\n").split(" | ")
    for line in (ROOT / "docs" / "promises.md").read_text("utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| Promise")
]


def test_there_are_promises():
    assert len(ROWS) > 30


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip())
def test_a_promise_names_tests_that_exist(row):
    _, kept_by = row
    named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", kept_by)
    assert len(named) == kept_by.count("`") / 2 > 0
    for file, name in named:
        tree = ast.parse((ROOT / file).read_text("utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
