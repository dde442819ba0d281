"""How soon a search ends at its time limit, and after Ctrl-C, on draws that are large.

python benchmarks/limits.py [n_items n_features n_draws]
"""

import os
import signal
import sys
import threading
from functools import partial
from time import perf_counter

import numpy as np

import fangs
from fangs import _core

SIZES = [(20_000, 100, 400), (100_000, 200, 1_000)]


def random_draws(n_items, n_features, n_draws, *, alike, seed=0):
    """Draws of random words; alike, or with nothing in common. An entry is 1 in one of 8."""
    rng = np.random.default_rng(seed)
    n_words, rest = divmod(n_items * n_features, 64)
    if rest:
        raise ValueError(
            f"n_items * n_features must be a multiple of 64, not {n_words * 64 + rest}"
        )

    def sparse(power):  # an entry is 1 with probability 2**-power
        return np.bitwise_and.reduce(
            [rng.integers(2**64, size=n_words, dtype=np.uint64) for _ in range(power)]
        )

    truth = sparse(3)
    words = np.empty((n_draws, n_words), dtype=np.uint64)
    for b in range(n_draws):
        words[b] = truth ^ sparse(5) if alike else sparse(3)
    kept = np.ones(n_features * n_draws, dtype=np.uint8)
    widths = np.full(n_draws, n_features, dtype=np.int64)
    return fangs.Samples(_core.Draws.restore(n_items, words.ravel(), widths, kept))


def beyond_limit(samples, seconds, **options):
    """Seconds by which a search with a limit overran it."""
    since = perf_counter()
    found = fangs.estimate(samples, max_seconds=seconds, seed=1, **options)
    return perf_counter() - since - seconds, found


def others(samples):
    """Other work that passes over all draws, by name."""
    matrix = samples[0]
    found = fangs.assess(matrix, samples.select(range(3)))
    return {
        "align": lambda: fangs.align(matrix, samples),
        "expected_loss": lambda: fangs.expected_loss(matrix, samples),
        "summary": lambda: fangs.summary(matrix, samples),
        "credible_ball": lambda: fangs.credible_ball(matrix, samples),
        "certify": lambda: fangs.certify(found, samples),
        "sparsity_path": lambda: fangs.sparsity_path(samples, a=[0.5, 1.0, 1.5], seed=1),
        "modes": lambda: fangs.modes(samples, n_modes=2, seed=1),
        "alternatives.draws": lambda: fangs.alternatives.draws(samples),
    }


def after_interrupt(seconds, work):
    """Seconds from Ctrl-C to its exception, and the estimate that it holds, if any."""
    sent = []

    def interrupt():
        sent.append(perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(seconds, interrupt)
    timer.start()
    try:
        work()
    except KeyboardInterrupt as error:
        return perf_counter() - sent[0], getattr(error, "estimate", None)
    finally:
        timer.cancel()
    return None, None


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
    sizes = [tuple(map(int, sys.argv[1:]))] if len(sys.argv) > 1 else SIZES
    for size in sizes:
        for alike in (False, True):
            samples = random_draws(*size, alike=alike)
            print("n, K, B:", *size, "alike" if alike else "with nothing in common", flush=True)
            for options in ({}, {"n_iter": 1_000}):
                how = "Algorithm 1" if options else "default"
                for seconds in (0.1, 1.0, 5.0, 20.0):
                    over, found = beyond_limit(samples, seconds, **options)
                    about = found.note or "all draws"
                    print(f"  {how}, limit {seconds} s: {over:+.2f} s; {about}", flush=True)
                for seconds in (0.05, 0.5, 2.0, 7.0, 15.0):
                    took, found = after_interrupt(
                        seconds, partial(fangs.estimate, samples, seed=1, **options)
                    )
                    if took is not None:
                        print(
                            f"  {how}, Ctrl-C at {seconds} s: {took:.2f} s; {found!r}", flush=True
                        )
            for name, work in others(samples).items():
                for seconds in (0.3, 3.0):
                    took, _ = after_interrupt(seconds, work)
                    if took is not None:
                        print(f"  {name}, Ctrl-C at {seconds} s: {took:.2f} s", flush=True)


if __name__ == "__main__":
    main()
