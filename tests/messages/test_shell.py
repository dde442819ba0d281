"""What a command says can be done in the shell, not only in Python."""

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
    ("words", "code", "remedy"),
    [
        ("report estimate.npz --out r.html", 2, "--estimate"),
        ("assess draws.npz --matrix draws.npz", 2, "first"),
        ("chains plain.npy", 2, "a file for each chain"),
        ("estimate draws.npz -a 0.5,1", 2, "fangs path --grid 0.5,1"),
        ("path draws.npz -a 1", 2, "--grid"),
        ("estimate fangs.estimate.npz", 2, "'fangs.estimate.npz'"),  # a name of a file stays
        ("chains draws.npz --seed 1", 0, "fangs modes --n-modes 2"),
        ("estimate draws.npz --seed 1", 0, "fangs chains and fangs modes"),
        ("compare draws.npz --seed 1", 0, "fangs estimate"),
        ("inspect estimate.npz", 0, "fangs report DRAWS --estimate estimate.npz"),
    ],
)
def test_the_words_name_what_to_type(folder, words, code, remedy):
    done = run(*words.split(), cwd=folder)
    assert done.returncode == code, done.stderr
    said = " ".join((done.stderr if code else done.stdout).split())
    assert remedy in said
    if code:
        assert not re.search(r"(?<!')fangs\.\w|Samples\(", said)
