"""SIGINT at random times, into every long function: soon over, nothing promised lost, usable after.

Each function runs in a process of its own that interrupts itself, again and again, at seeded random
times. The sizes are such that one pass over the draws is short.
"""

import json
import os
import subprocess
import sys
from functools import partial
from importlib import import_module

import numpy as np
import pytest

import fangs
from fangs.alternatives.result import Run
from fangs.bounds.columns.proof import ColumnProof
from oracles import reference as ref

WITHIN = 1.0
"""Seconds that are promised, on a machine with nothing else to do."""
MARGIN = float(os.environ.get("FANGS_INTERRUPT_MARGIN", "5"))
"""Factor on it: tests share their machine with others."""

PROGRAM = """
import json, os, random, signal, sys, threading, time, tempfile
import numpy as np
import fangs

rng = np.random.default_rng(8)
truth = rng.random((80, 12)) < 0.3
draws = [(truth ^ (rng.random(truth.shape) < 0.2)).astype(np.uint8)[:, rng.permutation(12)]
         for _ in range(600)]
samples = fangs.Samples(draws, chains=np.arange(600) % 3)
some = fangs.Samples(draws[:150])
found = fangs.assess(truth, samples)
folder = tempfile.mkdtemp()
big = os.path.join(folder, "big.csv")
target = os.path.join(folder, "estimate.npz")
name = sys.argv[1]
if name == "read":
    with open(big, "w") as file:
        file.write("draw,item,feature\\n")
        for b in range(400):
            rows = np.argwhere(draws[b])
            file.writelines(f"{b},i{i},{k}\\n" for i, k in rows)

def save():
    for _ in range(200):
        samples.save(target)

LONG = {
    "estimate": lambda: fangs.estimate(samples, seed=1, n_iter=10**7),
    "default": lambda: fangs.estimate(samples, seed=1, max_seconds=60),
    "sparsity_path": lambda: fangs.sparsity_path(samples, a=np.linspace(0.05, 1.95, 200), seed=1),
    "choose_a": lambda: [fangs.choose_a(samples, n_features=k, seed=1) for k in range(3, 60)],
    "modes": lambda: fangs.modes(samples, n_modes=12, seed=1),
    "compare": lambda: fangs.compare(samples, methods={
        str(i): lambda s, a, seed=i: fangs.estimate(s, a=a, seed=seed) for i in range(99)}),
    "compare_chains": lambda: [fangs.compare_chains(samples, seed=s) for s in range(50)],
    "stability": lambda: fangs.stability(found, samples, n=10**6, seed=1),
    "certify": lambda: fangs.certify(found, samples),
    "report": lambda: found.report(os.path.join(folder, "page.html"), samples, effort="full"),
    "alternatives": lambda: [getattr(fangs.alternatives, m)(some) for m in
                             ("draws", "consensus", "double_greedy", "modal_hamming") * 20],
    "simulate": lambda: fangs.simulate.posterior_like(200, 10, 10**6, seed=1),
    "read": lambda: [fangs.read(big) for _ in range(50)],
    "save": save,
    "align": lambda: [fangs.align(found, samples) for _ in range(9999)],
    "summary": lambda: [fangs.summary(found, samples) for _ in range(9999)],
    "credible_ball": lambda: [fangs.credible_ball(found, samples) for _ in range(9999)],
    "core": lambda: [fangs.core(found, samples) for _ in range(999)],
}
if name in ("compare_chains", "report"):
    fangs.compare_chains(samples, seed=1)  # loads ArviZ: a library half loaded stays broken
chance = random.Random(name)
outcomes = []
for _ in range(int(sys.argv[2])):
    sent = []
    def interrupt():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)
    timer = threading.Timer(chance.uniform(0.0, 0.6), interrupt)
    result = error = None
    try:
        timer.start()
        result = LONG[name]()
        timer.join()
        time.sleep(0.01)
    except KeyboardInterrupt as caught:
        error = caught
    late = time.perf_counter() - sent[0]
    timer.join()
    estimate = getattr(error, "estimate", None)
    partial = getattr(error, "partial", None)
    outcomes.append({
        "ended": error is None, "late": late, "kind": type(error).__name__,
        "says": str(error), "a": getattr(estimate, "a", None),
        "draws": getattr(estimate, "fingerprint", None)
                 == (some if name == "alternatives" else samples).fingerprint,
        "partial": None if partial is None else type(partial).__name__,
        "files": sorted(os.listdir(folder)),
        "usable": fangs.estimate(draws[:20], seed=1).expected_loss,
    })
print(json.dumps(outcomes))
"""

