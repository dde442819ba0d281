"""Column generation: valid bounds, true proofs, the same for any number of threads."""

import itertools

import numpy as np
import pytest

import fangs
from fangs.bounds.certify import certify
from fangs.bounds.columns.params import ColumnParams
from fangs.bounds.columns.proof import ColumnProof
from fangs.bounds.columns.raised_prices import raise_prices
from fangs.engine import Deadline, as_engine
from fangs.engine.threaded import ThreadedEngine
from fangs.loss import Objective
from oracles.enumeration import small_problems
from oracles.plain_engine import PlainEngine
from support.strategies import noisy_draws

PENALTIES = (0.01, 0.125, 0.3, 0.5, 0.75, 1.0, 1.25, 1.5, 1.875, 1.99)


@pytest.fixture(scope="module")
def samples():
    return fangs.Samples(noisy_draws(np.random.default_rng(6), 12, 4, 80, noise=0.25))


@pytest.fixture(scope="module")
def found(samples):
    return fangs.estimate(samples, seed=1)


def proof_of(engine, matrix, a):
    matrix = np.ascontiguousarray(matrix, dtype=np.uint8)
    return ColumnProof(engine, Objective.of(engine.samples_info, a), matrix, Deadline())


def test_a_proof_finds_the_exhaustive_optimum_from_any_start():
    rng = np.random.default_rng(1)
    n_proved = n_improved = 0
    for draws, a, best, table in small_problems(rng, 400, PENALTIES):
        start = table.estimates[rng.integers(len(table.estimates))]
        proof = proof_of(as_engine(draws, 1), start, a)
        first = proof.best
        proof.run()
        assert proof.bound() <= best + 1e-9, (a, draws, start)
        assert float(proof.loss(proof.best)) >= best - 1e-9
        if proof.is_proved:
            n_proved += 1
            assert float(proof.bound()) == pytest.approx(best, abs=1e-9), (a, draws, start)
        n_improved += proof.best > first
    assert n_proved == 400
    assert n_improved > 200


def test_a_bound_at_raised_prices_is_never_above_the_optimum(monkeypatch):
    def only_raised(self, prices):
        raise_prices(self, prices, len(self.params.levels) - 1)
        return np.zeros((len(self.columns), 0), dtype=np.uint8), False

    monkeypatch.setattr(ColumnProof, "_missing", only_raised)
    rng = np.random.default_rng(3)
    n_useful = 0
    for draws, a, best, table in small_problems(rng, 200, PENALTIES):
        start = table.estimates[rng.integers(len(table.estimates))]
        proof = proof_of(as_engine(draws, 1), start, a)
        proof.run()
        assert proof.bound() <= best + 1e-9, (a, draws, start)
        n_useful += proof.bound() >= 0.9 * best
    assert n_useful > 150


def test_certificates_are_true():
    rng = np.random.default_rng(2)
    for draws, a, best, table in small_problems(rng, 100, PENALTIES):
        start = table.estimates[rng.integers(len(table.estimates))]
        certificate = certify(start, draws, a=a, n_threads=1)
        assert certificate.lower_bound <= best + 1e-9
        known = (
            certificate.better.expected_loss if certificate.better else certificate.expected_loss
        )
        assert known == pytest.approx(best, abs=1e-9)
        assert certificate.is_global_optimum == (certificate.better is None)
        if certificate.better is not None:
            assert certificate.better.is_flip_optimal
            assert certificate.better.lower_bound == certificate.better.expected_loss
            assert "use .better" in str(certificate)


def test_items_of_the_same_features_go_together():
    rng = np.random.default_rng(3)
    draws = [np.repeat(draw, [1, 3, 1, 2], axis=0) for draw in noisy_draws(rng, 4, 2, 10)]
    for a in (0.5, 1.0, 1.5):
        start = np.zeros((7, 0), dtype=np.uint8)
        threaded, plain = (
            proof_of(as_engine(draws, 1), start, a),
            proof_of(PlainEngine(draws), start, a),
        )
        threaded.run()
        plain.run()
        assert threaded.is_proved
        assert plain.is_proved
        assert threaded.bound() == plain.bound()


def test_threads_and_runs_agree(samples, found):
    runs = [certify(found, samples, max_seconds=None, n_threads=threads) for threads in (1, 2, 7)]
    assert runs[0] == runs[1] == runs[2]
    assert runs[0].rounds == runs[1].rounds == runs[2].rounds
    assert runs[0].method == "columns"
    assert runs[0].is_global_optimum
    assert runs[0].n_columns > 0


@pytest.mark.parametrize("a", [0.001, 1.0, 1.1234567, 1.999])
def test_extreme_penalties_and_draws_without_features(a):
    draws = [np.zeros((3, 0)), [[1], [1], [0]], [[1], [0], [0]], [[0], [1], [1]], np.zeros((3, 0))]
    found = fangs.estimate(draws, a=a, seed=0)
    certificate = certify(found, draws)
    assert certificate.is_global_optimum
    proof = proof_of(as_engine(draws, 1), np.zeros((3, 0)), min(max(round(a, 3), 0.001), 1.999))
    proof.run()
    assert proof.is_proved


def test_a_clock_that_cuts_leaves_a_valid_bound(samples, found):
    certificate = certify(found, samples, max_seconds=1e-9)
    assert certificate.stopped_because == "time is over"
    assert certificate.lower_bound <= found.expected_loss


def test_every_long_step_is_told_the_time_that_is_left(samples, found, monkeypatch):
    """On a clock that goes on by a second with each look, whatever the machine's speed."""
    now = itertools.count()
    monkeypatch.setattr("fangs.engine.deadline.perf_counter", lambda: float(next(now)))
    steps = {}
    original = ThreadedEngine.pricing

    class Recorder:
        def __init__(self, pricing):
            self.pricing = pricing

        def __getattr__(self, name):
            method = getattr(self.pricing, name)
            if name not in ("solve", "explore"):
                return method

            def call(*args, seconds, **given):
                steps.setdefault(name, []).append((deadline.elapsed, seconds))
                return method(*args, seconds=seconds, **given)

            return call

    monkeypatch.setattr(
        ThreadedEngine, "pricing", lambda self, *a, **k: Recorder(original(self, *a, **k))
    )
    deadline = Deadline(200)
    engine = as_engine(samples, 1)
    params = ColumnParams(first_nodes=1)  # so that prices are raised, too
    objective = Objective.of(engine.samples_info, 1.0)
    proof = ColumnProof(engine, objective, found.matrix, deadline, params=params)
    proof.run()
    assert set(steps) == {"solve", "explore"}
    for elapsed, seconds in itertools.chain(*steps.values()):
        assert 0 <= seconds <= deadline.max_seconds - elapsed + 3


def test_progress_tells_of_each_round(samples, found):
    told = []
    certificate = certify(found, samples, progress=told.append)
    assert [(one.done, one.loss) for one in told] == list(certificate.rounds)
    assert {one.phase for one in told} == {"columns"}


def test_exhaustive_proves_what_it_cannot_enumerate(samples):
    with pytest.raises(fangs.alternatives.NotApplicableError, match="proof"):
        fangs.alternatives.exhaustive(samples)
    found = fangs.alternatives.exhaustive(samples, max_seconds=1e6)
    assert found.lower_bound == found.expected_loss
    assert found.expected_loss <= fangs.estimate(samples, seed=1).expected_loss
