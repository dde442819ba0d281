"""Checkpoints: a search that was stopped, even by SIGKILL, goes on to the same bits."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

import fangs
from fangs.search import checkpoint as checkpoints
from support.checks import same_bits
from support.program import run
from support.strategies import noisy_draws

DRAWS = noisy_draws(np.random.default_rng(3), 40, 8, 900, noise=0.3)
SETTINGS = [{}, {"n_iter": 300}, {"a": 0.4, "n_init": 6}]


@pytest.fixture
def at_once(monkeypatch):
    """Writes the file after every step."""
    monkeypatch.setattr(checkpoints, "EVERY", 0.0)
    monkeypatch.setattr(checkpoints, "SHARE", 1e9)


def stop_after(n_reports):
    left = iter(range(n_reports))

    def report(step):
        if next(left, None) is None:
            raise KeyboardInterrupt

    return report


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("n_reports", [0, 3, 9, 17, 18, 22])
def test_a_search_goes_on_to_the_same_bits(at_once, tmp_path, settings, n_reports):
    path = tmp_path / "search.part"
    whole = fangs.estimate(DRAWS, seed=5, **settings)
    with contextlib.suppress(fangs.Interrupted):
        fangs.estimate(DRAWS, seed=5, checkpoint=path, progress=stop_after(n_reports), **settings)
    resumed = fangs.estimate(DRAWS, checkpoint=path, resume=True, n_threads=1, seed=5, **settings)
    assert same_bits(resumed) == same_bits(whole)


def test_draws_of_weight_0_are_no_obstacle(at_once, tmp_path):
    samples = fangs.Samples(DRAWS, weights=np.arange(len(DRAWS)) % 3)
    whole = fangs.estimate(samples, seed=2)
    path = tmp_path / "search.part"
    with pytest.raises(fangs.Interrupted):
        fangs.estimate(samples, seed=2, checkpoint=path, progress=stop_after(17))
    resumed = fangs.estimate(samples, checkpoint=path, resume=True)
    assert same_bits(resumed) == same_bits(whole)


def test_what_is_finished_is_not_searched_again(at_once, tmp_path):
    path = tmp_path / "search.part"
    fangs.estimate(DRAWS, seed=1, checkpoint=path)
    reported = []
    again = fangs.estimate(DRAWS, checkpoint=path, resume=True, progress=reported.append)
    assert again.search.seed == 1
    assert "start" not in {step.phase for step in reported}


def test_without_a_file_the_search_begins_at_the_start(tmp_path):
    found = fangs.estimate(DRAWS, seed=1, checkpoint=tmp_path / "new.part", resume=True)
    assert same_bits(found) == same_bits(fangs.estimate(DRAWS, seed=1))


@pytest.mark.parametrize(
    ("draws", "settings", "word"),
    [
        (DRAWS[1:], {}, "draws"),
        (DRAWS[::-1], {}, "draws"),
        (DRAWS, {"a": 1.5}, "a = 1.0, not 1.5"),
        (DRAWS, {"seed": 2}, "seed = 1, not 2"),
        (DRAWS, {"n_init": 4}, "n_init = 16, not 4"),
        (DRAWS, {"n_iter": 4}, "n_iter = None, not 4"),
    ],
)
def test_a_checkpoint_of_another_search_is_refused(tmp_path, draws, settings, word):
    path = tmp_path / "search.part"
    fangs.estimate(DRAWS, seed=1, checkpoint=path)
    with pytest.raises(ValueError, match=f"is of another search: it has {word}"):
        fangs.estimate(draws, checkpoint=path, resume=True, **settings)


def test_other_parameters_and_versions_are_another_search(draws):
    params, settings = fangs.search.SearchParams(), fangs.Search(seed=1)
    one = checkpoints.identity_of(draws.info, 1.0, settings, params)
    other = checkpoints.identity_of(draws.info, 1.0, settings, replace(params, patience=9))
    assert one["parameters"] != other["parameters"]
    assert one["fangs"] == fangs.__version__


def test_a_file_that_is_there_is_not_overwritten(tmp_path):
    path = tmp_path / "thesis.txt"
    path.write_text("years of work")
    with pytest.raises(ValueError, match="exists already"):
        fangs.estimate(DRAWS, checkpoint=path)
    with pytest.raises(ValueError, match="does not hold a fangs checkpoint"):
        fangs.estimate(DRAWS, checkpoint=path, resume=True)
    assert path.read_text() == "years of work"


def test_options_that_do_not_go_together_are_refused(tmp_path):
    with pytest.raises(TypeError, match="resume=True needs checkpoint"):
        fangs.estimate(DRAWS, resume=True)
    with pytest.raises(ValueError, match="cannot be combined with max_seconds"):
        fangs.estimate(DRAWS, checkpoint=tmp_path / "x.part", max_seconds=1)
    result = run("estimate", "draws.npz", "--resume")
    assert result.returncode == 2
    assert "--resume needs --checkpoint" in result.stderr


KILLED = """
import sys
from fangs.search import checkpoint
checkpoint.EVERY, checkpoint.SHARE = 0.0, 1e9
from fangs.cli import main
main(sys.argv[1:])
"""


def size_of(path):
    return path.stat().st_size if path.exists() else 0


@pytest.mark.parametrize("n_iter", [None, 3000])
def test_killed_again_and_again_the_command_ends_with_the_same_estimate(tmp_path, n_iter):
    rng = np.random.default_rng(11)
    fangs.Samples(
        noisy_draws(rng, 60, 12, 2500, noise=0.35)
    ).save(draws := tmp_path / "draws.npz")  # fmt: skip
    options = ["--seed", "1", *(() if n_iter is None else ("--n-iter", str(n_iter)))]
    whole, out, part = (tmp_path / name for name in ("whole.npz", "out.npz", "search.part"))
    assert run("estimate", draws, *options, "--out", whole).returncode == 0
    words = ["estimate", draws, *options, "--checkpoint", part, "--resume", "--out", out]
    sizes, until = [0], time.monotonic() + 120
    for _ in range(6):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, *map(str, words)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        while process.poll() is None and size_of(part) == sizes[-1] and time.monotonic() < until:
            time.sleep(0.002)  # until it has done a step more
        time.sleep(rng.uniform(0, 0.1))
        process.send_signal(signal.SIGKILL)
        process.wait()
        sizes.append(size_of(part))
    assert len(set(sizes)) > 2, "no kill came while the search was under way"
    assert run(*words).returncode == 0
    assert same_bits(fangs.load(out)) == same_bits(fangs.load(whole))
    assert [name for name in os.listdir(tmp_path) if name.startswith(".fangs")] == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda record, arrays: record.pop("identity"), "identity"),
        (lambda record, arrays: record["identity"].update(seed="x"), "seed"),
        (lambda record, arrays: record["steps"].append(1), "unpack"),
        (lambda record, arrays: arrays.pop("starts 0"), "starts 0"),
        (lambda record, arrays: arrays.update({"starts 0": np.zeros(1)}), "another size"),
        (lambda record, arrays: record["steps"][0][1]["record"].clear(), "lacks a part"),
        (lambda record, arrays: record["steps"][0][1]["record"].update(rng={}), "state|PCG"),
        (lambda record, arrays: record["steps"][-1][1]["record"].update(key=[1, "x"]), "damaged"),
    ],
)
def test_a_checkpoint_is_checked_as_if_it_came_from_outside(tmp_path, change, reason):
    from fangs.io.archive import read_archive, write_archive

    path = tmp_path / "search.npz"
    fangs.estimate(DRAWS[:30], seed=5, checkpoint=path)
    record, arrays = read_archive(path, kind="checkpoint")
    change(record, arrays)
    write_archive(path, kind="checkpoint", record=record, arrays=arrays)
    with pytest.raises(ValueError, match=reason) as caught:
        fangs.estimate(DRAWS[:30], checkpoint=path, resume=True)
    assert str(caught.value).startswith(repr(str(path)))
    assert "\n" not in str(caught.value)
