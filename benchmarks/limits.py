"""How soon a search ends at its time limit, and after Ctrl-C, on draws that are large.

python benchmarks/limits.py [n_items n_features n_draws]
"""

import os
import signal
import sys
import threading
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


def after_interrupt(samples, seconds, **options):
    """Seconds from Ctrl-C to its exception, and what that holds."""
    sent = []

    def interrupt():
        sent.append(perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(seconds, interrupt)
    timer.start()
    try:
        fangs.estimate(samples, seed=1, **options)
    except fangs.Interrupted as error:
        return perf_counter() - sent[0], error.estimate
    finally:
        timer.cancel()
    return None, None


def main():
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
                    took, found = after_interrupt(samples, seconds, **options)
                    if took is not None:
                        print(
                            f"  {how}, Ctrl-C at {seconds} s: {took:.2f} s; {found!r}", flush=True
                        )


if __name__ == "__main__":
    main()
