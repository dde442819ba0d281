"""The fangs command, run for real: what it prints, writes and returns."""

import json
import os
import subprocess
import sys
from importlib.metadata import entry_points, version

import click
import numpy as np
import pytest

import fangs
from fangs.cli import main
from fangs.cli.commands import COMMANDS
from fangs.formats import read_matrix
from support.program import assert_fails, run, run_alone


@pytest.fixture(scope="module")
def draws(tmp_path_factory):
    path = tmp_path_factory.mktemp("draws") / "draws.npz"
    fangs.datasets.example().save(path)
    return path


def test_it_prints_the_estimate_of_the_library(draws):
    result = run("estimate", draws, "--seed", 3)
    in_python = "fangs.compare_chains and fangs.modes"
    expected = str(fangs.estimate(fangs.read(draws), seed=3))
    assert in_python in expected
    expected = expected.replace(in_python, "fangs chains and fangs modes")
    assert (result.returncode, result.stderr) == (0, "")

    def untimed(text):
        return [line for line in text.splitlines() if not line.startswith("Search")]

    assert untimed(result.stdout) == untimed(expected)


def test_options_reach_the_search(draws):
    options = ["-a", 1.3, "--n-init", 5, "--n-sweet", 2, "--n-iter", 50, "--seed", 9]
    result = run("estimate", draws, *options, "--max-seconds", 50, "--threads", 1, "--json")
    document = json.loads(result.stdout)
    assert document["a"] == 1.3
    search = document["search"]
    assert (search["n_init"], search["n_sweet"], search["n_iter"]) == (5, 2, 50)
    assert (search["seed"], search["max_seconds"]) == (9, 50)
    same = fangs.estimate(fangs.read(draws), a=1.3, n_init=5, n_sweet=2, n_iter=50, seed=9)
    assert document["matrix"] == same.matrix.tolist()
    assert document["expected_loss"] == same.expected_loss


def test_files_hold_the_estimate_in_any_form(draws, tmp_path):
    targets = [tmp_path / f"estimate.{suffix}" for suffix in ("npz", "csv", "json")]
    outs = [word for target in targets for word in ("--out", target)]
    result = run("estimate", draws, "--seed", 3, *outs)
    assert result.returncode == 0, result.stderr
    assert result.stderr.startswith("Wrote ")
    saved = fangs.load(targets[0])
    for target in targets[1:]:
        assert np.array_equal(read_matrix(target, items=saved.items).values, saved.matrix)
    assert sorted(tmp_path.iterdir()) == sorted(targets)  # no temporary file is left


def test_quiet_prints_nothing(draws, tmp_path):
    result = run("estimate", draws, "--quiet", "--out", tmp_path / "e.npz")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert fangs.load(tmp_path / "e.npz").n_items == 100


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("estimate -a 2", ["a", "2"]),
        ("estimate -a nan", ["a", "nan"]),
        ("estimate -a much", ["much"]),
        ("estimate --n-init 0", ["n_init", "0"]),
        ("estimate --n-sweet -1", ["n_sweet", "-1"]),
        ("estimate --max-seconds -3", ["max_seconds", "-3"]),
        ("estimate --threads 0", ["n_threads", "0"]),
        ("estimate --seed -1", ["seed", "-1"]),
        ("estimate --out e.docx", ["e.docx", ".npz, .csv, ", " or .zarr"]),
        ("estimate missing.npz --out e.docx", ["e.docx"]),  # checked before anything is read
        ("estimate --out nowhere/e.npz", ["no directory", "nowhere"]),
        ("estimate --quiet", ["--out", "--json"]),
        ("estimate --nonsense", ["--nonsense", "fangs estimate --help"]),
        ("estimate missing.npz", ["missing.npz"]),
        ("estimate text.npz", ["text.npz"]),
        ("estimat", ["estimat"]),
        ("modes --quiet", ["--quiet"]),
        ("modes --n-modes 0", ["n_modes = 0"]),
        ("modes --out m.pdf", ["m-1.pdf"]),
        ("report --out r.pdf", [".html", "r.pdf"]),
        ("report --out no/r.html", ["no directory"]),
        ("report --estimate e.npz -a 1", ["--estimate", "-a"]),
        ("report --estimate e.npz --max-seconds 1", ["--estimate", "--max-seconds"]),
        ("report --estimate missing.npz", ["missing.npz"]),
        ("report --effort some", ["some"]),
        ("report --level 2 --quiet", ["level", "2"]),
        ("certify --method all", ["--method"]),
        ("certify --estimate e.npz -a 1", ["drop these"]),
        ("compare --methods magic", ["magic", "draws"]),
        ("path --grid 1,x", ["--grid"]),
        ("path --grid 1 --n-features 3", ["drop --grid"]),
        ("path --fdr 0.1 --n-features 3", ["drop --n-features"]),
        ("path -a 1", ["--grid"]),
        ("convert", ["the file to write"]),
        ("convert copy.xyz", ["copy.xyz"]),
    ],
)
def test_what_cannot_be_done_is_one_line(draws, tmp_path, line, words):
    (tmp_path / "text.npz").write_text("not an archive")
    name, *options = line.split()
    given = [] if options and options[0].endswith("npz") else [draws]
    assert_fails(run(name, *given, *options, cwd=tmp_path), *words)
    assert [path.name for path in tmp_path.iterdir()] == ["text.npz"]


