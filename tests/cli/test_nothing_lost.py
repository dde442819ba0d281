"""What a command has found is not lost for a file that comes after it."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from importlib import import_module

import numpy as np
import pytest

import fangs
from fangs.cli import main
from support.program import run


@pytest.fixture
def file(draws, tmp_path):
    draws.save(tmp_path / "draws.npz")
    return tmp_path / "draws.npz"


def called(capsys, *words):
    """Exit code, stdout and stderr of a command in this process."""
    with pytest.raises(SystemExit) as ended:
        main([*map(str, words)])
    said = capsys.readouterr()
    return ended.value.code, said.out, said.err


@pytest.mark.parametrize("option", ["--items", "--feature-names", "--order"])
@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "no text", "absent"])
def test_files_of_names_are_checked_before_they_are_read(file, tmp_path, capsys, option, kind):
    path = tmp_path / "names.csv"
    with suppress(KeyError):
        {
            "pipe": lambda: os.mkfifo(path),
            "device": lambda: path.symlink_to("/dev/zero"),
            "folder": path.mkdir,
            "no text": lambda: path.write_bytes(b"\xff\xfe"),
        }[kind]()
    code, out, err = called(capsys, "estimate", file, "--seed", 1, option, path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert str(path) in err


def test_names_that_do_not_fit_do_not_cost_the_search(file, tmp_path, capsys):
    (tmp_path / "names.txt").write_text("only\nthese\n")
    target = tmp_path / "e.npz"
    words = ["--seed", 1, "--feature-names", tmp_path / "names.txt"]
    code, out, err = called(capsys, "estimate", file, *words, "--out", target, "--json")
    assert code == 2
    assert "2 names" in err
    assert json.loads(out)["n_features"] == fangs.load(target).n_features
    page = tmp_path / "r.html"
    assert called(capsys, "report", file, *words, "--effort", "quick", "--out", page)[0] == 2
    assert page.exists()


@pytest.mark.parametrize(
    ("error", "code"),
    [(OSError(28, "No space left on device", "e.csv"), 2), (KeyboardInterrupt(), 130)],
)
def test_an_estimate_that_cannot_be_written_is_printed(
    file, tmp_path, capsys, monkeypatch, error, code
):
    def fail(*_):
        raise error

    monkeypatch.setattr(import_module("fangs.cli.estimate"), "write_estimate", fail)
    found = called(capsys, "estimate", file, "--seed", 1, "--json", "--out", tmp_path / "e.csv")
    assert found[0] == code
    assert json.loads(found[1])["n_features"] == 4
    assert "Wrote" not in found[2]


def test_a_page_that_cannot_be_written_leaves_the_estimate(file, tmp_path, capsys, monkeypatch):
    def fail(*_, **__):
        raise OSError(28, "No space left on device", "r.html")

    monkeypatch.setattr(import_module("fangs.cli.report"), "write_report", fail)
    code, _, err = called(capsys, "report", file, "--seed", 1, "--out", tmp_path / "r.html")
    assert code == 2
    assert "No space left" in err
    assert np.array_equal(fangs.load(tmp_path / "r.npz"), fangs.estimate(fangs.read(file), seed=1))


@pytest.mark.parametrize("option", ["--threads", "--thin", "--burn-in"])
def test_numbers_past_64_bits_are_one_line_or_fine(file, option):
    done = run("estimate", file, "--seed", 1, option, 10**30)
    assert "__init__" not in done.stderr
    assert "Overflow" not in done.stderr
    assert done.returncode in (0, 2)
    assert len(done.stderr.splitlines()) == (done.returncode == 2)
