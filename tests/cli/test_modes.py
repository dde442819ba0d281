"""``fangs modes`` prints and writes what the library finds."""

from __future__ import annotations

import json

import numpy as np
import pytest

import fangs
from fangs.cli import main
from support.program import run


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("draws") / "draws.npz"
    fangs.datasets.example().save(path)
    return path


def test_it_prints_the_modes_of_the_library_and_writes_each(file, tmp_path):
    result = run("modes", file, "--seed", 1, "--max-modes", 3, "--out", tmp_path / "m.npz")
    assert result.returncode == 0, result.stderr
    found = fangs.modes(fangs.read(file), max_modes=3, seed=1)
    assert result.stdout.strip() == str(found)
    assert "m-1.npz" in result.stderr
    for m, estimate in enumerate(found.estimates, start=1):
        assert np.array_equal(fangs.load(tmp_path / f"m-{m}.npz"), estimate)


def test_json_is_one_document(file):
    result = run("modes", file, "--seed", 1, "--n-modes", 2, "-a", 1.2, "--threads", 1, "--json")
    document = json.loads(result.stdout)
    found = fangs.modes(fangs.read(file), n_modes=2, a=1.2, seed=1)
    assert result.stderr == ""
    assert document["expected_loss"] == found.expected_loss
    assert document["labels"] == found.labels.tolist()
    assert document["by_chain"] == found.by_chain.tolist()
    assert document["curve"] == found.curve.tolist()
    assert document["steps"][1]["n_modes"] == 2
    for ours, theirs in zip(document["estimates"], found.estimates, strict=True):
        assert ours["matrix"] == theirs.matrix.tolist()
        assert ours["n_draws"] == theirs.n_draws


def test_what_cannot_be_done_is_said_in_one_line(file, tmp_path):
    for options, words in (
        (["--quiet"], "--quiet would leave nothing"),
        (["--n-modes", 0], "n_modes = 0"),
        (["--out", tmp_path / "m.pdf"], "m-1.pdf"),
    ):
        result = run("modes", file, *options)
        assert result.returncode == 2
        assert len(result.stderr.splitlines()) == 1
        assert words in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("known", [True, False])
def test_an_interrupt_leaves_the_estimate_of_all_draws(file, monkeypatch, capsys, known):
    estimate = fangs.estimate(fangs.read(file), seed=1) if known else None

    def stopped(samples, **options):
        raise fangs.Interrupted(estimate)

    monkeypatch.setattr("fangs.cli.modes.modes", stopped)
    with pytest.raises(SystemExit) as exit_:
        main(["modes", str(file)])
    assert exit_.value.code == 130
    printed = capsys.readouterr()
    said = "" if estimate is None else str(estimate)
    in_python, in_shell = "fangs.compare_chains and fangs.modes", "fangs chains and fangs modes"
    assert printed.out.strip() == said.replace(in_python, in_shell)
    assert "interrupted" in printed.err
