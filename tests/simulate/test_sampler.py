"""What a user of `sample_posterior` relies on: same draws, right shapes, stops when told."""

import _thread
import hashlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest

from fangs.simulate import AIBD, IBP, bars, linear_gaussian, log_likelihood, sample_posterior

Z = IBP(15).draw(alpha=1.5, seed=1)
X = linear_gaussian(Z, n_dims=4, sigma_x=0.4, sigma_a=1.0, seed=2).data


def fingerprint(posterior):
    digest = hashlib.sha256()
    for z in posterior.draws:
        digest.update(repr(z.shape).encode() + z.tobytes())
    for trace in (posterior.alpha, posterior.sigma_x, posterior.sigma_a, posterior.log_likelihood):
        digest.update(trace.tobytes())
    return digest.hexdigest()


def test_shapes_and_chain_labels():
    posterior = sample_posterior(X, n_chains=3, n_draws=7, burn_in=5, thin=2, seed=3)
    assert len(posterior.draws) == 21
    assert posterior.chains.tolist() == [0] * 7 + [1] * 7 + [2] * 7
    for trace in (posterior.alpha, posterior.sigma_x, posterior.sigma_a, posterior.log_likelihood):
        assert trace.shape == (21,)
    for z in posterior.draws:
        assert z.dtype == np.uint8
        assert z.shape[0] == 15
        assert z.any(axis=0).all()


def test_number_of_threads_does_not_change_a_bit():
    prints = {
        fingerprint(sample_posterior(X, n_chains=5, n_draws=20, burn_in=9, seed=4, n_threads=t))
        for t in (1, 2, 7)
    }
    assert len(prints) == 1


def test_seeds_tell_draws_apart_and_chains_differ():
    first, again, other = (
        sample_posterior(X, n_chains=2, n_draws=5, burn_in=5, seed=s) for s in (5, 5, 6)
    )
    assert fingerprint(first) == fingerprint(again)
    assert fingerprint(first) != fingerprint(other)
    assert first.alpha[:5].tolist() != first.alpha[5:].tolist()


def test_thinning_keeps_every_third_sweep():
    every = sample_posterior(X, n_chains=1, n_draws=30, burn_in=6, seed=7)
    third = sample_posterior(X, n_chains=1, n_draws=10, burn_in=6, thin=3, seed=7)
    assert third.alpha.tolist() == every.alpha[2::3].tolist()


def test_same_bits_on_every_platform():
    """A pinned digest: data, start and distances need no library function of the platform."""
    grid = np.arange(12.0)
    data = ((np.outer(grid, grid) % 7) - 3) / 2
    attraction = AIBD(1 / (1 + abs(grid[:, None] - grid)))
    start = (np.add.outer(np.arange(12), np.arange(3)) % 2).astype(np.uint8)
    settings = dict(n_chains=2, n_draws=40, burn_in=10, initial=start, seed=8)
    prints = [fingerprint(sample_posterior(data, prior=p, **settings)) for p in (None, attraction)]
    assert [p[:16] for p in prints] == ["8e661e1d27f637d1", "38a61e680e5bef5e"]


def test_log_likelihood_trace_is_that_of_the_draw():
    prior = AIBD(
        1 / (1 + abs(np.subtract.outer(range(15), range(15)))), order=list(range(14, -1, -1))
    )
    posterior = sample_posterior(X, prior=prior, n_chains=1, n_draws=3, burn_in=10, seed=9)
    for b in range(3):
        expected = log_likelihood(
            X, posterior.draws[b], sigma_x=posterior.sigma_x[b], sigma_a=posterior.sigma_a[b]
        )
        assert posterior.log_likelihood[b] == pytest.approx(expected, rel=1e-9)


def test_bars_are_found():
    truth = bars(60, seed=11)
    posterior = sample_posterior(truth.data, n_chains=2, n_draws=50, burn_in=300, seed=12)
    assert abs(posterior.sigma_x.mean() - 0.5) < 0.03
    # In the best chain every true feature has a column that nearly equals it in most draws.
    chain = posterior.chains[posterior.log_likelihood.argmax()]
    draws = [z for z, c in zip(posterior.draws, posterior.chains, strict=True) if c == chain]
    close = [
        (np.abs(z[:, :, None].astype(int) - truth.matrix[:, None, :]).sum(axis=0) <= 6).any(axis=0)
        for z in draws
    ]
    assert np.mean(close, axis=0).min() > 0.8


def test_progress_reaches_the_end():
    seen = []
    sample_posterior(
        X, n_chains=2, n_draws=10, burn_in=5, seed=13, progress=lambda *at: seen.append(at)
    )
    assert seen[-1] == (30, 30)
    assert all(a[0] <= b[0] for a, b in pairwise(seen))


@pytest.mark.parametrize("n_items", [20, 1500])
def test_interrupt_stops_within_a_second_or_a_few_sweeps(n_items):
    data = np.random.default_rng(14).normal(size=(n_items, 30))
    began = time.perf_counter()
    sample_posterior(data, alpha=5.0, n_draws=2, burn_in=8, n_chains=2, seed=15)
    ten_sweeps = time.perf_counter() - began
    pressed = []

    def press():
        pressed.append(time.perf_counter())
        _thread.interrupt_main()

    timer = threading.Timer(0.5, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        sample_posterior(data, alpha=5.0, n_draws=10_000_000, n_chains=2, seed=15)
    assert time.perf_counter() - pressed[0] < 1.0 + ten_sweeps
    timer.join()
    assert not [t for t in threading.enumerate() if t.name.startswith("fangs-chain")]


def test_an_interrupt_while_chains_are_handed_to_threads_stops_them(monkeypatch):
    submitted = []

    def interrupted(pool, function, number):
        if submitted:
            raise KeyboardInterrupt
        submitted.append(submit(pool, function, number))
        return submitted[0]

    submit = ThreadPoolExecutor.submit
    monkeypatch.setattr(ThreadPoolExecutor, "submit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sample_posterior(X, n_draws=10_000_000, n_chains=2, seed=15)
    assert submitted[0].done()


def test_a_progress_callback_that_fails_stops_the_chains():
    def fail(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        sample_posterior(X, n_draws=10_000_000, n_chains=2, seed=16, progress=fail)


def test_data_off_the_scale_are_refused_rather_than_truncated():
    with pytest.raises(RuntimeError, match="4096"):
        sample_posterior(
            1e6 * X, alpha=1.0, sigma_x=1.0, sigma_a=1.0, n_draws=1, burn_in=1, n_chains=1, seed=17
        )
