"""Standard output that nobody reads or that is closed, and signals that end the program."""

import json
import os
import pty
import resource
import select
import signal
import subprocess
import time
from contextlib import contextmanager

import numpy as np
import pytest

import fangs
from fangs.cli.signals import signals_as_interrupt
from support.program import PROGRAM, run, run_alone

SEARCH = ["--n-init", "1500", "--n-sweet", "1500"]
"""A search of minutes over `hard`."""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    fangs.datasets.example().save(folder / "draws.npz")
    rng = np.random.default_rng(5)
    fangs.Samples([rng.integers(0, 2, (60, 60)) for _ in range(1500)]).save(folder / "hard.npz")
    return folder


def in_bash(words, cwd):
    """Run a line of bash in which `fangs` is this program; the code of the first in a pipe."""
    line = f'fangs() {{ {" ".join(PROGRAM)} "$@"; }}; {words}; exit ${{PIPESTATUS[0]}}'
    return subprocess.run(["bash", "-c", line], cwd=cwd, capture_output=True, timeout=120)


@pytest.fixture(autouse=True)
def signals_are_heard():
    """Also where the tests run under nohup: what is ignored here would be ignored by children."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("words", ["estimate draws.npz --seed 1 --out {out}", "--help"])
def test_a_reader_that_has_gone_is_no_error(files, tmp_path, words):
    out = tmp_path / "e.npz"
    done = in_bash(f"fangs {words.format(out=out)} | true", files)
    assert done.returncode == 141
    assert done.stderr == (f"Wrote {out}\n".encode() if "estimate" in words else b"")
    assert out.exists() == ("estimate" in words)


@pytest.mark.parametrize("how", [">&-", ">/dev/full"])
def test_a_result_that_cannot_be_printed_is_an_error(files, tmp_path, how):
    out = tmp_path / "e.npz"
    done = in_bash(f"fangs estimate draws.npz --seed 1 --out {out} {how}", files)
    said = done.stderr.decode().splitlines()
    assert (done.returncode, said[:-1]) == (2, [f"Wrote {out}"])
    assert said[-1].startswith("fangs: standard output")
    assert fangs.load(out).search.seed == 1
    assert in_bash(f"fangs path draws.npz --grid 1 {how}", files).returncode == 2
    assert in_bash(f"fangs estimate draws.npz --quiet --out {out} {how}", files).returncode == 0


@pytest.mark.parametrize("how", ["2>&-", "2> >(exec true)", "2>/dev/full"])
def test_messages_that_nobody_reads_do_not_stop_the_work(files, tmp_path, how):
    out = tmp_path / "e.npz"
    line = f"exec {how}; sleep 0.2; fangs estimate draws.npz --seed 1 --out {out}"
    done = in_bash(line, files)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"4 features" in done.stdout
    assert fangs.load(out).search.seed == 1
    done = in_bash(f"exec {how}; sleep 0.2; fangs estimate no.npz", files)
    assert (done.returncode, done.stdout) == (2, b"")


def limited(*words, cwd, size):
    """Run the program where no file can be longer than so many bytes, as on a full disk."""

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return run_alone(*words, cwd=cwd, preexec_fn=limit)


@pytest.mark.parametrize("options", [[], ["--json"], ["--quiet"]])
@pytest.mark.parametrize("command", ["estimate", "modes", "report"])
def test_what_cannot_be_written_is_printed(files, tmp_path, command, options):
    if command == "report" and "--json" in options:
        options = ["--estimate", tmp_path / "known.npz"]
        fangs.estimate(fangs.datasets.example(), seed=1).save(options[1])
    else:
        options = [*options, "--seed", 1]
    target = tmp_path / {"report": "r.html"}.get(command, "e.npz")
    done = limited(command, files / "draws.npz", *options, "--out", target, cwd=files, size=500)
    assert done.returncode == 2
    assert "features" in done.stdout
    said = done.stderr.splitlines()
    assert said[-1].startswith("fangs: ")
    assert "File too large" in said[-1]
    assert {path.name for path in tmp_path.iterdir()} <= {"known.npz"}
    assert not any(line.startswith("Wrote") for line in said)


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


@pytest.mark.parametrize("sent", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_interrupt_writes_the_best_estimate_so_far(files, tmp_path, sent):
    out = tmp_path / "e.npz"
    hard_draws, sent = files / "hard.npz", getattr(signal, sent)
    options = [*SEARCH, "--json", "--out", out]
    stdout = tmp_path / "stdout"
    with on_terminal("estimate", hard_draws, *options, stdout=stdout) as (process, terminal):
        assert b"expected loss" in read_until(terminal, b"expected loss", 60)
        assert not out.exists()
        began = time.monotonic()
        process.send_signal(sent)
        if sent != signal.SIGINT:
            process.send_signal(sent)  # as a shell does after its terminal
        rest = read_until(terminal, None, 30)
        process.wait(timeout=30)
        seconds = time.monotonic() - began
    assert process.returncode == 128 + sent
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


def test_progress_shows_on_a_terminal_and_only_there(files, tmp_path):
    hard_draws = files / "hard.npz"
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


def test_a_terminal_that_is_closed_keeps_the_best_so_far(files, tmp_path):
    terminal, inside = pty.openpty()
    out = tmp_path / "e.npz"
    words = [*PROGRAM, "estimate", files / "hard.npz", *SEARCH, "--out", out]
    with subprocess.Popen(words, preexec_fn=lambda: os.login_tty(inside)) as process:
        os.close(inside)
        try:
            assert b"expected loss" in read_until(terminal, b"expected loss", 60)
            os.close(terminal)
            process.wait(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 128 + signal.SIGHUP
    assert fangs.load(out).n_items == 60


def test_signals_that_come_together_count_once_and_handlers_come_back(monkeypatch):
    numbers = (signal.SIGHUP, signal.SIGTERM)
    before = [signal.getsignal(number) for number in numbers]
    with signals_as_interrupt() as received:
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGHUP)
        signal.raise_signal(signal.SIGHUP)
        signal.raise_signal(signal.SIGTERM)
        monkeypatch.setattr("fangs.cli.signals.TOGETHER", 0)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
    assert received == [*numbers]
    assert [signal.getsignal(number) for number in numbers] == before


def test_nohup_is_honoured():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with signals_as_interrupt() as received:
            signal.raise_signal(signal.SIGHUP)
        assert received == []
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
