"""No command writes over a file that it was given to read."""

import os
import shutil
from importlib import import_module

import numpy as np
import pytest

import fangs
from support.program import run


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """Files to read: draws, links to them, an estimate, names, weights, a folder of chains."""
    folder = tmp_path_factory.mktemp("inputs")
    samples = fangs.datasets.example()[:40]
    samples.save(folder / "draws.npz")
    fangs.estimate(samples, seed=1).save(folder / "estimate.npz")
    names = "".join(f"name {i}\n" for i in range(100))
    (folder / "names.csv").write_text(names)
    np.savetxt(folder / "weights.csv", np.ones(40, dtype=int), fmt="%d")
    (folder / "chains").mkdir()
    for chain in (1, 2):
        samples.save(folder / f"chain-{chain}.npz")
        samples.save(folder / "chains" / f"{chain}.npz")
    return folder


@pytest.fixture
def files(inputs, tmp_path):
    shutil.copytree(inputs, tmp_path, dirs_exist_ok=True)
    (tmp_path / "link.npz").symlink_to("draws.npz")
    (tmp_path / "link.html").symlink_to("draws.npz")
    os.link(tmp_path / "draws.npz", tmp_path / "same.npz")
    (tmp_path / "elsewhere").symlink_to("chains")
    return tmp_path


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "words",
    [
        "estimate draws.npz --out draws.npz",
        "estimate draws.npz --out link.npz",
        "estimate link.npz --out draws.npz",
        "estimate draws.npz --out same.npz",
        "estimate draws.npz --out e.csv --out chains/../draws.npz",
        "estimate chains --out chains/estimate.npz",
        "estimate chains --out elsewhere/estimate.json",
        "estimate draws.npz --order estimate.npz --out estimate.npz",
        "estimate draws.npz --items names.csv --out names.csv",
        "estimate draws.npz --feature-names names.csv --out names.csv",
        "estimate draws.npz --weights weights.csv --out weights.csv",
        "modes chain-1.npz chain-2.npz --out chain.npz",
        "modes draws.npz chain-2.npz --n-modes 2 --out chain.npz",
        "report draws.npz --out link.html",
        "report chains --out chains/report.html",
        "convert draws.npz draws.npz",
        "convert chain-1.npz link.npz draws.npz",
        "convert chains elsewhere/draws.csv",
        "simulate draws.csv --truth draws.csv",
    ],
)
def test_an_input_is_not_written_over(files, monkeypatch, words):
    def read(*given, **request):
        raise AssertionError("work was begun")

    monkeypatch.setattr(import_module("fangs.cli.options"), "read", read)
    before = contents(files)
    done = run(*words.split(), cwd=files)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done
    assert "cannot write" in done.stderr
    assert contents(files) == before


def test_other_files_next_to_an_input_may_be_written(files):
    for words in (
        "convert chains chains.npz",
        "estimate draws.npz --seed 1 --out estimate.npz --out chains/estimate.npz",
        "estimate draws.npz --seed 1 --start estimate.npz --out estimate.npz",
    ):
        done = run(*words.split(), cwd=files)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("target", ["draws.npz", "link.npz"])
def test_convert_in_python_does_not_write_over_its_source(files, target):
    draws, before = files / "draws.npz", contents(files)
    for source, request in (
        (draws, {}),
        ([files / "chain-1.npz", str(draws)], {}),
        ([np.ones((3, 2))], {"weights": draws}),
    ):
        with pytest.raises(ValueError, match="cannot write"):
            fangs.convert(source, files / target, **request)
    assert contents(files) == before
