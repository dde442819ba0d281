"""How late long functions end at their limit and after Ctrl-C, and what is lost, on large draws.

python benchmarks/limits.py [n_items n_features n_draws n_times]

The machine is made busy by as many processes as it has cores. A pass over the draws is measured
between the trials, and what is reported is how much longer than one pass a function went on.
"""

import multiprocessing
import os
import random
import signal
import statistics
import sys
import threading
from time import perf_counter

import numpy as np

import fangs
from fangs import _core
from fangs.draws.samples import Labels

SIZES = [(20_000, 100, 400, 200), (100_000, 200, 500, 50)]


def random_draws(n_items, n_features, n_draws, *, alike=True, seed=0):
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
    packed = _core.Draws.restore(n_items, words.ravel(), widths, kept)
    chains = np.arange(n_draws) % 4
    return fangs.Samples._of(packed, Labels(chains=chains))


class Watch:
    """Whether a search has told of anything that it found."""

    def __init__(self):
        self.has_found = False

    def __call__(self, step):
        self.has_found |= step.loss < np.inf


def long_functions(samples, matrix, estimate):
    """What is interrupted, by name: called with a function to report progress to."""
    return {
        "estimate": lambda watch: fangs.estimate(samples, seed=1, progress=watch),
        "estimate, 60 s": lambda watch: fangs.estimate(
            samples, seed=1, max_seconds=60, progress=watch
        ),
        "Algorithm 1": lambda watch: fangs.estimate(samples, n_iter=10_000, seed=1, progress=watch),
        "sparsity_path": lambda watch: fangs.sparsity_path(
            samples, a=[0.5, 1.0, 1.5], seed=1, progress=watch
        ),
        "choose_a": lambda watch: fangs.choose_a(samples, fdr=0.01, seed=1, progress=watch),
        "modes": lambda watch: fangs.modes(samples, n_modes=3, seed=1, progress=watch),
        "compare_chains": lambda watch: fangs.compare_chains(samples, estimate=estimate, seed=1),
        "certify": lambda watch: fangs.certify(estimate, samples),
        "lower_bound": lambda watch: fangs.lower_bound(samples, estimate=matrix),
        "pairwise_similarity": lambda watch: fangs.pairwise_similarity(samples),
        "align": lambda watch: fangs.align(matrix, samples),
        "summary": lambda watch: fangs.summary(estimate, samples),
        "credible_ball": lambda watch: fangs.credible_ball(estimate, samples),
        "alternatives.draws": lambda watch: fangs.alternatives.draws(samples),
        "alternatives.deterministic": lambda watch: fangs.alternatives.deterministic(
            samples, seed=1
        ),
    }


def limited_functions(samples, matrix, estimate):
    """What takes a limit, by name."""
    return {
        "estimate": lambda limit: fangs.estimate(samples, max_seconds=limit, seed=1),
        "Algorithm 1": lambda limit: fangs.estimate(
            samples, n_iter=10_000, max_seconds=limit, seed=1
        ),
        "certify": lambda limit: fangs.certify(estimate, samples, max_seconds=limit),
        "lower_bound": lambda limit: fangs.lower_bound(samples, max_seconds=limit),
    }


def interrupted(work, after):
    """Seconds from Ctrl-C to its exception, and whether something found was lost; or None."""
    sent, watch = [], Watch()

    def interrupt():
        sent.append(perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, interrupt)
    try:
        timer.start()
        work(watch)
        timer.cancel()
        timer.join()
    except KeyboardInterrupt as error:
        late = perf_counter() - sent[0]
        kept = getattr(error, "estimate", None) or getattr(error, "partial", None)
        return late, watch.has_found and kept is None, type(error).__name__, kept is not None
    return None


def seconds_of(work):
    """How long something takes."""
    since = perf_counter()
    work()
    return perf_counter() - since


def spin():
    """Keep a core busy."""
    while True:
        pass


def trial(samples, matrix, estimate, n_times):
    """Interrupt every function at random times, and give it random limits; print what is late."""
    chance = random.Random(1)
    passes = [seconds_of(lambda: fangs.assess(matrix, samples)) for _ in range(3)]
    n_lost, worst = 0, {}
    for at in range(n_times):
        passes.append(seconds_of(lambda: fangs.assess(matrix, samples)))
        a_pass = statistics.median(passes[-5:])
        functions = long_functions(samples, matrix, estimate)
        limits = limited_functions(samples, matrix, estimate)
        which = at % (len(functions) + len(limits))
        if which < len(functions):
            name = list(functions)[which]
            after = chance.uniform(0.0, 8 * a_pass)
            found = interrupted(functions[name], after)
            if found is None:
                print(f"  {name}: ended before Ctrl-C at {after:.2f} s", flush=True)
                continue
            late, is_lost, kind, has_kept = found
            n_lost += is_lost
            what = f"{name}, Ctrl-C at {after:.2f} s: {kind}, {'kept' if has_kept else 'nothing'}"
            what += ", LOST" if is_lost else ""
        else:
            name = list(limits)[which - len(functions)]
            limit = chance.choice([0.05, 0.3, 1.0]) * chance.uniform(0.5, 8 * a_pass)
            results = []
            late = seconds_of(lambda: results.append(limits[name](limit))) - limit  # noqa: B023
            what = f"{name}, limit {limit:.2f} s"
            note = getattr(results[0], "note", "")
            what += f", {note}" if note else ""
        over = late - a_pass
        worst[name] = max(worst.get(name, -np.inf), over)
        print(f"  {what}: late {late:.2f} s, a pass {a_pass:.2f} s", flush=True)
    print("lost:", n_lost)
    print("longest beyond a pass, s:", {name: round(late, 2) for name, late in worst.items()})
    print("more than 1 s beyond a pass:", sum(late > 1 for late in worst.values()), flush=True)


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
    sizes = [tuple(map(int, sys.argv[1:]))] if len(sys.argv) > 1 else SIZES
    busy = [multiprocessing.Process(target=spin, daemon=True) for _ in range(os.cpu_count())]
    for *size, n_times in sizes:
        samples = random_draws(*size)
        matrix = samples[0]
        estimate = fangs.estimate(samples, seed=1)
        print("n, K, B:", *size, flush=True)
        for process in busy:
            if not process.is_alive():
                process.start()
        trial(samples, matrix, estimate, n_times)
    for process in busy:
        process.terminate()


if __name__ == "__main__":
    main()
