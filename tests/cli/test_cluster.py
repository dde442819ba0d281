"""Commands that take draws can work on a cluster or from disk, with the same output."""

import json
import os
import signal
import subprocess
import time

import click
import numpy as np
import pytest

import fangs
from fangs.cli.commands import COMMANDS
from fangs.cli.place import Bytes
from support.program import PROGRAM, assert_fails, run

distributed = pytest.importorskip("distributed")

NEED_ALL_DRAWS = {"convert"}
"""Commands that take draws and cannot work on shards."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cluster")
    made = fangs.simulate.posterior_like(12, 3, 60, noise=0.2, seed=4)
    items = [f"item {i}" for i in range(12)]
    samples = fangs.Samples(made.draws, items=items, chains=np.arange(60) // 20)
    samples.save(folder / "draws.npz")
    fangs.estimate(samples, seed=1).save(folder / "estimate.npz")
    return folder


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        dashboard_address=":0",
        local_directory=str(tmp_path_factory.mktemp("dask")),
        silence_logs="ERROR",
    ) as cluster:
        yield cluster.scheduler_address


def takes(command, name):
    return name in {parameter.name for parameter in command.params}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_with_draws_can_work_elsewhere(command):
    wanted = takes(command, "draws") and command.name not in NEED_ALL_DRAWS
    for name in ("scheduler", "n_workers", "memory_limit"):
        assert takes(command, name) == wanted


COMMAND_LINES = {
    "estimate": ["--seed", 1, "--json"],
    "assess": ["--matrix", "estimate.npz", "--json"],
    "path": ["--grid", "0.5,1.5", "--seed", 1, "--json"],
    "chains": ["--seed", 1, "--json"],
    "stability": ["--estimate", "estimate.npz", "--replicates", 5, "--json"],
    "modes": ["--n-modes", 2, "--seed", 1, "--json"],
    "certify": ["--estimate", "estimate.npz", "--method", "dual", "--json"],
    "compare": ["--methods", "estimate,fangs", "--seed", 1, "--json"],
}


def without_times(value):
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if "seconds" not in k and k != "text"}
    return [without_times(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", COMMAND_LINES)
def test_the_output_does_not_depend_on_the_place(folder, scheduler, name):
    def output(*words):
        result = run(name, "draws.npz", *COMMAND_LINES[name], *words, cwd=folder)
        assert result.returncode == 0, result.stderr
        return without_times(json.loads(result.stdout))

    here = output()
    assert output("--scheduler", scheduler) == here
    assert output("--memory-limit", "1kB") == here


def test_a_report_of_draws_on_a_cluster(folder, scheduler):
    pages = []
    for words in ([], ["--scheduler", scheduler]):
        words = ["--estimate", "estimate.npz", "--effort", "quick", *words, "--out", "page.html"]
        result = run("report", "draws.npz", *words, cwd=folder)
        assert result.returncode == 0, result.stderr
        pages.append((folder / "page.html").read_text())
    assert pages[0] == pages[1]


def test_methods_that_need_all_draws_say_so(folder):
    words = ["--methods", "estimate,map", "--seed", 1, "--json"]
    result = run("compare", folder / "draws.npz", *words, "--memory-limit", "1MB")
    ours, other = json.loads(result.stdout)["methods"]
    assert ours["expected_loss"] is not None
    assert other["expected_loss"] is None
    assert "give Samples" in other["note"]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["--workers", 2, "--scheduler", "tcp://127.0.0.1:1"], "drop --"),
        (["--workers", 2, "--memory-limit", "1GB"], "drop --"),
        (["--scheduler", "nonsense://"], "--scheduler nonsense://"),
        (["--workers", 0], "--workers"),
        (["--memory-limit", "much"], "much"),
    ],
)
def test_a_place_that_cannot_be_is_one_line(folder, words, wanted):
    assert_fails(run("estimate", folder / "draws.npz", *words), wanted)


def test_ctrl_c_keeps_the_best_estimate_of_a_cluster(folder, tmp_path):
    """The terminal interrupts the workers too, which are in the same group of processes."""
    made = fangs.simulate.posterior_like(60, 30, 4000, noise=0.4, births=2, seed=4)
    fangs.Samples(made.draws).save(tmp_path / "draws.npz")
    words = "estimate draws.npz --workers 2 --max-seconds 600 --out found.npz"
    with subprocess.Popen(
        [*PROGRAM, *words.split()],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as program:
        time.sleep(12)
        os.killpg(program.pid, signal.SIGINT)
        try:
            _, errors = program.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(program.pid, signal.SIGKILL)
            raise
    assert program.returncode == 130, errors
    found = fangs.load(tmp_path / "found.npz")
    samples = fangs.read(tmp_path / "draws.npz")
    if found.note:  # on a busy machine there may be time for some of the draws only
        assert "of the 4000 draws" in found.note
        found = fangs.assess(found, samples)
    assert found.expected_loss == fangs.expected_loss(found, samples)
    assert found.n_features > 0


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("500MB", 500_000_000), ("4 GiB", 4 << 30), ("1.5k", 1500), ("12", 12), ("2TB", 2 * 10**12)],
)
def test_sizes_have_units(text, wanted):
    assert Bytes().convert(text, None, None) == wanted


@pytest.mark.parametrize("text", ["", "4 XB", "-1", "0", "GB"])
def test_other_sizes_are_refused(text):
    with pytest.raises(click.BadParameter, match="MB"):
        Bytes().convert(text, None, None)
