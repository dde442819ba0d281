"""``fangs modes`` prints and writes what the library finds."""

import json

import numpy as np

import fangs
from support.program import run


def test_it_prints_the_modes_of_the_library_and_writes_each(draws, tmp_path):
    draws.save(tmp_path / "draws.npz")
    words = ["modes", tmp_path / "draws.npz", "--seed", 1]
    result = run(*words, "--max-modes", 3, "--out", tmp_path / "m.npz")
    assert result.returncode == 0, result.stderr
    found = fangs.modes(draws, max_modes=3, seed=1)
    assert result.stdout.strip() == str(found)
    assert "m-1.npz" in result.stderr
    for m, estimate in enumerate(found.estimates, start=1):
        assert np.array_equal(fangs.load(tmp_path / f"m-{m}.npz"), estimate)
    result = run(*words, "--n-modes", 2, "-a", 1.2, "--threads", 1, "--json")
    document = json.loads(result.stdout)
    found = fangs.modes(draws, n_modes=2, a=1.2, seed=1)
    assert result.stderr == ""
    assert document["expected_loss"] == found.expected_loss
    for name in ("labels", "by_chain", "curve"):
        assert document[name] == getattr(found, name).tolist()
    assert document["steps"][1]["n_modes"] == 2
    for ours, theirs in zip(document["estimates"], found.estimates, strict=True):
        assert (ours["matrix"], ours["n_draws"]) == (theirs.matrix.tolist(), theirs.n_draws)


def test_what_cannot_be_done_is_said_in_one_line(draws, tmp_path):
    draws.save(tmp_path / "draws.npz")
    for options, words in (
        (["--quiet"], "--quiet"),
        (["--n-modes", 0], "n_modes = 0"),
        (["--out", tmp_path / "m.pdf"], "m-1.pdf"),
    ):
        result = run("modes", tmp_path / "draws.npz", *options)
        assert (result.returncode, len(result.stderr.splitlines())) == (2, 1)
        assert words in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["draws.npz"]
