"""What a command has found is not lost for a file that comes after it, nor by Ctrl-C."""

import json
import os
from importlib import import_module

import numpy as np
import pytest

import fangs
from support.program import assert_fails, run


@pytest.fixture
def file(draws, tmp_path):
    draws.save(tmp_path / "draws.npz")
    return tmp_path / "draws.npz"


@pytest.fixture
def failing(monkeypatch):
    """Makes a function of a command's module fail."""

    def fail_with(where, error):
        def fail(*given, **options):
            raise error

        module, name = where.rsplit(".", 1)
        monkeypatch.setattr(import_module(module), name, fail)

    return fail_with


NO_SPACE = OSError(28, "No space left on device", "e.csv")


@pytest.mark.parametrize("option", ["--items", "--feature-names", "--order"])
@pytest.mark.parametrize("kind", ["pipe", "folder", "no text", "absent"])
def test_files_of_names_are_checked_before_they_are_read(file, tmp_path, option, kind):
    path = tmp_path / "names.csv"
    {
        "pipe": lambda: os.mkfifo(path),
        "folder": path.mkdir,
        "no text": lambda: path.write_bytes(b"\xff\xfe"),
        "absent": lambda: None,
    }[kind]()
    assert_fails(run("estimate", file, "--seed", 1, option, path), str(path))


def test_names_that_do_not_fit_do_not_cost_the_search(file, tmp_path):
    (tmp_path / "names.txt").write_text("only\nthese\n")
    target, page = tmp_path / "e.npz", tmp_path / "r.html"
    words = ["--seed", 1, "--feature-names", tmp_path / "names.txt"]
    done = run("estimate", file, *words, "--out", target, "--json")
    assert done.returncode == 2
    assert "2 names" in done.stderr
    assert json.loads(done.stdout)["n_features"] == fangs.load(target).n_features
    assert run("report", file, *words, "--effort", "quick", "--out", page).returncode == 2
    assert page.exists()


@pytest.mark.parametrize(("error", "code"), [(NO_SPACE, 2), (KeyboardInterrupt(), 130)])
def test_an_estimate_that_cannot_be_written_is_printed(file, tmp_path, failing, error, code):
    failing("fangs.cli.estimate.write_estimate", error)
    done = run("estimate", file, "--seed", 1, "--json", "--out", tmp_path / "e.csv")
    assert done.returncode == code
    assert json.loads(done.stdout)["n_features"] == 4
    assert "Wrote" not in done.stderr


def test_a_page_that_cannot_be_written_leaves_the_estimate(file, tmp_path, failing):
    failing("fangs.cli.report.write_report", NO_SPACE)
    done = run("report", file, "--seed", 1, "--out", tmp_path / "r.html")
    assert done.returncode == 2
    assert "No space left" in done.stderr
    assert np.array_equal(fangs.load(tmp_path / "r.npz"), fangs.estimate(fangs.read(file), seed=1))


def test_an_interrupt_of_a_report_keeps_the_estimate(file, draws, tmp_path, failing):
    (tmp_path / "report.npz").write_text("somebody's")
    stopped = fangs.results.Interrupted(fangs.estimate(draws, seed=1))
    failing("fangs.cli.report.write_report", stopped)
    done = run("report", file, "--seed", 1, "--out", tmp_path / "report.html")
    assert done.returncode == 130
    kept = tmp_path / "report-1.npz"
    assert str(kept) in done.stderr
    assert np.array_equal(fangs.load(kept), stopped.estimate)
    assert (tmp_path / "report.npz").read_text() == "somebody's"


@pytest.mark.parametrize("is_known", [True, False])
def test_an_interrupt_of_modes_prints_the_estimate_of_all_draws(file, draws, failing, is_known):
    estimate = fangs.estimate(draws, seed=1) if is_known else None
    failing("fangs.cli.modes.modes", fangs.results.Interrupted(estimate))
    done = run("modes", file)
    assert done.returncode == 130
    assert done.stdout.startswith(str(estimate).splitlines()[0] if is_known else "")
    assert bool(done.stdout) == is_known
    assert "interrupted" in done.stderr


def test_a_demo_that_is_interrupted_says_so(failing, tmp_path):
    failing("fangs.cli.report.write_report", fangs.results.Interrupted(None))
    done = run("demo", tmp_path / "demo")
    assert done.returncode == 130
    assert "Open" not in done.stdout


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [(MemoryError(), 2, "there is not enough memory"), (KeyboardInterrupt(), 130, "interrupted")],
)
def test_what_ends_a_read_is_one_line(failing, file, error, code, said):
    failing("fangs.cli.options.read", error)
    done = run("estimate", file)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (code, "", f"fangs: {said}")


def test_a_file_that_ends_early_is_no_interruption(failing, file):
    failing("fangs.cli.convert.check_samples_target", EOFError())
    done = run("convert", file, "x.npz")
    assert done.returncode == 2
    assert "interrupted" not in done.stderr


@pytest.mark.parametrize("option", ["--threads", "--thin", "--burn-in"])
def test_numbers_past_64_bits_are_one_line_or_fine(file, option):
    done = run("estimate", file, "--seed", 1, option, 10**30)
    assert "Overflow" not in done.stderr
    assert done.returncode in (0, 2)
    assert len(done.stderr.splitlines()) == (done.returncode == 2)
