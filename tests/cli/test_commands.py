"""Each command prints what the function of the library returns, as text and as JSON."""

import json
import os
import shlex
import shutil
import subprocess

import numpy as np
import pytest

import fangs
from fangs.check.text import with_error
from fangs.cli.commands import COMMANDS
from fangs.formats import read_matrix
from fangs.formats.registry import write_estimate
from support.program import PROGRAM, assert_fails, run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Draws in three chains with named items, their truth, and an estimate."""
    folder = tmp_path_factory.mktemp("files")
    made = fangs.simulate.posterior_like(12, 3, 60, noise=0.1, seed=4)
    items = [f"item {chr(97 + i)}" for i in range(12)]
    samples = fangs.Samples(made.draws, items=items, chains=np.arange(60) // 20)
    samples.save(folder / "draws.npz")
    found = fangs.estimate(samples, seed=1)
    for suffix in ("npz", "csv", "json"):
        write_estimate(found, folder / f"estimate.{suffix}")
    return folder


def document(*arguments):
    result = run(*arguments, "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize("suffix", ["npz", "csv", "json"])
def test_assess_takes_every_form_of_an_estimate(folder, suffix):
    found = document("assess", folder / "draws.npz", "--matrix", folder / f"estimate.{suffix}")
    estimate = fangs.load(folder / "estimate.npz")
    assert found["expected_loss"] == estimate.expected_loss
    assert found["matrix"] == estimate.matrix.tolist()


def test_assess_matches_rows_by_name(folder, tmp_path):
    head, *rows = (folder / "estimate.csv").read_text().splitlines()
    (tmp_path / "turned.csv").write_text("\n".join([head, *reversed(rows)]) + "\n")
    draws = folder / "draws.npz"
    found = document("assess", draws, "--matrix", tmp_path / "turned.csv", "-a", 0.7)
    estimate = fangs.load(folder / "estimate.npz")
    expected = fangs.expected_loss(estimate, fangs.read(draws), a=0.7)
    assert found["expected_loss"] == expected
    (tmp_path / "other.csv").write_text("\n".join([head, *rows]).replace("item a", "item z"))
    assert_fails(run("assess", draws, "--matrix", tmp_path / "other.csv"), "item z", "by name")


def test_headings_must_differ(folder, tmp_path):
    (tmp_path / "twice.csv").write_text("item,f,f\na,1,0\nb,1,1\n")
    result = run("loss", tmp_path / "twice.csv", tmp_path / "twice.csv")
    assert_fails(result, "two columns 'f'")


def test_loss_has_a_direction(tmp_path):
    (tmp_path / "more.csv").write_text("1,1\n1,1\n")
    (tmp_path / "less.csv").write_text("1\n1\n")
    one, other = tmp_path / "more.csv", tmp_path / "less.csv"
    assert document("loss", one, other, "-a", 0.5) == {"a": 0.5, "loss": 1.0}
    assert run("loss", other, one, "-a", 0.5).stdout == "3\n"


def test_compare_prints_the_table(folder):
    draws = folder / "draws.npz"
    found = document("compare", draws, "--methods", "draws,map", "--seed", 1)
    expected = fangs.compare(fangs.read(draws), methods=["draws", "map"], seed=1)
    losses = [row["expected_loss"] for row in found["methods"]]
    assert losses == [row.expected_loss for row in expected]


def test_path_over_a_grid_and_to_a_number_of_features(folder):
    draws = folder / "draws.npz"
    found = document("path", draws, "--grid", "0.3,1,1.7", "--seed", 1)["path"]
    expected = fangs.sparsity_path(fangs.read(draws), a=[0.3, 1, 1.7], seed=1)
    assert [row["n_ones"] for row in found] == expected.n_ones.tolist()
    chosen = document("path", draws, "--n-features", 3, "--seed", 1)
    assert chosen["is_attained"]
    assert chosen["estimate"]["n_features"] == 3
    chosen = document("path", draws, "--fdr", 0.02, "--seed", 1)
    wanted = fangs.choose_a(fangs.read(draws), fdr=0.02, seed=1)
    assert (chosen["fdr"], chosen["a"]) == (0.02, wanted.a)
    assert chosen["estimate"]["matrix"] == wanted.estimate.matrix.tolist()


def test_chains_gives_the_verdict(folder):
    found = document("chains", folder / "draws.npz", "--seed", 1)
    expected = fangs.compare_chains(fangs.read(folder / "draws.npz"), seed=1)
    assert (found["agree"], found["verdict"]) == (expected.agree, expected.verdict)


def test_certify_gives_the_bound(folder):
    draws, estimate = folder / "draws.npz", folder / "estimate.npz"
    found = document("certify", draws, "--estimate", estimate, "--method", "dual")
    expected = fangs.certify(fangs.load(estimate), fangs.read(draws), method="dual")
    assert found["lower_bound"] == expected.lower_bound
    assert found["better"] is None
    printed = run("certify", draws, "--seed", 1, "--method", "dual").stdout
    assert printed == f"{expected}\n"


def test_certify_gives_what_is_better(folder):
    draws = fangs.read(folder / "draws.npz")
    worse = fangs.assess(draws[0], draws)
    worse.save(folder / "worse.npz")
    found = document("certify", folder / "draws.npz", "--estimate", folder / "worse.npz")
    assert found["better"]["expected_loss"] == fangs.load(folder / "estimate.npz").expected_loss
    options = ["--estimate", folder / "worse.npz", "--max-seconds", 1e-6, "--quiet"]
    found = document("certify", folder / "draws.npz", *options)
    assert found["stopped_because"] == "time is over"


def test_modes_prints_the_modes_of_the_library_and_writes_each(draws, tmp_path):
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


def test_report_writes_the_page_of_the_library(estimate, draws, tmp_path):
    draws.save(tmp_path / "draws.npz")
    estimate.save(tmp_path / "estimate.npz")
    options = ["--estimate", "estimate.npz", "--title", "Bars & more", "--out", "r.html"]
    result = run("report", "draws.npz", *options, cwd=tmp_path)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "Wrote r.html\n")
    estimate.report(tmp_path / "library.html", draws, title="Bars & more")
    assert (tmp_path / "r.html").read_bytes() == (tmp_path / "library.html").read_bytes()


def test_report_estimates_where_it_is_given_no_estimate(draws, tmp_path):
    draws.save(tmp_path / "draws.npz")
    options = ["-a", 1.9, "--seed", 3, "--effort", "quick", "--quiet", "--level", 0.5]
    result = run("report", "draws.npz", *options, cwd=tmp_path)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    found = fangs.estimate(draws, a=1.9, seed=3)
    assert f"{with_error(found.expected_loss, found.loss_error)} at a = 1.9" in page
    assert "50 % credible ball" in page


def test_convert_keeps_everything(folder, tmp_path):
    result = run("convert", folder / "draws.npz", tmp_path / "copy.npz")
    assert result.returncode == 0, result.stderr
    assert "60 draws" in result.stderr
    assert fangs.read(tmp_path / "copy.npz") == fangs.read(folder / "draws.npz")


def test_several_files_are_chains(folder, tmp_path):
    samples = fangs.read(folder / "draws.npz")
    for chain in range(3):
        samples[20 * chain : 20 * (chain + 1)].save(tmp_path / f"chain{chain}.npz")
    files = [tmp_path / f"chain{chain}.npz" for chain in range(3)]
    assert document("chains", *files, "--seed", 1) == document(
        "chains", folder / "draws.npz", "--seed", 1
    )


def test_burn_in_and_thinning_reach_the_reader(folder):
    found = document("estimate", folder / "draws.npz", "--burn-in", 5, "--thin", 3, "--seed", 1)
    assert found["n_draws"] == 3 * len(range(5, 20, 3))


def test_simulate_writes_draws_and_truth(tmp_path):
    target, truth = tmp_path / "draws.npz", tmp_path / "truth.csv"
    options = ["--n-items", 15, "--n-draws", 40, "--n-chains", 4, "--seed", 2, "--truth", truth]
    assert run("simulate", target, *options).returncode == 0
    samples = fangs.read(target)
    made = fangs.simulate.posterior_like(15, 4, 40, noise=0.1, seed=2)
    assert [draw.tolist() for draw in samples] == [
        draw[:, draw.any(axis=0)].tolist() for draw in made.draws
    ]
    assert len(set(samples.chains.tolist())) == 4
    assert read_matrix(truth).values.tolist() == made.truth.tolist()


def test_demo_leaves_its_files(tmp_path):
    result = run("demo", "here", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    written = {path.name for path in (tmp_path / "here").iterdir()}
    assert written == {f"estimate.{s}" for s in ("npz", "csv", "json")} | {
        "draws.npz",
        "report.html",
    }
    assert "$ fangs estimate" in result.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_for_this_program(shell):
    assert "_FANGS_COMPLETE" in run("completion", shell).stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not here")
def test_bash_completes_the_options_of_a_command(tmp_path):
    """In bash itself: what Tab would offer after ``fangs COMMAND --``."""
    program = tmp_path / "fangs"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(PROGRAM)} "$@"\n')
    program.chmod(0o755)
    script = """
        eval "$(fangs completion bash)"
        for name in "$@"; do
            COMP_WORDS=(fangs "$name" --) COMP_CWORD=2 COMPREPLY=()
            _fangs_completion fangs
            echo "$name: ${COMPREPLY[*]}"
        done
    """
    commands = {command.name: command for command in COMMANDS[:2]}
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    found = subprocess.run(
        ["bash", "-c", script, "bash", *commands],
        capture_output=True, text=True, timeout=300, check=True, env={**os.environ, "PATH": path},
    )  # fmt: skip
    offered = dict(line.split(": ", 1) for line in found.stdout.splitlines())
    assert list(offered) == list(commands)
    for name, command in commands.items():
        options = {word for param in command.params for word in param.opts if word[:2] == "--"}
        assert {*options, "--help"} == set(offered[name].split()), name


def test_stability_gives_the_shares(folder):
    draws, estimate = folder / "draws.npz", folder / "estimate.npz"
    found = document("stability", draws, "--seed", 1, "--replicates", 6)
    samples = fangs.read(draws)
    wanted = fangs.stability(fangs.estimate(samples, seed=1), samples, n=6, seed=1)
    assert (found["n"], found["verdict"]) == (6, wanted.verdict)
    assert found["entries"] == wanted.entries.tolist()
    assert found["distances"] == wanted.distances.tolist()
    again = document("stability", draws, "--estimate", estimate, "--replicates", 6)
    assert again["seed"] == fangs.load(estimate).search.seed
    printed = run("stability", draws, "--seed", 1, "--replicates", 6).stdout
    assert printed == f"{wanted}\n"
