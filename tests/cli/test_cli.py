"""The fangs command, run for real: what it prints, writes and returns, also when stopped."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from importlib.metadata import entry_points, version

import click
import numpy as np
import pytest

import fangs
from fangs.cli import main
from fangs.cli.commands import COMMANDS
from fangs.formats import read_matrix
from support.program import PROGRAM, run, run_alone


def assert_fails_in_one_line(result, *words):
    assert (result.returncode, result.stdout) == (2, ""), result
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert result.stderr.startswith("fangs: ")
    assert [word for word in words if word not in result.stderr] == [], result.stderr


@pytest.fixture(scope="module")
def draws(tmp_path_factory):
    path = tmp_path_factory.mktemp("draws") / "draws.npz"
    fangs.datasets.example().save(path)
    return path


@pytest.fixture(scope="module")
def hard_draws(tmp_path_factory):
    """Draws without structure, enough of them to keep a search busy for minutes."""
    path = tmp_path_factory.mktemp("hard") / "hard.npz"
    rng = np.random.default_rng(5)
    fangs.Samples([rng.integers(0, 2, (60, 60)) for _ in range(1500)]).save(path)
    return path


@contextmanager
def on_terminal(*arguments, stdout):
    """Run the command with stderr on a terminal of its own, and SIGINT not ignored."""
    terminal, stderr = pty.openpty()
    with open(stdout, "wb") as file:  # not a pipe, which would have to be read as well
        process = subprocess.Popen(
            [*PROGRAM, *map(str, arguments)],
            stdout=file,
            stderr=stderr,
            env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
    os.close(stderr)
    try:
        yield process, terminal
    finally:
        process.kill()
        process.wait()
        os.close(terminal)


def read_until(terminal, word, seconds):
    """Return what the terminal shows until ``word`` comes, the other end closes, or time is up."""
    shown = b""
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        if not select.select([terminal], [], [], left)[0]:
            break
        try:
            chunk = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        shown += chunk
        if not chunk or (word is not None and word in shown):
            break
    return shown


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
    assert_fails_in_one_line(run("estimate", draws, "--quiet"), "--out", "--json")


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "termination"])
def test_an_interrupt_writes_the_best_estimate_so_far(hard_draws, tmp_path, sent):
    out = tmp_path / "e.npz"
    options = ["--n-init", 1500, "--n-sweet", 1500, "--json", "--out", out]
    stdout = tmp_path / "stdout"
    with on_terminal("estimate", hard_draws, *options, stdout=stdout) as (process, terminal):
        assert b"expected loss" in read_until(terminal, b"expected loss", 60)
        assert not out.exists()
        began = time.monotonic()
        process.send_signal(sent)
        rest = read_until(terminal, None, 30)
        process.wait(timeout=30)
        seconds = time.monotonic() - began
    assert process.returncode == 130
    assert b"interrupted" in rest
    assert b"Traceback" not in rest
    document = json.loads(stdout.read_text())
    saved = fangs.load(out)
    assert saved.expected_loss == document["expected_loss"]
    assert saved.expected_loss == pytest.approx(
        fangs.expected_loss(saved, fangs.read(hard_draws)), rel=1e-12
    )
    assert "interrupt" in document["search"]["stopped_because"]
    assert sorted(tmp_path.iterdir()) == [out, stdout]
    assert seconds < 5  # one second is promised; the rest is for a busy machine


def test_progress_shows_on_a_terminal_and_only_there(hard_draws, tmp_path):
    options = ["--max-seconds", 2, "--n-init", 1500, "--json"]
    stdout = tmp_path / "stdout"
    with on_terminal("estimate", hard_draws, *options, stdout=stdout) as (process, terminal):
        shown = read_until(terminal, None, 60)
        process.wait(timeout=30)
    assert process.returncode == 0
    assert b"expected loss" in shown
    assert b"/1500" in shown
    document = json.loads(stdout.read_text())
    assert document["n_items"] == 60
    assert "time" in document["search"]["stopped_because"]
    assert run("estimate", hard_draws, *options).stderr == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-a", "2"], ["a", "2"]),
        (["-a", "nan"], ["a", "nan"]),
        (["-a", "much"], ["much"]),
        (["--n-init", "0"], ["n_init", "0"]),
        (["--n-sweet", "-1"], ["n_sweet", "-1"]),
        (["--max-seconds", "-3"], ["max_seconds", "-3"]),
        (["--threads", "0"], ["n_threads", "0"]),
        (["--seed", "-1"], ["seed", "-1"]),
        (["--out", "estimate.docx"], ["estimate.docx", ".npz, .csv, ", " or .zarr"]),
        (["--out", "nowhere/estimate.npz"], ["no directory", "nowhere"]),
        (["--nonsense"], ["--nonsense", "fangs estimate --help"]),
    ],
)
def test_bad_options_are_one_line(draws, tmp_path, arguments, words):
    assert_fails_in_one_line(run("estimate", draws, *arguments, cwd=tmp_path), *words)
    assert list(tmp_path.iterdir()) == []


def test_targets_are_checked_before_the_draws_are_read(tmp_path):
    result = run("estimate", tmp_path / "missing.npz", "--out", tmp_path / "e.docx")
    assert_fails_in_one_line(result, "e.docx")


def test_bad_files_are_one_line(tmp_path):
    (tmp_path / "text.npz").write_text("not an archive")
    for name in ("missing.npz", "text.npz"):
        assert_fails_in_one_line(run("estimate", tmp_path / name), name)
    assert_fails_in_one_line(run("estimate"), "DRAWS")
    assert_fails_in_one_line(run("estimat"), "estimat")


def test_help_has_the_examples_of_the_command():
    for module in COMMANDS:
        shown = run(module.command.name, "--help")
        assert shown.returncode == 0
        for example in module.EXAMPLES:
            assert f"\n    {example}\n" in shown.stdout
        others = {line for other in COMMANDS if other is not module for line in other.EXAMPLES}
        assert not any(example in shown.stdout for example in others)


def test_help_of_the_program_has_one_example_per_command():
    for arguments in ([], ["--help"], ["-h"]):
        result = run(*arguments)
        assert result.returncode == 0
        for module in COMMANDS:
            assert f"\n    {module.EXAMPLES[0]}\n" in result.stdout


@pytest.mark.parametrize("module", COMMANDS)
def test_options_are_explained_and_examples_name_them(module):
    options = [p for p in module.command.params if isinstance(p, click.Option)]
    assert all(option.help for option in options)
    known = {option for parameter in module.command.params for option in parameter.opts}
    for example in module.EXAMPLES:
        program, name, *words = example.split()
        assert (program, name) == ("fangs", module.command.name)
        assert {word for word in words if word.startswith("-")} <= known


def test_the_installed_program_is_this_one():
    (entry,) = entry_points(group="console_scripts", name="fangs")
    assert entry.load() is main


def test_a_variable_can_be_named(draws, tmp_path):
    stack = np.random.default_rng(1).integers(2, size=(20, 4, 2))
    np.savez(tmp_path / "two.npz", Z=stack, other=1 - stack)
    assert_fails_in_one_line(run("estimate", tmp_path / "two.npz"), "--variable 'Z'")
    result = run("estimate", tmp_path / "two.npz", "--variable", "Z", "--seed", 1, "--json")
    assert json.loads(result.stdout)["matrix"] == fangs.estimate(stack, seed=1).matrix.tolist()


def test_version_is_that_of_the_package():
    assert run("--version").stdout == f"fangs {version('fangs')}\n"


@pytest.mark.parametrize("missing", ["click", "rich"])
def test_a_missing_extra_is_named(missing):
    code = f"import sys; sys.modules[{missing!r}] = None; from fangs.cli.main import main; main([])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert_fails_in_one_line(result, missing, "fangs[cli]")


def test_a_reader_that_stops_early_gets_no_traceback(draws):
    process = subprocess.Popen(
        [*PROGRAM, "estimate", draws, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.close()
    _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (1, b"")


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


@pytest.mark.parametrize("how", ["exec 2>&-;", "exec 2> >(exec true); sleep 0.2;"])
def test_an_error_that_nobody_reads_still_has_its_code(how):
    program = " ".join([how, "exec", *PROGRAM, "estimate", "no.npz"])
    result = subprocess.run(["bash", "-c", program], stdout=subprocess.PIPE, timeout=60)
    assert (result.returncode, result.stdout) == (2, b"")


@pytest.mark.parametrize("how", ["2>&-", ">&-", "> >(exec true)", "2> >(exec true)"])
def test_a_stream_that_is_closed_does_not_stop_the_work(draws, tmp_path, how):
    out = tmp_path / "estimate.npz"
    words = [*PROGRAM, "estimate", draws, "--seed", "1", "--out", out]
    program = f"exec {how}; sleep 0.2; exec " + " ".join(map(str, words))
    result = subprocess.run(["bash", "-c", program], capture_output=True, timeout=60)
    assert b"Traceback" not in result.stderr
    assert b"Exception ignored" not in result.stderr
    assert fangs.load(out).search.seed == 1