def test_help_has_the_examples_of_the_command_or_one_of_each():
    for command in COMMANDS:
        shown = run(command.name, "--help")
        assert shown.returncode == 0
        for other in COMMANDS:
            found = [f"\n    {example}\n" in shown.stdout for example in other.examples]
            assert set(found) == {other is command}
    for arguments in ([], ["--help"], ["-h"]):
        shown = run(*arguments)
        assert shown.returncode == 0
        assert all(f"\n    {command.examples[0]}\n" in shown.stdout for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_options_are_explained_and_examples_name_them(command):
    assert all(p.help for p in command.params if isinstance(p, click.Option))
    known = {option for parameter in command.params for option in parameter.opts}
    for example in command.examples:
        program, name, *words = example.split()
        assert (program, name) == ("fangs", command.name)
        assert {word for word in words if word.startswith("-")} <= known


def test_the_installed_program_is_this_one():
    (entry,) = entry_points(group="console_scripts", name="fangs")
    assert entry.load() is main


def test_a_variable_can_be_named(draws, tmp_path):
    stack = np.random.default_rng(1).integers(2, size=(20, 4, 2))
    np.savez(tmp_path / "two.npz", Z=stack, other=1 - stack)
    assert_fails(run("estimate", tmp_path / "two.npz"), "--variable 'Z'")
    result = run("estimate", tmp_path / "two.npz", "--variable", "Z", "--seed", 1, "--json")
    assert json.loads(result.stdout)["matrix"] == fangs.estimate(stack, seed=1).matrix.tolist()


def test_version_is_that_of_the_package():
    assert run("--version").stdout == f"fangs {version('fangs')}\n"


@pytest.mark.parametrize("missing", ["click", "rich"])
def test_a_missing_extra_is_named(missing):
    code = f"import sys; sys.modules[{missing!r}] = None; from fangs.cli.main import main; main([])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert_fails(result, missing, "fangs[cli]")


def test_an_encoding_without_squares_still_prints(draws):
    environment = os.environ | {"PYTHONIOENCODING": "latin-1"}
    result = run_alone("estimate", draws, env=environment, encoding="latin-1")
    assert result.returncode == 0, result.stderr
    assert "image 1" in result.stdout


def test_an_infinite_limit_is_valid_json(draws, tmp_path):
    done = run("estimate", draws, "--max-seconds", "inf", "--json", "--out", tmp_path / "e.json")
    for text in (done.stdout, (tmp_path / "e.json").read_text()):
        document = json.loads(text, parse_constant=pytest.fail)
        assert document["search"]["max_seconds"] is None