NAMES = [
    "estimate", "default", "sparsity_path", "choose_a", "modes", "compare", "compare_chains",
    "certify", "report", "alternatives", "simulate", "read", "save", "align", "summary",
    "credible_ball", "stability", "core",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_an_interrupt_at_any_time_is_obeyed_and_loses_nothing(name):
    process = subprocess.run(
        [sys.executable, "-c", PROGRAM, name, "4"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert process.returncode == 0, process.stderr
    outcomes = json.loads(process.stdout)
    assert len({outcome["usable"] for outcome in outcomes}) == 1
    stopped = [not outcome["ended"] for outcome in outcomes]
    assert any(stopped), "every interrupt came too late"
    for outcome in outcomes:
        assert outcome["late"] < WITHIN * MARGIN, outcome
        assert not [file for file in outcome["files"] if file.endswith(".part")]
        if outcome["ended"]:
            continue
        assert outcome["kind"] in ("Interrupted", "KeyboardInterrupt"), outcome
        if outcome["a"] is not None:
            assert outcome["draws"], "the estimate is of some draws only"
            assert "`estimate`" in outcome["says"]
        if outcome["partial"] is not None:
            assert "`partial`" in outcome["says"]
        if outcome["kind"] == "Interrupted" and outcome["a"] is None is outcome["partial"]:
            assert "nothing was found" in outcome["says"]


def stopping(function, at):
    """The function, but Ctrl-C comes with one of its calls."""
    calls = iter(range(at))

    def called(*args, **options):
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return function(*args, **options)

    return called


@pytest.mark.parametrize("at", [0, 1, 2, 4])
def test_chains_leave_the_estimate_of_all_draws(monkeypatch, draws, at):
    from fangs.posterior import chains

    monkeypatch.setattr(chains, "run_search", stopping(chains.run_search, at))
    with pytest.raises(KeyboardInterrupt) as caught:
        fangs.compare_chains(draws, seed=1)
    if at:
        assert caught.value.estimate.fingerprint == draws.fingerprint
    assert at or not isinstance(caught.value, fangs.results.Interrupted)


@pytest.mark.parametrize("part", ["sparsity_path", "compare_chains", "modes", "certify"])
def test_a_report_leaves_the_estimate_that_it_was_given(monkeypatch, draws, tmp_path, part):
    estimate = fangs.estimate(draws, a=1.2, seed=1)
    import_module("fangs.report.gather")
    monkeypatch.setattr(sys.modules["fangs.report.gather"], part, stopping(None, 0))
    with pytest.raises(fangs.results.Interrupted) as caught:
        estimate.report(tmp_path / "page.html", draws)
    assert caught.value.estimate is estimate
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("part", ["item_bound", "pair_bound", "dual_bound", "column_bound"])
@pytest.mark.parametrize("alone", [False, True], ids=["certify", "lower_bound"])
def test_bounds_that_were_found_are_kept(monkeypatch, draws, estimate, part, alone):
    if part == "column_bound":
        monkeypatch.setattr(ColumnProof, "run", stopping(None, 0))
    else:
        monkeypatch.setattr(sys.modules["fangs.bounds.certify"], part, stopping(None, 0))
    bound = partial(fangs.lower_bound, method="columns", estimate=estimate)
    work = bound if alone else partial(fangs.certify, estimate)
    with pytest.raises(fangs.results.Interrupted) as caught:
        work(draws, max_seconds=None)
    found = caught.value.partial
    if part == "item_bound":
        assert found is None
        assert "nothing was found" in str(caught.value)
    elif alone:
        assert 0 <= found <= estimate.expected_loss
    else:
        assert found.stopped_because == "interrupted"
        assert 0 <= found.lower_bound <= found.expected_loss


def test_a_bound_without_an_estimate_is_kept(monkeypatch, draws):
    monkeypatch.setattr(sys.modules["fangs.bounds.certify"], "pair_bound", stopping(None, 0))
    with pytest.raises(fangs.results.Interrupted) as caught:
        fangs.lower_bound(draws, method="pairs")
    assert caught.value.partial == fangs.lower_bound(draws, method="items")


SMALL = [[[1, 0], [1, 1]], [[0, 1], [1, 1]], [[1], [1]], [[1], [1]], [[1, 0], [0, 1]]]
KEEPING = ["draws", "modal_hamming", "consensus", "deterministic", "double_greedy", "exhaustive"]


@pytest.mark.parametrize("method", KEEPING)
def test_an_alternative_keeps_the_best_so_far(monkeypatch, method):
    """Ctrl-C whenever something better has been found."""
    keep, losses = Run.keep, []
    for at in range(100):
        kept = iter(range(at))

        def interrupted(run, *given, kept=kept):
            keep(run, *given)
            if next(kept, None) is None:
                raise KeyboardInterrupt

        monkeypatch.setattr(Run, "keep", interrupted)
        try:
            getattr(fangs.alternatives, method)(SMALL)
            break
        except fangs.results.Interrupted as error:
            found = error.estimate
        assert found.search.stopped_because == "interrupted"
        assert found.expected_loss == ref.expected_loss(found.matrix, SMALL)
        losses.append(found.expected_loss)
    assert losses
    if method not in ("consensus", "modal_hamming"):  # they judge by another loss
        assert losses == sorted(losses, reverse=True)


@pytest.mark.parametrize("at", [1, 2])
def test_modes_leave_those_that_were_found(monkeypatch, draws, at):
    wanted = fangs.modes(draws, n_modes=at, seed=1)
    solver = sys.modules["fangs.modes.solver"].ModeSolver
    monkeypatch.setattr(solver, "_best_seeded", stopping(solver._best_seeded, at - 1))
    with pytest.raises(fangs.results.Interrupted) as caught:
        fangs.modes(draws, n_modes=4, seed=1)
    assert caught.value.estimate.fingerprint == draws.fingerprint
    found = caught.value.partial
    if at == 1:
        assert found is None
    else:
        assert found.expected_loss == wanted.expected_loss
        assert np.array_equal(found.labels, wanted.labels)


def test_modes_stopped_at_the_end_leave_the_estimate_of_all_draws(monkeypatch, draws):
    from fangs.modes.solver import ModeSolver

    monkeypatch.setattr(ModeSolver, "estimates", stopping(None, 0))
    with pytest.raises(fangs.results.Interrupted) as caught:
        fangs.modes(draws, n_modes=2, seed=1)
    assert caught.value.estimate.fingerprint == draws.fingerprint


def test_a_method_of_the_user_cannot_pass_off_another_penalty(draws):
    def own(samples, a):
        raise fangs.results.Interrupted(fangs.assess(samples[0], samples, a=a / 2))

    with pytest.raises(fangs.results.Interrupted, match="nothing was found") as caught:
        fangs.compare(draws, methods={"own": own})
    assert caught.value.estimate is None


def test_one_method_without_memory_does_not_lose_the_table(draws):
    def greedy(samples, a):
        raise MemoryError

    def frugal(samples, a):
        return fangs.assess(samples[0], samples, a=a)

    table = fangs.compare(draws, methods={"greedy": greedy, "frugal": frugal})
    assert table["greedy"].note == "there was not enough memory for it"
    assert table.best.method == "frugal"
