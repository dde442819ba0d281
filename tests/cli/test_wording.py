"""What a command says can be done in the shell, not only in Python."""

from __future__ import annotations

import re

import numpy as np
import pytest

import fangs
from support.program import run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shell")
    draws = fangs.datasets.example()
    draws.save(folder / "draws.npz")
    fangs.estimate(draws, seed=1).save(folder / "estimate.npz")
    np.save(folder / "plain.npy", np.ones((20, 4, 2), dtype=np.uint8))
    return folder


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ("report estimate.npz --out r.html", "an estimate goes to --estimate"),
        ("assess draws.npz --matrix draws.npz", "they come first"),
        ("chains plain.npy", "give a file for each chain"),
        ("estimate draws.npz -a 0.5,1", "fangs path --grid 0.5,1"),
        ("path draws.npz -a 1", "penalties go to --grid"),
    ],
)
def test_a_refusal_names_what_to_type(folder, words, remedy):
    result = run(*words.split(), cwd=folder)
    assert result.returncode == 2
    assert remedy in result.stderr
    assert not re.search(r"fangs\.\w|Samples\(", result.stderr)


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ("chains draws.npz --seed 1", "fangs modes --n-modes 2"),
        ("estimate draws.npz --seed 1", "fangs chains and fangs modes"),
        ("compare draws.npz --seed 1", "use fangs estimate"),
        ("inspect estimate.npz", "fangs report DRAWS --estimate estimate.npz"),
    ],
)
def test_a_result_names_what_to_type(folder, words, remedy):
    result = run(*words.split(), cwd=folder)
    assert result.returncode == 0, result.stderr
    assert remedy in " ".join(result.stdout.split())


def test_the_commands_that_are_named_work(folder):
    for words in (
        "modes draws.npz --n-modes 2 --seed 1",
        "path draws.npz --grid 0.5,1 --seed 1",
        "report draws.npz --estimate estimate.npz --out r.html --effort quick",
    ):
        assert run(*words.split(), cwd=folder).returncode == 0


def test_names_of_files_stay_as_they_are(tmp_path):
    result = run("estimate", "fangs.estimate.npz", cwd=tmp_path)
    assert "'fangs.estimate.npz'" in result.stderr
