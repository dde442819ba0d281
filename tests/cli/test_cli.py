"""The fangs command, run for real: what it prints, writes and returns, also when stopped."""

from __future__ import annotations

import csv
import errno
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
from support.program import PROGRAM, run


def assert_fails_in_one_line(result, *words):
    assert result.returncode == 2, result
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert result.stderr.startswith("fangs: ")
    for word in words:
        assert word in result.stderr


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


def when_read(pipe, seconds):
    """Open a named pipe for writing as soon as somebody reads it."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO or time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def test_it_prints_the_estimate_of_the_library(draws):
    result = run("estimate", draws, "--seed", 3)
    in_python = "fangs.compare_chains and fangs.modes"
    expected = str(fangs.estimate(fangs.read(draws), seed=3))
    assert in_python in expected
    expected = expected.replace(in_python, "fangs chains and fangs modes")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""

    def untimed(text):
        return [line for line in text.splitlines() if not line.startswith("Search")]

    assert untimed(result.stdout) == untimed(expected)
    assert "image 1" in result.stdout


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


def test_json_is_one_document_and_nothing_else(draws):
    result = run("estimate", draws, "--seed", 3, "--json")
    document = json.loads(result.stdout)
    assert result.stderr == ""
    assert document["n_items"] == 100
    assert len(document["matrix"]) == 100
    assert all(isinstance(item, str) for feature in document["features"] for item in feature)


def test_files_hold_the_estimate_in_three_forms(draws, tmp_path):
    targets = [tmp_path / f"estimate.{suffix}" for suffix in ("npz", "csv", "json")]
    outs = [word for target in targets for word in ("--out", target)]
    result = run("estimate", draws, "--seed", 3, *outs)
    assert result.returncode == 0, result.stderr
    assert result.stderr.startswith("Wrote ")
    saved = fangs.load(targets[0])
    with open(targets[1], newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["item", *map(str, range(1, saved.n_features + 1))]
    assert [row[0] for row in rows[1:]] == list(saved.items)
    assert [[int(entry) for entry in row[1:]] for row in rows[1:]] == saved.matrix.tolist()
    assert json.loads(targets[2].read_text())["matrix"] == saved.matrix.tolist()
    assert sorted(tmp_path.iterdir()) == sorted(targets)  # no temporary file is left


def test_quiet_prints_nothing(draws, tmp_path):
    result = run("estimate", draws, "--quiet", "--out", tmp_path / "e.npz")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert fangs.load(tmp_path / "e.npz").n_items == 100
    assert_fails_in_one_line(run("estimate", draws, "--quiet"), "--out", "--json")


def test_a_time_limit_ends_the_search_with_an_estimate(hard_draws, tmp_path):
    options = ["--max-seconds", 1, "--n-init", 1500, "--quiet", "--json"]
    began = time.monotonic()
    result = run("estimate", hard_draws, *options, "--out", tmp_path / "e.npz")
    assert time.monotonic() - began < 20
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    assert "time" in document["search"]["stopped_because"]
    assert document["expected_loss"] == fangs.load(tmp_path / "e.npz").expected_loss


def test_an_interrupt_writes_the_best_estimate_so_far(hard_draws, tmp_path):
    out = tmp_path / "e.npz"
    options = ["--n-init", 1500, "--n-sweet", 1500, "--json", "--out", out]
    stdout = tmp_path / "stdout"
    with on_terminal("estimate", hard_draws, *options, stdout=stdout) as (process, terminal):
        assert b"expected loss" in read_until(terminal, b"expected loss", 60)
        assert not out.exists()
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
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


def test_an_interrupt_before_the_search_is_one_line(tmp_path):
    draws, pipe = tmp_path / "draws.npz", tmp_path / "pipe"
    draws.write_bytes(b"PK")
    os.mkfifo(pipe)  # the reader waits for what is never written
    program = (
        "from fangs.cli import main; from fangs.formats import npz\n"
        "from fangs.formats.format import Format\n"
        f"npz.FORMAT = Format(lambda path: open({str(pipe)!r}).read())\n"
        f"main(['estimate', {str(draws)!r}])"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    writer = when_read(pipe, 60)
    try:
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=30)
    finally:
        process.kill()
        os.close(writer)
    assert (process.returncode, stdout, stderr.strip()) == (130, "", "fangs: interrupted")


def test_progress_shows_on_a_terminal_and_only_there(hard_draws, tmp_path):
    options = ["--max-seconds", 2, "--n-init", 1500, "--json"]
    stdout = tmp_path / "stdout"
    with on_terminal("estimate", hard_draws, *options, stdout=stdout) as (process, terminal):
        shown = read_until(terminal, None, 60)
        process.wait(timeout=30)
    assert process.returncode == 0
    assert b"expected loss" in shown
    assert b"/1500" in shown
    assert json.loads(stdout.read_text())["n_items"] == 60
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
    (tmp_path / "empty.npz").write_bytes(b"")
    fangs.estimate(fangs.datasets.example(), seed=1).save(tmp_path / "estimate.npz")
    for name in ("missing.npz", "text.npz", "empty.npz", "estimate.npz"):
        assert_fails_in_one_line(run("estimate", tmp_path / name), name)
    assert_fails_in_one_line(run("estimate"), "DRAWS")
    assert_fails_in_one_line(run("estimat"), "estimat")


def test_values_other_than_0_and_1_in_a_file_are_refused(tmp_path):
    np.savez(tmp_path / "bad.npz", draws=np.full((3, 4, 2), 2))
    assert_fails_in_one_line(run("estimate", tmp_path / "bad.npz"), "2")


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
def test_examples_name_options_that_there_are(module):
    known = {option for parameter in module.command.params for option in parameter.opts}
    for example in module.EXAMPLES:
        program, name, *words = example.split()
        assert (program, name) == ("fangs", module.command.name)
        assert {word for word in words if word.startswith("-")} <= known


def test_every_option_is_explained():
    for module in COMMANDS:
        options = [p for p in module.command.params if isinstance(p, click.Option)]
        assert all(option.help for option in options)


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
    result = run("estimate", draws, env=environment, encoding="latin-1")
    assert result.returncode == 0, result.stderr
    assert "image 1" in result.stdout


def test_weights_are_taken_from_a_file_or_an_array(tmp_path):
    draws = [np.eye(4, 3)] * 3 + [np.ones((4, 1))] * 2
    padded = np.array([np.pad(draw, ((0, 0), (0, 3 - draw.shape[1]))) for draw in draws])
    np.savez(tmp_path / "draws.npz", Z=padded, w=[1, 1, 1, 9, 9])
    (tmp_path / "w.txt").write_text("1 1 1 9 9")
    wanted = fangs.estimate(fangs.Samples(draws, weights=[1, 1, 1, 9, 9]), seed=1)
    for source in ("w", "w.txt"):
        result = run(
            *("estimate", "draws.npz", "--variable", "Z", "--weights", source, "--seed", 1),
            *("--json",),
            cwd=tmp_path,
        )
        assert result.returncode == 0, result.stderr
        found = json.loads(result.stdout)
        assert found["matrix"] == wanted.matrix.tolist() == [[1]] * 4
        assert found["effective_draws"] == wanted.effective_draws
    result = run("estimate", "draws.npz", "--variable", "Z", "--weights", "v", cwd=tmp_path)
    assert result.returncode == 2
    assert "'v' to be the weight" in result.stderr


def test_termination_is_as_kind_as_ctrl_c(hard_draws, tmp_path):
    out = tmp_path / "e.npz"
    options = ["--n-init", 1500, "--n-sweet", 1500, "--json", "--out", out]
    with on_terminal("estimate", hard_draws, *options, stdout=tmp_path / "stdout") as (
        process,
        terminal,
    ):
        assert b"expected loss" in read_until(terminal, b"expected loss", 60)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 130
    assert fangs.load(out).n_items == 60
    assert not list(tmp_path.glob(".fangs-*"))


def test_termination_while_writing_leaves_no_part_of_a_file(tmp_path):
    draws = tmp_path / "d.npz"
    fangs.datasets.example().save(draws)
    program = (
        "import os, signal, sys; from fangs.cli import main; from fangs.formats import whole\n"
        "def stop(*_): os.kill(os.getpid(), signal.SIGTERM)\n"
        "whole.os.fsync = stop\n"
        f"main(['convert', {str(draws)!r}, {str(tmp_path / 'new.npz')!r}])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "\nfangs: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["d.npz"]


def test_a_file_that_ends_early_is_no_interruption(draws, monkeypatch, capsys):
    def ends(_):
        raise EOFError

    monkeypatch.setattr("fangs.cli.convert.check_samples_target", ends)
    with pytest.raises(SystemExit) as caught:
        main(["convert", str(draws), "x.npz"])
    assert caught.value.code == 2
    assert "interrupted" not in capsys.readouterr().err


def test_an_infinite_limit_is_valid_json(draws, tmp_path):
    done = run("estimate", draws, "--max-seconds", "inf", "--json", "--out", tmp_path / "e.json")
    for text in (done.stdout, (tmp_path / "e.json").read_text()):
        document = json.loads(text, parse_constant=pytest.fail)
        assert document["search"]["max_seconds"] is None


@pytest.mark.parametrize("words", [["estimate", "no.npz"], ["--nonsense"], ["estimate"]])
@pytest.mark.parametrize("how", ["closed", "unread"])
def test_an_error_that_nobody_reads_still_has_its_code(words, how):
    shell = "exec 2>&-; exec " if how == "closed" else "exec 2> >(exec true); sleep 0.2; exec "
    program = shell + " ".join([*PROGRAM, *words])
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
